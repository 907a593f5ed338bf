import { STATUSES, type Status, WALLET_TYPES } from '@munshi/core';
import { describe, expect } from 'vitest';
import {
  type CreatedOrder,
  createMember,
  createMerchant,
  createOrder,
  everybodyOffline,
  orderStatus,
  type TestMerchant,
} from '../../support/fixtures.ts';
import { startProcess } from '../../support/process.ts';
import { startReceiver } from '../../support/receiver.ts';
import { startService } from '../../support/service.ts';
import { serviceTest } from '../../support/service-test.ts';

/** Moving an order with the merchant's own key, where a developer runs the service (testing.md). */
const { test, service } = await serviceTest();

async function move(
  merchant: Pick<TestMerchant, 'url' | 'apiKey'>,
  id: string,
  body: object,
): Promise<{ status: number; json: { data?: Record<string, unknown>; error?: string } }> {
  const response = await fetch(`${merchant.url}/api/merchant/sandbox/orders/${id}`, {
    method: 'POST',
    headers: { 'SVC-API-Key': merchant.apiKey, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, json: text === '' ? {} : JSON.parse(text) };
}

const hook = await startReceiver();
const merchant = await createMerchant(service, {
  balance: '1000000',
  defaultCallbackUrl: hook.url,
});
const withoutMembers = async (make: () => Promise<CreatedOrder>) => {
  await everybodyOffline(service);
  const order = await make();
  await createMember(service, { maxOpenOrders: 1000, float: '10000000' });
  return order;
};
const DEPOSITS = { walletType: 'ProviderA' };
const PAYOUT = {
  orderType: 'Withdrawal',
  customerAccountNumber: '03001234567',
  customerAccountName: 'Ayesha Khan',
};

/** Every status of the specification, by the shortest way a developer has to it. */
const WAYS: readonly (readonly [Status, 'Deposit' | 'Withdrawal'])[] = [
  ['Queued', 'Deposit'],
  ['AwaitingCustomerPayment', 'Deposit'],
  ['AwaitingMemberConfirmation', 'Deposit'],
  ['AwaitingMemberPayout', 'Withdrawal'],
  ...(['Deposit', 'Withdrawal'] as const).flatMap((orderType) =>
    (['ManualReview', 'Completed', 'Rejected', 'Cancelled'] as const).map(
      (status) => [status, orderType] as const,
    ),
  ),
  ['Expired', 'Deposit'],
  ['CancelledAuto', 'Deposit'],
];

describe('POST /api/merchant/sandbox/orders/{id}', () => {
  test.for(WAYS)('moves an order to %s (%s)', async ([to, orderType]) => {
    await withoutMembers(async () => createOrder(merchant));
    const order = await createOrder(merchant, orderType === 'Deposit' ? DEPOSITS : PAYOUT);
    const moved = await move(merchant, order.orderReference, { to, reason: 'wanted so' });
    expect(moved).toMatchObject({ status: 200, json: { data: { status: to } } });
    expect(moved.json.data).toEqual(await orderStatus(merchant, order.orderId));
    expect(await move(merchant, order.orderId, { to })).toEqual(moved);
  });

  test('moves waiting orders where they end without a member', async () => {
    await everybodyOffline(service);
    for (const to of ['CancelledTimeout', 'CancelledAuto', 'Cancelled'] as const) {
      const order = await createOrder(merchant, { orderType: 'Withdrawal' });
      expect(order.status).toBe('Awaiting');
      expect((await move(merchant, order.orderId, { to })).json.data?.['status']).toBe(to);
    }
    const stays = await createOrder(merchant);
    expect(await move(merchant, stays.orderId, { to: 'Completed' })).toEqual({
      status: 409,
      json: { error: 'Awaiting cannot become Completed: no member can take it.' },
    });
  });

  test('walks from a waiting order to its end, and on to a late confirmation', async () => {
    const order = await withoutMembers(() => createOrder(merchant, { orderType: 'Withdrawal' }));
    expect(order.status).toBe('Awaiting');
    for (const to of ['Rejected', 'Completed'] as const)
      expect((await move(merchant, order.orderId, { to })).json.data?.['status']).toBe(to);
    await expect
      .poll(() =>
        hook.received
          .map(({ body }) => JSON.parse(String(body)))
          .filter(({ orderId }) => orderId === order.orderId)
          .map(({ eventType }) => eventType),
      )
      .toEqual(['order.failed', 'order.completed']);
  });

  test.for(WALLET_TYPES)('completes a deposit by %s', async (walletType) => {
    await withoutMembers(async () => createOrder(merchant));
    const order = await createOrder(merchant, { walletType });
    const moved = await move(merchant, order.orderId, { to: 'Completed' });
    expect(moved.json).toMatchObject({ data: { status: 'Completed' } });
  });

  test('refuses what no way leads to, and what it cannot read', async () => {
    await withoutMembers(async () => createOrder(merchant));
    const order = await createOrder(merchant);
    await move(merchant, order.orderId, { to: 'Completed' });
    for (const to of STATUSES.filter((status) => status !== 'Completed'))
      expect(await move(merchant, order.orderId, { to })).toEqual({
        status: 409,
        json: { error: `Completed cannot become ${to}.` },
      });
    expect((await move(merchant, order.orderId, { to: 'Paid' })).status).toBe(400);
    expect((await move(merchant, order.orderId, {})).status).toBe(400);
    expect((await move(merchant, 'ORD-unknown', { to: 'Completed' })).json).toEqual({
      error: 'Order not found.',
    });
    const stranger = await createMerchant(service);
    expect((await move(stranger, order.orderId, { to: 'Completed' })).status).toBe(404);
    expect(
      (await move({ ...merchant, apiKey: 'mk_live_x' }, order.orderId, { to: 'Completed' })).status,
    ).toBe(401);
  });

  test('moves orders of two merchants at once, each for itself', async () => {
    await withoutMembers(async () => createOrder(merchant));
    const other = await createMerchant(service, { balance: '1000000' });
    const ends = ['Completed', 'Rejected', 'Expired', 'Cancelled', 'CancelledAuto'] as const;
    const moves = [merchant, other].flatMap((one) => ends.map((to) => ({ one, to })));
    const statuses = await Promise.all(
      moves.map(async ({ one, to }, at) => {
        const { orderId } = await createOrder(one, { amount: 100 + at });
        return (await move(one, orderId, { to })).json.data?.['status'];
      }),
    );
    expect(statuses).toEqual(moves.map(({ to }) => to));
  });
});

test('a live service in production has no such route, and says nowhere that it is a sandbox', async () => {
  const live = await startProcess(service, {
    ...{ NODE_ENV: 'production', CLOCK: 'real', HOST: '127.0.0.1' },
  });
  const answer = await fetch(`${live.url}/api/merchant/sandbox/orders/x`, { method: 'POST' });
  expect([answer.status, answer.headers.get('svc-sandbox')]).toEqual([404, null]);
  await live.stop();
});

test.for([
  ['of its first start', 'false'],
  ['live, if it has merchants from a version before', 'null'],
])('a database is for good %s', async ([, stored]) => {
  await service.database.pool.query(`update settings set sandbox = ${stored}`);
  await expect(startService({ SANDBOX: '1' }, service)).rejects.toThrow(
    'this database is of a live service',
  );
});
