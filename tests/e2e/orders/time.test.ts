import { randomUUID } from 'node:crypto';
import { afterEach, expect } from 'vitest';
import {
  advance,
  type CreatedOrder,
  createMember,
  createMerchant,
  createOrder,
  everybodyOffline,
  floatMember,
  orderStatus,
  type TestMember,
} from '../../support/fixtures.ts';
import { serviceTest } from '../../support/service-test.ts';
import { expectSound } from '../../support/verify.ts';

const { test, service } = await serviceTest();
const merchant = await createMerchant(service, { balance: '1000000' });
afterEach(async () => {
  await everybodyOffline(service);
  await expectSound(service);
});

const engine = () => service.app.deps.engine;
const now = () => service.app.deps.clock.now();
const status = async (orderId: string) => (await orderStatus(merchant, orderId)).status;
const available = async () => {
  const response = await fetch(`${service.url}/api/merchant/orders/balance`, {
    headers: { 'SVC-API-Key': merchant.apiKey },
  });
  return ((await response.json()) as { data: { availableBalance: number } }).data.availableBalance;
};
const webhookReasons = async (orderId: string) => {
  const { rows } = await service.database.pool.query(
    `select convert_from(body, 'UTF8')::json as body from deliveries where order_id = $1 order by created_at`,
    [orderId],
  );
  return rows.map(({ body }) => body.reason);
};
const withdrawal = (more: object = {}) =>
  createOrder(merchant, {
    orderType: 'Withdrawal',
    walletType: 'ProviderB',
    amount: 100,
    customerAccountNumber: '03001234567',
    callbackUrl: 'https://merchant.example/hook',
    ...more,
  });
const deposit = (more: object = {}) =>
  createOrder(merchant, { amount: 100, callbackUrl: 'https://merchant.example/hook', ...more });
const paid = async (member: TestMember) => {
  const order = await deposit({ walletType: member.accounts[0]?.walletType });
  await engine().submit({
    kind: 'open-page',
    commandId: randomUUID(),
    orderId: order.orderId,
    need: undefined,
  });
  const confirmed = await engine().submit({
    kind: 'confirm-payment',
    commandId: randomUUID(),
    orderId: order.orderId,
    transactionDigits: '1234',
  });
  expect(confirmed.ok).toBe(true);
  return order;
};

test('Deposit, Awaiting: link expires (15 min) → CancelledTimeout, not a second before', async () => {
  const order = await deposit();
  expect(order.status).toBe('Awaiting');
  await advance(service, 895);
  expect(await status(order.orderId)).toBe('Awaiting');
  await advance(service, 5);
  expect(await status(order.orderId)).toBe('CancelledTimeout');
  expect(await webhookReasons(order.orderId)).toEqual([
    'no eligible member became available in time',
  ]);
});

test('Deposit, Queued: link expires → Expired, and the member is free again', async () => {
  const member = await createMember(service, { methods: ['ProviderA'], maxOpenOrders: 1 });
  const order = await deposit();
  expect(order.status).toBe('Queued');
  await advance(service, 900);
  expect(await status(order.orderId)).toBe('Expired');
  expect(await webhookReasons(order.orderId)).toEqual(['checkout expired before payment']);
  const { rows } = await service.database.pool.query(
    'select open_orders, float_held from members where member_id = $1',
    [member.memberId],
  );
  expect(rows).toEqual([{ open_orders: 0, float_held: '0.0000' }]);
});

test('Deposit, AwaitingCustomerPayment: page expires → Expired', async () => {
  await createMember(service, { methods: ['ProviderA'] });
  const order = await deposit();
  await engine().submit({
    kind: 'open-page',
    commandId: randomUUID(),
    orderId: order.orderId,
    need: undefined,
  });
  expect(await status(order.orderId)).toBe('AwaitingCustomerPayment');
  await advance(service, 900);
  expect(await status(order.orderId)).toBe('Expired');
});

test('Deposit, AwaitingMemberConfirmation: member does not act in time → ManualReview, no webhook', async () => {
  const member = await createMember(service, { methods: ['ProviderA'] });
  const order = await paid(member);
  await advance(service, 1_790);
  expect(await status(order.orderId)).toBe('AwaitingMemberConfirmation');
  await advance(service, 15);
  expect(await orderStatus(merchant, order.orderId)).toMatchObject({
    status: 'ManualReview',
    stage: 'Sent',
  });
  expect(await webhookReasons(order.orderId)).toEqual([]);
});

test('Withdrawal, Awaiting (no account): 15 minutes pass without submission → CancelledTimeout, reservation released', async () => {
  const before = await available();
  const order = await withdrawal({ customerAccountNumber: undefined });
  expect(order.status).toBe('Awaiting');
  expect(await available()).toBe(before - 100);
  await advance(service, 900);
  expect(await status(order.orderId)).toBe('CancelledTimeout');
  expect(await available()).toBe(before);
  expect(await webhookReasons(order.orderId)).toEqual([
    'the customer did not provide their withdrawal account in time',
  ]);
});

test('Withdrawal, Awaiting: 120 minutes pass without member → CancelledTimeout', async () => {
  const order = await withdrawal();
  await advance(service, 7_190);
  expect(await status(order.orderId)).toBe('Awaiting');
  await advance(service, 10);
  expect(await status(order.orderId)).toBe('CancelledTimeout');
  expect(await webhookReasons(order.orderId)).toEqual([
    'no eligible member became available in time',
  ]);
});

test('Withdrawal, Awaiting (no account): the 120-minute window starts when the account is submitted without a member', async () => {
  const order = await withdrawal({ customerAccountNumber: undefined });
  await advance(service, 600);
  const need = {
    orderType: 'Withdrawal',
    walletType: 'ProviderB',
    currency: 'PKR',
    amount: 1_000_000n,
    floatAmount: 1_000_000n,
    heldBy: null,
    heldBefore: [],
  } as const;
  await engine().submit({
    kind: 'submit-account',
    commandId: randomUUID(),
    orderId: order.orderId,
    accountNumber: '03001234567',
    accountName: 'Ali',
    need,
  });
  await advance(service, 7_190);
  expect(await status(order.orderId)).toBe('Awaiting');
  await advance(service, 10);
  expect(await status(order.orderId)).toBe('CancelledTimeout');
});

test('Withdrawal, Awaiting: the once-a-minute check gives it to a member who appeared in another process', async () => {
  const order = await withdrawal();
  const member = await createMember(service, { methods: ['ProviderB'], online: false });
  await service.database.pool.query('update members set online = true where member_id = $1', [
    member.memberId,
  ]);
  await advance(service, 60);
  expect(await status(order.orderId)).toBe('AwaitingMemberPayout');
});

test('Withdrawal, Awaiting: a member who comes online gets the oldest ones at once, up to capacity', async () => {
  const orders: CreatedOrder[] = [];
  for (let n = 0; n < 5; n += 1) orders.push(await withdrawal());
  await createMember(service, { methods: ['TillID'], maxOpenOrders: 3 });
  await expect
    .poll(async () => Promise.all(orders.map(({ orderId }) => status(orderId))))
    .toEqual([
      'AwaitingMemberPayout',
      'AwaitingMemberPayout',
      'AwaitingMemberPayout',
      'Awaiting',
      'Awaiting',
    ]);
  const first = orders[0] as { orderId: string };
  const { rows } = await service.database.pool.query(
    'select member_id from orders where order_id = $1',
    [first.orderId],
  );
  const confirm = {
    kind: 'member-confirm',
    commandId: randomUUID(),
    orderId: first.orderId,
    memberId: rows[0].member_id,
    receivedAmount: null,
    transactionReference: null,
  } as const;
  expect((await engine().submit(confirm)).ok).toBe(true);
  await expect
    .poll(() => status((orders[3] as { orderId: string }).orderId))
    .toBe('AwaitingMemberPayout');
  await advance(service, 7_200 * 3);
});

test('Withdrawal, AwaitingMemberPayout: payout window passes, retries left → another member; none left → ManualReview', async () => {
  const members = [];
  for (let n = 0; n < 3; n += 1)
    members.push(await createMember(service, { methods: ['ProviderA'], maxOpenOrders: 1 }));
  const order = await withdrawal({ walletType: 'ProviderA', maxRetryCount: 1 });
  const holder = async () =>
    (
      await service.database.pool.query(
        'select member_id, reassignments, former_member_ids from orders where order_id = $1',
        [order.orderId],
      )
    ).rows[0];
  const first = await holder();
  await advance(service, 3_600);
  const second = await holder();
  expect(await status(order.orderId)).toBe('AwaitingMemberPayout');
  expect(second.member_id).not.toBe(first.member_id);
  expect(second).toMatchObject({ reassignments: 1, former_member_ids: [first.member_id] });
  const late = {
    kind: 'member-confirm',
    commandId: randomUUID(),
    orderId: order.orderId,
    memberId: first.member_id,
    receivedAmount: null,
    transactionReference: null,
  } as const;
  expect(await engine().submit(late)).toMatchObject({
    ok: false,
    refusal: { code: 'wrong-state' },
  });
  await advance(service, 3_600);
  expect(await status(order.orderId)).toBe('ManualReview');
  expect(await webhookReasons(order.orderId)).toEqual([]);
});

test('a withdrawal whose payout window passes with nobody else eligible goes to ManualReview', async () => {
  await createMember(service, { methods: ['BankAccount'] });
  const order = await withdrawal({ walletType: 'BankAccount' });
  await advance(service, 3_600);
  expect(await status(order.orderId)).toBe('ManualReview');
});

test('a clock advanced over everything runs what falls due in the order of its time', async () => {
  const started = now();
  const one = await withdrawal({ customerAccountNumber: undefined });
  const two = await deposit();
  await advance(service, 24 * 3_600);
  const { rows } = await service.database.pool.query(
    'select order_id, failed_at - created_at as after from orders where order_id = any($1)',
    [[one.orderId, two.orderId]],
  );
  expect(rows.map(({ after }) => after.minutes * 60 + (after.seconds ?? 0))).toEqual([900, 900]);
  expect(now()).toBeGreaterThanOrEqual(started + 24 * 3_600_000);
});

test('signed bodies are forgotten after their 24 hours', async () => {
  await deposit();
  await advance(service, 24 * 3_600 + 1);
  const { rows } = await service.database.pool.query(
    'select count(*)::integer as kept from signature_replays',
  );
  expect(rows).toEqual([{ kept: 0 }]);
});

test('an account takes no more in a day than its limit, and takes orders again on the next', async () => {
  await createMember(service, { methods: ['ProviderATillID'], limits: { maximumPerDay: '250' } });
  const statuses = [];
  for (let n = 0; n < 3; n += 1)
    statuses.push((await deposit({ walletType: 'ProviderATillID' })).status);
  expect(statuses).toEqual(['Queued', 'Queued', 'Awaiting']);
  await advance(service, 24 * 3_600);
  expect((await deposit({ walletType: 'ProviderATillID' })).status).toBe('Queued');
  await advance(service, 900);
});

test('float adjustments cannot take what open deposits hold', async () => {
  const member = await createMember(service, { methods: ['TillID'], float: '150' });
  await deposit({ walletType: 'TillID' });
  await expect(floatMember(service, member.memberId, '-51')).rejects.toThrow(
    'At most PKR\u00a050 can',
  );
  await floatMember(service, member.memberId, '-50');
});

test('what falls due while an advance is at work is done when it answers', async () => {
  const first = await createOrder(merchant, {});
  await expect
    .poll(() => now() > Date.parse(first.expiresAt) - 900_000 + 200, { interval: 10 })
    .toBe(true); // the two fall due apart
  const second = await createOrder(merchant, {});
  const holder = await service.database.pool.connect();
  await holder.query('begin');
  await holder.query('select from orders where order_id = $1 for update', [first.orderId]);
  const target = now() + 900_000;
  const advanced = advance(service, 900);
  const blocked = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  const waiting = async () => (await service.database.pool.query(blocked)).rowCount;
  await expect.poll(waiting).toBeGreaterThan(0);
  // The first one's end is held up until the clock has run past the second's deadline and the
  // target by itself.
  await expect.poll(() => now() > target + 10).toBe(true);
  await holder.query('rollback');
  holder.release();
  await advanced;
  expect([await status(first.orderId), await status(second.orderId)]).toEqual([
    'CancelledTimeout',
    'CancelledTimeout',
  ]);
});
