import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { standsAlone } from '../../../packages/core/src/testing/literals.ts';
import {
  advance,
  type CreatedOrder,
  createApiKey,
  createMember,
  createMerchant,
  createOrder,
  setPresence,
  type TestMember,
  type TestMerchant,
} from '../../support/fixtures.ts';
import {
  expectMessage,
  expectNoKey,
  get,
  postOrder,
  type Reply,
  replyOfRaw,
} from '../../support/merchant-client.ts';
import { rawRequest } from '../../support/raw-http.ts';
import { serviceTest } from '../../support/service-test.ts';
import { expectSound } from '../../support/verify.ts';

/**
 * The status and balance endpoints: every field through the whole life of an order, how orders are
 * named, and what a key may read.
 */
const { test, service } = await serviceTest(
  {},
  { unsound: 'one test writes a status that only orders of an older system have' },
);

const sql = (text: string, values: unknown[] = []) => service.database.pool.query(text, values);
const operator = {
  kind: 'operator',
  id: randomUUID(),
  name: 'test',
  address: '127.0.0.1',
} as const;
const statusOf = async (merchant: TestMerchant, orderId: string) =>
  (await get(merchant, `/orders/${orderId}/status`)).json.data;
const balanceOf = async (merchant: TestMerchant) =>
  (await get(merchant, '/orders/balance')).json.data;
const submit = async (command: object) => {
  const decision = await service.app.deps.engine.submit({
    commandId: randomUUID(),
    ...command,
  } as never);
  if (!decision.ok) throw new Error(decision.refusal.message);
};
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/;
const instant = expect.stringMatching(ISO);

const NULL_LIFECYCLE = {
  awaitingAt: null,
  assignedAt: null,
  sentAt: null,
  approvedAt: null,
  rejectedAt: null,
  completedAt: null,
  failedAt: null,
};

/** Every field of the order status response, and no other. */
function expectStatus(
  data: Record<string, unknown>,
  expected: { stage: string; lifecycle: object } & Record<string, unknown>,
): void {
  expect(data).toEqual({
    confirmedAt: null,
    cancelledAt: null,
    queuedAt: instant,
    ...expected,
    lifecycle: {
      ...NULL_LIFECYCLE,
      createdAt: instant,
      stage: expected.stage,
      ...expected.lifecycle,
    },
  });
}

describe('order status response through the life of an order', () => {
  let merchant: TestMerchant;
  let member: TestMember;
  beforeAll(async () => {
    merchant = await createMerchant(service, { balance: '1000' });
    member = await createMember(service, { methods: ['ProviderA', 'TillID'] });
    const fee = `insert into fee_rules (fee_rule_id, merchant_id, order_type, wallet_type, fixed, percent, valid_from) values ($1, $2, $3, $4, $5, $6, '2020-01-01')`;
    await sql(fee, [randomUUID(), merchant.merchantId, 'Deposit', 'ProviderA', '0.5', '1']);
    await sql(fee, [randomUUID(), merchant.merchantId, 'Withdrawal', 'TillID', '2', '0']);
  });
  afterAll(async () => {
    await expectSound(service);
  });

  const named = ({ orderId, orderReference, merchantOrderRef }: CreatedOrder) => ({
    orderId,
    orderReference,
    merchantOrderRef,
  });

  test('a deposit: Queued, AwaitingCustomerPayment, AwaitingMemberConfirmation, Completed', async () => {
    const order = await createOrder(merchant, { amount: 100 });
    const fixed = { ...named(order), orderType: 'Deposit', amount: 100, currency: 'PKR', fee: 1.5 };
    const { orderId } = order;
    const before = await balanceOf(merchant);
    const queued = await statusOf(merchant, orderId);
    expectStatus(queued, {
      ...fixed,
      status: 'Queued',
      stage: 'Assigned',
      lifecycle: { assignedAt: instant },
    });
    expect(queued.queuedAt).toBe(queued.lifecycle.createdAt);
    expect(Date.parse(order.expiresAt) - Date.parse(queued.lifecycle.createdAt)).toBe(900_000);

    await advance(service, 60);
    await submit({ kind: 'open-page', orderId, need: undefined });
    expectStatus(await statusOf(merchant, orderId), {
      ...fixed,
      status: 'AwaitingCustomerPayment',
      stage: 'Assigned',
      lifecycle: { assignedAt: queued.lifecycle.assignedAt },
    });
    await advance(service, 60);
    await submit({ kind: 'confirm-payment', orderId, transactionDigits: '1234' });
    const sent = await statusOf(merchant, orderId);
    expectStatus(sent, {
      ...fixed,
      status: 'AwaitingMemberConfirmation',
      stage: 'Sent',
      lifecycle: { assignedAt: instant, sentAt: instant },
    });
    expect(Date.parse(sent.lifecycle.sentAt) - Date.parse(queued.queuedAt)).toBeGreaterThanOrEqual(
      120_000,
    );
    expect(await balanceOf(merchant)).toEqual(before);

    await advance(service, 60);
    await submit({
      kind: 'member-confirm',
      orderId,
      memberId: member.memberId,
      receivedAmount: null,
      transactionReference: null,
    });
    const done = await statusOf(merchant, orderId);
    const completed = {
      assignedAt: instant,
      sentAt: sent.lifecycle.sentAt,
      approvedAt: done.confirmedAt,
      completedAt: done.confirmedAt,
    };
    expectStatus(done, {
      ...fixed,
      status: 'Completed',
      stage: 'Completed',
      confirmedAt: instant,
      lifecycle: completed,
    });
    expect(done.queuedAt).toBe(queued.queuedAt);
    expect(await balanceOf(merchant)).toEqual({
      ...before,
      availableBalance: before.availableBalance + 98.5,
    });
  });

  test('a deposit: Awaiting, opened when a member is there', async () => {
    const order = await createOrder(merchant, { amount: 100, walletType: 'ProviderBQR' });
    const fixed = {
      ...named(order),
      orderType: 'Deposit',
      amount: 100,
      currency: 'PKR',
      fee: null,
    };
    const { orderId } = order;
    const awaiting = await statusOf(merchant, orderId);
    expectStatus(awaiting, {
      ...fixed,
      status: 'Awaiting',
      stage: 'Awaiting',
      lifecycle: { awaitingAt: awaiting.queuedAt },
    });
    const other = await createMember(service, { methods: ['ProviderBQR'] });
    await advance(service, 10);
    await submit({
      kind: 'open-page',
      orderId,
      need: {
        orderType: 'Deposit',
        walletType: 'ProviderBQR',
        currency: 'PKR',
        amount: 1_000_000n,
        floatAmount: 1_000_000n,
        heldBy: null,
        heldBefore: [],
      },
    });
    const opened = await statusOf(merchant, orderId);
    expectStatus(opened, {
      ...fixed,
      status: 'AwaitingCustomerPayment',
      stage: 'Assigned',
      lifecycle: { awaitingAt: awaiting.queuedAt, assignedAt: instant },
    });
    expect(Date.parse(opened.lifecycle.assignedAt)).toBeGreaterThan(
      Date.parse(opened.lifecycle.awaitingAt),
    );
    await submit({ kind: 'member-release', orderId, memberId: other.memberId, reason: 'away' });
    const cancelled = await statusOf(merchant, orderId);
    const lifecycle = { awaitingAt: instant, assignedAt: instant, failedAt: cancelled.cancelledAt };
    expectStatus(cancelled, {
      ...fixed,
      status: 'Cancelled',
      stage: 'Failed',
      cancelledAt: instant,
      lifecycle,
    });
    await setPresence(service, other.memberId, false);
  });

  test('a deposit: Rejected, and completed late by an operator', async () => {
    const order = await createOrder(merchant, { amount: 10 });
    const { orderId } = order;
    const fixed = { ...named(order), orderType: 'Deposit', amount: 10, currency: 'PKR', fee: 0.6 };
    await submit({ kind: 'open-page', orderId, need: undefined });
    await submit({ kind: 'confirm-payment', orderId, transactionDigits: '1234' });
    await advance(service, 5);
    await submit({
      kind: 'member-reject',
      orderId,
      memberId: member.memberId,
      reason: 'no such payment',
    });
    const rejected = await statusOf(merchant, orderId);
    const stamps = {
      assignedAt: instant,
      sentAt: instant,
      rejectedAt: rejected.lifecycle.failedAt,
      failedAt: instant,
    };
    expectStatus(rejected, { ...fixed, status: 'Rejected', stage: 'Failed', lifecycle: stamps });
    await advance(service, 5);
    await submit({
      kind: 'operator-confirm',
      orderId,
      note: 'it came',
      memberId: null,
      ...standsAlone(operator),
    });
    const late = await statusOf(merchant, orderId);
    expectStatus(late, {
      ...fixed,
      status: 'Completed',
      stage: 'Completed',
      confirmedAt: instant,
      lifecycle: {
        ...stamps,
        failedAt: rejected.lifecycle.failedAt,
        completedAt: late.confirmedAt,
        approvedAt: late.confirmedAt,
      },
    });
  });

  test.each<[string, string, object, (order: CreatedOrder) => Promise<void>, object]>([
    [
      'Expired',
      'Failed',
      { amount: 11 },
      () => advance(service, 901),
      { assignedAt: instant, failedAt: instant },
    ],
    [
      'CancelledTimeout',
      'Failed',
      { amount: 12, walletType: 'BankAccount' },
      () => advance(service, 901),
      { awaitingAt: instant, failedAt: instant },
    ],
    [
      'CancelledAuto',
      'Failed',
      { amount: 13 },
      ({ orderId }) => submit({ kind: 'cancel-by-customer', orderId }),
      { assignedAt: instant, failedAt: instant },
    ],
    [
      'ManualReview',
      'Sent',
      { amount: 14 },
      async ({ orderId }) => {
        await submit({ kind: 'open-page', orderId, need: undefined });
        await submit({ kind: 'confirm-payment', orderId, transactionDigits: '1234' });
        await advance(service, 1_801);
      },
      { assignedAt: instant, sentAt: instant },
    ],
    [
      'ManualReview',
      'Assigned',
      { amount: 15 },
      ({ orderId }) =>
        submit({ kind: 'operator-escalate', orderId, note: 'look', actor: operator }),
      { assignedAt: instant },
    ],
  ])(
    'a deposit: %s, stage %s; cancelledAt stays null',
    async (status, stage, body, act, lifecycle) => {
      const order = await createOrder(merchant, body as Record<string, unknown>);
      await act(order);
      const data = await statusOf(merchant, order.orderId);
      expectStatus(data, {
        ...named(order),
        orderType: 'Deposit',
        amount: data.amount,
        currency: 'PKR',
        fee: data.fee,
        status,
        stage,
        lifecycle,
      });
    },
  );

  test('a withdrawal: AwaitingMemberPayout, Completed; reserved until then, debited after', async () => {
    const before = await balanceOf(merchant);
    const order = await createOrder(merchant, {
      orderType: 'Withdrawal',
      amount: 50,
      walletType: 'TillID',
      customerAccountNumber: '0300',
    });
    const { orderId } = order;
    const fixed = { ...named(order), orderType: 'Withdrawal', amount: 50, currency: 'PKR', fee: 2 };
    expectStatus(await statusOf(merchant, orderId), {
      ...fixed,
      status: 'AwaitingMemberPayout',
      stage: 'Assigned',
      lifecycle: { assignedAt: instant },
    });
    const reserved = {
      ...before,
      availableBalance: before.availableBalance - 52,
      reservedBalance: before.reservedBalance + 52,
    };
    expect(await balanceOf(merchant)).toEqual(reserved);
    await advance(service, 30);
    await submit({
      kind: 'member-confirm',
      orderId,
      memberId: member.memberId,
      receivedAmount: null,
      transactionReference: 'T1',
    });
    const done = await statusOf(merchant, orderId);
    const lifecycle = {
      assignedAt: instant,
      sentAt: done.confirmedAt,
      approvedAt: done.confirmedAt,
      completedAt: done.confirmedAt,
    };
    expectStatus(done, {
      ...fixed,
      status: 'Completed',
      stage: 'Completed',
      confirmedAt: instant,
      lifecycle,
    });
    expect(await balanceOf(merchant)).toEqual({
      ...reserved,
      reservedBalance: before.reservedBalance,
    });
  });

  test('a withdrawal without account: Awaiting, taken when the customer submits one, Rejected; the reservation comes back', async () => {
    const before = await balanceOf(merchant);
    const order = await createOrder(merchant, {
      orderType: 'Withdrawal',
      amount: 50,
      walletType: 'TillID',
    });
    const { orderId } = order;
    const fixed = { ...named(order), orderType: 'Withdrawal', amount: 50, currency: 'PKR', fee: 2 };
    expectStatus(await statusOf(merchant, orderId), {
      ...fixed,
      status: 'Awaiting',
      stage: 'Awaiting',
      lifecycle: { awaitingAt: instant },
    });
    const need = {
      orderType: 'Withdrawal',
      walletType: 'TillID',
      currency: 'PKR',
      amount: 500_000n,
      floatAmount: 500_000n,
      heldBy: null,
      heldBefore: [],
    };
    await submit({
      kind: 'submit-account',
      orderId,
      accountNumber: '0300',
      accountName: 'Ali',
      need,
    });
    expect(await statusOf(merchant, orderId)).toMatchObject({
      status: 'AwaitingMemberPayout',
      stage: 'Assigned',
    });
    await submit({
      kind: 'member-report',
      orderId,
      memberId: member.memberId,
      reason: 'wrongDetails',
    });
    expectStatus(await statusOf(merchant, orderId), {
      ...fixed,
      status: 'ManualReview',
      stage: 'Assigned',
      lifecycle: { awaitingAt: instant, assignedAt: instant },
    });
    expect(await balanceOf(merchant)).toMatchObject({
      reservedBalance: before.reservedBalance + 52,
    });
    await submit({
      kind: 'operator-resolve',
      orderId,
      outcome: 'Cancelled',
      memberId: null,
      note: 'not paid',
      ...standsAlone(operator),
    });
    const cancelled = await statusOf(merchant, orderId);
    const lifecycle = { awaitingAt: instant, assignedAt: instant, failedAt: cancelled.cancelledAt };
    expectStatus(cancelled, {
      ...fixed,
      status: 'Cancelled',
      stage: 'Failed',
      cancelledAt: instant,
      lifecycle,
    });
    expect(await balanceOf(merchant)).toEqual(before);
  });

  test('a withdrawal that nobody takes: CancelledTimeout after 120 minutes, after 15 without an account', async () => {
    const before = await balanceOf(merchant);
    const withAccount = await createOrder(merchant, {
      orderType: 'Withdrawal',
      amount: 5,
      walletType: 'BankAccount',
      customerAccountNumber: '1',
    });
    const without = await createOrder(merchant, {
      orderType: 'Withdrawal',
      amount: 6,
      walletType: 'BankAccount',
    });
    // The sandbox clock runs on by itself: a minute before, for machines that are busy.
    await advance(service, 900 - 60);
    for (const { orderId } of [withAccount, without])
      expect(await statusOf(merchant, orderId)).toMatchObject({ status: 'Awaiting' });
    await advance(service, 60);
    expect(await statusOf(merchant, without.orderId)).toMatchObject({
      status: 'CancelledTimeout',
      stage: 'Failed',
      cancelledAt: null,
    });
    await advance(service, 7_200 - 900 - 60);
    expect(await statusOf(merchant, withAccount.orderId)).toMatchObject({ status: 'Awaiting' });
    await advance(service, 60);
    expect(await statusOf(merchant, withAccount.orderId)).toMatchObject({
      status: 'CancelledTimeout',
      stage: 'Failed',
      cancelledAt: null,
    });
    expect(await balanceOf(merchant)).toEqual(before);
  });
});

describe('how an order is named', () => {
  let merchant: TestMerchant;
  let order: CreatedOrder;
  beforeAll(async () => {
    merchant = await createMerchant(service);
    order = await createOrder(merchant, { merchantOrderRef: 'Ref /?&=%+ ü 🧾' });
  });

  test('by id, by id in upper case, by reference, by query: the same answer', async () => {
    const byId = await get(merchant, `/orders/${order.orderId}/status`);
    expect(byId).toMatchObject({
      status: 200,
      contentType: 'application/json; charset=utf-8',
      json: { data: { orderId: order.orderId } },
    });
    const paths = [
      `/orders/${order.orderId.toUpperCase()}/status`,
      `/orders/${order.orderReference}/status`,
      `/orders/status?orderReference=${order.orderReference}`,
      `/orders/status?orderReference=${order.orderReference}&merchantOrderRef=`,
      `/orders/status?merchantOrderRef=${encodeURIComponent('Ref /?&=%+ ü 🧾')}`,
      `/orders/status?merchantOrderRef=${encodeURIComponent('Ref /?&=%+ ü 🧾').replaceAll('%20', '+')}&orderReference=`,
      `/orders/status?unknown=1&orderReference=${order.orderReference}`,
    ];
    for (const path of paths) expect(await get(merchant, path)).toEqual(byId);
  });

  test('any API key of the merchant works, also after rotation', async () => {
    const one = await createMerchant(service);
    const made = await createOrder(one);
    const fresh = { ...one, ...(await createApiKey(service, one.merchantId)) };
    expect(await statusOf(fresh, made.orderId)).toMatchObject({ orderId: made.orderId });
    await sql('update api_keys set revoked_at = $2 where key_id = $1', [
      one.keyId,
      new Date(service.app.deps.clock.now()).toISOString(),
    ]);
    expect(await statusOf(fresh, made.orderId)).toMatchObject({ orderId: made.orderId });
    expectNoKey(await get(one, `/orders/${made.orderId}/status`));
  });

  const neither = 'Provide an orderId, an orderReference or a merchantOrderRef.';
  const both = 'Provide either an orderReference or a merchantOrderRef, not both.';
  const tooLong = (name: string, max: number, length: number) =>
    `The length of '${name}' must be ${max} characters or fewer. You entered ${length} characters.`;
  test.each<[string, string, number, string]>([
    ['neither', '', 400, neither],
    ['a question mark alone', '?', 400, neither],
    ['both empty', '?merchantOrderRef=&orderReference=', 400, neither],
    ['one empty', '?merchantOrderRef=', 400, neither],
    ['a name without value', '?orderReference', 400, neither],
    ['another parameter', '?orderId=1', 400, neither],
    ['both', '?merchantOrderRef=a&orderReference=b', 400, both],
    [
      'merchantOrderRef twice',
      '?merchantOrderRef=a&merchantOrderRef=b',
      400,
      'merchantOrderRef must be sent once.',
    ],
    [
      'orderReference twice',
      '?orderReference=a&orderReference=a',
      400,
      'orderReference must be sent once.',
    ],
    [
      'merchantOrderRef of 201',
      `?merchantOrderRef=${'x'.repeat(201)}`,
      400,
      tooLong('Merchant Order Ref', 200, 201),
    ],
    [
      'merchantOrderRef of 201 emoji',
      `?merchantOrderRef=${encodeURIComponent('🧾').repeat(201)}`,
      400,
      tooLong('Merchant Order Ref', 200, 201),
    ],
    [
      'orderReference of 101',
      `?orderReference=${'x'.repeat(101)}`,
      400,
      tooLong('Order Reference', 100, 101),
    ],
    ['merchantOrderRef of 200', `?merchantOrderRef=${'x'.repeat(200)}`, 404, 'Order not found.'],
    [
      'merchantOrderRef of 200 emoji',
      `?merchantOrderRef=${encodeURIComponent('🧾').repeat(200)}`,
      404,
      'Order not found.',
    ],
    ['orderReference of 100', `?orderReference=${'x'.repeat(100)}`, 404, 'Order not found.'],
    ['an unknown reference', '?orderReference=ORD-20200101000000-AAAAAA', 404, 'Order not found.'],
    ['an id as reference', `?orderReference=${randomUUID()}`, 404, 'Order not found.'],
    ['a null character', '?merchantOrderRef=a%00b', 404, 'Order not found.'],
    ['a null character alone', '?orderReference=%00', 404, 'Order not found.'],
    ['a bad percent', '?merchantOrderRef=%', 404, 'Order not found.'],
    ['a bad percent pair', '?merchantOrderRef=%zz%1', 404, 'Order not found.'],
    ['bytes that are no UTF-8', '?merchantOrderRef=%ff%fe', 404, 'Order not found.'],
    ['a lone surrogate in UTF-8', '?merchantOrderRef=%ed%a0%80', 404, 'Order not found.'],
    ['SQL', `?merchantOrderRef=${encodeURIComponent("' or 1=1 --")}`, 404, 'Order not found.'],
    ['__proto__', '?__proto__=a&constructor=b', 400, neither],
    ['brackets', '?merchantOrderRef[]=a', 400, neither],
    [
      'a thousand parameters',
      `?${'a=1&'.repeat(1_000)}merchantOrderRef=x`,
      404,
      'Order not found.',
    ],
  ])('reference query, %s', async (_name, query, status, message) => {
    const answer = await rawRequest(service.url, {
      path: `/api/merchant/orders/status${query}`,
      headers: [['SVC-API-Key', merchant.apiKey]],
    });
    expectMessage(replyOfRaw(answer), status, message);
  });

  test.each<[string, string]>([
    ['nothing', ''],
    ['a word', 'x'],
    ['the word status', 'status'],
    ['../..', '../../../etc/passwd'],
    ['../../ encoded', '..%2f..%2fetc%2fpasswd'],
    ['a dot', '%2e'],
    ['10 KB', 'x'.repeat(10_240)],
    ['10 KB after ORD-', `ORD-${'x'.repeat(10_240)}`],
    ['a null character', '%00'],
    ['a null character after ORD-', 'ORD-%00'],
    ['an unknown id', randomUUID()],
    ['the nil id', '00000000-0000-0000-0000-000000000000'],
    ['an id without dashes', randomUUID().replaceAll('-', '')],
    ['an id in braces', `%7B${randomUUID()}%7D`],
    ['an id with a space', `${randomUUID()}%20`],
    ['an unknown reference', 'ORD-20200101000000-AAAAAA'],
    ['ORD- alone', 'ORD-'],
    ['a reference in lower case', 'ord-20200101000000-aaaaaa'],
    ['a number', '1'],
    ['a negative number', '-1'],
    ['SQL', "'%20or%201=1%20--"],
    ['a bad percent', '%'],
    ['a bad percent pair', '%zz'],
    ['bytes that are no UTF-8', '%ff'],
    ['emoji', '%F0%9F%A7%BE'],
    ['markup', '%3Cscript%3E'],
    ['undefined', 'undefined'],
    ['__proto__', '__proto__'],
  ])('an id that names nothing, 404: %s', async (_name, id) => {
    const path = `/api/merchant/orders/${id}/status`;
    const reply = replyOfRaw(
      await rawRequest(service.url, { path, headers: [['SVC-API-Key', merchant.apiKey]] }),
    );
    expectMessage(reply, 404, id.includes('/') ? 'Not found.' : 'Order not found.');
    if (!id.includes('/')) expectNoKey(replyOfRaw(await rawRequest(service.url, { path })));
  });

  test('reads change nothing', async () => {
    const rows = async () =>
      (await sql('select xmin, * from orders where merchant_id = $1', [merchant.merchantId])).rows;
    const before = await rows();
    for (const path of [
      `/orders/${order.orderId}/status`,
      '/orders/balance',
      `/orders/status?orderReference=${order.orderReference}`,
    ])
      await get(merchant, path);
    expect(await rows()).toEqual(before);
  });
});

describe('a key revoked while its request is in flight', () => {
  /**
   * Holds every read of API keys, sends the request, revokes the key once the request
   * waits for the lock, and lets go.
   */
  async function revokeInFlight(
    merchant: TestMerchant,
    send: () => Promise<Reply>,
    held: 'api_keys' | 'terms_version' = 'api_keys',
  ): Promise<Reply> {
    const holder = await service.database.pool.connect();
    try {
      await holder.query('begin');
      await holder.query(`lock table ${held} in access exclusive mode`);
      const reply = send();
      // On the request's own connection: background work waits for the lock too.
      const waiting = `select from pg_locks join pg_stat_activity using (pid)
        where relation = $1::regclass and not granted and application_name = $2
          and datname = current_database()`;
      const lane = held === 'api_keys' ? 'munshi-readers' : 'munshi-engine';
      await expect
        .poll(async () => (await sql(waiting, [held, lane])).rowCount, { interval: 5 })
        .toBe(1);
      await holder.query('update api_keys set revoked_at = $2 where key_id = $1', [
        merchant.keyId,
        new Date(service.app.deps.clock.now()).toISOString(),
      ]);
      await holder.query('commit');
      return reply;
    } finally {
      holder.release();
    }
  }

  test('balance: 404', async () => {
    const merchant = await createMerchant(service);
    expectMessage(
      await revokeInFlight(merchant, () => get(merchant, '/orders/balance')),
      404,
      'API key not found or inactive.',
    );
    expectNoKey(await get(merchant, '/orders/balance'));
  });

  test.each([
    ['by id', (order: CreatedOrder) => `/orders/${order.orderId}/status`],
    ['by reference', (order: CreatedOrder) => `/orders/${order.orderReference}/status`],
    ['by query', (order: CreatedOrder) => `/orders/status?orderReference=${order.orderReference}`],
    ['without a query', () => '/orders/status'],
    ['by an id that names nothing', () => '/orders/x/status'],
  ])('status %s: 401', async (_name, path) => {
    const merchant = await createMerchant(service);
    const order = await createOrder(merchant);
    expectNoKey(await revokeInFlight(merchant, () => get(merchant, path(order))));
  });

  test('order creation: 401, and no order', async () => {
    const merchant = await createMerchant(service);
    const order = (n: number) => ({ orderType: 'Deposit', amount: n, walletType: 'ProviderA' });
    expect(await postOrder(merchant, order(1))).toMatchObject({ status: 200 });
    expectNoKey(
      await revokeInFlight(merchant, () => postOrder(merchant, order(2)), 'terms_version'),
    );
    expect(
      (await sql('select from orders where merchant_id = $1', [merchant.merchantId])).rowCount,
    ).toBe(1);
  });
});

describe('balance response', () => {
  test('every field, and nothing else; a new wallet is zero', async () => {
    const merchant = await createMerchant(service);
    const reply = await get(merchant, '/orders/balance');
    expect(reply).toMatchObject({ status: 200, contentType: 'application/json; charset=utf-8' });
    expect(reply.text).toBe(
      '{"data":{"availableBalance":0,"reservedBalance":0,"frozenBalance":0,"currency":"PKR"}}',
    );
    expect(await get(merchant, '/orders/balance?merchantId=x&currency=INR')).toEqual(reply);
  });

  test('it belongs to the merchant, whichever key asks', async () => {
    const merchant = await createMerchant(service, { balance: '0.0001' });
    const other = { ...merchant, ...(await createApiKey(service, merchant.merchantId)) };
    for (const one of [merchant, other])
      expect((await get(one, '/orders/balance')).text).toContain('"availableBalance":0.0001,');
  });

  test('a balance below zero after a late confirmation is answered as it is', async () => {
    const merchant = await createMerchant(service, { balance: '10' });
    const order = await createOrder(merchant, {
      orderType: 'Withdrawal',
      amount: 10,
      walletType: 'BankAccount',
      customerAccountNumber: '1',
    });
    await submit({
      kind: 'operator-cancel',
      orderId: order.orderId,
      note: 'test',
      ...standsAlone(operator),
    });
    await submit({
      kind: 'adjust-wallet',
      merchantId: merchant.merchantId,
      adjustment: 'debit',
      amount: 75_000n,
      reason: 'test',
      ...standsAlone(operator),
    });
    const confirm = {
      kind: 'operator-confirm',
      commandId: randomUUID(),
      orderId: order.orderId,
      note: 'paid',
      memberId: null,
      ...standsAlone(operator),
    };
    await submit(confirm);
    expect(await statusOf(merchant, order.orderId)).toMatchObject({ status: 'Cancelled' });
    await submit({ ...confirm, commandId: randomUUID(), sumOf: null }); // two have decided
    expect((await get(merchant, '/orders/balance')).text).toBe(
      '{"data":{"availableBalance":-7.5,"reservedBalance":0,"frozenBalance":0,"currency":"PKR"}}',
    );
    await expectSound(service);
  });
});

// Rows made by hand, which the invariant checker does not know: last of all.
describe('older orders', () => {
  let merchant: TestMerchant;
  beforeAll(async () => {
    merchant = await createMerchant(service, { balance: '100' });
  });

  test.each([
    ['Assigned', 'Assigned', null],
    ['Frozen', 'Assigned', null],
    ['Confirmed', 'Completed', '2020-01-01T00:20:00.000Z'],
  ])('%s is readable: stage %s', async (status, stage, completedAt) => {
    const merchantOrderRef = `old ${status}`;
    const { orderId } = await createOrder(merchant, { merchantOrderRef });
    await sql(
      `update orders set status = $2, created_status = $2, completed_at = $3, created_at = '2020-01-01T00:00:00Z', awaiting_at = null, assigned_at = '2020-01-01T00:01:00Z',
         due_at = null, terms_digest = null, signature_digest = null where order_id = $1`,
      [orderId, status, completedAt],
    );
    const lifecycle = {
      assignedAt: '2020-01-01T00:01:00.000Z',
      completedAt,
      approvedAt: completedAt,
      createdAt: '2020-01-01T00:00:00.000Z',
    };
    for (const path of [
      `/orders/${orderId}/status`,
      `/orders/status?merchantOrderRef=old%20${status}`,
    ]) {
      const { data } = (await get(merchant, path)).json;
      expectStatus(data, {
        orderId,
        orderReference: data.orderReference,
        merchantOrderRef,
        orderType: 'Deposit',
        amount: 1500,
        currency: 'PKR',
        fee: null,
        status,
        stage,
        queuedAt: '2020-01-01T00:00:00.000Z',
        confirmedAt: completedAt,
        lifecycle,
      });
    }
    // In progress or completed: the reference is taken.
    expect(
      await postOrder(merchant, {
        orderType: 'Deposit',
        amount: 2,
        walletType: 'ProviderA',
        merchantOrderRef,
      }),
    ).toMatchObject({ status: 409 });
  });
});
