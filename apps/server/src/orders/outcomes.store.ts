import type { Instant, Money, OrderType, Period } from '@munshi/core';
import { FAILED } from '../engine/rows/order-statuses.ts';
import { answers, orNull, type RecordOf, t } from '../platform/database/columns.ts';
import { FIRST_ID, firstIdOf, ID_MARGIN_MS } from '../platform/database/first-id.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { time } from '../platform/database/rows.ts';
import { query, readsRow, unprepared } from '../platform/database/statement.ts';

/** What became of the orders of a merchant. */

const OUTCOME = answers({
  orderType: t.oneOf<OrderType>(),
  created: t.integer,
  completed: t.integer,
  failed: t.integer,
  /** What the completed ones have moved the wallet by. */
  sum: t.amount,
  /** From creation to completion. */
  medianSeconds: orNull(t.integer),
});
export type OwnOutcomes = Omit<RecordOf<typeof OUTCOME>, 'orderType'>;

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
     coalesce(sum(settlement_amount) filter (where completed_at is not null), 0) as sum,
     (percentile_cont(0.5) within group (
       order by extract(epoch from completed_at - created_at)
     ) filter (where completed_at is not null))::integer as median_seconds
   from orders
   where merchant_id = $1
     and order_id >= '${FIRST_ID}'
     and order_id >= $2
     and order_id < $3
     and created_at >= $4
     and created_at < $5
   group by order_type`,
  OUTCOME,
);

/** Of the orders that a merchant created from a time on and before another. */
export async function readOutcomesOf(
  db: Queryable,
  merchantId: string,
  { from, to }: { readonly from: Instant; readonly to: Instant },
): Promise<Readonly<Record<OrderType, OwnOutcomes>>> {
  const ids = [firstIdOf(from), firstIdOf(to + ID_MARGIN_MS)];
  const rows = await query(db, OUTCOMES, [merchantId, ...ids, time(from), time(to)]);
  const byType = new Map(rows.map(({ orderType, ...outcomes }) => [orderType, outcomes]));
  return { Deposit: byType.get('Deposit') ?? NONE, Withdrawal: byType.get('Withdrawal') ?? NONE };
}

/** Longer than orders usually take to end. */
const CREATED_BEFORE_MS = 4 * 60 * 60_000;

/** Of the orders of a merchant, how many ended in a span, created four hours before it at most. */
const countEnded = readsRow(
  'ended-orders-of-merchant',
  `select (count(*) filter (where completed_at is not null))::integer as completed,
     (count(*) filter (where status in ${FAILED}))::integer as failed
   from orders
   where merchant_id = $1
     and order_id >= '${FIRST_ID}'
     and order_id >= $2
     and order_id < $3
     and coalesce(completed_at, failed_at) > $4
     and coalesce(completed_at, failed_at) <= $5`,
  answers({ completed: t.integer, failed: t.integer }),
  (merchantId: string, { from, to }: Period) => [
    merchantId,
    firstIdOf(from - CREATED_BEFORE_MS),
    firstIdOf(to + ID_MARGIN_MS),
    time(from),
    time(to),
  ],
);

const HOUR_MS = 60 * 60_000;

export const countEndedInLastHour = (db: Queryable, merchantId: string, now: Instant) =>
  countEnded(db, merchantId, { from: now - HOUR_MS, to: now });

/** Of a day, without the last hour, which is compared with it. */
export const countEndedBeforeLastHour = (
  db: Queryable,
  merchantId: string,
  day: Period,
  now: Instant,
) => countEnded(db, merchantId, { from: day.from, to: Math.min(day.to, now - HOUR_MS) });
