import type { EventType, Instant } from '@munshi/core';
import { signingKeyOf } from '../api-keys/store.ts';
import {
  answers,
  from as column,
  columns,
  made,
  optional,
  orNull,
  type RecordOf,
  t,
} from '../platform/database/columns.ts';
import { FIRST_ID, firstIdOf, idsOfPage } from '../platform/database/first-id.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { time } from '../platform/database/rows.ts';
import {
  lists,
  type Page,
  query,
  queryOne,
  statement,
  unprepared,
} from '../platform/database/statement.ts';
import { ATTEMPT_COLUMNS, DELIVERY_COLUMNS, type DeliveryRecord } from './store.ts';

export interface DeliveryFilters {
  readonly merchantId?: string | undefined;
  readonly status?: DeliveryRecord['status'] | undefined;
  readonly eventType?: EventType | undefined;
  readonly host?: string | undefined;
  /** Of any attempt. */
  readonly responseStatus?: number | undefined;
  readonly orderId?: string | undefined;
  readonly from?: Instant | undefined;
  readonly to?: Instant | undefined;
}

/** What a text was taken for, where it is looked for. */
export interface FoundDeliveries {
  readonly deliveryId: string | null;
  readonly orderIds: readonly string[];
  readonly url: string | null;
  /** URLs are looked for from this delivery on; null: in all. */
  readonly urlsFrom: string | null;
}

/** Of the tables that BESIDE joins. */
const LISTED_COLUMNS = {
  ...DELIVERY_COLUMNS,
  orderId: t.uuid,
  /** Null: a test, or an alert. */
  orderReference: column('o.order_reference', orNull(t.text)),
  merchantId: t.uuid,
  merchantName: column('b.name', t.text),
  host: t.text,
  /** Of those made; `lastAttempt` is null where all were. */
  attemptsRemoved: t.integer,
  lastAttempt: optional(
    columns('a', {
      startedAt: t.instant,
      durationMs: t.integer,
      responseStatus: orNull(t.integer),
      error: orNull(t.text),
    }),
    'startedAt',
  ),
};
const LISTED = columns('s', LISTED_COLUMNS);
/** Deliveries of all orders, as operators look for them. */
export type ListedDelivery = RecordOf<typeof LISTED>;
const BESIDE = `left join orders o on o.order_id = s.order_id
   join merchants b on b.merchant_id = s.merchant_id
   left join lateral (
     select started_at, duration_ms, response_status, error
     from delivery_attempts a
     where a.delivery_id = s.delivery_id
     order by number desc
     limit 1
   ) a on true`;

/**
 * The status is looked for by what makes it, so that few are read where few have it; what is shown
 * is the view's. `from` names deliveries d, `answered` is the condition on $5, a status.
 */
const listing = (from: string, answered: string) =>
  `with page as materialized (
     select d.delivery_id
     from ${from}
     left join delivery_queue q on q.order_id = d.order_id and q.delivery_id = d.delivery_id
     where d.delivery_id < $1
       and d.url is not null
       and ($2::uuid is null or d.merchant_id = $2)
       and ($3::text is null or d.event_type = $3)
       and ($4::text is null or d.host = $4)
       and ${answered}
       and ($6::uuid is null or d.order_id = $6)
       and d.delivery_id >= $7
       and ($8::timestamptz is null or d.created_at >= $8)
       and ($9::timestamptz is null or d.created_at < $9)
       and ($10::text is distinct from 'pending' or q.delivery_id is not null)
       and ($10::text is distinct from 'abandoned' or (d.abandoned and q.delivery_id is null))
       and (
         $10::text is distinct from 'delivered'
         or exists (
           select
           from delivery_attempts a
           where a.delivery_id = d.delivery_id and a.succeeded
         )
         or d.was_acknowledged
       )
       and (
         $10::text is distinct from 'superseded'
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
     limit $11
   )
   select ${LISTED.list}
   from page p
   cross join lateral (
     select *
     from delivery_states s
     where s.delivery_id = p.delivery_id
   ) s
   ${BESIDE}
   order by s.delivery_id desc`;

const ANSWERED = `(
         $5::integer is null
         or exists (
           select
           from delivery_attempts a
           where a.delivery_id = d.delivery_id and a.response_status = $5
         )
       )`;
const LIST = unprepared('list-all-deliveries', listing('deliveries d', ANSWERED), LISTED);

/** As people see it: a part of a login would tell the rest of it. */
const WITHOUT_LOGIN = `regexp_replace(url, '^(https?://)[^/\\\\?#]*@', '\\1', 'i')`;
const LIST_FOUND = unprepared(
  'list-found-deliveries',
  listing(
    `(
       select $12::uuid as delivery_id
       union
       select delivery_id
       from deliveries
       where order_id = any($13::uuid[])
       union
       select delivery_id
       from deliveries
       where ($14::text is not null)
         and ($2::uuid is null or merchant_id = $2)
         and delivery_id >= $15
         and delivery_id < $1
         and strpos(lower(${WITHOUT_LOGIN}), lower($14)) > 0
     ) found
     join deliveries d on d.delivery_id = found.delivery_id`,
    ANSWERED,
  ),
  LISTED,
);

/**
 * The first of so many newest deliveries of this merchant; undefined where there are no more. By an
 * index alone.
 */
export const findFirstOfNewestDeliveries = lists(
  'first-of-newest-deliveries',
  `select delivery_id, created_at
   from deliveries
   where delivery_id = (
     select delivery_id
     from deliveries
     where $1::uuid is null or merchant_id = $1
     order by delivery_id desc
     offset $2
     limit 1
   )`,
  answers({ deliveryId: t.uuid, createdAt: t.instant }),
  (merchantId: string | undefined, newest: number) => [merchantId, newest],
);

/**
 * From the few attempts that failed so: a condition with `or` would go through all deliveries. In
 * the order of the page, so that a page ends it. The planner does not take the bounds of the joined
 * ids to these.
 */
const LIST_FAILED = unprepared(
  'list-failed-deliveries',
  listing(
    `(
       select distinct delivery_id
       from delivery_attempts
       where response_status = $5
         and not succeeded
         and delivery_id < $1
         and delivery_id >= $7
       order by delivery_id desc
     ) failed
     join deliveries d on d.delivery_id = failed.delivery_id`,
    'true',
  ),
  LISTED,
);

/** The newest first; of those that were found, where a text is looked for. */
export async function listAllDeliveries(
  db: Queryable,
  filters: DeliveryFilters,
  { after, limit }: Page,
  found?: FoundDeliveries,
): Promise<readonly ListedDelivery[]> {
  const { merchantId, status, eventType, host, responseStatus, orderId, from, to } = filters;
  const ids = idsOfPage({ from, to, after });
  const isFailure = responseStatus !== undefined && (responseStatus < 200 || responseStatus > 299);
  const values = [
    ids.behind,
    merchantId,
    eventType,
    host,
    responseStatus,
    orderId,
    ids.first,
    time(from ?? null),
    time(to ?? null),
    status,
    limit,
  ];
  if (found !== undefined) {
    const { deliveryId, orderIds, url, urlsFrom } = found;
    return query(db, LIST_FOUND, [...values, deliveryId, orderIds, url, urlsFrom ?? FIRST_ID]);
  }
  return query(db, isFailure && orderId === undefined ? LIST_FAILED : LIST, values);
}

const DETAIL = columns('s', {
  ...LISTED_COLUMNS,
  isLatest: column(
    `not exists (
       select
       from deliveries newer
       where newer.order_id = s.order_id and newer.sequence > s.sequence
     )`,
    t.boolean,
  ),
  /** Null once it is removed. */
  body: column(`convert_from(s.body, 'UTF8')`, orNull(made(t.text, (body) => Buffer.from(body)))),
});
const SENT_ATTEMPT = columns('a', {
  ...ATTEMPT_COLUMNS,
  /** That signed; null when nothing was sent. */
  key: optional(signingKeyOf('k'), 'keyId'),
});

export type SentAttempt = RecordOf<typeof SENT_ATTEMPT>;
export interface DeliveryDetail extends RecordOf<typeof DETAIL> {
  readonly attempts: readonly SentAttempt[];
}

const FIND = statement(
  'find-delivery',
  `select ${DETAIL.list}
   from delivery_states s
   ${BESIDE}
   where s.delivery_id = $1`,
  DETAIL,
);

const SENT = statement(
  'attempts-with-keys',
  `select ${SENT_ATTEMPT.list}
   from delivery_attempts a
   left join api_keys k on k.key_id = a.key_id
   where a.delivery_id = $1
   order by a.number
   limit 200`,
  SENT_ATTEMPT,
);

/** A delivery with all that was sent. */
export async function findDelivery(
  db: Queryable,
  deliveryId: string,
): Promise<DeliveryDetail | undefined> {
  const delivery = await queryOne(db, FIND, [deliveryId]);
  return delivery && { ...delivery, attempts: await query(db, SENT, [deliveryId]) };
}

const FIGURES_OF = answers({
  merchantId: t.uuid,
  host: t.text,
  attempts: t.integer,
  succeeded: t.integer,
  medianMs: orNull(t.integer),
  p95Ms: orNull(t.integer),
});
/** How the attempts at one receiver went. */
export type EndpointFigures = RecordOf<typeof FIGURES_OF>;

const ATTEMPTS_MAX = 100_000;

/** Attempts of deliveries that were made since then, the newest of them where they are very many. */
export const readEndpointFigures = lists(
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
  FIGURES_OF,
  (
    since: Instant,
    endpoints: readonly { readonly merchantId: string; readonly host: string }[],
  ) => [
    firstIdOf(since),
    endpoints.map(({ merchantId }) => merchantId),
    endpoints.map(({ host }) => host),
  ],
);

const COUNT_SINCE = unprepared(
  'count-orders-sent-since',
  `select count(*)::integer as orders
   from (
     select distinct order_id
     from deliveries
     where delivery_id >= $1
       and created_at >= $2
       and event_type in ('order.completed', 'order.failed')
       and url is not null
       and ($3::uuid is null or merchant_id = $3)
     limit $4
   ) sent`,
  answers({ orders: t.integer }),
);

/** How many orders have a delivery since then, as far as `limit`; of all merchants for null. */
export async function countSentSince(
  db: Queryable,
  { since, merchantId }: { readonly since: Instant; readonly merchantId: string | null },
  limit: number,
): Promise<number> {
  const values = [firstIdOf(since), time(since), merchantId, limit];
  return (await queryOne(db, COUNT_SINCE, values))?.orders ?? 0;
}
