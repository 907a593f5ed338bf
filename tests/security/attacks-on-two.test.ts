import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect } from 'vitest';
import { makeOperatorLink } from '../../apps/server/src/operators/service.ts';
import { withPortalCodes } from '../support/authenticator.ts';
import {
  advance,
  createMember,
  createMerchant,
  createOrder,
  everybodyOffline,
  signInMember,
  type TestMerchant,
} from '../support/fixtures.ts';
import { memberClient } from '../support/member-client.ts';
import {
  type Answer,
  createControlled,
  createOperator,
  type OperatorClient,
  operatorClient,
  type TestOperator,
} from '../support/operator-client.ts';
import { openPage } from '../support/page-client.ts';
import { PORTAL_PASSWORD, portalClient, signInPortal } from '../support/portal.ts';
import { startService } from '../support/service.ts';
import { serviceTest } from '../support/service-test.ts';
import { expectSound } from '../support/verify.ts';

/**
 * Every attack that was known against the rule of two operators, with its answer
 * (security.md#two-operators). Rights of roles: access-matrix.test.ts. At random: insider.test.ts.
 */

const { test, service } = await serviceTest();
const LIMIT = 100;
const NEW_PASSWORD = 'chosen by themselves alone';
const note = { note: 'n' };

const require = (on: boolean) =>
  service.database.pool.query(
    'update settings set require_second_operator = $1, adjustment_approval_limit = $2',
    [on, on ? LIMIT : null],
  );
/** Something that was done before the rule was turned on. */
async function before<T>(work: () => Promise<T>): Promise<T> {
  await require(false);
  try {
    return await work();
  } finally {
    await require(true);
  }
}
beforeEach(async () => {
  await require(true);
  await advance(service, 86_400); // nobody has moved anything today
});
afterEach(async () => {
  await expectSound(service);
  await everybodyOffline(service);
});

interface Signed extends TestOperator, OperatorClient {}
const signed = (who: TestOperator): Signed => ({ ...who, ...operatorClient(service, who.token) });
const onServer = async (role: 'admin' | 'approver') => signed(await createOperator(service, role));
const madeBy = (by: OperatorClient) =>
  before(async () => signed(await createControlled(service, 'admin', by)));

/** Who is there, new for each attack. */
interface Cast {
  /** An admin, and an admin of their making. */
  readonly thief: Signed;
  readonly puppet: Signed;
  /** An approver in the hands of a thief. */
  readonly stolen: Signed;
  readonly honest: Signed;
  readonly merchant: TestMerchant;
}
async function newCast(): Promise<Cast> {
  const thief = await onServer('admin');
  return {
    thief,
    puppet: await madeBy(thief),
    stolen: await onServer('approver'),
    honest: await onServer('approver'),
    merchant: await before(() => createMerchant(service, { balance: '1000' })),
  };
}

const adjust = (by: OperatorClient, { merchant }: Pick<Cast, 'merchant'>, amount = 500) =>
  by.post(`/merchants/${merchant.merchantId}/adjustments`, { kind: 'credit', amount, reason: 'r' });
const approve = (by: OperatorClient, { data }: Pick<Answer, 'data'>) =>
  by.post(`/approvals/${data.approvalId}/approve`);
const fetchIt = (by: OperatorClient, { data }: Pick<Answer, 'data'>) =>
  by.post(`/approvals/${data.approvalId}/fetch`);
/** Asked by one, approved by another, and fetched by the first. */
async function handed(by: OperatorClient, approver: OperatorClient, path: string, body?: object) {
  const asked = await by.post(path, body);
  expect((await approve(approver, asked)).data.status).toBe('approved');
  return (await fetchIt(by, asked)).data;
}
const operatorPath = ({ operatorId }: Pick<TestOperator, 'operatorId'>, after = '') =>
  `/operators/${operatorId}${after}`;

/** Signs in as an operator by a link that was fetched. */
async function signedInBy(link: string, { username }: Pick<TestOperator, 'username'>) {
  const anybody = operatorClient(service, '');
  const recovery = { token: link.split('#')[1], newPassword: NEW_PASSWORD };
  expect((await anybody.post('/recovery', recovery)).status).toBe(200);
  const { data } = await anybody.post('/session', { username, password: NEW_PASSWORD });
  return operatorClient(service, data.token);
}

/** A member whom this operator has made, and who signs in by the password that they gave. */
async function memberOf(by: OperatorClient) {
  const username = randomUUID();
  const { memberId } = (await by.post('/members', { username, name: 'M', password: NEW_PASSWORD }))
    .data;
  return { memberId, username, path: `/members/${memberId}` };
}
const newAccount = () => ({
  ...{ walletType: 'ProviderA', accountNumber: randomUUID(), accountTitle: 'T' },
});
const addAccount = async (by: OperatorClient, memberId: string): Promise<string> =>
  (await by.post(`/members/${memberId}/accounts`, newAccount())).data.accountId;
const approveAccount = (by: OperatorClient, accountId: string) =>
  by.post(`/member-accounts/${accountId}/approve`);
const honestMember = () => before(() => createMember(service, { methods: ['ProviderA'] }));

/** A deposit in review whose customer says that they have paid the one member who is there. */
async function inReview({ merchant, honest }: Cast, amount: number) {
  const { orderId } = await paid({ merchant }, amount);
  await honest.post(`/orders/${orderId}/escalate`, note);
  return orderId;
}
async function paid({ merchant }: Pick<Cast, 'merchant'>, amount: number) {
  const order = await createOrder(merchant, { amount });
  await openPage(order).data('open');
  await openPage(order).data('confirm', { transactionDigits: '5678' });
  return order;
}
const complete = (by: OperatorClient, orderId: string, more: object = {}) =>
  by.post(`/orders/${orderId}/resolve`, { outcome: 'Completed', ...note, ...more });
/** The order of a member to whom this operator gave the password. */
async function reviewOfOwn(cast: Cast, by: OperatorClient, amount: number) {
  const { memberId } = await honestMember();
  await before(() => by.patch(`/members/${memberId}`, { password: NEW_PASSWORD }));
  return { memberId, orderId: await inReview(cast, amount) };
}

/** An admin of the merchant with one-time codes, let in by this operator before the rule. */
async function letIn(by: OperatorClient, { merchantId }: TestMerchant) {
  const username = randomUUID();
  const person = { username, role: 'admin', password: PORTAL_PASSWORD };
  const path = `/merchants/${merchantId}/portal-users`;
  const { portalUserId } = (await before(() => by.post(path, person))).data;
  const client = portalClient(service, await signInPortal(service, username));
  const { code } = await withPortalCodes(service, client);
  const fetchKey = async ({ data }: Pick<Answer, 'data'>) => {
    const path = `/api-key-requests/${data.approvalId}/fetch`;
    const body = { oneTimeCode: code() };
    const { status, json } = await client.call('POST', path, body, randomUUID());
    return { status, ...json };
  };
  return { portalUserId, path: `/portal-users/${portalUserId}`, fetchKey };
}
const askKey = (by: OperatorClient, { merchant }: Cast) =>
  by.post(`/merchants/${merchant.merchantId}/api-keys`);

type Attack = (cast: Cast) => Promise<Pick<Answer, 'status' | 'data' | 'error'>>;
type Attacks = Record<string, readonly [answer: RegExp, attack: Attack]>;

const NO_APPROVER = /^403 This needs the role approver/;
const NOT_ASKER = /^403 This must be approved by another operator than the one who asked/;
const GIVER = /^403 You gave /;
const ON_SERVER = /^409 Approvers are let in on the server alone/;
const WAITS = /^pendingApproval$/;
const DONE = /^done$/;

/** What an answer says, in a word. */
const saying = ({ status, data, error }: Awaited<ReturnType<Attack>>): string =>
  status < 300 ? (data?.status ?? 'done') : `${status} ${error}`;

const MADE: Attacks = {
  'an operator approves what their maker asks for': [
    NO_APPROVER,
    async (cast) => approve(cast.puppet, await adjust(cast.thief, cast)),
  ],
  'a maker approves what their operator asks for': [
    NO_APPROVER,
    async (cast) => approve(cast.thief, await adjust(cast.puppet, cast)),
  ],
  'the last of a chain of makers approves what the first asks for': [
    NO_APPROVER,
    async (cast) => approve(await madeBy(cast.puppet), await adjust(cast.thief, cast)),
  ],
  'a second of three admins who are stolen approves what the first asks for': [
    NO_APPROVER,
    async (cast) => approve(await onServer('admin'), await adjust(cast.thief, cast)),
  ],
  'an approver is made in the console': [
    /^400 /,
    ({ thief }) =>
      thief.post('/operators', { username: randomUUID(), name: randomUUID(), role: 'approver' }),
  ],
  'an operator becomes an approver in the console, asked for by an approver': [
    /^400 /,
    ({ stolen, puppet }) => stolen.patch(operatorPath(puppet), { role: 'approver' }),
  ],
  'an approver approves what an operator asks for whom they have made': [
    GIVER,
    async (cast) => approve(cast.stolen, await adjust(await madeBy(cast.stolen), cast)),
  ],
  'an approver approves what the last of a chain of theirs asks for': [
    GIVER,
    async (cast) =>
      approve(cast.stolen, await adjust(await madeBy(await madeBy(cast.stolen)), cast)),
  ],
};

/** One-time codes of theirs are on. */
const turnCodesOn = ({ operatorId }: TestOperator) =>
  service.database.pool.query(
    `insert into operator_codes (operator_id, sealed_secret, seal_key_id, created_at, confirmed_at)
     values ($1, '', '', now(), now())`,
    [operatorId],
  );

const GIVEN: Attacks = {
  'a password for an approver': [
    ON_SERVER,
    ({ thief, honest }) => thief.patch(operatorPath(honest), { password: NEW_PASSWORD }),
  ],
  'a password for an approver, asked for by another': [
    ON_SERVER,
    ({ stolen, honest }) => stolen.patch(operatorPath(honest), { password: NEW_PASSWORD }),
  ],
  'a link for an approver': [
    ON_SERVER,
    ({ thief, honest }) => thief.post(operatorPath(honest, '/recovery-link')),
  ],
  'a script token of an approver': [
    ON_SERVER,
    ({ thief, honest }) => thief.post(operatorPath(honest, '/tokens'), { name: 't' }),
  ],
  'removed one-time codes of an approver': [
    ON_SERVER,
    async ({ thief, honest }) => {
      await turnCodesOn(honest);
      return thief.delete(operatorPath(honest, '/one-time-code'));
    },
  ],
  'a suspended approver, active again': [
    ON_SERVER,
    async ({ thief, puppet, honest }) => {
      await thief.patch(operatorPath(honest), { status: 'suspended' });
      return puppet.patch(operatorPath(honest), { status: 'active' });
    },
  ],
  'a password for an approver whom one has lowered first': [
    WAITS,
    async ({ thief, honest }) => {
      await thief.patch(operatorPath(honest), { role: 'admin' });
      return thief.patch(operatorPath(honest), { password: NEW_PASSWORD });
    },
  ],
  'a long-lived token of an approver’s own': [
    WAITS,
    ({ stolen }) =>
      stolen.post(operatorPath(stolen, '/tokens'), {
        ...{ name: 't', expiresInDays: 365, currentPassword: stolen.password },
      }),
  ],
  'a new admin': [
    WAITS,
    ({ thief }) =>
      thief.post('/operators', { username: randomUUID(), name: randomUUID(), role: 'admin' }),
  ],
  'more rights': [
    WAITS,
    async ({ thief, puppet }) => {
      await thief.patch(operatorPath(puppet), { role: 'support' });
      return thief.patch(operatorPath(puppet), { role: 'admin' });
    },
  ],
  'the yes of an admin as whom one signs in by a link': [
    NO_APPROVER,
    async (cast) => {
      const { thief, honest } = cast;
      const victim = await onServer('admin');
      const { link } = await handed(thief, honest, operatorPath(victim, '/recovery-link'));
      return approve(await signedInBy(link, victim), await adjust(thief, cast));
    },
  ],
  'an approver’s yes to what they ask for as an admin, by a link': [
    GIVER,
    async (cast) => {
      const { stolen, honest } = cast;
      const victim = await onServer('admin');
      const { link } = await handed(stolen, honest, operatorPath(victim, '/recovery-link'));
      return approve(stolen, await adjust(await signedInBy(link, victim), cast));
    },
  ],
  'an approver’s yes to what they ask for as an admin, by a password': [
    GIVER,
    async (cast) => {
      const victim = await onServer('admin');
      await before(() => cast.stolen.patch(operatorPath(victim), { password: NEW_PASSWORD }));
      const session = { username: victim.username, password: NEW_PASSWORD };
      const { data } = await operatorClient(service, '').post('/session', session);
      return approve(cast.stolen, await adjust(operatorClient(service, data.token), cast));
    },
  ],
  'an approver’s yes to what they ask for as an admin, by a token': [
    GIVER,
    async (cast) => {
      const { stolen, honest } = cast;
      const victim = await onServer('admin');
      const tokens = operatorPath(victim, '/tokens');
      const { token } = await handed(stolen, honest, tokens, { name: 't' });
      return approve(stolen, await adjust(operatorClient(service, token), cast));
    },
  ],
};

/** How a way to sign in that another operator gives takes the place of an approver's token. */
const GIVEN_ANEW: Readonly<Record<string, (cast: Cast, victim: TestOperator) => Promise<unknown>>> =
  {
    'another token': ({ thief, honest }, victim) =>
      handed(thief, honest, operatorPath(victim, '/tokens'), { name: 't' }),
    'a link': ({ thief, honest }, victim) =>
      handed(thief, honest, operatorPath(victim, '/recovery-link')),
    'no codes': async ({ thief, honest }, victim) => {
      await turnCodesOn(victim);
      await approve(honest, await thief.delete(operatorPath(victim, '/one-time-code')));
    },
  };
for (const [what, give] of Object.entries(GIVEN_ANEW)) {
  const givenAnew = async (cast: Cast) => {
    const { stolen, honest } = cast;
    const victim = await onServer('admin');
    const given = await handed(stolen, honest, operatorPath(victim, '/tokens'), { name: 't' });
    const byToken = operatorClient(service, given.token);
    const asked = await adjust(byToken, cast);
    await give(cast, victim);
    return { byToken, asked };
  };
  GIVEN[`what an approver asks for as an admin by a token, once another gives that one ${what}`] = [
    /^401 /,
    async (cast) => adjust((await givenAnew(cast)).byToken, cast),
  ];
  GIVEN[`an approver’s yes to what they asked for so before another gave that one ${what}`] = [
    /^409 This request is fallen/,
    async (cast) => approve(cast.stolen, (await givenAnew(cast)).asked),
  ];
}

const MEMBERS: Attacks = {
  'an account of a member of one’s own, approved by its adder': [
    WAITS,
    async ({ thief }) =>
      approveAccount(thief, await addAccount(thief, (await memberOf(thief)).memberId)),
  ],
  'the same of an approver': [
    WAITS,
    async ({ stolen }) =>
      approveAccount(stolen, await addAccount(stolen, (await memberOf(stolen)).memberId)),
  ],
  'an account of another’s member, approved by the approver who added it': [
    WAITS,
    async ({ stolen, honest }) =>
      approveAccount(stolen, await addAccount(stolen, (await memberOf(honest)).memberId)),
  ],
  'an account that a member adds in the app, approved by the approver who made them': [
    WAITS,
    async ({ stolen }) => {
      const own = await memberOf(stolen);
      const token = await signInMember(service, own, NEW_PASSWORD);
      const client = memberClient(service.url, token);
      const { accountId } = await client.data('POST', '/accounts', newAccount());
      return approveAccount(stolen, accountId);
    },
  ],
  'an account added by an operator of one’s own, approved by the approver who made that one': [
    WAITS,
    async ({ stolen, honest }) =>
      approveAccount(
        stolen,
        await addAccount(await madeBy(stolen), (await memberOf(honest)).memberId),
      ),
  ],
  'an account of a member of an operator of one’s own, approved by who made that one': [
    WAITS,
    async ({ stolen, honest }) => {
      const { memberId } = await memberOf(await madeBy(stolen));
      return approveAccount(stolen, await addAccount(honest, memberId));
    },
  ],
  'wider limits of an account': [
    WAITS,
    async ({ thief }) => {
      const limits = { maximumPerDay: '10' };
      const { accounts } = await createMember(service, { limits });
      return thief.patch(`/member-accounts/${accounts[0]?.accountId}`, { maximumPerDay: null });
    },
  ],
  'float above the limit': [
    WAITS,
    async ({ thief }) =>
      thief.post(`${(await memberOf(thief)).path}/float-adjustments`, { amount: 500, reason: 'r' }),
  ],
  'float for a member of one’s own, approved by the approver who made them': [
    GIVER,
    async ({ stolen, thief }) => {
      const float = { amount: 500, reason: 'r' };
      const { path } = await memberOf(stolen);
      return approve(stolen, await thief.post(`${path}/float-adjustments`, float));
    },
  ],
  'a deposit of a member of one’s own, completed': [
    WAITS,
    async (cast) => complete(cast.thief, (await reviewOfOwn(cast, cast.thief, 500)).orderId),
  ],
  'the same, approved by the approver who gave the member their password': [
    GIVER,
    async (cast) => {
      const { orderId } = await reviewOfOwn(cast, cast.stolen, 500);
      return approve(cast.stolen, await complete(cast.thief, orderId));
    },
  ],
  'a failed deposit, confirmed late for a member of one’s own': [
    GIVER,
    async (cast) => {
      const { stolen, thief, merchant } = cast;
      const { memberId } = await memberOf(stolen);
      const { orderId } = await createOrder(merchant, { amount: 500 });
      await thief.post(`/orders/${orderId}/cancel`, note);
      const asked = await thief.post(`/orders/${orderId}/confirm`, { ...note, memberId });
      return approve(stolen, asked);
    },
  ],
  'a password for a member': [
    WAITS,
    async ({ thief, honest }) =>
      thief.patch((await memberOf(honest)).path, { password: NEW_PASSWORD }),
  ],
  'a link for a member': [
    WAITS,
    async ({ thief, honest }) => thief.post(`${(await memberOf(honest)).path}/recovery-link`),
  ],
  'a link for a member, approved by the approver who made them': [
    GIVER,
    async ({ thief, stolen }) =>
      approve(stolen, await thief.post(`${(await memberOf(stolen)).path}/recovery-link`)),
  ],
};

const TEXTS: Attacks = {
  'the name of a method': [
    WAITS,
    ({ thief }) =>
      thief.patch('/settings', { displayNames: { methods: { ProviderA: 'Pay 0311 1111111' } } }),
  ],
  ...Object.fromEntries(
    Object.entries({
      name: 'Pay 0311 1111111',
      displayName: 'Pay 0311 1111111',
      supportEmail: 'thief@nobody.example',
      supportPhone: '+923111111111',
      supportUrl: 'https://nobody.example/',
      defaultCallbackUrl: 'https://nobody.example/',
    }).map(([field, value]) => [
      `${field} of a merchant`,
      [
        WAITS,
        ({ thief, merchant }: Cast) =>
          thief.patch(`/merchants/${merchant.merchantId}`, { [field]: value }),
      ] as const,
    ]),
  ),
};

const RESTARTS: Attacks = {
  'an operator whom another has suspended': [
    WAITS,
    async ({ thief, puppet, honest }) => {
      await honest.patch(operatorPath(puppet), { status: 'suspended' });
      return thief.patch(operatorPath(puppet), { status: 'active' });
    },
  ],
  'an operator, by the approver who has suspended them': [
    WAITS,
    async ({ puppet, honest }) => {
      await honest.patch(operatorPath(puppet), { status: 'suspended' });
      return honest.patch(operatorPath(puppet), { status: 'active' });
    },
  ],
  'a merchant': [
    WAITS,
    async ({ thief, honest, merchant }) => {
      const path = `/merchants/${merchant.merchantId}`;
      await honest.patch(path, { status: 'suspended' });
      return thief.patch(path, { status: 'active' });
    },
  ],
  'an account, by an approver': [
    WAITS,
    async ({ stolen, honest }) => {
      const accountId = await addAccount(honest, (await memberOf(honest)).memberId);
      await honest.post(`/member-accounts/${accountId}/suspend`);
      return approveAccount(stolen, accountId);
    },
  ],
  'an admin of a merchant': [
    WAITS,
    async ({ thief, honest, merchant }) => {
      const { path } = await letIn(honest, merchant);
      await honest.patch(path, { status: 'suspended' });
      return thief.patch(path, { status: 'active' });
    },
  ],
  'the second operator, turned off': [
    WAITS,
    ({ stolen }) => stolen.patch('/settings', { requireSecondOperator: false }),
  ],
  'a higher limit': [
    WAITS,
    ({ stolen }) => stolen.patch('/settings', { adjustmentApprovalLimit: 1_000_000 }),
  ],
};

const STOLEN: Attacks = {
  'approves what they ask for': [
    NOT_ASKER,
    async (cast) => approve(cast.stolen, await adjust(cast.stolen, cast)),
  ],
  'approves what another asks for, and nothing else': [
    DONE,
    async (cast) => approve(cast.stolen, await adjust(cast.honest, cast)),
  ],
  'asks for more than the limit': [WAITS, (cast) => adjust(cast.stolen, cast)],
  'suspends the other approver, and asks': [
    NOT_ASKER,
    async (cast) => {
      const { stolen, honest } = cast;
      await stolen.patch(operatorPath(honest), { status: 'suspended' });
      return approve(stolen, await adjust(stolen, cast));
    },
  ],
  'approves what an operator asked for whom they have suspended': [
    /^409 /,
    async (cast) => {
      const { stolen, thief } = cast;
      const asked = await adjust(thief, cast);
      await stolen.patch(operatorPath(thief), { status: 'suspended' });
      return approve(stolen, asked);
    },
  ],
};

/** What another operator is shown right after. */
async function notice({ honest }: Cast) {
  const answer = await honest.get('/notices');
  const [{ name, action }] = answer.data.notices;
  return { ...answer, data: { status: `${name}: ${action}` } };
}
const ALONE: Attacks = {
  'a new alert channel': [
    /: alert-channel\.set$/,
    async (cast) => {
      const channel = { position: 'second', url: 'https://nobody.example/' };
      await cast.thief.post('/alert-channels', channel);
      return notice(cast);
    },
  ],
  'an alert channel that leads elsewhere': [
    /: alert-channel\.set$/,
    async (cast) => {
      const set = (by: OperatorClient, url: string) =>
        by.post('/alert-channels', { position: 'second', url });
      await set(cast.honest, 'https://alerts.example/');
      await set(cast.thief, 'https://nobody.example/');
      return notice(cast);
    },
  ],
  'no alert channel': [
    /: alert-channel\.remove$/,
    async (cast) => {
      const channel = { position: 'second', url: 'https://alerts.example/' };
      await cast.honest.post('/alert-channels', channel);
      await cast.thief.post('/alert-channels/remove', { position: 'second' });
      return notice(cast);
    },
  ],
  'pictures that are deleted sooner': [
    /: settings\.update$/,
    async (cast) => {
      await cast.honest.patch('/settings', { evidenceDays: 180 });
      await cast.thief.patch('/settings', { evidenceDays: 1 });
      return notice(cast);
    },
  ],
  'a script token of another admin': [
    WAITS,
    ({ thief, puppet }) => thief.post(operatorPath(puppet, '/tokens'), { name: 't' }),
  ],
};

const KEYS: Attacks = {
  'asked for by one': [WAITS, (cast) => askKey(cast.stolen, cast)],
  'fetched by its asker': [
    /^403 A key is fetched by/,
    async (cast) => {
      const asked = await askKey(cast.stolen, cast);
      await approve(cast.honest, asked);
      return fetchIt(cast.stolen, asked);
    },
  ],
  'fetched by an operator who is no approver': [
    /^403 A key is fetched by/,
    async (cast) => {
      const asked = await askKey(cast.honest, cast);
      await approve(cast.stolen, asked);
      return fetchIt(cast.thief, asked);
    },
  ],
  'fetched by an approver, of a merchant with an admin of its own': [
    /^403 This merchant has an admin/,
    async (cast) => {
      await letIn(cast.honest, cast.merchant);
      const asked = await askKey(cast.thief, cast);
      await approve(cast.stolen, asked);
      return fetchIt(cast.stolen, asked);
    },
  ],
  'fetched by an admin of the merchant whom its asker let in': [
    /^403 The operator who asked for this key gave you/,
    async (cast) => {
      const { fetchKey } = await letIn(cast.thief, cast.merchant);
      const asked = await askKey(cast.thief, cast);
      await approve(cast.honest, asked);
      return fetchKey(asked);
    },
  ],
  'fetched by an admin whom an operator of its asker’s making let in': [
    /^403 The operator who asked for this key gave you/,
    async (cast) => {
      const { fetchKey } = await letIn(cast.puppet, cast.merchant);
      const asked = await askKey(cast.thief, cast);
      await approve(cast.honest, asked);
      return fetchKey(asked);
    },
  ],
  'fetched by the approver who made its asker': [
    GIVER,
    async (cast) => {
      const asked = await askKey(await madeBy(cast.stolen), cast);
      await approve(cast.honest, asked);
      return fetchIt(cast.stolen, asked);
    },
  ],
  'of the merchant’s own issuing': [
    WAITS,
    ({ stolen, merchant }) =>
      stolen.post(`/merchants/${merchant.merchantId}/own-keys`, { allowed: true }),
  ],
  'of the merchant’s own issuing, approved by who let its admin in': [
    GIVER,
    async ({ stolen, thief, merchant }) => {
      await letIn(stolen, merchant);
      const path = `/merchants/${merchant.merchantId}/own-keys`;
      return approve(stolen, await thief.post(path, { allowed: true }));
    },
  ],
};

const PEOPLE: Attacks = {
  'a new admin': [
    WAITS,
    ({ thief, merchant }) =>
      thief.post(`/merchants/${merchant.merchantId}/portal-users`, {
        ...{ username: randomUUID(), role: 'admin', password: PORTAL_PASSWORD },
      }),
  ],
  'an invited admin': [
    WAITS,
    ({ thief, merchant }) =>
      thief.post(`/merchants/${merchant.merchantId}/portal-users/invite`, {
        ...{ username: randomUUID(), role: 'admin' },
      }),
  ],
  'a viewer whom one has let in, made an admin': [
    WAITS,
    async ({ thief, merchant }) => {
      const person = { username: randomUUID(), role: 'viewer', password: PORTAL_PASSWORD };
      const made = await thief.post(`/merchants/${merchant.merchantId}/portal-users`, person);
      return thief.patch(`/portal-users/${made.data.portalUserId}`, { role: 'admin' });
    },
  ],
  'the same, approved by the approver who let the viewer in': [
    GIVER,
    async ({ stolen, thief, merchant }) => {
      const person = { username: randomUUID(), role: 'viewer', password: PORTAL_PASSWORD };
      const made = await stolen.post(`/merchants/${merchant.merchantId}/portal-users`, person);
      const path = `/portal-users/${made.data.portalUserId}`;
      return approve(stolen, await thief.patch(path, { role: 'admin' }));
    },
  ],
  'a password for an admin': [
    WAITS,
    async ({ thief, honest, merchant }) =>
      thief.patch((await letIn(honest, merchant)).path, { password: NEW_PASSWORD }),
  ],
  'a password for an admin who is suspended, and active again later': [
    WAITS,
    async ({ thief, honest, merchant }) => {
      const { path } = await letIn(honest, merchant);
      await honest.patch(path, { status: 'suspended' });
      return thief.patch(path, { password: NEW_PASSWORD });
    },
  ],
  'a link for an admin': [
    WAITS,
    async ({ thief, honest, merchant }) =>
      thief.post(`${(await letIn(honest, merchant)).path}/recovery-link`),
  ],
  'another mailbox for an admin': [
    WAITS,
    async ({ thief, honest, merchant }) =>
      thief.patch((await letIn(honest, merchant)).path, { email: 'thief@nobody.example' }),
  ],
};

describe.for([
  ['operators who were made', MADE],
  ['ways to sign in that are given to an operator', GIVEN],
  ['members of one’s own', MEMBERS],
  ['what customers read beside the account to pay', TEXTS],
  ['what others have stopped, made active again', RESTARTS],
  ['a stolen approver alone', STOLEN],
  ['what an admin decides alone, and the others are notified', ALONE],
  ['keys of a merchant', KEYS],
  ['people of a merchant', PEOPLE],
] as const)('%s', ([, attacks]) => {
  test.for(Object.entries(attacks))('%s', async ([, [answer, attack]]) => {
    expect(saying(await attack(await newCast()))).toMatch(answer);
  });
});

describe('one sum of a day', () => {
  /** Sends these at once, and answers how much was moved without an approver. */
  async function movedBy(each: readonly (() => Promise<Answer>)[], amount: number) {
    const answers = await Promise.all(each.map((act) => act()));
    const alone = answers.filter(
      ({ status, data }) => status === 200 && data.status !== 'pendingApproval',
    );
    return alone.length * amount;
  }

  test('is shared by all who are no approvers, at once and over two processes', async () => {
    const cast = await newCast();
    const { thief, puppet, merchant } = cast;
    const other = await startService({}, service);
    try {
      const colleague = await onServer('admin');
      const everybody = [thief, puppet, colleague].flatMap((who) => [
        who,
        operatorClient(other, who.token),
      ]);
      const adjusts = Array.from({ length: 18 }, (_, at) => {
        const by = everybody[at % everybody.length] as OperatorClient;
        return () => adjust(by, { merchant }, 30);
      });
      expect(await movedBy(adjusts, 30)).toBe(90);
      expect(saying(await adjust(colleague, cast, 30))).toBe('pendingApproval');
      expect(saying(await adjust(cast.honest, cast, 100))).toBe('applied');
      expect(saying(await adjust(cast.honest, cast, 1))).toBe('pendingApproval');
      expect(saying(await adjust(cast.stolen, cast, 100))).toBe('applied');
    } finally {
      await other.close();
    }
  });

  test('has adjustments, float, late confirmations, resolutions and payouts given back', async () => {
    const cast = await newCast();
    const { thief, puppet, merchant } = cast;
    const { memberId } = await honestMember();
    const review = await inReview(cast, 30);
    const failed = (await createOrder(merchant, { amount: 30 })).orderId;
    await thief.post(`/orders/${failed}/cancel`, note);
    const payout = await createOrder(merchant, {
      ...{ orderType: 'Withdrawal', amount: 30 },
      ...{ customerAccountNumber: '03009998887', customerAccountName: 'Bilal' },
    });
    const acts = [
      () => adjust(thief, { merchant }, 30),
      () => puppet.post(`/members/${memberId}/float-adjustments`, { amount: -30, reason: 'r' }),
      () => thief.post(`/orders/${failed}/confirm`, { ...note, memberId }),
      () => complete(puppet, review),
      () => thief.post(`/orders/${payout.orderId}/cancel`, note),
    ];
    expect(await movedBy(acts, 30)).toBe(90);
  });
});

/** How an operator comes to sign in as a member. */
const TAKEN_OVER: Readonly<
  Record<string, (cast: Cast, member: { readonly memberId: string }) => Promise<unknown>>
> = {
  'a recovery link': async ({ thief, honest }, { memberId }) => {
    const { link } = await handed(thief, honest, `/members/${memberId}/recovery-link`);
    const recovery = { token: link.split('#')[1], newPassword: NEW_PASSWORD };
    await memberClient(service.url, '').data('POST', '/recovery', recovery);
  },
  'a password': async ({ thief, honest }, { memberId }) =>
    approve(honest, await thief.patch(`/members/${memberId}`, { password: NEW_PASSWORD })),
};
test.for(Object.entries(TAKEN_OVER))(
  'orders that a member holds since before %s go into review when the person who has it confirms them',
  async ([, takeOver]) => {
    const cast = await newCast();
    const { thief, honest } = cast;
    const member = await honestMember();
    const { orderId } = await paid(cast, 500);
    await takeOver(cast, member);
    const token = await signInMember(service, member, NEW_PASSWORD);
    const path = `/orders/${orderId}/confirm`;
    const said = { transactionReference: 'T1' };
    await memberClient(service.url, token).call('POST', path, said, randomUUID());
    expect((await honest.get(`/orders/${orderId}`)).data.status).toBe('ManualReview');
    expect(saying(await complete(thief, orderId))).toBe('pendingApproval');
  },
);

describe('two approvers of whom one is stolen', () => {
  /** A service without tokens of the environment, whose two approvers were made on the server. */
  async function twoApprovers() {
    const lonely = await startService({ OPERATOR_TOKEN: '', OPERATOR_TOKEN_2: '' });
    const of = async (role: 'admin' | 'approver') => {
      const who = await createOperator(lonely, role);
      return { ...who, ...operatorClient(lonely, who.token) };
    };
    const [honest, thief, admin] = [await of('approver'), await of('approver'), await of('admin')];
    const merchant = await createMerchant(lonely, { balance: '1000' });
    await honest.patch('/settings', {
      ...{ requireSecondOperator: true, adjustmentApprovalLimit: LIMIT },
    });
    return { lonely, honest, thief, admin, merchant };
  }
  const missing = async (by: OperatorClient) => (await by.get('/session')).data.approversMissing;

  test('the honest one suspends the thief: their next request is refused, and what they asked for has fallen', async () => {
    const { lonely, honest, thief, admin, merchant } = await twoApprovers();
    try {
      const asked = await adjust(thief, { merchant });
      expect(asked.data.status).toBe('pendingApproval');
      expect(await missing(honest)).toBe(0);
      const suspended = await honest.patch(operatorPath(thief), { status: 'suspended' });
      expect(suspended.data.status).toBe('suspended');
      expect((await thief.get('/session')).status).toBe(403);
      expect((await honest.get(`/approvals/${asked.data.approvalId}`)).data.status).not.toBe(
        'pending',
      );
      expect((await approve(honest, asked)).status).toBe(409);
      expect(await missing(honest)).toBe(1);
      const waits = await admin.patch('/settings', { requireSecondOperator: false });
      expect(waits.data).toMatchObject({
        status: 'pendingApproval',
        hint: expect.stringContaining('munshi operator-link'),
      });
      await expectSound(lonely);
    } finally {
      await lonely.close();
    }
  });

  test('the thief was faster: nothing moves, and a link from the server lets the honest one in, who suspends them', async () => {
    const { lonely, honest, thief, merchant } = await twoApprovers();
    try {
      await thief.patch(operatorPath(honest), { status: 'suspended' });
      expect((await honest.get('/session')).status).toBe(403);
      expect(await missing(thief)).toBe(1);
      const asked = await adjust(thief, { merchant });
      expect((await approve(thief, asked)).status).toBe(403);
      const { deps } = lonely.app;
      const { username } = honest;
      const { link } = await makeOperatorLink(
        deps,
        { username, role: 'approver' },
        deps.clock.now(),
      );
      const anybody = operatorClient(lonely, '');
      const recovery = { token: link.split('#')[1], newPassword: NEW_PASSWORD };
      expect((await anybody.post('/recovery', recovery)).status).toBe(200);
      const { data } = await anybody.post('/session', { username, password: NEW_PASSWORD });
      const back = operatorClient(lonely, data.token);
      expect((await back.patch(operatorPath(thief), { status: 'suspended' })).status).toBe(200);
      expect((await thief.get('/session')).status).toBe(403);
      expect((await approve(back, asked)).status).toBe(409);
      await expectSound(lonely);
    } finally {
      await lonely.close();
    }
  });
});
