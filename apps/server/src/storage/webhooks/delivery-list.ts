import type { EventType, Instant } from '@munshi/core';
import type { SigningKey } from '../../sign-webhook.ts';
import type { Queryable } from '../db.ts';
import { readSigningKey } from '../merchants/api-keys.ts';
import { firstIdOf } from '../orders/first-id.ts';
import { type Row, time } from '../rows.ts';
import { type Page, query, statement, unprepared } from '../statement.ts';
import type { AttemptRecord, DeliveryRecord } from './deliveries.ts';

/** Deliveries of all orders, as operators look for them. */
export interface ListedDelivery {
  readonly deliveryId: string;
  readonly orderId: string;
  /** Null: a test, or an alert. */
  readonly orderReference: string | null;
  readonly merchantId: string;
  readonly merchantName: string;
  readonly eventType: EventType;
  readonly url: string;
  readonly host: string;
  readonly status: DeliveryRecord['status'];
  readonly createdAt: Instant;
  readonly nextAttemptAt: Instant | null;
  readonly attemptsMade: number;
  readonly bodyRemovedAt: Instant | null;
  /** Of those made; `lastAttempt` is null where all were. */
  readonly attemptsRemoved: number;
  readonly lastAttempt: Pick<
    AttemptRecord,
    'startedAt' | 'durationMs' | 'responseStatus' | 'error'
  > | null;
}

export interface DeliveryFilters {
  readonly merchantId?: string | undefined;
  readonly status?: DeliveryRecord['status'] | undefined;
  readonly eventType?: EventType | undefined;
  readonly host?: string | undefined;
  /** Of any attempt. */
  readonly responseStatus?: number | undefined;
  readonly deliveryId?: string | undefined;
  readonly orderId?: string | undefined;
  readonly from?: Instant | undefined;
  readonly to?: Instant | undefined;
}

const LISTED = `s.delivery_id, s.order_id, o.order_reference, s.merchant_id,
     b.name as merchant_name, s.event_type, s.url, s.host, s.status, s.created_at,
     s.next_attempt_at, s.attempts, s.body_removed_at, s.attempts_removed, a.started_at,
     a.duration_ms, a.response_status, a.error`;
const BESIDE = `left join orders o on o.order_id = s.order_id
   join merchants b on b.merchant_id = s.merchant_id
   left join lateral (
     select started_at, duration_ms, response_status, error
     from delivery_attempts a
     where a.delivery_id = s.delivery_id
     order by number desc
     limit 1
   ) a on true`;

const readListed = (row: Row): ListedDelivery => ({
  deliveryId: row['delivery_id'],
  orderId: row['order_id'],
  orderReference: row['order_reference'],
  merchantId: row['merchant_id'],
  merchantName: row['merchant_name'],
  eventType: row['event_type'],
  url: row['url'],
  host: row['host'],
  status: row['status'],
  createdAt: row['created_at'],
  nextAttemptAt: row['next_attempt_at'],
  attemptsMade: row['attempts'],
  bodyRemovedAt: row['body_removed_at'],
  attemptsRemoved: row['attempts_removed'],
  lastAttempt:
    row['started_at'] === null
      ? null
      : {
          startedAt: row['started_at'],
          durationMs: row['duration_ms'],
          responseStatus: row['response_status'],
          error: row['error'],
        },
});

/**
 * The status is looked for by what makes it, so that few are read where few have it; what is shown
 * is the view's. `from` names deliveries d, `answered` is the condition on $5, a status.
 */
const listing = (from: string, answered: string) =>
  `with page as materialized (
     select d.delivery_id
     from ${from}
     left join delivery_queue q on q.order_id = d.order_id and q.delivery_id = d.delivery_id
     where ($1::uuid is null or d.delivery_id < $1)
       and ($2::uuid is null or d.merchant_id = $2)
       and ($3::text is null or d.event_type = $3)
       and ($4::text is null or d.host = $4)
       and ${answered}
       and ($6::uuid is null or d.delivery_id = $6)
       and ($7::uuid is null or d.order_id = $7)
       and ($8::uuid is null or d.delivery_id >= $8)
       and ($9::timestamptz is null or d.created_at >= $9)
       and ($10::timestamptz is null or d.created_at < $10)
       and ($11::text is distinct from 'pending' or q.delivery_id is not null)
       and ($11::text is distinct from 'abandoned' or (d.abandoned and q.delivery_id is null))
       and (
         $11::text is distinct from 'delivered'
         or exists (
           select
           from delivery_attempts a
           where a.delivery_id = d.delivery_id and a.succeeded
         )
         or d.was_acknowledged
       )
       and (
         $11::text is distinct from 'superseded'
         or (
           q.delivery_id is null
           and not d.abandoned
           and not d.was_acknowledged
           and not exists (
             select
             from delivery_attempts a
             where a.delivery_id = d.delivery_id and a.succeeded
           )
         )
       )
     order by d.delivery_id desc
     limit $12
   )
   select ${LISTED}
   from page p
   cross join lateral (
     select *
     from delivery_states s
     where s.delivery_id = p.delivery_id
   ) s
   ${BESIDE}
   order by s.delivery_id desc`;

const LIST = unprepared(
  'list-all-deliveries',
  listing(
    'deliveries d',
    `(
         $5::integer is null
         or exists (
           select
           from delivery_attempts a
           where a.delivery_id = d.delivery_id and a.response_status = $5
         )
       )`,
  ),
);

/** From the few attempts that failed so: a condition with `or` would go through all deliveries.
 * In the order of the page, so that a page ends it. */
const LIST_FAILED = unprepared(
  'list-failed-deliveries',
  listing(
    `(
       select distinct delivery_id
       from delivery_attempts
       where response_status = $5 and not succeeded
       order by delivery_id desc
     ) failed
     join deliveries d on d.delivery_id = failed.delivery_id`,
    'true',
  ),
);

/** The newest first. */
export async function listAllDeliveries(
  db: Queryable,
  filters: DeliveryFilters,
  { after, limit }: Page,
): Promise<readonly ListedDelivery[]> {
  const { merchantId, status, eventType, host, responseStatus, deliveryId, orderId, from, to } =
    filters;
  const isFailure = responseStatus !== undefined && (responseStatus < 200 || responseStatus > 299);
  const rows = await query(db, isFailure ? LIST_FAILED : LIST, [
    after,
    merchantId,
    eventType,
    host,
    responseStatus,
    deliveryId,
    orderId,
    from === undefined ? null : firstIdOf(from),
    time(from ?? null),
    time(to ?? null),
    status,
    limit,
  ]);
  return rows.map(readListed);
}

/** With the key that signed, null when nothing was sent. */
export interface SentAttempt extends AttemptRecord {
  readonly key: SigningKey | null;
}

export interface DeliveryDetail extends ListedDelivery {
  readonly isLatest: boolean;
  /** Null once it is removed. */
  readonly body: Buffer | null;
  readonly attempts: readonly SentAttempt[];
}

const FIND = statement(
  'find-delivery',
  `select ${LISTED}, convert_from(s.body, 'UTF8') as body,
     not exists (
       select
       from deliveries newer
       where newer.order_id = s.order_id and newer.sequence > s.sequence
     ) as is_latest
   from delivery_states s
   ${BESIDE}
   where s.delivery_id = $1`,
);

const SENT = statement(
  'attempts-with-keys',
  `select a.number, a.started_at, a.duration_ms, a.succeeded, a.response_status, a.error, a.answer,
     a.requested, k.merchant_id, k.key_id, k.prefix, k.sealed_secret, k.seal_key_id
   from delivery_attempts a
   left join api_keys k on k.key_id = a.key_id
   where a.delivery_id = $1
   order by a.number
   limit 200`,
);

/** A delivery with all that was sent. */
export async function findDelivery(
  db: Queryable,
  deliveryId: string,
): Promise<DeliveryDetail | undefined> {
  const [row] = await query(db, FIND, [deliveryId]);
  if (row === undefined) return undefined;
  const attempts = await query(db, SENT, [deliveryId]);
  return {
    ...readListed(row),
    isLatest: row['is_latest'],
    body: row['body'] === null ? null : Buffer.from(row['body']),
    attempts: attempts.map((attempt) => ({
      number: attempt['number'],
      startedAt: attempt['started_at'],
      durationMs: attempt['duration_ms'],
      succeeded: attempt['succeeded'],
      responseStatus: attempt['response_status'],
      error: attempt['error'],
      answer: attempt['answer'],
      requested: attempt['requested'],
      key: attempt['key_id'] === null ? null : readSigningKey(attempt),
    })),
  };
}

/** How the attempts at one receiver went. */
export interface EndpointFigures {
  readonly merchantId: string;
  readonly host: string;
  readonly attempts: number;
  readonly succeeded: number;
  readonly medianMs: number | null;
  readonly p95Ms: number | null;
}

const ATTEMPTS_MAX = 100_000;

const FIGURES = unprepared(
  'endpoint-figures',
  `select d.merchant_id, d.host,
     count(*)::integer as attempts,
     (count(*) filter (where a.succeeded))::integer as succeeded,
     (percentile_disc(0.5) within group (order by a.duration_ms))::integer as median_ms,
     (percentile_disc(0.95) within group (order by a.duration_ms))::integer as p95_ms
   from (
     select delivery_id, succeeded, duration_ms
     from delivery_attempts
     where delivery_id >= $1
     order by delivery_id desc
     limit ${ATTEMPTS_MAX}
   ) a
   join deliveries d on d.delivery_id = a.delivery_id and d.delivery_id >= $1
   where (d.merchant_id, d.host) in (
     select merchant_id, host
     from unnest($2::uuid[], $3::text[]) as asked (merchant_id, host)
   )
   group by 1, 2`,
);

/** Attempts of deliveries that were made since then, the newest of them where they are very many. */
export async function readEndpointFigures(
  db: Queryable,
  since: Instant,
  endpoints: readonly { readonly merchantId: string; readonly host: string }[],
): Promise<readonly EndpointFigures[]> {
  const rows = await query(db, FIGURES, [
    firstIdOf(since),
    endpoints.map(({ merchantId }) => merchantId),
    endpoints.map(({ host }) => host),
  ]);
  return rows.map((row) => ({
    merchantId: row['merchant_id'],
    host: row['host'],
    attempts: row['attempts'],
    succeeded: row['succeeded'],
    medianMs: row['median_ms'],
    p95Ms: row['p95_ms'],
  }));
}

const COUNT_SINCE = unprepared<{ readonly orders: number }>(
  'count-orders-told-since',
  `select count(*)::integer as orders
   from (
     select distinct order_id
     from deliveries
     where delivery_id >= $1
       and created_at >= $2
       and event_type in ('order.completed', 'order.failed')
       and ($3::uuid is null or merchant_id = $3)
     limit $4
   ) told`,
);

/** How many orders have a delivery since then, as far as `limit`; of all merchants for null. */
export async function countToldSince(
  db: Queryable,
  { since, merchantId }: { readonly since: Instant; readonly merchantId: string | null },
  limit: number,
): Promise<number> {
  const values = [firstIdOf(since), time(since), merchantId, limit];
  const [row] = await query(db, COUNT_SINCE, values);
  return row?.orders ?? 0;
}
