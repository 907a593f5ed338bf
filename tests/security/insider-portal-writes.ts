import { randomUUID } from 'node:crypto';
import { createOrder } from '../support/fixtures.ts';
import type { MemberClient } from '../support/member-client.ts';
import {
  type Attempts,
  clientOf,
  letIn,
  of,
  type PortalPerson,
  pick,
  type World,
} from './insider-world.ts';

/** What people of merchants in the group's hands try: every write of the portal face. */

/** The accomplice's admin, and whom the thief has let in at a merchant of nobody here. */
const anybody = ({ accompliceAdmin, viewer }: World): MemberClient =>
  pick([accompliceAdmin.client, viewer]);

const anyAdmin = ({ accompliceAdmin, merchantAdmin }: World): PortalPerson =>
  pick([accompliceAdmin, merchantAdmin]);

/** An admin in the group's hands, with a code that nobody has used. */
async function admin(world: World): Promise<{ as: MemberClient; oneTimeCode: string }> {
  const { client, code } = anyAdmin(world);
  return { as: client, oneTimeCode: await code() };
}

/** With a code: a write of keys, or one that lets an admin in. */
const byCode =
  (path: (world: World) => string | Promise<string>, body: () => object = () => ({})): Attempts =>
  async (world) => {
    const asked = await path(world);
    const { as, oneTimeCode } = await admin(world);
    return of(asked, { ...body(), oneTimeCode }, as);
  };
const plain =
  (path: (world: World) => string | Promise<string>, body?: object): Attempts =>
  async (world) =>
    of(await path(world), body, anybody(world));

/** Whom they reach for: of the accomplice, of the issuer, of the other merchant. */
async function somebody({ service, accomplice, issuer, merchant, freely, owner }: World) {
  const { portalUserId } = await freely(() =>
    letIn(service, owner, pick([accomplice, issuer, merchant]), pick(['viewer', 'admin'])),
  );
  return portalUserId;
}
const person =
  (after = '') =>
  async (world: World) =>
    `/people/${await somebody(world)}${after}`;

const keyOf = ({ issuer, merchant }: World) => pick([issuer, merchant]).keyId;
/** A key that the thief has asked for, or that an honest admin has and the group has approved. */
async function keyRequest(world: World): Promise<string> {
  const { merchantId } = pick([world.merchant, world.accomplice]);
  const asked = await pick([clientOf(world, world.thief), world.honest]).post(
    `/merchants/${merchantId}/api-keys`,
  );
  for (const one of world.operators)
    await clientOf(world, one).post(`/approvals/${asked.data.approvalId}/approve`);
  return asked.data.approvalId;
}
const open = { ipWhitelist: { enabled: false, entries: [] } };

export const PORTAL_ATTEMPTS: Readonly<Record<string, Attempts>> = {
  'POST /people': byCode(
    () => '/people',
    () => ({ username: randomUUID(), role: 'admin' }),
  ),
  'PATCH /people/:portalUserId': byCode(person(), () =>
    pick([{ role: 'admin' }, { status: 'active' }, { email: 'mine@example.com' }]),
  ),
  'DELETE /people/:portalUserId/invitation': plain(person('/invitation')),
  'DELETE /people/:portalUserId/sessions': plain(person('/sessions')),
  'POST /people/:portalUserId/recovery-link': byCode(person('/recovery-link')),
  'POST /api-keys': byCode(() => '/api-keys'),
  'POST /api-keys/regenerate': byCode(() => '/api-keys/regenerate'),
  'POST /api-keys/:keyId/revoke': byCode((world) => `/api-keys/${keyOf(world)}/revoke`),
  'POST /api-key-requests/:approvalId/fetch': byCode(
    async (world) => `/api-key-requests/${await keyRequest(world)}/fetch`,
  ),
  'PATCH /settings': async (world) =>
    of('/settings', open, pick([anyAdmin(world).client, anybody(world)])),
  'POST /settings/page-preview': plain(() => '/settings/page-preview', {}),
  'POST /settings/address-test': plain(() => '/settings/address-test', { address: '127.0.0.1' }),
  'PATCH /alert-settings': async (world) =>
    of(
      '/alert-settings',
      { failingWebhooks: false },
      pick([anyAdmin(world).client, anybody(world)]),
    ),
  'POST /alerts/test': plain(() => '/alerts/test'),
  'POST /webhooks/test': plain(() => '/webhooks/test'),
  'POST /webhooks/replay': async (world) =>
    of(
      '/webhooks/replay',
      { since: new Date(world.service.app.deps.clock.now() - 3_600_000).toISOString() },
      anybody(world),
    ),
  'POST /orders/:orderId/deliveries/resend': plain(
    async ({ accomplice }) =>
      `/orders/${(await createOrder(accomplice, { amount: 40 })).orderId}/deliveries/resend`,
  ),
  // A live service has no such route; of a sandbox, where anybody completes orders, nothing is real.
  'POST /orders/:orderId/move': plain(
    async ({ accomplice }) =>
      `/orders/${(await createOrder(accomplice, { amount: 40 })).orderId}/move`,
    { to: 'CancelledAuto' },
  ),
};
