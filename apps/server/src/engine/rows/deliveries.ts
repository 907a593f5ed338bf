import type { Delivery } from '@munshi/core';
import {
  type Statement as BoundStatement,
  bytesArray,
  plainArray,
  textArray,
} from '../../platform/database/pipeline.ts';
import { time } from '../../platform/database/rows.ts';
import { statement } from '../../platform/database/statement.ts';

/**
 * Writes deliveries. Each is numbered behind those of its order, which is locked: a sequence has
 * other numbers on each node of a cluster (decision 18). Ids of one batch are in order.
 */
const INSERT_DELIVERIES = statement(
  'insert-deliveries',
  `insert into deliveries
     (merchant_id, delivery_id, order_id, api_key_id, event_type, url, body, created_at, sequence)
   overriding system value
   select merchant_id, delivery_id, order_id, api_key_id, event_type, url, body, created_at,
     coalesce(before.sequence, 0) + row_number() over (partition by order_id order by delivery_id)
   from unnest(
     $1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::bytea[],
     $8::timestamptz[]
   ) as row (merchant_id, delivery_id, order_id, api_key_id, event_type, url, body, created_at)
   cross join lateral (
     select max(d.sequence) as sequence
     from deliveries d
     where d.order_id = row.order_id
   ) before`,
);

/**
 * Each takes the place of its order in the queue, due at once, which ends the retries of an earlier
 * one (webhooks.md#when-it-does-not-arrive); an attempt that is on its way keeps it claimed until
 * it is over.
 */
const QUEUE_DELIVERIES = statement(
  'queue-deliveries',
  `insert into delivery_queue (order_id, merchant_id, delivery_id, host, next_attempt_at)
   select distinct on (order_id) order_id, merchant_id, delivery_id, host, created_at
   from deliveries
   where delivery_id = any($1::uuid[])
   order by order_id, sequence desc
   on conflict (order_id) do update
   set delivery_id = excluded.delivery_id,
     host = excluded.host,
     next_attempt_at = excluded.next_attempt_at,
     attempts = 0,
     requested = false,
     ready = true`,
);

/** New deliveries, which are due at once. */
export function writeDeliveries(deliveries: readonly Delivery[]): readonly BoundStatement[] {
  if (deliveries.length === 0) return [];
  const ids = plainArray(deliveries.map(({ deliveryId }) => deliveryId));
  const values = [
    plainArray(deliveries.map(({ merchantId }) => merchantId)),
    ids,
    plainArray(deliveries.map(({ subjectId }) => subjectId)),
    plainArray(deliveries.map(({ apiKeyId }) => apiKeyId)),
    plainArray(deliveries.map(({ eventType }) => eventType)),
    textArray(deliveries.map(({ url }) => url)),
    bytesArray(deliveries.map(({ body }) => Buffer.from(body).toString('hex'))),
    plainArray(deliveries.map(({ createdAt }) => time(createdAt))),
  ];
  return [
    { ...INSERT_DELIVERIES, values },
    { ...QUEUE_DELIVERIES, values: [ids] },
  ];
}
