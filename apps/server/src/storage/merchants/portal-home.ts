import { type Instant, type Money, money, type OrderType } from '@munshi/core';
import type { Queryable } from '../db.ts';
import { FIRST_ID, firstIdOf, ORDER_ID_MARGIN_MS } from '../orders/first-id.ts';
import { FAILED } from '../orders/order-statuses.ts';
import { time } from '../rows.ts';
import { query, unprepared } from '../statement.ts';

/** How a merchant does: what became of its orders of a time, and how far its set-up is. */

export interface OwnOutcomes {
  readonly created: number;
  readonly completed: number;
  readonly failed: number;
  /** What the completed ones have moved the wallet by. */
  readonly sum: Money;
  /** From creation to completion. */
  readonly medianSeconds: number | null;
}

const NONE: OwnOutcomes = {
  created: 0,
  completed: 0,
  failed: 0,
  sum: 0n as Money,
  medianSeconds: null,
};

const OUTCOMES = unprepared(
  'outcomes-of-merchant',
  `select order_type,
     count(*)::integer as created,
     (count(*) filter (where completed_at is not null))::integer as completed,
     (count(*) filter (where status in ${FAILED}))::integer as failed,
     coalesce(sum(settlement_amount) filter (where completed_at is not null), 0)::text as sum,
     (percentile_cont(0.5) within group (
       order by extract(epoch from completed_at - created_at)
     ) filter (where completed_at is not null))::integer as median
   from orders
   where merchant_id = $1
     and order_id >= '${FIRST_ID}'
     and order_id >= $2
     and order_id < $3
     and created_at >= $4
     and created_at < $5
   group by order_type`,
);

/** Of the orders that a merchant created from a time on and before another. */
export async function readOutcomesOf(
  db: Queryable,
  merchantId: string,
  { from, to }: { readonly from: Instant; readonly to: Instant },
): Promise<Readonly<Record<OrderType, OwnOutcomes>>> {
  const ids = [firstIdOf(from), firstIdOf(to + ORDER_ID_MARGIN_MS)];
  const rows = await query(db, OUTCOMES, [merchantId, ...ids, time(from), time(to)]);
  const of = (type: OrderType): OwnOutcomes => {
    const row = rows.find((one) => one['order_type'] === type);
    if (row === undefined) return NONE;
    return {
      created: row['created'],
      completed: row['completed'],
      failed: row['failed'],
      sum: money(row['sum']),
      medianSeconds: row['median'],
    };
  };
  return { Deposit: of('Deposit'), Withdrawal: of('Withdrawal') };
}

const SET_UP = unprepared<{
  readonly has_key: boolean;
  readonly has_orders: boolean;
  readonly has_signed: boolean;
  readonly has_delivered: boolean;
  readonly has_verified: boolean;
  readonly has_return_addresses: boolean;
}>(
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
);

/** How far a merchant has come; `unsigned` are the codes of requests refused before their signature. */
export async function readSetUp(db: Queryable, merchantId: string, unsigned: readonly string[]) {
  const [row] = await query(db, SET_UP, [merchantId, unsigned]);
  return {
    hasKey: row?.has_key ?? false,
    hasOrders: row?.has_orders ?? false,
    hasSigned: (row?.has_orders ?? false) || (row?.has_signed ?? false),
    hasDelivered: row?.has_delivered ?? false,
    hasVerified: row?.has_verified ?? false,
    hasReturnAddresses: row?.has_return_addresses ?? false,
  };
}

const FAILING_RECEIVERS = unprepared<{
  readonly host: string;
  readonly since: Instant;
  readonly last_error: string | null;
}>(
  'failing-receivers-of-merchant',
  `select host, failing_since as since, last_error
   from webhook_endpoints
   where merchant_id = $1 and failing_since is not null
   order by failing_since
   limit 20`,
);

/** The receivers of a merchant's webhooks that fail, the longest first. */
export async function readFailingReceivers(db: Queryable, merchantId: string) {
  const rows = await query(db, FAILING_RECEIVERS, [merchantId]);
  return rows.map(({ host, since, last_error }) => ({ host, since, lastError: last_error }));
}

const ACTIVE_KEYS = unprepared<{
  readonly prefix: string;
  readonly created_at: Instant;
  readonly last_used_at: Instant | null;
}>(
  'active-keys-with-use',
  `select k.prefix, k.created_at, u.last_used_at
   from api_keys k
   left join api_key_uses u on u.key_id = k.key_id
   where k.merchant_id = $1
     and k.revoked_at is null
   order by k.key_id desc
   limit 200`,
);

export async function readActiveKeys(db: Queryable, merchantId: string) {
  const rows = await query(db, ACTIVE_KEYS, [merchantId]);
  return rows.map(({ prefix, created_at, last_used_at }) => ({
    ...{ prefix, createdAt: created_at, lastUsedAt: last_used_at },
  }));
}

const REFUSED_SINCE = unprepared<{ readonly count: number }>(
  'refused-since',
  `select coalesce(sum(count), 0)::integer as count
   from refused_minutes
   where merchant_id = $1 and minute >= $2`,
);

/** How many requests of a merchant were refused since a minute. */
export async function countRefusedSince(
  db: Queryable,
  merchantId: string,
  since: Instant,
): Promise<number> {
  return (await query(db, REFUSED_SINCE, [merchantId, time(since)]))[0]?.count ?? 0;
}
