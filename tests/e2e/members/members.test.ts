import { randomUUID } from 'node:crypto';
import { afterEach, expect } from 'vitest';
import {
  createMember,
  createMerchant,
  createOrder,
  everybodyOffline,
  orderStatus,
  setPresence,
} from '../../support/fixtures.ts';
import { operatorClient, send } from '../../support/operator-client.ts';
import { serviceTest } from '../../support/service-test.ts';
import { expectSound } from '../../support/verify.ts';

const { test, service } = await serviceTest();
const operator = operatorClient(service);
const merchant = await createMerchant(service, { balance: '100000' });
afterEach(async () => {
  await everybodyOffline(service);
  await expectSound(service);
});

const username = () => `member-${randomUUID().slice(0, 8)}`;
const newMember = async (body: object = {}) =>
  (
    await operator.post('/members', {
      name: 'Aisha',
      username: username(),
      password: 'a long enough password',
      ...body,
    })
  ).data;
const status = async (orderId: string) => (await orderStatus(merchant, orderId)).status;
const openPage = (orderId: string) =>
  service.app.deps.engine.submit({
    kind: 'open-page',
    commandId: randomUUID(),
    orderId,
    need: undefined,
  });

test('a new member is active, offline, without float or accounts; the password is stored as a hash', async () => {
  const name = username();
  const data = await newMember({ username: name });
  expect(data).toEqual({
    memberId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    name: 'Aisha',
    username: name,
    phone: null,
    status: 'active',
    online: false,
    maxOpenOrders: 10,
    capacityBefore: null,
    openOrders: 0,
    floatBalance: 0,
    floatHeld: 0,
    floatOverdrawn: false,
    lastAssignedAt: null,
    createdAt: expect.any(String),
    credentialByYou: true,
    accounts: [],
    allowedActions: [
      'change',
      'suspend',
      'accounts',
      'float-adjustments',
      'sessions',
      'recovery-link',
    ],
  });
  const { rows } = await service.database.pool.query(
    'select password_hash from members where member_id = $1',
    [data.memberId],
  );
  expect(rows[0].password_hash).toMatch(/^\$argon2id\$/);
  expect((await operator.get(`/members/${data.memberId}`)).data).toEqual(data);
});

test('a username belongs to one member', async () => {
  const [one, other] = [await newMember(), await newMember()];
  const refusal = { status: 409, error: `The username ${one.username} is taken.` };
  expect(
    await operator.post('/members', { name: 'B', username: one.username, password: 'long enough' }),
  ).toMatchObject(refusal);
  expect(
    await operator.patch(`/members/${other.memberId}`, { username: one.username }),
  ).toMatchObject(refusal);
});

test('changes of who a member is and of what they may take on are recorded without the password', async () => {
  const { memberId } = await newMember();
  const change = { name: 'Bilal', password: 'another long password', maxOpenOrders: 3 };
  expect((await operator.patch(`/members/${memberId}`, change)).data).toMatchObject({
    name: 'Bilal',
    maxOpenOrders: 3,
  });
  const log = await operator.get(`/audit-log?target=${memberId}`);
  expect(
    log.data.map(({ action, detail }: { action: string; detail: object }) => [action, detail]),
  ).toMatchObject([
    ['member.update', { fields: 'name, password', maxOpenOrders: 3 }],
    ['member.create', { maxOpenOrders: 10 }],
  ]);
  expect(log.text).not.toContain('another long password');
  expect((await operator.patch(`/members/${randomUUID()}`, { name: 'Nobody' })).status).toBe(404);
});

test('float comes and goes exactly; what open deposits hold cannot be taken', async () => {
  const { memberId } = await newMember();
  const path = `/members/${memberId}/float-adjustments`;
  expect(
    (await operator.post(path, '{"amount": 99999999999999.9999, "reason": "cash in"}')).text,
  ).toContain('"floatBalance":99999999999999.9999,');
  expect(
    (await operator.post(path, '{"amount": -99999999999899.9999, "reason": "cash out"}')).data
      .floatBalance,
  ).toBe(100);
  expect(await operator.post(path, { amount: -100.0001, reason: 'too much' })).toMatchObject({
    status: 422,
    error: 'At most PKR\u00a0100 can be taken from this float: that is all there is.',
  });
  expect(
    (await operator.post(`/members/${randomUUID()}/float-adjustments`, { amount: 1, reason: 'r' }))
      .status,
  ).toBe(404);
});

test('an account takes orders once it is approved, within its limits, until it is suspended', async () => {
  const { memberId } = await newMember();
  await operator.post(`/members/${memberId}/float-adjustments`, {
    amount: 10_000,
    reason: 'float',
  });
  const added = await operator.post(
    `/members/${memberId}/accounts`,
    '{"walletType": "ProviderAQR", "accountNumber": "0300", "accountTitle": "Aisha", "qrPayload": "qr:1", "minimumPerOrder": 10, "maximumPerOrder": 500.5, "maximumPerDay": 12345678901234.5678}',
  );
  expect(added.data).toMatchObject({
    memberId,
    walletType: 'ProviderAQR',
    status: 'pending',
    qrPayload: 'qr:1',
    maximumPerOrder: 500.5,
  });
  expect(added.text).toContain('"maximumPerDay":12345678901234.5678,');
  await setPresence(service, memberId, true);
  const create = async (amount: number) =>
    (await createOrder(merchant, { walletType: 'ProviderAQR', amount })).status;

  expect(await create(100)).toBe('Awaiting');
  const path = `/member-accounts/${added.data.accountId}`;
  expect((await operator.post(`${path}/approve`)).data.status).toBe('approved');
  expect([
    await create(100),
    await create(9.9999),
    await create(500.5001),
    await create(500.5),
  ]).toEqual(['Queued', 'Awaiting', 'Awaiting', 'Queued']);
  expect((await operator.post(`${path}/suspend`)).data).toMatchObject({
    status: 'suspended',
    usedToday: 0,
  });
  expect(await create(100)).toBe('Awaiting');
  expect((await operator.post(`/member-accounts/${randomUUID()}/approve`)).status).toBe(404);
  expect(
    (await operator.get('/members?accountStatus=suspended')).data.map(
      (member: { memberId: string }) => member.memberId,
    ),
  ).toEqual([memberId]);
});

test('suspending a member moves their unopened deposits on and cancels those whose account was seen, before it answers', async () => {
  const member = await createMember(service, { methods: ['ProviderA'] });
  const unopened = await createOrder(merchant);
  const seen = await createOrder(merchant, { amount: 1600 });
  await openPage(seen.orderId);
  expect([await status(unopened.orderId), await status(seen.orderId)]).toEqual([
    'Queued',
    'AwaitingCustomerPayment',
  ]);
  const other = await createMember(service, { methods: ['ProviderA'] });

  const answer = await operator.patch(`/members/${member.memberId}`, { status: 'suspended' });
  expect(answer.data).toMatchObject({ status: 'suspended', openOrders: 0, floatHeld: 0 });
  expect([await status(unopened.orderId), await status(seen.orderId)]).toEqual([
    'Queued',
    'CancelledAuto',
  ]);
  expect((await operator.get(`/orders/${unopened.orderId}`)).data.member.memberId).toBe(
    other.memberId,
  );
});

test('suspending an account does the same for its deposits', async () => {
  const member = await createMember(service, { methods: ['ProviderA', 'ProviderB'] });
  const [toA, toB] = [
    await createOrder(merchant),
    await createOrder(merchant, { walletType: 'ProviderB' }),
  ];
  await openPage(toA.orderId);
  await openPage(toB.orderId);
  await operator.post(`/member-accounts/${member.accounts[0]?.accountId}/suspend`);
  expect([await status(toA.orderId), await status(toB.orderId)]).toEqual([
    'CancelledAuto',
    'AwaitingCustomerPayment',
  ]);
});

test('a suspended member gets no orders, and gets them again once active', async () => {
  const member = await createMember(service, { methods: ['ProviderB'] });
  await operator.patch(`/members/${member.memberId}`, { status: 'suspended' });
  expect((await createOrder(merchant, { walletType: 'ProviderB' })).status).toBe('Awaiting');
  await operator.patch(`/members/${member.memberId}`, { status: 'active' });
  expect((await createOrder(merchant, { walletType: 'ProviderB' })).status).toBe('Queued');
});

test('a withdrawal that waits goes to a member as soon as an operator makes room', async () => {
  const member = await createMember(service, { methods: ['BankAccount'], maxOpenOrders: 0 });
  const order = await createOrder(merchant, {
    orderType: 'Withdrawal',
    walletType: 'BankAccount',
    amount: 50,
    customerAccountNumber: '12345',
  });
  expect(order.status).toBe('Awaiting');
  await operator.patch(`/members/${member.memberId}`, { maxOpenOrders: 1 });
  await expect.poll(() => status(order.orderId)).toBe('AwaitingMemberPayout');
});

test('the list finds members by part of a name or username, by a number or its last four, by status and by presence', async () => {
  const tag = randomUUID().slice(0, 8);
  const named = await newMember({ name: `Named ${tag}` });
  const called = await newMember({ username: `called-${tag}` });
  await operator.patch(`/members/${called.memberId}`, { status: 'suspended' });
  await setPresence(service, named.memberId, true);
  const ids = async (query: string) =>
    (await operator.get(`/members?search=${tag}${query}`)).data.map(
      ({ memberId }: { memberId: string }) => memberId,
    );
  expect(await ids('')).toEqual([called.memberId, named.memberId]);
  expect(await ids('&status=suspended')).toEqual([called.memberId]);
  expect(await ids('&online=true')).toEqual([named.memberId]);
  const [account] = (await createMember(service, { methods: ['ProviderA'] })).accounts;
  const found = async (search: string | undefined) =>
    (await operator.get(`/members?${new URLSearchParams({ search: search ?? '' })}`)).data.flatMap(
      ({ accounts }: { accounts: readonly { accountId: string }[] }) =>
        accounts.map(({ accountId }) => accountId),
    );
  expect(await found(account?.accountNumber.slice(-4))).toContain(account?.accountId);
  expect(await found(`+92 ${account?.accountNumber.slice(1)}`)).toEqual([account?.accountId]);
  expect(await found(` ${account?.accountTitle.toUpperCase()}\u200b`)).toEqual([
    account?.accountId,
  ]);
  const reached = await newMember({ phone: '+92 333 98 765-01' });
  for (const search of ['6501', '0333 9876501', '0092 333 9876501'])
    expect((await operator.get(`/members?${new URLSearchParams({ search })}`)).data).toMatchObject([
      { memberId: reached.memberId },
    ]);
});

test('a new password ends a member’s sessions, and a member’s session is no operator’s', async () => {
  const { memberId } = await newMember();
  const { pool } = service.database;
  const insert = `insert into sessions (token_hash, kind, principal_id, created_at, expires_at) values (sha256('member-token'), 'member', $1, now(), now() + '1 hour')`;
  await pool.query(insert, [memberId]);
  expect(
    (await send(service, 'GET', '/session', { Authorization: 'Bearer member-token' })).status,
  ).toBe(401);
  await operator.patch(`/members/${memberId}`, { password: 'another long password' });
  expect(
    (await pool.query('select from sessions where principal_id = $1', [memberId])).rowCount,
  ).toBe(0);
});
