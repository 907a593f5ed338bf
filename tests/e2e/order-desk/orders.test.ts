import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect } from 'vitest';
import {
  type CreatedOrder,
  createMember,
  createMerchant,
  createOrder,
  everybodyOffline,
  orderStatus,
  setPresence,
  type TestMember,
  type TestMerchant,
} from '../../support/fixtures.ts';
import { createOperator, operatorClient, secondOperator } from '../../support/operator-client.ts';
import { serviceTest } from '../../support/service-test.ts';
import { expectSound } from '../../support/verify.ts';

// nobody sends: the rows of deliveries stay as the tests wrote them
const { test, service } = await serviceTest({ ROLES: 'http' });
const operator = operatorClient(service);
const second = secondOperator(service);
const merchant = await createMerchant(service, {
  balance: '100000',
  name: 'Corner Shop',
  defaultCallbackUrl: 'https://shop.example/hook',
});
afterEach(async () => {
  await everybodyOffline(service);
  await expectSound(service);
});

const engine = () => service.app.deps.engine;
const act = (orderId: string, action: string, body: object = {}, by = operator) =>
  by.post(`/orders/${orderId}/${action}`, { note: 'because', ...body });
const read = async (orderId: string) => (await operator.get(`/orders/${orderId}`)).data;
const withdrawal = (more: object = {}, by = merchant) =>
  createOrder(by, {
    orderType: 'Withdrawal',
    walletType: 'ProviderA',
    amount: 100,
    customerAccountNumber: '03001234567',
    ...more,
  });
const openPage = (orderId: string) =>
  engine().submit({ kind: 'open-page', commandId: randomUUID(), orderId, need: undefined });
async function paidDeposit(more: Record<string, unknown> = {}): Promise<CreatedOrder> {
  const order = await createOrder(merchant, more);
  await openPage(order.orderId);
  await engine().submit({
    kind: 'confirm-payment',
    commandId: randomUUID(),
    orderId: order.orderId,
    transactionDigits: '1234',
  });
  return order;
}
const memberConfirms = (orderId: string, { memberId }: TestMember) =>
  engine().submit({
    kind: 'member-confirm',
    commandId: randomUUID(),
    orderId,
    memberId,
    receivedAmount: null,
    transactionReference: 'T-1',
  });
const balanceOf = async ({ merchantId }: TestMerchant) =>
  (await operator.get(`/merchants/${merchantId}/balance`)).data;

describe('the list', () => {
  test('every filter finds what it names and nothing else, and filters are all held', async () => {
    const own = await createMerchant(service, { balance: '5000' });
    const member = await createMember(service, { methods: ['ProviderA'] });
    const queued = await createOrder(own, {
      merchantOrderRef: 'INV-1',
      customerReference: 'customer one',
    });
    const payout = await withdrawal({ merchantOrderRef: 'INV-2' }, own);
    const waiting = await createOrder(own, { walletType: 'TillID', merchantOrderRef: 'INV-3' });
    const reviewed = await withdrawal({}, own);
    await act(reviewed.orderId, 'escalate');
    const cancelled = await createOrder(own, {});
    await act(cancelled.orderId, 'cancel');
    await setPresence(service, member.memberId, false);

    const all = { queued, payout, waiting, reviewed, cancelled };
    const found = async (query: string) => {
      const { data } = await operator.get(`/orders?merchantId=${own.merchantId}${query}`);
      return data.map(
        ({ orderId }: CreatedOrder) =>
          Object.entries(all).find(([, order]) => order.orderId === orderId)?.[0],
      );
    };
    const from = new Date(service.app.deps.clock.now() - 60_000).toISOString();
    const to = new Date(service.app.deps.clock.now() + 1).toISOString();
    expect(await found('')).toEqual(['cancelled', 'reviewed', 'waiting', 'payout', 'queued']);
    expect(await found('&status=Queued')).toEqual(['queued']);
    expect(await found('&status=Queued&status=Cancelled')).toEqual(['cancelled', 'queued']);
    expect(await found('&stage=Assigned')).toEqual(['reviewed', 'payout', 'queued']);
    expect(await found('&stage=Awaiting&stage=Failed')).toEqual(['cancelled', 'waiting']);
    expect(await found('&stage=Approved')).toEqual([]);
    expect(await found('&orderType=Withdrawal')).toEqual(['reviewed', 'payout']);
    expect(await found('&walletType=TillID')).toEqual(['waiting']);
    expect(await found(`&memberId=${member.memberId}`)).toEqual([
      'cancelled',
      'reviewed',
      'payout',
      'queued',
    ]);
    expect(await found(`&memberId=${member.memberId}&status=Cancelled`)).toEqual(['cancelled']);
    expect(await found(`&from=${from}&to=${to}`)).toHaveLength(5);
    expect(await found(`&to=${from}`)).toEqual([]);
    expect(await found(`&from=${to}`)).toEqual([]);
    expect(await found('&search=INV-2')).toEqual(['payout']);
    expect(await found('&search=customer%20one')).toEqual(['queued']);
    expect(await found(`&search=${waiting.orderId.toUpperCase()}`)).toEqual(['waiting']);
    expect(await found(`&search=%20${waiting.orderReference.toLowerCase()}%20`)).toEqual([
      'waiting',
    ]);
    expect(await found('&search=inv')).toEqual(['waiting', 'payout', 'queued']);
    expect(await found('&search=INW')).toEqual([]);
    expect(await found('&search=INV-2&status=Queued')).toEqual([]);
  });

  test('pages follow each other without a gap while orders are added', async () => {
    const own = await createMerchant(service);
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.unshift((await createOrder(own)).orderId);
    const first = await operator.get(`/orders?merchantId=${own.merchantId}&limit=2`);
    await createOrder(own);
    const next = await operator.get(
      `/orders?merchantId=${own.merchantId}&limit=2&cursor=${first.nextCursor}`,
    );
    const last = await operator.get(
      `/orders?merchantId=${own.merchantId}&limit=2&cursor=${next.nextCursor}`,
    );
    expect([...first.data, ...next.data, ...last.data].map(({ orderId }) => orderId)).toEqual(ids);
    expect(last.nextCursor).toBeNull();
  });

  test('amounts are exact', async () => {
    const own = await createMerchant(service);
    const order = await createOrder(own, {
      amount: (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(
        '99999999999999.9999',
      ),
    });
    expect((await operator.get(`/orders?merchantId=${own.merchantId}`)).text).toContain(
      '"amount":99999999999999.9999,',
    );
    expect((await operator.get(`/orders/${order.orderId}`)).text).toContain(
      '"settlementAmount":99999999999999.9999,',
    );
  });
});

describe('the detail', () => {
  test('holds everything: member, timeline, postings, deliveries; metadata in no response', async () => {
    const member = await createMember(service, { methods: ['ProviderA'], name: 'Aisha' });
    const order = await paidDeposit({ amount: 500, metadata: 'private to the merchant' });
    await act(order.orderId, 'escalate', { note: 'customer called' });
    await act(order.orderId, 'resolve', { outcome: 'Completed', note: 'seen in the account' });
    const answer = await operator.get(`/orders/${order.orderId}`);
    expect(answer.text).not.toContain('private to the merchant');
    const { data } = answer;
    expect(data).toMatchObject({
      orderId: order.orderId,
      merchantName: 'Corner Shop',
      status: 'Completed',
      stage: 'Completed',
      transactionDigits: '1234',
      member: {
        memberId: member.memberId,
        name: 'Aisha',
        status: 'active',
        account: { accountNumber: member.accounts[0]?.accountNumber },
      },
      lifecycle: { stage: 'Completed', completedAt: data.completedAt, failedAt: null },
      deliveries: [
        {
          eventType: 'order.completed',
          status: 'pending',
          url: 'https://shop.example/hook',
          attempts: [],
        },
      ],
      allowedActions: ['resend'],
    });
    expect(data.postings).toMatchObject([
      {
        kind: 'settlement',
        memberId: member.memberId,
        wallet: 500,
        memberFloat: -500,
        fees: 0,
        adjustments: 0,
      },
    ]);
    const steps = data.timeline.map(
      (step: { kind: string; trigger?: string; to?: string; note?: string | null }) => [
        step.trigger ?? step.kind,
        step.to,
        step.note ?? null,
      ],
    );
    expect(steps).toEqual([
      ['created', 'Queued', null],
      ['customer-opened-page', 'AwaitingCustomerPayment', null],
      ['customer-confirmed', 'AwaitingMemberConfirmation', null],
      ['operator-escalated', 'ManualReview', 'customer called'],
      ['operator-resolved', 'Completed', 'seen in the account'],
    ]);
    expect(data.timeline.at(-1).actor).toEqual({
      kind: 'operator',
      id: 'env-1',
      name: 'OPERATOR_TOKEN',
      address: '127.0.0.1',
    });
  });

  test('a member’s words after the order left them are in the timeline', async () => {
    const member = await createMember(service, { methods: ['ProviderA'], name: 'Aisha' });
    const order = await withdrawal();
    await act(order.orderId, 'escalate');
    const reason = 'I have paid it';
    await engine().submit({
      kind: 'member-report',
      commandId: randomUUID(),
      orderId: order.orderId,
      memberId: member.memberId,
      reason,
    });
    expect((await read(order.orderId)).timeline.at(-1)).toMatchObject({
      kind: 'note',
      note: reason,
      actor: { kind: 'member', name: 'Aisha' },
    });
  });

  test('an order that does not exist: 404', async () => {
    expect(await operator.get(`/orders/${randomUUID()}`)).toMatchObject({
      status: 404,
      error: 'Order not found.',
    });
    for (const action of ['cancel', 'escalate', 'confirm'])
      expect((await act(randomUUID(), action)).status).toBe(404);
    expect((await act(randomUUID(), 'resolve', { outcome: 'Completed' })).status).toBe(404);
  });

  test('allowed actions are those that succeed, by status and by role', async () => {
    await createMember(service, { methods: ['ProviderA'] });
    const [viewer, support] = [
      await createOperator(service, 'viewer'),
      await createOperator(service, 'support'),
    ];
    const waiting = await createOrder(merchant, { walletType: 'TillID' });
    const queued = await createOrder(merchant);
    const paid = await paidDeposit({ amount: 17 });
    const reviewed = await paidDeposit({ amount: 18 });
    await act(reviewed.orderId, 'escalate');
    const failed = await createOrder(merchant);
    await act(failed.orderId, 'cancel');
    const allowed = async ({ orderId }: CreatedOrder, token: string) =>
      (await operatorClient(service, token).get(`/orders/${orderId}`)).data.allowedActions;
    expect([
      await allowed(waiting, support.token),
      await allowed(queued, support.token),
      await allowed(paid, support.token),
      await allowed(reviewed, support.token),
      await allowed(failed, support.token),
    ]).toEqual([
      ['cancel'],
      ['cancel', 'escalate'],
      ['escalate'],
      ['resolve'],
      ['confirm', 'resend'],
    ]);
    expect(await allowed(reviewed, viewer.token)).toEqual([]);
  });
});

describe('decisions', () => {
  test('resolving needs ManualReview; Cancelled gives the merchant the reason', async () => {
    await createMember(service, { methods: ['ProviderA'] });
    const order = await paidDeposit();
    expect(await act(order.orderId, 'resolve', { outcome: 'Cancelled' })).toMatchObject({
      status: 409,
      error: expect.stringContaining('only an order in ManualReview'),
    });
    expect((await act(order.orderId, 'escalate')).data).toMatchObject({
      status: 'ManualReview',
      stage: 'Sent',
    });
    const resolved = await act(order.orderId, 'resolve', {
      outcome: 'Cancelled',
      note: 'no such payment',
    });
    expect(resolved.data).toMatchObject({
      orderId: order.orderId,
      status: 'Cancelled',
      stage: 'Failed',
      failureReason: 'no such payment',
    });
    expect((await orderStatus(merchant, order.orderId)).status).toBe('Cancelled');
  });

  test('cancelling a paid deposit or one in review is refused, saying what to do instead', async () => {
    await createMember(service, { methods: ['ProviderA'] });
    const order = await paidDeposit();
    expect(await act(order.orderId, 'cancel')).toMatchObject({
      status: 409,
      error: expect.stringContaining('escalate'),
    });
    await act(order.orderId, 'escalate');
    expect(await act(order.orderId, 'cancel')).toMatchObject({
      status: 409,
      error: expect.stringContaining('resolve'),
    });
  });

  test('cancelling a withdrawal returns its reservation', async () => {
    const own = await createMerchant(service, { balance: '500' });
    const order = await withdrawal({}, own);
    expect(await balanceOf(own)).toMatchObject({ availableBalance: 400, reservedBalance: 100 });
    await act(order.orderId, 'cancel');
    expect(await balanceOf(own)).toMatchObject({ availableBalance: 500, reservedBalance: 0 });
    expect(await act(order.orderId, 'cancel')).toMatchObject({ status: 409 });
  });

  test('escalating an order nobody holds is refused', async () => {
    const order = await createOrder(merchant);
    expect((await act(order.orderId, 'escalate')).status).toBe(409);
  });

  test('a failed deposit that was received after all is confirmed by one operator, with the member who got it', async () => {
    const member = await createMember(service, { methods: ['ProviderB'] });
    const order = await createOrder(merchant, { amount: 250 });
    await act(order.orderId, 'cancel');
    const before = await balanceOf(merchant);
    expect(await act(order.orderId, 'confirm', { memberId: randomUUID() })).toMatchObject({
      status: 422,
      error: 'There is no member with this memberId.',
    });
    const confirmed = await act(order.orderId, 'confirm', { memberId: member.memberId });
    expect(confirmed.data).toMatchObject({ status: 'Completed', memberId: member.memberId });
    expect((await balanceOf(merchant)).walletBalance).toBe(before.walletBalance + 250);
    expect(confirmed.data.failedAt).not.toBeNull();
    expect((await act(order.orderId, 'confirm')).status).toBe(409);
  });

  test('a payout in review that another member has made moves their float, and frees the holder', async () => {
    const holder = await createMember(service, { methods: ['BankAccount'] });
    const payer = await createMember(service, { methods: ['ProviderB'] });
    const { orderId } = await withdrawal({ walletType: 'BankAccount' });
    await act(orderId, 'escalate');
    const state = async ({ memberId }: TestMember) => {
      const { floatBalance, openOrders } = (await operator.get(`/members/${memberId}`)).data;
      return { floatBalance, openOrders };
    };
    const before = { holder: await state(holder), payer: await state(payer) };
    const done = { outcome: 'Completed', memberId: payer.memberId };
    const cancelled = await act(orderId, 'resolve', { ...done, outcome: 'Cancelled' });
    expect(cancelled).toMatchObject({
      status: 422,
      error: 'Only an order that is completed names who received or paid the money.',
    });
    const resolved = await act(orderId, 'resolve', done);
    expect(resolved.data).toMatchObject({ status: 'Completed', memberId: payer.memberId });
    expect(await state(payer)).toEqual({
      ...before.payer,
      floatBalance: before.payer.floatBalance + 100,
    });
    expect(await state(holder)).toEqual({ ...before.holder, openOrders: 0 });
  });

  test('a deposit in review that another member received may take their float below what is held', async () => {
    const receiver = await createMember(service, { methods: ['ProviderB'], float: '1000' });
    await createOrder(merchant, { amount: 900, walletType: 'ProviderB' });
    await createMember(service, { methods: ['BankAccount'], float: '1000' });
    const order = await paidDeposit({ amount: 300, walletType: 'BankAccount' });
    await act(order.orderId, 'escalate');
    await act(order.orderId, 'resolve', { outcome: 'Completed', memberId: receiver.memberId });
    expect((await operator.get(`/members/${receiver.memberId}`)).data).toMatchObject({
      floatBalance: 700,
      floatHeld: 900,
    });
  });

  test('without anybody the adjustments account stands in, and a newer order with the reference is shown', async () => {
    const merchantOrderRef = `ref-${randomUUID()}`;
    const order = await createOrder(merchant, { amount: 250, merchantOrderRef });
    await act(order.orderId, 'cancel');
    const newer = await createOrder(merchant, { amount: 260, merchantOrderRef });
    await act(order.orderId, 'confirm');
    const detail = await read(order.orderId);
    expect(detail.postings).toMatchObject([{ wallet: 250, memberFloat: 0, adjustments: -250 }]);
    expect(detail.referenceTakenBy).toBe(newer.orderReference);
  });

  test('a failed withdrawal whose confirmation overdraws needs a second operator, and changes nothing before', async () => {
    const own = await createMerchant(service, { balance: '150' });
    await createMember(service, { methods: ['ProviderA'] });
    const late = await withdrawal({}, own);
    await act(late.orderId, 'cancel');
    await withdrawal({ amount: 120 }, own);
    const before = await balanceOf(own);

    const { data: asked } = await act(late.orderId, 'confirm');
    expect(asked).toMatchObject({ orderId: late.orderId, status: 'pendingApproval' });
    expect(await balanceOf(own)).toEqual(before);
    expect((await orderStatus(own, late.orderId)).status).toBe('Cancelled');

    const approval = `/approvals/${asked.approvalId}/approve`;
    expect((await operator.post(approval)).status).toBe(403);
    expect((await second.post(approval)).data.status).toBe('done');
    expect((await orderStatus(own, late.orderId)).status).toBe('Completed');
    expect(await balanceOf(own)).toMatchObject({
      availableBalance: -70,
      walletBalance: 50,
      reservedBalance: 120,
      overdrawn: true,
    });
    const actions = (await operator.get(`/audit-log?target=${late.orderId}`)).data.map(
      (entry: { action: string; actor: { id: string } }) => [entry.action, entry.actor.id],
    );
    expect(actions).toEqual([
      ['order.confirm-approve', 'env-2'],
      ['order.confirm-request', 'env-1'],
      ['order.cancel', 'env-1'],
    ]);
  });

  test('a failed withdrawal that the balance covers is confirmed by one operator', async () => {
    const own = await createMerchant(service, { balance: '150' });
    const order = await withdrawal({}, own);
    await act(order.orderId, 'cancel');
    expect((await act(order.orderId, 'confirm')).data.status).toBe('Completed');
    expect(await balanceOf(own)).toMatchObject({ availableBalance: 50, overdrawn: false });
  });
});

describe('deliveries', () => {
  const path = (orderId: string) => `/orders/${orderId}/deliveries`;
  /** What the sender of webhooks leaves behind after a failed attempt. */
  async function fail(orderId: string, status: 'pending' | 'abandoned', attempts: number) {
    const { pool } = service.database;
    const later = new Date(service.app.deps.clock.now() + 3_600_000).toISOString();
    const { rows } = await pool.query(
      'update delivery_queue set attempts = $2, next_attempt_at = $3 where order_id = $1 returning merchant_id, delivery_id',
      [orderId, attempts, later],
    );
    if (status === 'abandoned') {
      await pool.query('delete from delivery_queue where order_id = $1', [orderId]);
      await pool.query('update deliveries set abandoned = true where delivery_id = $1', [
        rows[0].delivery_id,
      ]);
    }
    for (let number = 1; number <= attempts; number += 1) {
      await pool.query(
        `insert into delivery_attempts values ($1, $2, $3, $4, 120, false, 500, null)`,
        [
          rows[0].merchant_id,
          rows[0].delivery_id,
          number,
          new Date(
            service.app.deps.clock.now() + (2 ** (number - 1) - 1) * 60_000 + number * 1_000,
          ).toISOString(), // as the schedule has it
        ],
      );
    }
    return rows[0].delivery_id as string;
  }
  const bodiesOf = async (orderId: string) => {
    const text = `select delivery_id, convert_from(body, 'UTF8') as body from deliveries where order_id = $1 order by delivery_id`;
    return (await service.database.pool.query(text, [orderId])).rows;
  };

  test('the list shows what was sent and what came back', async () => {
    const order = await createOrder(merchant);
    expect((await operator.get(path(order.orderId))).data).toEqual([]);
    await act(order.orderId, 'cancel');
    await fail(order.orderId, 'pending', 2);
    const { data } = await operator.get(path(order.orderId));
    expect(data).toEqual([
      {
        deliveryId: expect.any(String),
        eventType: 'order.failed',
        url: 'https://shop.example/hook',
        status: 'pending',
        createdAt: expect.any(String),
        nextAttemptAt: expect.any(String),
        attempts: [1, 2].map((number) => ({
          number,
          startedAt: expect.any(String),
          durationMs: 120,
          succeeded: false,
          responseStatus: 500,
          error: null,
          answer: null,
          requested: false,
        })),
        allowedActions: ['retry-now'],
      },
    ]);
  });

  test.each(['pending', 'abandoned'] as const)(
    'retry-now makes a failed delivery (%s) due now, the same id and body',
    async (state) => {
      const order = await createOrder(merchant);
      await act(order.orderId, 'cancel');
      const deliveryId = await fail(order.orderId, state, state === 'pending' ? 3 : 10);
      const before = await bodiesOf(order.orderId);
      expect((await read(order.orderId)).allowedActions).toContain('retry-now');
      const { data } = await operator.post(`${path(order.orderId)}/retry-now`);
      expect(data).toMatchObject({ deliveryId, status: 'pending' });
      expect(Date.parse(data.nextAttemptAt)).toBeLessThanOrEqual(service.app.deps.clock.now());
      expect(await bodiesOf(order.orderId)).toEqual(before);
    },
  );

  test('resend makes a new delivery of the present outcome, with a new id and timestamp, and supersedes the one before', async () => {
    const order = await createOrder(merchant);
    await act(order.orderId, 'cancel', { note: 'no longer wanted' });
    const first = await fail(order.orderId, 'pending', 1);
    const { data } = await operator.post(`${path(order.orderId)}/resend`);
    expect(data).toMatchObject({ eventType: 'order.failed', status: 'pending', attempts: [] });
    const { data: list } = await operator.get(path(order.orderId));
    expect(
      list.map(({ deliveryId, status }: { deliveryId: string; status: string }) => [
        deliveryId,
        status,
      ]),
    ).toEqual([
      [data.deliveryId, 'pending'],
      [first, 'superseded'],
    ]);
    const [before, after] = (await bodiesOf(order.orderId)).map(({ body }) => JSON.parse(body));
    expect({ ...after, timestamp: null }).toEqual({ ...before, timestamp: null });
    expect(after.timestamp > before.timestamp).toBe(true);
    expect(
      (await operator.get(`/audit-log?target=${order.orderId}&action=delivery.resend`)).data,
    ).toMatchObject([{ detail: { deliveryId: data.deliveryId } }]);
  });

  test('resend after a late confirmation sends the completion', async () => {
    const order = await createOrder(merchant, { amount: 77 });
    await act(order.orderId, 'cancel');
    await act(order.orderId, 'confirm');
    expect((await operator.post(`${path(order.orderId)}/resend`)).data.eventType).toBe(
      'order.completed',
    );
  });

  test('what cannot be retried or resent is refused with the reason', async () => {
    const open = await createOrder(merchant);
    expect(await operator.post(`${path(open.orderId)}/resend`)).toMatchObject({
      status: 409,
      error: 'The order is Awaiting; only a final outcome is sent.',
    });
    expect(await operator.post(`${path(open.orderId)}/retry-now`)).toMatchObject({
      status: 409,
      error: 'This order has no delivery to retry.',
    });
    await act(open.orderId, 'cancel');
    expect(await operator.post(`${path(open.orderId)}/retry-now`)).toMatchObject({
      status: 409,
      error: expect.stringContaining('being sent for the first time'),
    });
    const silent = await createOrder(await createMerchant(service));
    await act(silent.orderId, 'cancel');
    expect(await operator.post(`${path(silent.orderId)}/resend`)).toMatchObject({
      status: 409,
      error: 'The order has no callback URL.',
    });
    expect((await operator.post(`${path(randomUUID())}/resend`)).status).toBe(404);
  });

  test('a member’s confirmation and an operator’s decision at the same time: one outcome', async () => {
    const member = await createMember(service, { methods: ['ProviderA'] });
    const order = await withdrawal();
    const answers = await Promise.all([
      memberConfirms(order.orderId, member),
      act(order.orderId, 'cancel'),
      act(order.orderId, 'escalate'),
    ]);
    expect(
      answers.map((answer) => ('ok' in answer ? answer.ok : answer.status === 200)).filter(Boolean)
        .length,
    ).toBeGreaterThan(0);
    expect((await read(order.orderId)).postings.length).toBeLessThanOrEqual(1);
  });
});
