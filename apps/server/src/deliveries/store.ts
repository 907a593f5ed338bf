import type { Delivery, EventType, Instant, Order } from '@munshi/core';
import { writeDeliveries } from '../engine/rows/deliveries.ts';
import {
  answers,
  columns,
  from,
  only,
  orNull,
  type RecordOf,
  t,
} from '../platform/database/columns.ts';
import { firstIdOf } from '../platform/database/first-id.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { time } from '../platform/database/rows.ts';
import {
  execute,
  lists,
  type Page,
  query,
  readsOne,
  readsRow,
  statement,
  unprepared,
  writes,
} from '../platform/database/statement.ts';

export const ATTEMPT_COLUMNS = {
  number: t.integer,
  startedAt: t.instant,
  durationMs: t.integer,
  succeeded: t.boolean,
  responseStatus: orNull(t.integer),
  error: orNull(t.text),
  /** The first KB of the answer. */
  answer: orNull(t.text),
  /** An operator asked for it. */
  requested: t.boolean,
};
const ATTEMPT = columns('', ATTEMPT_COLUMNS);
export type AttemptRecord = RecordOf<typeof ATTEMPT>;

export const DELIVERY_COLUMNS = {
  deliveryId: t.uuid,
  eventType: t.oneOf<EventType>(),
  url: t.text,
  status: t.oneOf<'pending' | 'delivered' | 'abandoned' | 'superseded'>(),
  createdAt: t.instant,
  nextAttemptAt: orNull(t.instant),
  /** How many attempts have been made; what they met may have been removed. */
  attemptsMade: from('attempts', t.integer),
  bodyRemovedAt: orNull(t.instant),
};
const DELIVERY = columns('', DELIVERY_COLUMNS);
export interface DeliveryRecord extends RecordOf<typeof DELIVERY> {
  readonly attempts: readonly AttemptRecord[];
}

type Key = Pick<Order, 'merchantId' | 'orderId'>;

const OF_ORDER = unprepared(
  'deliveries-of-order',
  `select ${DELIVERY.list}
   from delivery_states
   where merchant_id = $1
     and order_id = $2
     and (
       $3::uuid is null
       or sequence < (
         select a.sequence
         from deliveries a
         where a.delivery_id = $3 and a.order_id = $2
       )
     )
   order by sequence desc
   limit $4`,
  DELIVERY,
);

const ATTEMPT_OF = columns('', { deliveryId: t.uuid, attempt: ATTEMPT });
const ATTEMPTS = statement(
  'attempts-of-deliveries',
  `select ${ATTEMPT_OF.list}
   from delivery_attempts
   where merchant_id = $1 and delivery_id = any($2::uuid[])
   order by number
   limit 2000`,
  ATTEMPT_OF,
);

/** An order's deliveries with their attempts, the newest first. */
export async function listDeliveries(
  db: Queryable,
  { merchantId, orderId }: Key,
  { after, limit }: Page = { after: null, limit: 200 },
): Promise<readonly DeliveryRecord[]> {
  const deliveries = await query(db, OF_ORDER, [merchantId, orderId, after, limit]);
  if (deliveries.length === 0) return [];
  const ids = deliveries.map(({ deliveryId }) => deliveryId);
  const attempts = await query(db, ATTEMPTS, [merchantId, ids]);
  const byDelivery = Map.groupBy(attempts, ({ deliveryId }) => deliveryId);
  return deliveries.map((delivery) => ({
    ...delivery,
    attempts: (byDelivery.get(delivery.deliveryId) ?? []).map(({ attempt }) => attempt),
  }));
}

/** What a delivery sends, and where to. */
export const readDeliveryContent = readsOne(
  'delivery-content',
  `select event_type, url, convert_from(body, 'UTF8') as body
   from deliveries
   where merchant_id = $1 and delivery_id = $2`,
  answers({ eventType: t.oneOf<EventType>(), url: t.text, body: t.text }),
  ({ merchantId }: Pick<Key, 'merchantId'>, deliveryId: string) => [merchantId, deliveryId],
);

/**
 * Locks an order's place in the queue: no attempt of it is recorded before the transaction ends,
 * and what is read from now on has those that were.
 */
export const lockQueuePlace = writes(
  'lock-queue-place',
  `select
   from delivery_queue
   where order_id = $1 and merchant_id = $2
   for update`,
  ({ merchantId, orderId }: Key) => [orderId, merchantId],
);

const LOCK_DELIVERY = statement(
  'lock-delivery',
  `select
   from deliveries
   where merchant_id = $1 and delivery_id = $2
   for no key update`,
);
const RETRY = statement(
  'retry-delivery',
  `with taken_up as (
     update deliveries
     set abandoned = false
     where merchant_id = $1 and delivery_id = $2 and body is not null
     returning order_id, merchant_id, delivery_id, host, attempts_removed
   ), made as (
     select count(*) as attempts
     from delivery_attempts
     where merchant_id = $1 and delivery_id = $2
   )
   insert into delivery_queue as q
     (order_id, merchant_id, delivery_id, host, next_attempt_at, attempts, requested)
   select t.order_id, t.merchant_id, t.delivery_id, t.host, $3::timestamptz,
     made.attempts + t.attempts_removed, true
   from taken_up t, made
   on conflict (order_id) do update
   set next_attempt_at = excluded.next_attempt_at,
     requested = true,
     ready = true
   where q.delivery_id = excluded.delivery_id`,
);

/**
 * Makes the failed delivery that is an order's latest due now: the same id, the same body, also
 * after it was abandoned (webhooks.md#when-it-does-not-arrive). Its attempts go on counting: it is
 * locked before they are counted, because those that are just being removed are counted in its own
 * row. Answers whether it still has a body.
 */
export async function retryDelivery(
  db: Queryable,
  { merchantId }: Key,
  deliveryId: string,
  at: Instant,
): Promise<boolean> {
  await query(db, LOCK_DELIVERY, [merchantId, deliveryId]);
  return (await execute(db, RETRY, [merchantId, deliveryId, time(at)])) === 1;
}

/** New deliveries outside of the engine: outcomes that are sent again. */
export async function insertDeliveries(
  db: Queryable,
  deliveries: readonly Delivery[],
  now: Instant,
): Promise<void> {
  for (const { name, text, values = [] } of writeDeliveries(deliveries, now))
    await execute(db, { name, text }, [...values]);
}

/** Tests that were sent to a merchant since then. */
export const countTests = readsRow(
  'count-test-deliveries',
  `select count(*)::integer as tests
   from deliveries
   where order_id = $1 and created_at > $2`,
  only('tests', t.integer),
  ({ merchantId, since }: { readonly merchantId: string; readonly since: Instant }) => [
    merchantId,
    time(since),
  ],
);

/** A place in the list of deliveries. */
export interface ReplayPosition {
  readonly deliveryId: string;
}

interface ReplayRange {
  readonly since: Instant;
  /** Deliveries that were made later are left out: the replay's own are among them. */
  readonly before: Instant;
  /** Null: of every merchant. */
  readonly merchantId: string | null;
}

/** Deliveries that were made in a stretch of time, with their orders, from a position on. */
export const listDeliveriesSince = lists(
  'deliveries-made-between',
  `select delivery_id, order_id
   from deliveries
   where delivery_id >= $1
     and created_at >= $2
     and created_at < $3
     and event_type in ('order.completed', 'order.failed')
     and url is not null
     and ($4::uuid is null or merchant_id = $4)
     and ($5::uuid is null or delivery_id > $5)
   order by delivery_id
   limit $6`,
  answers({ deliveryId: t.uuid, orderId: t.uuid }),
  (
    { since, before, merchantId }: ReplayRange,
    after: ReplayPosition | undefined,
    limit: number,
  ) => [firstIdOf(since), time(since), time(before), merchantId, after?.deliveryId ?? null, limit],
);

const SENT_SINCE = statement(
  'orders-sent-since',
  `select distinct order_id
   from deliveries
   where order_id = any($1::uuid[]) and created_at >= $2`,
  answers({ orderId: t.uuid }),
);

/** Which of these locked orders have a delivery that was made at a time or later. */
export async function findSentSince(
  db: Queryable,
  orders: readonly Pick<Order, 'orderId'>[],
  at: Instant,
): Promise<ReadonlySet<string>> {
  const orderIds = orders.map(({ orderId }) => orderId);
  const rows = await query(db, SENT_SINCE, [orderIds, time(at)]);
  return new Set(rows.map(({ orderId }) => orderId));
}
