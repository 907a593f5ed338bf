import { type Instant, type Money, money, type OrderType } from '@munshi/core';
import type { Queryable } from './db.ts';
import { firstIdOf } from './first-id.ts';
import { FAILED } from './order-statuses.ts';
import { query, statement } from './statement.ts';

/** What became of a merchant's orders of one kind that were created in a span of time. */
export interface MerchantOutcomes {
  readonly created: number;
  readonly completed: number;
  readonly failed: number;
  /** What the completed ones have moved the wallet by. */
  readonly completedAmount: Money;
  /** From creation to completion. */
  readonly medianSeconds: number | null;
}

const OUTCOMES = statement<{
  readonly order_type: OrderType;
  readonly created: number;
  readonly completed: number;
  readonly failed: number;
  readonly completed_amount: string;
  readonly median_seconds: number | null;
}>(
  'outcomes-of-merchant-day',
  `select order_type, count(*)::integer as created,
     (count(*) filter (where completed_at is not null))::integer as completed,
     (count(*) filter (where status in ${FAILED}))::integer as failed,
     coalesce(sum(settlement_amount) filter (where completed_at is not null), 0)
       as completed_amount,
     (percentile_cont(0.5) within group (order by extract(epoch from completed_at - created_at))
       filter (where completed_at is not null))::integer as median_seconds
   from orders
   where merchant_id = $1::uuid and order_id >= $2::uuid and order_id < $3::uuid
   group by order_type`,
);

/** Of orders created from `from` on and before `to`: ids sort by creation (D55). */
export async function readMerchantOutcomes(
  db: Queryable,
  merchantId: string,
  { from, to }: { readonly from: Instant; readonly to: Instant },
): Promise<Readonly<Record<OrderType, MerchantOutcomes>>> {
  const rows = await query(db, OUTCOMES, [merchantId, firstIdOf(from), firstIdOf(to)]);
  const of = (orderType: OrderType): MerchantOutcomes => {
    const row = rows.find(({ order_type }) => order_type === orderType);
    return {
      created: row?.created ?? 0,
      completed: row?.completed ?? 0,
      failed: row?.failed ?? 0,
      completedAmount: money(row?.completed_amount ?? '0'),
      medianSeconds: row?.median_seconds ?? null,
    };
  };
  return { Deposit: of('Deposit'), Withdrawal: of('Withdrawal') };
}
