import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect } from 'vitest';
import { makeOperatorLink } from '../../../apps/server/src/operators/service.ts';
import { advance, createMerchant, everybodyOffline } from '../../support/fixtures.ts';
import {
  createOperator,
  type OperatorClient,
  operatorClient,
  secondOperator,
  type TestOperator,
} from '../../support/operator-client.ts';
import { PORTAL_PASSWORD } from '../../support/portal.ts';
import { startService } from '../../support/service.ts';
import { serviceTest } from '../../support/service-test.ts';
import { expectSound } from '../../support/verify.ts';

/** Who is the second operator, and whom two of them let in (security.md#two-operators). */

const { test, service } = await serviceTest();
const LIMIT = 100;
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
const clientOf = ({ token }: Pick<TestOperator, 'token'>) => operatorClient(service, token);
const adjust = (by: OperatorClient, amount: number) =>
  by.post(`/merchants/${merchant.merchantId}/adjustments`, { kind: 'credit', amount, reason: 'r' });
const approve = (by: OperatorClient, { data }: { readonly data: { approvalId: string } }) =>
  by.post(`/approvals/${data.approvalId}/approve`);

test('a second operator is required only where two approvers can sign in, and what lacks is said', async () => {
  const lonely = await startService({ OPERATOR_TOKEN_2: '' });
  try {
    const first = operatorClient(lonely);
    const missing = async () => (await first.get('/session')).data.approversMissing;
    await createOperator(lonely, 'admin');
    const turnOn = () => first.patch('/settings', { requireSecondOperator: true });
    const hint =
      'Fewer than two approvers can sign in. Make them on the server: munshi operator-link <name> --approver.';
    expect(await turnOn()).toMatchObject({ status: 409, error: hint });
    expect(await missing()).toBe(0); // none is needed
    const { operatorId } = await createOperator(lonely, 'approver');
    expect((await turnOn()).status).toBe(200);
    expect(await missing()).toBe(0);
    const asked = await first.post('/operators', NEW_ADMIN);
    expect(asked.data).not.toHaveProperty('hint');
    await first.patch(`/operators/${operatorId}`, { status: 'suspended' });
    expect(await missing()).toBe(1);
    const { merchantId } = await createMerchant(lonely);
    const change = { kind: 'credit', amount: 500, reason: 'r' };
    for (const asks of [
      await first.post('/operators', NEW_ADMIN),
      await first.post(`/merchants/${merchantId}/adjustments`, change),
    ])
      expect(asks.data).toMatchObject({ status: 'pendingApproval', hint });
  } finally {
    await lonely.close();
  }
});
const NEW_ADMIN = { username: 'new', name: 'New', role: 'admin' };

test('an approver is made, let in and given a token on the server alone', async () => {
  const approver = await createOperator(service, 'approver');
  const other = await createOperator(service, 'support');
  const path = `/operators/${approver.operatorId}`;
  const onServer = {
    status: 409,
    error: 'Approvers are let in on the server alone: munshi operator-link <name> --approver.',
  };
  for (const by of [alone, second]) {
    expect((await by.patch(`/operators/${other.operatorId}`, { role: 'approver' })).status).toBe(
      400,
    );
    expect((await by.post('/operators', { ...NEW_ADMIN, role: 'approver' })).status).toBe(400);
    expect(await by.patch(path, { password: 'mine from now on' })).toMatchObject(onServer);
    expect(await by.post(`${path}/recovery-link`)).toMatchObject(onServer);
    expect(await by.post(`${path}/tokens`, { name: 'mine' })).toMatchObject(onServer);
  }
  expect((await alone.patch(path, { status: 'suspended' })).data.status).toBe('suspended');
  expect(await second.patch(path, { status: 'active' })).toMatchObject(onServer);
  const { deps } = service.app;
  const { username } = approver;
  const { link } = await makeOperatorLink(deps, { username, role: 'approver' }, deps.clock.now());
  const recovery = { token: link.split('#')[1], newPassword: 'chosen by themselves alone' };
  expect((await second.post('/recovery', recovery)).status).toBe(200);
  expect((await alone.patch(path, { role: 'admin' })).data.role).toBe('admin');
});

test('operators who are no approvers share one sum of the day, an approver has their own', async () => {
  const made = [await createOperator(service, 'admin'), await createOperator(service, 'support')];
  const everybody = [alone, ...made.map(clientOf)];
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, at) => adjust(everybody[at % 2] as OperatorClient, 30)),
  );
  expect(answers.filter(({ data }) => data.status === 'applied')).toHaveLength(3);
  expect((await adjust(second, 100)).data.status).toBe('applied');
  expect((await adjust(third, 100)).data.status).toBe('applied');
  expect((await adjust(third, 1)).data.status).toBe('pendingApproval');
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
    return before(async () => {
      await by.post(`${path}/portal-users/invite`, person);
      return person;
    });
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
  });
  await invite(second);
  expect(await approve(third, asked)).toMatchObject({ status: 409 });
  const again = await ask();
  expect(await approve(second, again)).toMatchObject({
    status: 403,
    error:
      'You gave the asker, or a person whom this is about, a password or link: another approver decides.',
  });
  expect((await approve(third, again)).data.status).toBe('done');
});

test('an admin of a merchant is let in by two operators, who gives the link to the asker', async () => {
  const { merchantId } = await before(() => createMerchant(service));
  const people = `/merchants/${merchantId}/portal-users`;
  const person = () => ({ username: `p-${randomUUID()}`, role: 'admin' });
  const invited = person();
  const asked = await alone.post(`${people}/invite`, invited);
  expect(asked.data).toMatchObject({ status: 'pendingApproval', request: invited });
  expect((await alone.get(people)).data).toEqual([]);
  expect((await approve(second, asked)).data.status).toBe('approved');
  expect((await second.post(`/approvals/${asked.data.approvalId}/fetch`)).status).toBe(403);
  const fetched = await alone.post(`/approvals/${asked.data.approvalId}/fetch`);
  expect(fetched.data).toMatchObject({ username: invited.username, link: expect.any(String) });
  const viewer = await alone.post(people, {
    ...person(),
    role: 'viewer',
    password: PORTAL_PASSWORD,
  });
  const path = `/portal-users/${viewer.data.portalUserId}`;
  expect((await alone.patch(path, { name: 'Another' })).data.name).toBe('Another');
  const raised = await alone.patch(path, { role: 'admin' });
  expect(raised.data.status).toBe('pendingApproval');
  expect(await approve(second, raised)).toMatchObject({ status: 200 });
  for (const answer of [
    await alone.post(people, { ...person(), password: PORTAL_PASSWORD }),
    await alone.patch(path, { password: 'mine from now on' }),
    await alone.patch(path, { email: 'mine@example.com' }),
    await alone.post(`${path}/recovery-link`),
  ])
    expect(answer.data.status).toBe('pendingApproval');
  expect((await alone.patch(path, { status: 'suspended' })).data.status).toBe('suspended');
  expect((await alone.patch(path, { status: 'active' })).data.status).toBe('pendingApproval');
});

test('a name that is taken is refused when it is asked for, before anybody reads the request', async () => {
  const known = await createOperator(service, 'admin');
  const asked = { username: randomUUID(), name: known.username, role: 'admin' };
  expect(await alone.post('/operators', asked)).toMatchObject({
    status: 409,
    error: `Another operator is called ${known.username}. Choose another name.`,
  });
});
