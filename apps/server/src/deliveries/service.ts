/**
 * Shows webhooks to operators and merchants, and has them sent again
 * (webhooks.md#when-it-does-not-arrive).
 *
 * `store.ts` has one order's deliveries, `lists.store.ts` those of all orders, `receivers.store.ts`
 * how receivers do, as `webhooks` noted it. Here: the latest delivery again, an order's outcome
 * again, all outcomes since a time, a test event. Each makes a row due, in the transaction that
 * audits it; `webhooks` sends it. Not needed for correctness: waking `webhooks`, which looks every
 * second.
 */

import {
  type AuditAction,
  type AuditActor,
  BODY_REMOVED,
  type Delivery,
  type DeliveryId,
  type Instant,
  latestStamp,
  type Order,
  outcomeDelivery,
  refuseResend,
  refuseRetry,
  TESTS_PER_MINUTE,
  testBody,
} from '@munshi/core';
import type pg from 'pg';
import { findActiveKey } from '../api-keys/store.ts';
import { type Effect, NO_EFFECT } from '../approvals/effects.service.ts';
import type { Ids } from '../engine/ids.ts';
import { findMerchant, lockMerchant } from '../merchants/store.ts';
import { lockOrders } from '../orders/store.ts';
import { inTransaction, takenBack } from '../platform/database/db.ts';
import { found, Refused, refuseOn } from '../platform/refusals.ts';
import type { ServiceDeps } from '../writes/deps.ts';
import type { Work } from '../writes/write.ts';
import { type Caller, recordedWrite } from '../writes/write.ts';
import {
  countTests,
  type DeliveryRecord,
  findSentSince,
  insertDeliveries,
  listDeliveries,
  listDeliveriesSince,
  lockQueuePlace,
  type ReplayPosition,
  readDeliveryContent,
  retryDelivery,
} from './store.ts';

interface Deps extends Pick<ServiceDeps, 'database' | 'clock' | 'ids'> {
  /** Has the webhook job look at once. */
  readonly wake: (job: 'webhooks') => void;
}

/** Makes the latest delivery due now: the same id and body. Throws the refusals of refuseRetry. */
export const retryLatest = (deps: Deps, orderId: string) =>
  sendAgain(deps, { orderId, action: 'delivery.retry', act: retry });

/** Makes a new delivery of the present outcome. Throws the refusals of refuseResend. */
export const resendOutcome = (deps: Deps, orderId: string) =>
  sendAgain(deps, { orderId, action: 'delivery.resend', act: resend });

interface Asked {
  readonly orderId: string;
  readonly action: AuditAction;
  /** Answers the id of the delivery that is due now. */
  readonly act: (client: pg.PoolClient, order: Order, now: Instant, ids: Ids) => Promise<string>;
}

/** What retrying or resending would send; throws their refusals. Nothing is written. */
export async function previewSending(
  deps: Pick<Deps, 'database' | 'clock' | 'ids'>,
  how: 'retry-now' | 'resend',
  orderId: string,
): Promise<Effect> {
  const { database, clock, ids } = deps;
  const act = how === 'resend' ? resend : retry;
  const webhook = await takenBack(database.pool, async (client) => {
    const { order, deliveryId } = await actOn(client, orderId, (locked) =>
      act(client, locked, clock.now(), ids),
    );
    const content = found(await readDeliveryContent(client, order, deliveryId), 'Delivery');
    return { ...content, deliveryId: how === 'resend' ? null : deliveryId };
  });
  return { ...NO_EFFECT, webhook };
}

/** With the order locked, so that no new outcome comes in between. */
async function actOn(
  client: pg.PoolClient,
  orderId: string,
  act: (order: Order) => Promise<string>,
) {
  const order = found((await lockOrders(client, [orderId]))[0], 'Order');
  return { order, deliveryId: await act(order) };
}

const sendAgain =
  ({ wake }: Deps, { orderId, action, act }: Asked): Work<DeliveryRecord> =>
  async (client, now, ids) => {
    const { order, deliveryId } = await actOn(client, orderId, (locked) =>
      act(client, locked, now, ids),
    );
    const deliveries = await listDeliveries(client, order);
    const result = deliveries.find((one) => one.deliveryId === deliveryId) as DeliveryRecord;
    const after = () => wake('webhooks');
    return { result, action, target: orderId, detail: { deliveryId }, after };
  };

/**
 * An attempt that is on its way is recorded before this looks, or after it is committed: what was
 * acknowledged is not sent again (webhooks.md#when-it-does-not-arrive).
 */
async function retry(client: pg.PoolClient, order: Order, now: Instant): Promise<string> {
  await lockQueuePlace(client, order);
  const [latest] = await listDeliveries(client, order);
  refuseOn(refuseRetry(latest));
  const { deliveryId } = latest as DeliveryRecord;
  if (!(await retryDelivery(client, order, deliveryId, now)))
    throw new Refused('wrong-state', BODY_REMOVED);
  return deliveryId;
}

async function resend(
  client: pg.PoolClient,
  order: Order,
  now: Instant,
  ids: Ids,
): Promise<string> {
  refuseOn(refuseResend(order));
  const delivery = outcomeAgain(order, now, ids);
  await insertDeliveries(client, [delivery], now);
  return delivery.deliveryId;
}

/**
 * The outcome of a locked order that can be resent, once more. It is later than what happened to
 * the order, also when that happened while this waited for the lock: its time says so.
 */
export function outcomeAgain(order: Order, now: Instant, ids: Ids): Delivery {
  const at = Math.max(now, latestStamp(order) + 1);
  return outcomeDelivery(order, { now: at, newId: () => ids.uuid(at) });
}

interface Replay {
  readonly since: Instant;
  /** Null: of every merchant. */
  readonly merchantId: string | null;
  /** What was sent since then is left out; by default since the request first came. */
  readonly before?: Instant;
}

/**
 * Sends a test event to the merchant's default callback URL (webhooks.md#a-test-event). Its
 * subject is the merchant, so that a newer test supersedes an older one. Throws
 * `wrong-state` and `not-found`.
 */
export const sendTestEvent =
  ({ wake }: Deps, merchantId: string): Work<{ readonly deliveryId: string }> =>
  async (client, now, ids) => {
    const merchant = found(await lockMerchant(client, merchantId), 'Merchant');
    const url = merchant.defaultCallbackUrl;
    if (url === null) throw new Refused('wrong-state', 'Set a default callback URL first.');
    const key = await findActiveKey(client, merchantId);
    if (key === undefined)
      throw new Refused('wrong-state', 'The merchant has no active API key to sign with.');
    const sent = await countTests(client, { merchantId, since: now - 60_000 });
    if (sent >= TESTS_PER_MINUTE)
      throw new Refused('wrong-state', `Wait: ${TESTS_PER_MINUTE} tests a minute at most.`);
    const deliveryId = ids.uuid<DeliveryId>(now);
    const about = { merchantId, subjectId: merchantId, apiKeyId: key.keyId };
    const event = { eventType: 'webhook.test', url, body: testBody(now) } as const;
    await insertDeliveries(client, [{ deliveryId, ...about, ...event, createdAt: now }], now);
    const result = { deliveryId };
    const after = () => wake('webhooks');
    return { result, action: 'webhook.test', target: merchantId, detail: result, after };
  };

/** As far as a merchant may go back. */
const REPLAY_DAYS_MAX = 30;

/** What is wrong with the time since which a merchant has their outcomes sent again. */
export const refuseReplay = (since: Instant, now: Instant): string | undefined =>
  now - since > REPLAY_DAYS_MAX * 24 * 3_600_000
    ? `must be within the last ${REPLAY_DAYS_MAX} days.`
    : undefined;

/** Orders that are locked together while their outcomes are written again. */
const REPLAY_CHUNK = 500;

/**
 * Resends the outcome of every order that had a delivery since a time; answers how many orders that
 * were. Chunk by chunk, each in its own transaction: a later order waits for no earlier one. What
 * was sent since the request first came is not sent again: a repeat goes on where an earlier try
 * ended, and counts the same.
 */
export async function replayOutcomes(
  deps: Deps,
  caller: Caller<AuditActor>,
  { since, merchantId, before = timeOf(caller.once.commandId) }: Replay,
): Promise<number> {
  const { database, clock, ids } = deps;
  await recordedWrite(
    deps,
    caller,
    async (client) => {
      if (merchantId !== null) found(await findMerchant(client, merchantId), 'Merchant');
      const detail = { since: new Date(since).toISOString() };
      return {
        result: undefined,
        action: 'webhooks.replay' as const,
        target: merchantId ?? 'all',
        detail,
      };
    },
    null,
  );
  const range = { since, before, merchantId };
  const sent = new Set<string>();
  for (let after: ReplayPosition | undefined; ; ) {
    const page = await listDeliveriesSince(database.pool, range, after, REPLAY_CHUNK);
    after = page.at(-1);
    if (after === undefined) return sent.size;
    const orderIds = new Set(page.map(({ orderId }) => orderId)).difference(sent);
    await inTransaction(database.pool, async (client) => {
      const locked = await lockOrders(client, [...orderIds]);
      const orders = locked.filter((order) => refuseResend(order) === undefined);
      const since = await findSentSince(client, orders, before);
      const now = clock.now();
      const again = orders.filter(({ orderId }) => !since.has(orderId));
      await insertDeliveries(
        client,
        again.map((order) => outcomeAgain(order, now, ids)),
        now,
      );
      for (const { orderId } of orders) sent.add(orderId);
    });
    deps.wake('webhooks');
  }
}

/** When an id was made. */
const timeOf = (uuid: string): Instant => Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16);
