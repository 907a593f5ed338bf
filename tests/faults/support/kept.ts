import { formatMoney, type Money, money } from '@munshi/core';
import { expect } from 'vitest';
import { findViolations } from '../../../apps/server/src/books/invariants.ts';
import { saveClockOffset } from '../../../apps/server/src/settings/clock-offset.store.ts';
import { signatureOf } from '../../support/receiver.ts';
import type { Service } from '../../support/service.ts';
import { BALANCES, type Traffic, type Wish } from './traffic.ts';

/**
 * After a campaign, with every process up again and the traffic stopped: nothing that was
 * acknowledged is lost, nothing is doubled, nothing is there that nobody asked for, and the
 * invariants hold. `now` is the service's clock.
 */
export async function expectKept(
  service: Service,
  traffic: Traffic,
  now: () => number = service.app.deps.clock.now,
): Promise<void> {
  await deliverAll(service);
  const { client } = traffic;
  expect(client.seen.broken.slice(0, 3)).toEqual([]);
  const rows = await ordersOf(service, traffic);

  // Each request that was answered with an order has exactly that one, and there are no others.
  const answered = traffic.answered.wishes.filter(({ orderId }) => orderId !== undefined);
  expect(Object.fromEntries(rows.map((row) => [row.idempotencyKey, row.orderId]))).toEqual(
    Object.fromEntries(answered.map((wish) => [wish.idempotencyKey, wish.orderId])),
  );
  expect(rows.length).toBe(answered.length);

  const byId = new Map(rows.map((row) => [row.orderId, row]));
  for (const [orderId, digits] of traffic.answered.paid)
    expect(byId.get(orderId)).toMatchObject({ transactionDigits: digits, sent: true });
  for (const [orderId, end] of traffic.answered.ended)
    expect(byId.get(orderId)).toMatchObject({ status: end });
  await expectSameStatus(traffic, answered, byId);
  await expectReplayed(traffic, answered);
  await expectBalances(traffic, answered, byId);
  await expectWebhooks(service, traffic, rows);
  expect(await findViolations(service.database.pool, now())).toEqual([]);
}

interface Row {
  readonly orderId: string;
  readonly idempotencyKey: string;
  readonly status: string;
  readonly amount: string;
  readonly fee: string;
  readonly transactionDigits: string | null;
  readonly sent: boolean;
}

async function ordersOf({ database }: Service, { merchants }: Traffic): Promise<readonly Row[]> {
  const { rows } = await database.pool.query(
    `select order_id as "orderId", idempotency_key as "idempotencyKey", status, amount::text, fee::text, transaction_digits as "transactionDigits",
       sent_at is not null as sent from orders where merchant_id = any($1)`,
    [merchants.map(({ merchantId }) => merchantId)],
  );
  return rows;
}

/**
 * Webhooks whose worker died are sent again when its lease has ended: where the queue stands still,
 * the clock goes on for all processes, which follow it.
 */
export async function deliverAll({ database, app }: Service): Promise<void> {
  let before = '';
  let changedAt = performance.now();
  let steps = 0;
  const passLease = async () => {
    const offset = app.deps.clock.now() - Date.now() + 61_000;
    app.deps.clock.setOffset(offset);
    await saveClockOffset(database.pool, offset);
  };
  const left = async () => {
    const { rows } = await database.pool.query(
      'select delivery_id, claim_token, attempts from delivery_queue order by delivery_id',
    );
    const state = JSON.stringify(rows);
    if (state !== before) changedAt = performance.now();
    else if (steps < STEPS_MAX && performance.now() - changedAt > STILL_MS) {
      await passLease();
      changedAt = performance.now();
      steps += 1;
    }
    before = state;
    return rows.length;
  };
  await expect.poll(left).toBe(0);
}
/** What a worker has claimed and does not end in this time, it may still end after its lease. */
const STILL_MS = 3_000;
/** So that no order ends by the clock. */
const STEPS_MAX = 15;

/** What merchants read of an order is what the database has, from whichever process. */
async function expectSameStatus(
  { client }: Traffic,
  answered: readonly Wish[],
  byId: ReadonlyMap<string, Row>,
) {
  await inTurns(answered, async ({ merchant, orderId = '', orderReference, amount, fee }) => {
    const { status, text, json } = await client.ask({
      path: `/api/merchant/orders/${orderId}/status`,
      headers: { 'SVC-API-Key': merchant.apiKey },
    });
    expect({ status, text }).toMatchObject({ status: 200 });
    expect(json.data).toMatchObject({ orderId, orderReference, status: byId.get(orderId)?.status });
    expect(text).toContain(`"amount":${formatMoney(amount)}`);
    expect(text).toContain(`"fee":${formatMoney(fee)}`);
  });
}

/**
 * The same request once more answers the same order: every seventh, so that a large campaign ends
 * in time.
 */
async function expectReplayed({ client }: Traffic, answered: readonly Wish[]) {
  const some = answered.filter((_, number) => number % 7 === 0);
  await inTurns(some, async ({ merchant, idempotencyKey, body, orderId }) => {
    const headers = {
      'SVC-API-Key': merchant.apiKey,
      'Idempotency-Key': idempotencyKey,
      'Content-Type': 'application/json',
    };
    expect(
      await client.ask({ method: 'POST', path: '/api/merchant/orders', headers, body }),
    ).toMatchObject({ status: 200, json: { data: { orderId } } });
  });
}

/** Balances as they follow from requests and answers. */
async function expectBalances(
  { client, merchants }: Traffic,
  answered: readonly Wish[],
  byId: ReadonlyMap<string, Row>,
) {
  for (const [number, merchant] of merchants.entries()) {
    let balance: Money = money(BALANCES[number] as string);
    let reserved: Money = 0n;
    for (const wish of answered.filter((one) => one.merchant === merchant)) {
      const status = byId.get(wish.orderId as string)?.status ?? '';
      if (status === 'Completed')
        balance +=
          wish.orderType === 'Deposit' ? wish.amount - wish.fee : -(wish.amount + wish.fee);
      else if (wish.orderType === 'Withdrawal' && !FAILED.has(status))
        reserved += wish.amount + wish.fee;
    }
    const { text } = await client.ask({
      path: '/api/merchant/orders/balance',
      headers: { 'SVC-API-Key': merchant.apiKey },
    });
    expect(text).toContain(
      `"availableBalance":${formatMoney(balance - reserved)},"reservedBalance":${formatMoney(reserved)}`,
    );
  }
}

const FAILED = new Set(['Rejected', 'Expired', 'CancelledTimeout', 'Cancelled', 'CancelledAuto']);

/**
 * Each outcome was received at least once, every copy with the same id, bytes and a signature that
 * verifies; nothing else was.
 */
async function expectWebhooks(
  { database }: Service,
  { receiver, merchants }: Traffic,
  rows: readonly Row[],
) {
  const secrets = new Map(
    merchants.map(({ apiKey, signingSecret }) => [apiKey.slice(8, 16), signingSecret]),
  );
  const final = rows.filter(({ status }) => status === 'Completed' || FAILED.has(status));
  const copies = Map.groupBy(receiver.received, ({ json }) => json.orderId as string);
  expect([...copies.keys()].sort()).toEqual(final.map(({ orderId }) => orderId).sort());
  const sent = await database.pool.query('select order_id, delivery_id from deliveries');
  const deliveryOf = new Map(sent.rows.map((row) => [row.order_id, row.delivery_id]));
  for (const { orderId, status } of final) {
    for (const { headers, body, json } of copies.get(orderId) ?? []) {
      expect(json).toMatchObject({
        status,
        eventType: status === 'Completed' ? 'order.completed' : 'order.failed',
      });
      expect(headers['x-svc-delivery-id']).toBe(deliveryOf.get(orderId));
      expect(headers['x-svc-signature']).toBe(
        signatureOf(body, secrets.get(headers['x-svc-key-prefix'] as string) ?? ''),
      );
      expect(body.equals(copies.get(orderId)?.[0]?.body as Buffer)).toBe(true);
    }
  }
}

/** So many at once that the service gathers them, and no connection is short. */
async function inTurns<T>(items: readonly T[], work: (item: T) => Promise<void>) {
  const rest = items.values();
  await Promise.all(
    Array.from({ length: 24 }, async () => {
      for (const item of rest) await work(item);
    }),
  );
}
