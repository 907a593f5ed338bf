import type { Instant } from '@munshi/core';
import { answers, orNull, type RecordOf, t } from '../platform/database/columns.ts';
import { FIRST_ID } from '../platform/database/first-id.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { time } from '../platform/database/rows.ts';
import { lists, queryOne, unprepared } from '../platform/database/statement.ts';

/** How a merchant does: what became of its orders of a time, and how far its set-up is. */

const SET_UP_STEPS = answers({
  hasKey: t.boolean,
  hasOrders: t.boolean,
  hasSigned: t.boolean,
  hasDelivered: t.boolean,
  hasVerified: t.boolean,
  hasReturnAddresses: t.boolean,
});
const SET_UP = unprepared(
  'set-up-of-merchant',
  `select exists (
       select from api_keys where merchant_id = $1 and revoked_at is null
     ) as has_key,
     exists (
       select from orders where merchant_id = $1 and order_id >= '${FIRST_ID}'
     ) as has_orders,
     exists (
       select
       from refused_requests
       where merchant_id = $1
         and method = 'POST'
         and code <> all($2::text[])
     ) as has_signed,
     exists (
       select from webhook_endpoints where merchant_id = $1 and last_success_at is not null
     ) as has_delivered,
     exists (
       select
       from deliveries d
       join delivery_attempts a on a.delivery_id = d.delivery_id
       where d.order_id = $1 and d.event_type = 'webhook.test' and a.succeeded
     ) as has_verified,
     exists (
       select
       from (
         select success_url, failure_url
         from orders
         where merchant_id = $1 and order_id >= '${FIRST_ID}'
         order by order_id desc
         limit 100
       ) newest
       where success_url is not null or failure_url is not null
     ) as has_return_addresses`,
  SET_UP_STEPS,
);

/** How far a merchant has come; `unsigned` are the codes of requests refused before their signature. */
export async function readSetUp(db: Queryable, merchantId: string, unsigned: readonly string[]) {
  const found = (await queryOne(db, SET_UP, [merchantId, unsigned])) as RecordOf<
    typeof SET_UP_STEPS
  >;
  return { ...found, hasSigned: found.hasOrders || found.hasSigned };
}

/** The receivers of a merchant's webhooks that fail, the longest first. */
export const readFailingReceivers = lists(
  'failing-receivers-of-merchant',
  `select host, failing_since as since, last_error
   from webhook_endpoints
   where merchant_id = $1 and failing_since is not null
   order by failing_since
   limit 20`,
  answers({ host: t.text, since: t.instant, lastError: orNull(t.text) }),
  (merchantId: string) => [merchantId],
);

export const readActiveKeys = lists(
  'active-keys-with-use',
  `select k.prefix, k.created_at, u.last_used_at
   from api_keys k
   left join api_key_uses u on u.key_id = k.key_id
   where k.merchant_id = $1
     and k.revoked_at is null
   order by k.key_id desc
   limit 200`,
  answers({ prefix: t.text, createdAt: t.instant, lastUsedAt: orNull(t.instant) }),
  (merchantId: string) => [merchantId],
);

const REFUSED_SINCE = unprepared(
  'refused-since',
  `select coalesce(sum(count), 0)::integer as count
   from refused_minutes
   where merchant_id = $1 and minute >= $2`,
  answers({ count: t.integer }),
);

/** How many requests of a merchant were refused since a minute. */
export async function countRefusedSince(
  db: Queryable,
  merchantId: string,
  since: Instant,
): Promise<number> {
  return (await queryOne(db, REFUSED_SINCE, [merchantId, time(since)]))?.count ?? 0;
}
