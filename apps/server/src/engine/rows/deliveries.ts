import type { Delivery, DeliveryId, Instant } from '@munshi/core';
import {
  from,
  type Kind,
  type KindsOf,
  orNull,
  t,
  unnested,
} from '../../platform/database/columns.ts';
import { type Statement as BoundStatement, plainArray } from '../../platform/database/pipeline.ts';
import { time } from '../../platform/database/rows.ts';
import { statement } from '../../platform/database/statement.ts';

/** Of a delivery `d`: it was abandoned, and nothing was sent about its order after it. */
export const GIVEN_UP = `(
         d.abandoned
         and not exists (
           select
           from deliveries newer
           where newer.order_id = d.order_id and newer.sequence > d.sequence
         )
       )`;

const NEW = unnested({
  merchantId: t.uuid,
  deliveryId: t.id<DeliveryId>(),
  subjectId: from('order_id', t.uuid),
  apiKeyId: t.uuid,
  eventType: t.oneOf<Delivery['eventType']>(),
  url: orNull(t.text),
  body: {
    sqlType: 'bytea',
    write: (body) => `\\x${Buffer.from(body).toString('hex')}`,
  } as Kind<string>,
  createdAt: t.instant,
} satisfies Partial<KindsOf<Delivery>>);

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
   from ${NEW.rows}
   cross join lateral (
     select max(d.sequence) as sequence
     from deliveries d
     where d.order_id = row.order_id
   ) before`,
);

/**
 * Each takes the place of its order in the queue, due at once, also where its own time is still to
 * come because a clock was ahead. This ends the retries of an earlier one
 * (webhooks.md#when-it-does-not-arrive); an attempt that is on its way keeps it claimed until it is
 * over.
 */
const QUEUE_DELIVERIES = statement(
  'queue-deliveries',
  `insert into delivery_queue (order_id, merchant_id, delivery_id, host, next_attempt_at)
   select distinct on (order_id) order_id, merchant_id, delivery_id, host,
     least(created_at, $2::timestamptz)
   from deliveries
   where delivery_id = any($1::uuid[]) and url is not null
   order by order_id, sequence desc
   on conflict (order_id) do update
   set delivery_id = excluded.delivery_id,
     host = excluded.host,
     next_attempt_at = excluded.next_attempt_at,
     attempts = 0,
     requested = false,
     ready = true`,
);

/** New deliveries, which are due at once where they have a URL. */
export function writeDeliveries(
  deliveries: readonly Delivery[],
  now: Instant,
): readonly BoundStatement[] {
  if (deliveries.length === 0) return [];
  const ids = plainArray(deliveries.map(({ deliveryId }) => deliveryId));
  const values = NEW.arraysOf(deliveries);
  return [
    { ...INSERT_DELIVERIES, values },
    { ...QUEUE_DELIVERIES, values: [ids, time(now)] },
  ];
}
