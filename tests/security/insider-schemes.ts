import { randomUUID } from 'node:crypto';
import {
  createMember,
  createMerchant,
  createOrder,
  everybodyOffline,
  signInMember,
  type TestMerchant,
} from '../support/fixtures.ts';
import { memberClient } from '../support/member-client.ts';
import {
  createOperator,
  type OperatorClient,
  operatorClient,
  type TestOperator,
} from '../support/operator-client.ts';
import { openPage } from '../support/page-client.ts';
import { PORTAL_PASSWORD, portalClient, signInPortal } from '../support/portal.ts';
import {
  addAccount,
  addInApp,
  askAmongThem,
  clientOf,
  inReview,
  letIn,
  note,
  ownAlone,
  PASSWORD,
  paid,
  THEIR_ACCOUNT,
  type World,
  withCodes,
  withdrawal,
} from './insider-world.ts';

/**
 * What the group tries over several faces. Each answers its acts; what comes before them is done by
 * others, or alone changes nothing.
 */
export type Scheme = (world: World) => Promise<() => Promise<unknown>>;

/** One after another, in turn. */
const each = (world: World) => world.operators.map((one) => clientOf(world, one));
const inTurn = (world: World, at: number) => each(world)[at % 3] as OperatorClient;
const COUNT = 5;
const SMALL = 30;
const many = async <T>(make: (at: number) => Promise<T>): Promise<readonly T[]> => {
  const made: T[] = [];
  for (let at = 0; at < COUNT; at += 1) made.push(await make(at));
  return made;
};

export const SCHEMES: Readonly<Record<string, Scheme>> = {
  'an account that their member adds, approved by each of them': async (world) => async () => {
    const accountId = await addInApp(world);
    for (const by of each(world)) await by.post(`/member-accounts/${accountId}/approve`);
  },
  'an account of theirs at a member of others, added by one of them and approved by each':
    async (world) => async () => {
      for (const by of each(world).slice(0, 2)) {
        const accountId = await addAccount(by, world.member.memberId);
        for (const one of each(world)) await one.post(`/member-accounts/${accountId}/approve`);
      }
    },
  'an account of their member that another has suspended, approved again': async (world) => {
    const accountId = await addInApp(world);
    await world.owner.post(`/member-accounts/${accountId}/suspend`);
    return async () => {
      for (const by of each(world)) await by.post(`/member-accounts/${accountId}/approve`);
    };
  },
  'money that one of them asks for and each of the others approves': async (world) => async () => {
    const credit = { kind: 'credit', amount: 500, reason: 'r' };
    const path = `/merchants/${world.accomplice.merchantId}/adjustments`;
    for (const by of each(world)) await askAmongThem(world, by, path, credit);
  },
  'a link or a script token of another operator': async (world) => {
    const others = [
      await createOperator(world.service, 'approver'),
      await createOperator(world.service, 'admin'),
    ];
    return async () => {
      for (const { operatorId } of others)
        for (const by of each(world).slice(0, 2)) {
          await askAmongThem(world, by, `/operators/${operatorId}/recovery-link`);
          await askAmongThem(world, by, `/operators/${operatorId}/tokens`, { name: 't' });
        }
    };
  },
  'a member of an admin of theirs, whose account the thief approves': async (world) => async () => {
    const [thief, puppet] = each(world) as [OperatorClient, OperatorClient];
    const member = { username: randomUUID(), name: 'New', password: PASSWORD };
    const { memberId } = (await puppet.post('/members', member)).data;
    await thief.post(`/member-accounts/${await addAccount(puppet, memberId)}/approve`);
    await thief.post(`/members/${memberId}/float-adjustments`, { amount: SMALL, reason: 'r' });
  },
  'small deposits of the accomplice, each completed by another of them': async (world) => {
    const orders = await many(() => inReview(world, world.accomplice, SMALL));
    const body = { outcome: 'Completed', ...note };
    return () => many((at) => inTurn(world, at).post(`/orders/${orders[at]}/resolve`, body));
  },
  'small deposits of the accomplice, confirmed late and for their own member': async (world) => {
    await everybodyOffline(world.service);
    const orders = await many(async () => {
      const { orderId } = await createOrder(world.accomplice, { amount: SMALL });
      await world.owner.post(`/orders/${orderId}/cancel`, note);
      return orderId;
    });
    const { memberId } = world.own;
    return () =>
      many(async (at) => {
        const path = `/orders/${orders[at]}/confirm`;
        const by = inTurn(world, at);
        await by.post(path, { ...note, memberId });
        await by.post(path, note);
      });
  },
  'float of their member that a deposit of the accomplice has used, given back': async (world) => {
    await ownAlone(world);
    const { orderId } = await paid(world.accomplice, SMALL);
    return async () => {
      await world.own.client.call('POST', `/orders/${orderId}/confirm`, {}, randomUUID());
      const path = `/members/${world.own.memberId}/float-adjustments`;
      await many((at) => inTurn(world, at).post(path, { amount: SMALL, reason: 'r' }));
    };
  },
  'somebody of a merchant that issues its keys, raised to an admin by a link': async (world) => {
    const { service, issuer } = world;
    return async () => {
      const [thief, puppet] = each(world) as [OperatorClient, OperatorClient];
      const username = randomUUID();
      const people = `/merchants/${issuer.merchantId}/portal-users/invite`;
      const { link, portalUserId } = (await thief.post(people, { username, role: 'viewer' })).data;
      await useLink(world, link);
      for (const by of [thief, puppet]) {
        const { data } = await by.patch(`/portal-users/${portalUserId}`, { role: 'admin' });
        for (const one of each(world)) await one.post(`/approvals/${data.approvalId}/approve`);
      }
      const client = portalClient(service, await signInPortal(service, username));
      const { code } = await withCodes(service, { portalUserId, client });
      await client.call('POST', '/api-keys', { oneTimeCode: await code() }, randomUUID());
    };
  },
  'a link for the admin of a merchant that issues its keys': async (world) => {
    const { rows } = await world.service.database.pool.query(
      "select portal_user_id from portal_users where merchant_id = $1 and role = 'admin'",
      [world.issuer.merchantId],
    );
    return async () => {
      for (const { portal_user_id: id } of rows)
        for (const by of each(world)) {
          await askAmongThem(world, by, `/portal-users/${id}/recovery-link`);
          await by.patch(`/portal-users/${id}`, { email: 'mine@example.com' });
        }
    };
  },
  'a key for another merchant, asked for and approved among them': async (world) => async () => {
    const [thief] = each(world) as [OperatorClient];
    const { merchant } = world;
    const asked = await thief.post(`/merchants/${merchant.merchantId}/api-keys`);
    await fetchAll(world, merchant, asked.data.approvalId);
  },
  'a key that an honest operator has asked for, fetched by whom its approver lets in': async (
    world,
  ) => {
    // Without people of its own, whom the request would name.
    const other = await createMerchant(world.service);
    const asked = await world.honest.post(`/merchants/${other.merchantId}/api-keys`);
    return () => fetchAll(world, other, asked.data.approvalId);
  },
  'own keys that an honest operator has asked for, where an admin of theirs could issue them':
    async (world) => {
      const { merchantId } = world.merchant;
      const { client, code } = world.merchantAdmin;
      const asked = await world.honest.post(`/merchants/${merchantId}/own-keys`, { allowed: true });
      return async () => {
        for (const by of each(world)) await by.post(`/approvals/${asked.data.approvalId}/approve`);
        await client.call('POST', '/api-keys', { oneTimeCode: await code() }, randomUUID());
      };
    },
  'withdrawals of the accomplice that others are paying, resolved as cancelled': async (world) => {
    const orders = await many(() => beingPaid(world));
    for (const { client, orderId } of orders)
      await client.data('POST', `/orders/${orderId}/report`, { reason: 'Sent, but not shown.' });
    const body = { outcome: 'Cancelled', ...note };
    return () =>
      many((at) => inTurn(world, at).post(`/orders/${orders[at]?.orderId}/resolve`, body));
  },
  'withdrawals of the accomplice that others are paying, cancelled': (world) =>
    cancelled(world, world.accomplice),
  'withdrawals of a merchant of which nothing is known that others are paying, cancelled': (
    world,
  ) => cancelled(world, world.friend),
  'the account of a withdrawal, given by an admin let in at its merchant': async (world) => {
    const { orderId } = await createOrder(world.merchant, { orderType: 'Withdrawal', amount: 10 });
    return async () => {
      const { client } = world.merchantAdmin;
      const { paymentPageUrl } = await client.data('GET', `/orders/${orderId}`);
      if (paymentPageUrl !== null)
        await openPage({ paymentPageUrl }).post('account', {
          ...{ accountNumber: THEIR_ACCOUNT, accountName: 'Them' },
        });
    };
  },
  'a key that others have asked for and approved, fetched by whom the group lets in': async (
    world,
  ) => {
    const other = await createMerchant(world.service);
    const approvalId = await approvedByOthers(world, other);
    return () => fetchAll(world, other, approvalId);
  },
  'a key that others have asked for and approved, fetched by who recovers as its admin': async (
    world,
  ) => {
    const { service, owner, freely } = world;
    const other = await createMerchant(service);
    const letInFreely = () => letIn(service, owner, other, 'admin');
    const admin = await withCodes(service, await freely(letInFreely));
    const approvalId = await approvedByOthers(world, other);
    return async () => {
      const [thief] = each(world) as [OperatorClient];
      const path = `/portal-users/${admin.portalUserId}/recovery-link`;
      const made = await askAmongThem(world, thief, path);
      if (made === undefined) return;
      await useLink(world, made.link);
      const { username } = (
        await owner.get(`/merchants/${other.merchantId}/portal-users`)
      ).data.find((one: { portalUserId: string }) => one.portalUserId === admin.portalUserId);
      const client = portalClient(service, await signInPortal(service, username));
      const { code } = await withCodes(service, { portalUserId: admin.portalUserId, client });
      const body = { oneTimeCode: await code() };
      await client.call('POST', `/api-key-requests/${approvalId}/fetch`, body, randomUUID());
    };
  },
  'deposits of the accomplice that a member of others holds, confirmed by a link of theirs': async (
    world,
  ) => {
    const { service, honest, freely, operators } = world;
    await everybodyOffline(service);
    const holder = await freely(() => createMember(service, { methods: ['ProviderA'] }));
    const orders = await many(() => paid(world.accomplice, SMALL));
    await everybodyOffline(service);
    const by = operatorClient(service, (operators[1] as TestOperator).token);
    const { data } = await by.post(`/members/${holder.memberId}/recovery-link`);
    await honest.post(`/approvals/${data.approvalId}/approve`);
    const { link } = (await by.post(`/approvals/${data.approvalId}/fetch`)).data;
    return async () => {
      await memberClient(service.url, '').data('POST', '/recovery', {
        ...{ token: link.split('#')[1], newPassword: PASSWORD },
      });
      const client = memberClient(service.url, await signInMember(service, holder, PASSWORD));
      const body = { outcome: 'Completed', ...note };
      for (const [at, { orderId }] of orders.entries()) {
        await client.call('POST', `/orders/${orderId}/confirm`, {}, randomUUID());
        await inTurn(world, at).post(`/orders/${orderId}/resolve`, body);
      }
    };
  },
  'own keys that an honest operator has asked for, with an admin let in meanwhile': async (
    world,
  ) => {
    const { merchantId } = world.accomplice;
    const asked = await world.honest.post(`/merchants/${merchantId}/own-keys`, { allowed: true });
    return async () => {
      const path = `/merchants/${merchantId}/portal-users`;
      for (const by of each(world)) await askAmongThem(world, by, path, newAdmin());
      for (const by of each(world)) await by.post(`/approvals/${asked.data.approvalId}/approve`);
    };
  },
};

const newAdmin = () => ({
  ...{ username: randomUUID(), role: 'admin', password: PORTAL_PASSWORD },
});

/** Uses a link of a person of a merchant. */
const useLink = ({ service }: World, link: string) =>
  portalClient(service, '').call('POST', '/recovery', {
    ...{ token: link.split('#')[1], newPassword: PORTAL_PASSWORD },
  });

/** Cancels what others are paying for a merchant. */
async function cancelled(world: World, merchant: TestMerchant) {
  const orders = await many(() => beingPaid(world, merchant));
  return () => many((at) => inTurn(world, at).post(`/orders/${orders[at]?.orderId}/cancel`, note));
}

/** A request for a key, asked for and approved outside of the group. */
async function approvedByOthers({ honest, owner }: World, { merchantId }: TestMerchant) {
  const asked = await honest.post(`/merchants/${merchantId}/api-keys`);
  await owner.post(`/approvals/${asked.data.approvalId}/approve`);
  return asked.data.approvalId as string;
}

/** A withdrawal whose member, of nobody here, says that they are sending it. */
async function beingPaid({ service, accomplice, freely }: World, merchant = accomplice) {
  await everybodyOffline(service);
  const payer = await freely(() =>
    createMember(service, { methods: ['ProviderA'], password: PASSWORD }),
  );
  const { orderId } = await withdrawal(merchant, SMALL);
  const client = memberClient(service.url, await signInMember(service, payer, PASSWORD));
  await client.data('POST', `/orders/${orderId}/sending`);
  return { orderId, client };
}

/** Each approves it, lets an admin in and tries to fetch it, and so do the admins of the group. */
async function fetchAll(world: World, at: TestMerchant, approvalId: string): Promise<void> {
  for (const by of each(world)) await by.post(`/approvals/${approvalId}/approve`);
  for (const by of each(world)) await by.post(`/approvals/${approvalId}/fetch`);
  const people = `/merchants/${at.merchantId}/portal-users`;
  for (const by of each(world)) await askAmongThem(world, by, people, newAdmin());
  for (const { client, code } of [world.accompliceAdmin, world.merchantAdmin]) {
    const path = `/api-key-requests/${approvalId}/fetch`;
    await client.call('POST', path, { oneTimeCode: await code() }, randomUUID());
  }
}
