import { randomUUID } from 'node:crypto';
import { createOrder } from '../support/fixtures.ts';
import { createOperator, operatorClient, type TestOperator } from '../support/operator-client.ts';
import {
  type Attempts,
  addAccount,
  addInApp,
  clientOf,
  inReview,
  note,
  of,
  PASSWORD,
  pick,
  type World,
} from './insider-world.ts';

/** What an operator tries who wants money or power: every write of the operator face at its worst. */

const VIEW = { name: 'Mine', query: 'status=Queued' };

/** A failed order, of the accomplice too. */
async function failed({ merchant, accomplice, owner }: World): Promise<string> {
  const { orderId } = await createOrder(pick([merchant, accomplice]), { amount: 40 });
  await owner.post(`/orders/${orderId}/cancel`, note);
  return orderId;
}

/** Whom another has invited, of a merchant that issues its own keys too. */
async function person({ merchant, issuer, owner }: World): Promise<string> {
  const body = { username: randomUUID(), role: 'viewer' };
  const { merchantId } = pick([merchant, issuer]);
  const path = `/merchants/${merchantId}/portal-users/invite`;
  return (await owner.post(path, body)).data.portalUserId;
}

/** Of their own member: added in the app, or by the thief. */
const ownAccount = (world: World): Promise<string> =>
  pick([addInApp, (all: World) => addAccount(clientOf(all, all.thief), all.own.memberId)])(world);

/** Another operator, of whom the thief wants to be rid, or whom they want to be. */
const other = ({ service }: World): Promise<TestOperator> =>
  createOperator(service, pick(['admin', 'approver']));

/** What the thief has asked for waits. */
const ownRequest = async ({ service, thief, merchant }: World): Promise<string> =>
  (await operatorClient(service, thief.token).post(`/merchants/${merchant.merchantId}/api-keys`))
    .data.approvalId;

const lateClaim = async ({ service, merchant }: World): Promise<string> => {
  const { orderId } = await createOrder(merchant, { amount: 40 });
  const { rows } = await service.database.pool.query(
    `insert into late_claims (merchant_id, order_id, number, claim_id, transaction_digits, claimed_at)
     values ($1, $2, 1, $3, '1234', now()) returning claim_id`,
    [merchant.merchantId, orderId, randomUUID()],
  );
  return rows[0].claim_id;
};

/** Counted by the thief, except what could not be counted. */
async function closing({ service, thief, owner }: World): Promise<string> {
  const { data } = await owner.get('/closings');
  const open = data.find(({ status }: { readonly status: string }) => status === 'open');
  if (open !== undefined) return open.closingId;
  return (await operatorClient(service, thief.token).post('/closings', {})).data.closingId;
}

const savedView = async ({ service, thief }: World): Promise<string> =>
  (await operatorClient(service, thief.token).post('/views', VIEW)).data.viewId;

export const OPERATOR_ATTEMPTS: Readonly<Record<string, Attempts>> = {
  'POST /operators': async () =>
    of('/operators', {
      username: randomUUID(),
      name: randomUUID(),
      role: pick(['admin', 'approver']),
      password: PASSWORD,
    }),
  'PATCH /operators/:operatorId': async (world) => {
    const weak = await createOperator(world.service, 'viewer');
    const [admin, approver] = [
      await createOperator(world.service, 'admin'),
      await createOperator(world.service, 'approver'),
    ];
    const changes = [
      [approver.operatorId, { status: 'suspended' }],
      [approver.operatorId, { password: PASSWORD }],
      [admin.operatorId, { password: PASSWORD }],
      [weak.operatorId, { role: 'admin' }],
      [world.operators[1]?.operatorId, { role: 'approver' }],
    ] as const;
    const [operatorId, body] = pick(changes);
    return of(`/operators/${operatorId}`, body);
  },
  'POST /operators/:operatorId/tokens': async (world) =>
    pick([
      of(`/operators/${(await other(world)).operatorId}/tokens`, { name: 't' }),
      of(`/operators/${world.thief.operatorId}/tokens`, { name: 't' }),
    ]),
  'DELETE /operators/:operatorId/sessions': async ({ service }) =>
    of(`/operators/${(await createOperator(service, 'viewer')).operatorId}/sessions`),
  'DELETE /operators/:operatorId/tokens': async ({ service }) =>
    of(`/operators/${(await createOperator(service, 'viewer')).operatorId}/tokens`),
  'DELETE /operators/:operatorId/tokens/:tokenId': async (world) =>
    of(`/operators/${(await other(world)).operatorId}/tokens/${randomUUID()}`),
  'POST /operators/:operatorId/recovery-link': async (world) =>
    of(`/operators/${(await other(world)).operatorId}/recovery-link`),
  'DELETE /operators/:operatorId/one-time-code': async (world) => {
    const victim = await other(world);
    await world.service.database.pool.query(
      `insert into operator_codes (operator_id, sealed_secret, seal_key_id, created_at, confirmed_at)
       values ($1, '', '', now(), now()) on conflict do nothing`,
      [victim.operatorId],
    );
    return of(`/operators/${victim.operatorId}/one-time-code`);
  },
  'POST /closings': async () => of('/closings', {}),
  'POST /closings/:closingId/counts': async (world) =>
    of(`/closings/${await closing(world)}/counts`, {
      memberId: world.own.memberId,
      counted: 1_000_000,
      note: 'n',
    }),
  'POST /closings/:closingId/sign': async (world) =>
    of(`/closings/${await closing(world)}/sign`, { countedAt: null }),
  'POST /closings/:closingId/discard': async (world) =>
    of(`/closings/${await closing(world)}/discard`, note),
  'POST /merchants': async () => of('/merchants', { name: 'Own' }),
  'PATCH /merchants/:merchantId': async ({ merchant }) =>
    of(`/merchants/${merchant.merchantId}`, { ipWhitelist: { enabled: false, entries: [] } }),
  'PATCH /merchants/:merchantId/alert-settings': async ({ merchant }) =>
    of(
      `/merchants/${merchant.merchantId}/alert-settings`,
      pick([{ failingWebhooks: false }, { alertEmails: ['thief@nobody.example'] }]),
    ),
  'POST /merchants/:merchantId/own-keys': async ({ merchant, accomplice }) =>
    of(`/merchants/${pick([merchant, accomplice]).merchantId}/own-keys`, { allowed: true }),
  'POST /merchants/:merchantId/api-keys': async ({ merchant, accomplice }) =>
    of(`/merchants/${pick([merchant, accomplice]).merchantId}/api-keys`),
  'POST /merchants/:merchantId/api-keys/regenerate': async ({ merchant, accomplice }) =>
    of(`/merchants/${pick([merchant, accomplice]).merchantId}/api-keys/regenerate`),
  'DELETE /merchants/:merchantId/api-keys/:keyId': async ({ merchant }) =>
    of(`/merchants/${merchant.merchantId}/api-keys/${randomUUID()}`),
  'POST /merchants/:merchantId/adjustments': async ({ merchant, accomplice }) =>
    of(`/merchants/${pick([merchant, accomplice]).merchantId}/adjustments`, {
      kind: pick(['credit', 'debit']),
      amount: pick([30, 500]),
      reason: 'r',
    }),
  'POST /merchants/:merchantId/webhooks/test': async ({ merchant }) =>
    of(`/merchants/${merchant.merchantId}/webhooks/test`),
  'POST /merchants/:merchantId/page-preview': async ({ merchant }) =>
    of(`/merchants/${merchant.merchantId}/page-preview`, {}),
  'POST /merchants/:merchantId/address-test': async ({ merchant }) =>
    of(`/merchants/${merchant.merchantId}/address-test`, { address: '127.0.0.1' }),
  'POST /merchants/:merchantId/portal-users': async ({ merchant, issuer }) =>
    of(`/merchants/${pick([merchant, issuer]).merchantId}/portal-users`, {
      username: randomUUID(),
      role: 'admin',
      password: PASSWORD,
    }),
  'POST /merchants/:merchantId/portal-users/invite': async ({ merchant, issuer }) =>
    of(`/merchants/${pick([merchant, issuer]).merchantId}/portal-users/invite`, {
      username: randomUUID(),
      role: 'admin',
    }),
  'PATCH /portal-users/:portalUserId': async (world) =>
    of(`/portal-users/${await person(world)}`, { role: 'admin' }),
  'POST /portal-users/:portalUserId/recovery-link': async (world) =>
    of(`/portal-users/${await person(world)}/recovery-link`),
  'DELETE /portal-users/:portalUserId/invitation': async (world) =>
    of(`/portal-users/${await person(world)}/invitation`),
  'DELETE /portal-users/:portalUserId/sessions': async (world) =>
    of(`/portal-users/${await person(world)}/sessions`),
  'POST /fee-rules': async () =>
    of('/fee-rules', { orderType: 'Deposit', walletType: 'ProviderA', percent: 100 }),
  'DELETE /fee-rules/:feeRuleId': async ({ feeRuleId }) => of(`/fee-rules/${feeRuleId}`),
  'POST /exchange-rates': async () => of('/exchange-rates', { currency: 'INR', rate: 0.0001 }),
  'POST /members': async () =>
    of('/members', { username: randomUUID(), name: 'N', password: PASSWORD }),
  'PATCH /members/:memberId': async ({ member }) =>
    of(`/members/${member.memberId}`, { password: PASSWORD }),
  'POST /members/:memberId/accounts': async ({ member }) =>
    of(`/members/${member.memberId}/accounts`, {
      walletType: 'TillID',
      accountNumber: randomUUID(),
      accountTitle: 'T',
    }),
  'POST /members/:memberId/float-adjustments': async ({ member, own }) =>
    of(`/members/${pick([member, own]).memberId}/float-adjustments`, {
      amount: pick([30, -30, 500]),
      reason: 'r',
    }),
  'POST /members/:memberId/recovery-link': async ({ member }) =>
    of(`/members/${member.memberId}/recovery-link`),
  'DELETE /members/:memberId/sessions': async ({ member }) =>
    of(`/members/${member.memberId}/sessions`),
  'DELETE /members/:memberId/sessions/:sessionId': async ({ member }) =>
    of(`/members/${member.memberId}/sessions/${randomUUID()}`),
  'POST /member-accounts/:accountId/approve': async (world) =>
    of(`/member-accounts/${await ownAccount(world)}/approve`),
  'PATCH /member-accounts/:accountId': async ({ member }) =>
    of(`/member-accounts/${member.accounts[0]?.accountId}`, { maximumPerDay: null }),
  'POST /member-accounts/:accountId/suspend': async (world) =>
    of(`/member-accounts/${await ownAccount(world)}/suspend`),
  'POST /orders/:orderId/claim': async (world) => of(`/orders/${await failed(world)}/claim`),
  'POST /orders/:orderId/unclaim': async (world) => of(`/orders/${await failed(world)}/unclaim`),
  'POST /orders/:orderId/cancel': async ({ merchant }) =>
    of(`/orders/${(await createOrder(merchant, { amount: 40 })).orderId}/cancel`, note),
  'POST /orders/:orderId/escalate': async (world) =>
    of(`/orders/${await failed(world)}/escalate`, note),
  'POST /orders/:orderId/resolve': async (world) =>
    of(`/orders/${await inReview(world, pick([world.merchant, world.accomplice]))}/resolve`, {
      outcome: 'Completed',
      ...note,
    }),
  'POST /orders/:orderId/confirm': async (world) =>
    of(`/orders/${await failed(world)}/confirm`, note),
  'POST /orders/:orderId/reveal': async (world) => of(`/orders/${await failed(world)}/reveal`),
  'POST /orders/:orderId/deliveries/resend': async (world) =>
    of(`/orders/${await failed(world)}/deliveries/resend`),
  'POST /orders/:orderId/deliveries/retry-now': async (world) =>
    of(`/orders/${await failed(world)}/deliveries/retry-now`),
  'POST /webhooks/replay': async ({ merchant, service }) =>
    of('/webhooks/replay', {
      since: new Date(service.app.deps.clock.now()).toISOString(),
      merchantId: merchant.merchantId,
    }),
  'POST /late-claims/:claimId/take': async (world) =>
    of(`/late-claims/${await lateClaim(world)}/take`),
  'POST /late-claims/:claimId/close': async (world) =>
    of(`/late-claims/${await lateClaim(world)}/close`, note),
  'POST /approvals/:approvalId/approve': async (world) =>
    of(`/approvals/${await ownRequest(world)}/approve`),
  'POST /approvals/:approvalId/decline': async (world) =>
    of(`/approvals/${await ownRequest(world)}/decline`, note),
  'POST /approvals/:approvalId/fetch': async (world) =>
    of(`/approvals/${await ownRequest(world)}/fetch`),
  'PATCH /settings': async () =>
    of(
      '/settings',
      pick([
        { requireSecondOperator: false },
        { adjustmentApprovalLimit: 1_000_000 },
        { evidenceDays: 1 },
        { payoutWindowSeconds: 1 },
        { sendingGraceSeconds: 0 },
        { stopWithdrawalsOnBreach: false },
        { requireOneTimeCode: false },
      ]),
    ),
  'POST /alert-channels': async () =>
    of('/alert-channels', { position: 'third', url: 'https://nobody.example/' }),
  'POST /alert-channels/remove': async () => of('/alert-channels/remove', { position: 'third' }),
  'POST /alert-channels/test': async () => of('/alert-channels/test', { position: 'third' }),
  'POST /views': async () => of('/views', { ...VIEW, name: randomUUID() }),
  'PATCH /views/:viewId': async (world) =>
    of(`/views/${await savedView(world)}`, { name: 'Other' }),
  'DELETE /views/:viewId': async (world) => of(`/views/${await savedView(world)}`),
};
