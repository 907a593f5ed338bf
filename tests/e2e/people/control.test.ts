import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect } from 'vitest';
import { makeOperatorLink } from '../../../apps/server/src/operators/service.ts';
import { withPortalCodes } from '../../support/authenticator.ts';
import {
  advance,
  createMember,
  createMerchant,
  createOrder,
  everybodyOffline,
} from '../../support/fixtures.ts';
import {
  createControlled,
  createOperator,
  type OperatorClient,
  operatorClient,
  secondOperator,
  type TestOperator,
} from '../../support/operator-client.ts';
import { openPage } from '../../support/page-client.ts';
import {
  createPortalUser,
  PORTAL_PASSWORD,
  portalClient,
  signInPortal,
} from '../../support/portal.ts';
import { startService } from '../../support/service.ts';
import { serviceTest } from '../../support/service-test.ts';
import { expectSound } from '../../support/verify.ts';

/**
 * With `requireSecondOperator`, people whom an operator controls count as that operator
 * (security.md#two-operators): an admin who makes admins, members or people of merchants is still
 * one person.
 */

const { test, service } = await serviceTest();
const LIMIT = 100;
const NEW_PASSWORD = 'chosen by themselves alone';
const thief = await createOperator(service, 'admin');
const alone = operatorClient(service, thief.token);
const second = operatorClient(service);
const third = secondOperator(service);
const merchant = await createMerchant(service, { balance: '1000' });
beforeEach(async () => {
  await require(true);
  await advance(service, 86_400); // nobody has moved anything today
});
afterEach(async () => {
  await expectSound(service);
  await everybodyOffline(service);
});

const require = (on: boolean) =>
  service.database.pool.query(
    'update settings set require_second_operator = $1, adjustment_approval_limit = $2',
    [on, LIMIT],
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
const newMember = () => before(() => createMember(service, { methods: ['ProviderA'] }));
const puppetOf = (by: OperatorClient) => before(() => createControlled(service, 'admin', by));
const clientOf = ({ token }: Pick<TestOperator, 'token'>) => operatorClient(service, token);
const adjust = (by: OperatorClient, amount: number) =>
  by.post(`/merchants/${merchant.merchantId}/adjustments`, { kind: 'credit', amount, reason: 'r' });
const approve = (by: OperatorClient, { data }: { readonly data: { approvalId: string } }) =>
  by.post(`/approvals/${data.approvalId}/approve`);
const DEPENDENT = /^You are not independent of who asked: .+ Another operator must approve it\.$/;

/** A link that an operator asks for, another approves and the first fetches and hands on. */
async function useLink(by: OperatorClient, approver: OperatorClient, operatorId: string) {
  const asked = await by.post(`/operators/${operatorId}/recovery-link`);
  expect((await approve(approver, asked)).data.status).toBe('approved');
  const { link } = (await by.post(`/approvals/${asked.data.approvalId}/fetch`)).data;
  const recovery = { token: link.split('#')[1], newPassword: NEW_PASSWORD };
  expect((await second.post('/recovery', recovery)).status).toBe(200);
}
const signedIn = async ({ username }: TestOperator) =>
  operatorClient(
    service,
    (await second.post('/session', { username, password: NEW_PASSWORD })).data.token,
  );

describe('an operator whom another has made', () => {
  test('is no second operator of the other, nor of anybody whom the other made', async () => {
    const [one, two] = [await puppetOf(alone), await puppetOf(alone)].map(clientOf);
    const grandchild = clientOf(await puppetOf(one as OperatorClient));
    const askers = [alone, one, two, grandchild] as OperatorClient[];
    for (const asker of askers) {
      const asked = await adjust(asker, 500);
      expect(asked.data.status).toBe('pendingApproval');
      for (const approver of askers.filter((who) => who !== asker))
        expect(await approve(approver, asked)).toMatchObject({
          status: 403,
          error: expect.stringMatching(DEPENDENT),
        });
      expect((await approve(second, asked)).data.status).toBe('done');
    }
  });

  test('approves for others, and others for them', async () => {
    const puppet = clientOf(await puppetOf(alone));
    expect((await approve(puppet, await adjust(third, 500))).data.status).toBe('done');
    expect((await approve(third, await adjust(puppet, 500))).data.status).toBe('done');
  });

  test('moves within one limit with them, in every order, and at once', async () => {
    const puppets = [await puppetOf(alone), await puppetOf(alone)].map(clientOf);
    const everybody = [alone, ...puppets] as OperatorClient[];
    const answers = await Promise.all(
      Array.from({ length: 18 }, (_, at) => adjust(everybody[at % 3] as OperatorClient, 30)),
    );
    const applied = answers.filter(({ data }) => data.status === 'applied').length * 30;
    // Two puppets share the sum of who made them, and not each other's own: three of 30 in all.
    expect(applied).toBeLessThanOrEqual(LIMIT);
    expect(applied).toBeGreaterThan(0);
    const member = await newMember();
    const float = { amount: 30, reason: 'r' };
    for (const by of puppets)
      expect(
        (await by.post(`/members/${member.memberId}/float-adjustments`, float)).data.status,
      ).toBe('pendingApproval');
  });

  test('is their own once a link of another operator is used, and not by one that their maker asked for', async () => {
    const puppet = await puppetOf(alone);
    await useLink(alone, second, puppet.operatorId);
    const asked = await adjust(alone, 500);
    expect((await approve(await signedIn(puppet), asked)).status).toBe(403);
    await useLink(third, second, puppet.operatorId);
    expect((await approve(await signedIn(puppet), asked)).data.status).toBe('done');
  });

  test('is so by a password, a token or removed one-time codes too', async () => {
    const asked = await adjust(alone, 500);
    const grown = await createOperator(service, 'admin');
    await before(() =>
      alone.patch(`/operators/${grown.operatorId}`, { password: 'now it is mine' }),
    );
    const { token } = (
      await second.post('/session', { username: grown.username, password: 'now it is mine' })
    ).data;
    expect((await approve(operatorClient(service, token), asked)).status).toBe(403);
    const lent = await createOperator(service, 'admin');
    await before(() => alone.post(`/operators/${lent.operatorId}/tokens`, { name: 'mine' }));
    expect((await approve(clientOf(lent), asked)).status).toBe(403);
  });
});

test('a person who uses a link of the command line is controlled by nobody: the way out of a lock-out', async () => {
  const puppet = await puppetOf(alone);
  const asked = await adjust(alone, 500);
  expect((await approve(clientOf(puppet), asked)).status).toBe(403);
  const { deps } = service.app;
  const { username } = puppet;
  const { link } = await makeOperatorLink(deps, { username, role: 'admin' }, deps.clock.now());
  const recovery = { token: link.split('#')[1], newPassword: NEW_PASSWORD };
  expect((await second.post('/recovery', recovery)).status).toBe(200);
  expect((await approve(await signedIn(puppet), asked)).data.status).toBe('done');
});

describe('orders of a member whom the operator has made', () => {
  /** An order in review whose customer has paid the member, and what the member says of it. */
  async function inReview(amount: number, memberId: string) {
    const order = await createOrder(merchant, { amount });
    await openPage(order).data('open');
    await openPage(order).data('confirm', { transactionDigits: '5678' });
    await second.post(`/orders/${order.orderId}/escalate`, { note: 'look' });
    expect((await second.get(`/orders/${order.orderId}`)).data.member.memberId).toBe(memberId);
    return order.orderId;
  }
  const ownMember = async () => {
    const { memberId } = await newMember();
    await before(() => alone.patch(`/members/${memberId}`, { password: 'what I gave them' }));
    return memberId;
  };

  test('are completed by two others, and cancelled by another', async () => {
    const memberId = await ownMember();
    const orderId = await inReview(50, memberId);
    const resolve = (by: OperatorClient, outcome: string) =>
      by.post(`/orders/${orderId}/resolve`, { outcome, note: 'n' });
    expect(await resolve(alone, 'Cancelled')).toMatchObject({
      status: 403,
      error:
        'You made the member of this order, or a password or link of theirs: another operator cancels it.',
    });
    const asked = await resolve(alone, 'Completed');
    expect(asked.data.status).toBe('pendingApproval');
    const again = await resolve(second, 'Completed');
    expect(again.data.status).toBe('Completed');
  });

  test('are not approved by them, nor confirmed late or with float within the limit', async () => {
    const memberId = await ownMember();
    const orderId = await inReview(500, memberId);
    const asked = await second.post(`/orders/${orderId}/resolve`, {
      outcome: 'Completed',
      note: 'n',
    });
    expect(asked.data.status).toBe('pendingApproval');
    expect((await approve(alone, asked)).status).toBe(403);
    expect((await approve(third, asked)).data.status).toBe('done');
    const late = await createOrder(merchant, { amount: 10 });
    await second.post(`/orders/${late.orderId}/cancel`, { note: 'no' });
    const confirm = { note: 'it came', memberId };
    const confirmed = await alone.post(`/orders/${late.orderId}/confirm`, confirm);
    expect(confirmed.data.status).toBe('pendingApproval');
    const float = { amount: 10, reason: 'r' };
    const path = `/members/${memberId}/float-adjustments`;
    expect((await alone.post(path, float)).data.status).toBe('pendingApproval');
    expect((await second.post(path, float)).data.status).toBe('applied');
  });
});

test('resolutions that nobody but a customer attests count in the day of the operator who let people into that shop', async () => {
  const shop = await before(() => createMerchant(service, { balance: '1000' }));
  await before(() => createPortalUser(service, shop, 'viewer'));
  await newMember();
  const resolve = async (by: OperatorClient, of: typeof shop) => {
    const order = await createOrder(of, { amount: 60 });
    await openPage(order).data('open');
    await openPage(order).data('confirm', { transactionDigits: '5678' });
    await third.post(`/orders/${order.orderId}/escalate`, { note: 'look' });
    const answer = await by.post(`/orders/${order.orderId}/resolve`, {
      outcome: 'Completed',
      note: 'n',
    });
    return answer.data.status;
  };
  // The first operator of the environment has made a person of this merchant.
  expect(await resolve(second, shop)).toBe('Completed');
  expect(await resolve(second, shop)).toBe('pendingApproval');
  expect((await adjust(second, 60)).data.status).toBe('pendingApproval');
  for (const by of [third, third]) expect(await resolve(by, shop)).toBe('Completed');
  expect(await resolve(second, merchant)).toBe('Completed');
});

test('a second operator is required only where two admins are independent of each other', async () => {
  const lonely = await startService({ OPERATOR_TOKEN_2: '' });
  try {
    const first = operatorClient(lonely);
    await createControlled(lonely, 'admin', first);
    const turnOn = () => first.patch('/settings', { requireSecondOperator: true });
    expect(await turnOn()).toMatchObject({
      status: 409,
      error: expect.stringMatching(/no two active admins who are independent.*operator-link/),
    });
    await createOperator(lonely, 'admin');
    expect((await turnOn()).status).toBe(200);
  } finally {
    await lonely.close();
  }
});

test('what nobody could approve is not asked for', async () => {
  const lonely = await startService({ OPERATOR_TOKEN_2: '' });
  try {
    const first = operatorClient(lonely);
    await createControlled(lonely, 'admin', first);
    await lonely.database.pool.query('update settings set require_second_operator = true');
    const body = { username: randomUUID(), name: 'Mine', role: 'admin' };
    expect(await first.post('/operators', body)).toMatchObject({
      status: 409,
      error: expect.stringMatching(/no other active admin who is independent of you/),
    });
  } finally {
    await lonely.close();
  }
});

describe('script tokens of one’s own', () => {
  const tokensOf = ({ operatorId }: TestOperator) => `/operators/${operatorId}/tokens`;
  const withPassword = { name: 'mine', currentPassword: 'a long enough password' };

  test('ask for the password: a session that somebody found open makes none', async () => {
    const own = await createOperator(service, 'admin');
    const by = clientOf(own);
    const open = await by.post(tokensOf(own), { name: 'mine' });
    expect([open.status, open.errors]).toEqual([
      400,
      { '$.currentPassword': ['is needed for a script token of your own.'] },
    ]);
    const wrong = { name: 'mine', currentPassword: 'what I guess' };
    expect(await by.post(tokensOf(own), wrong)).toMatchObject({
      status: 400,
      errors: { '$.currentPassword': ['is not your password.'] },
    });
    expect((await by.post(tokensOf(own), withPassword)).data.token).toMatch(/^op_/);
  });

  test('wait where they live longer than 90 days, and hold no password while they do', async () => {
    const own = await createOperator(service, 'admin');
    const long = { ...withPassword, expiresInDays: 91 };
    const asked = await clientOf(own).post(tokensOf(own), long);
    expect(asked.data.status).toBe('pendingApproval');
    const { rows } = await service.database.pool.query(
      'select asked::text from approvals where approval_id = $1',
      [asked.data.approvalId],
    );
    expect(rows[0].asked).not.toContain(withPassword.currentPassword);
    expect((await approve(second, asked)).data.status).toBe('approved');
    const fetched = await clientOf(own).post(`/approvals/${asked.data.approvalId}/fetch`);
    expect(fetched.data.token).toMatch(/^op_/);
  });

  test('and those that one made for others end with one’s sign-ins where another ends these', async () => {
    const [maker, other] = [
      await createOperator(service, 'admin'),
      await createOperator(service, 'support'),
    ];
    const made = await before(() => clientOf(maker).post(tokensOf(other), { name: 'lent' }));
    const own = await clientOf(maker).post(tokensOf(maker), withPassword);
    const works = async (token: string) =>
      (await operatorClient(service, token).get('/session')).status;
    expect([await works(made.data.token), await works(own.data.token)]).toEqual([200, 200]);
    await second.patch(`/operators/${maker.operatorId}`, { role: 'viewer' });
    expect([await works(made.data.token), await works(own.data.token)]).toEqual([401, 401]);
    expect(await works(other.token)).toBe(200);
  });
});

test('of two admins each stops the other at once, and what then waits says how to go on', async () => {
  const lonely = await startService({ OPERATOR_TOKEN_2: '' });
  try {
    const first = operatorClient(lonely);
    const thieves = [await createOperator(lonely, 'admin'), await createOperator(lonely, 'admin')];
    const stolen = thieves.map(clientOf);
    expect((await first.patch('/settings', { requireSecondOperator: true })).status).toBe(200);
    const ended = await first.delete(`/operators/${thieves[0]?.operatorId}/sessions`);
    expect(ended.data).toEqual({ ended: 0 }); // a script token is theirs until it is revoked
    for (const { operatorId } of thieves)
      expect(await first.patch(`/operators/${operatorId}`, { status: 'suspended' })).toMatchObject({
        status: 200,
        data: { status: 'suspended' },
      });
    for (const thief of stolen) expect((await thief.get('/session')).status).toBe(401);
    expect(await first.post('/operators', NEW_ADMIN)).toMatchObject({
      status: 409,
      error: expect.stringContaining('munshi operator-link'),
    });
  } finally {
    await lonely.close();
  }
});
const NEW_ADMIN = { username: 'new', name: 'New', role: 'admin' };

test('nobody takes a name that another operator has, however it is written', async () => {
  const known = await createOperator(service, 'admin');
  await before(async () => {
    for (const name of [known.username.toUpperCase(), `${known.username} `, 'OPERATOR_TOKEN'])
      for (const answer of [
        await alone.post('/operators', { username: randomUUID(), name, role: 'viewer' }),
        await alone.patch(`/operators/${thief.operatorId}`, { name }),
      ])
        expect([name, answer.status, answer.error]).toEqual([
          name,
          409,
          `Another operator is called ${name}. Choose another name.`,
        ]);
    for (const disguised of [
      `${known.username}\ufe0f`,
      `${known.username.slice(0, 1)}\u200d${known.username.slice(1)}`,
    ])
      expect(
        (await alone.patch(`/operators/${thief.operatorId}`, { name: disguised })).status,
      ).toBe(409);
    const unseen = { name: `${known.username}\u200b` };
    expect((await alone.patch(`/operators/${thief.operatorId}`, unseen)).status).toBe(400);
    expect(
      (await alone.patch(`/operators/${known.operatorId}`, { name: known.username })).status,
    ).toBe(200);
  });
});

test('a merchant’s own keys are allowed with its admins as the second operator was shown them', async () => {
  const { merchantId } = await before(() => createMerchant(service));
  const path = `/merchants/${merchantId}`;
  const invite = async (by: OperatorClient, role = 'admin') => {
    const person = { username: `p-${randomUUID()}`, role };
    return { ...person, ...(await by.post(`${path}/portal-users/invite`, person)).data };
  };
  const own = await invite(alone);
  await invite(second, 'viewer');
  const ask = async () => alone.post(`${path}/own-keys`, { allowed: true });
  const asked = await ask();
  expect((await second.get(`/approvals/${asked.data.approvalId}`)).data.request).toEqual({
    merchantId,
    merchant: expect.any(String),
    allowed: true,
    admins: null,
    invited: own.username,
    openLinks: own.username,
    letInBy: thief.username,
    adminsOfAsker: own.username,
  });
  const other = await invite(second);
  expect(await approve(third, asked)).toMatchObject({ status: 409 });
  const again = await ask();
  expect((await second.get(`/approvals/${again.data.approvalId}`)).data.request).toMatchObject({
    invited: [own.username, other.username].toSorted().join(', '),
    adminsOfAsker: own.username,
  });
  expect((await approve(third, again)).data.status).toBe('done');
  // From now on an operator alone lets no admin in.
  const more = { username: `p-${randomUUID()}`, role: 'admin' };
  expect((await alone.post(`${path}/portal-users/invite`, more)).status).toBe(403);
});

test('own keys are not approved by who let in the person that has let in one of the admins, and is gone', async () => {
  const { merchantId } = await before(() => createMerchant(service));
  const path = `/merchants/${merchantId}`;
  const username = `x-${randomUUID()}`;
  const person = { username, role: 'admin', password: PORTAL_PASSWORD };
  const { portalUserId } = (await alone.post(`${path}/portal-users`, person)).data;
  const between = portalClient(service, await signInPortal(service, username));
  const { code } = await withPortalCodes(service, between);
  await between.data('POST', '/people', {
    ...{ username: `y-${randomUUID()}`, role: 'admin', oneTimeCode: code() },
  });
  await alone.patch(`/portal-users/${portalUserId}`, { status: 'suspended' });
  const asked = await second.post(`${path}/own-keys`, { allowed: true });
  expect((await third.get(`/approvals/${asked.data.approvalId}`)).data.request).toMatchObject({
    letInBy: thief.username,
  });
  expect(await approve(alone, asked)).toMatchObject({ status: 403 });
  expect((await approve(third, asked)).data.status).toBe('done');
});

test('a name that is taken is refused when it is asked for, before anybody reads the request', async () => {
  const known = await createOperator(service, 'admin');
  const asked = { username: randomUUID(), name: known.username, role: 'admin' };
  expect(await alone.post('/operators', asked)).toMatchObject({
    status: 409,
    error: `Another operator is called ${known.username}. Choose another name.`,
  });
});
