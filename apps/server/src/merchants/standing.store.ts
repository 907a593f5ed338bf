import type { OrderType } from '@munshi/core';
import { OPEN } from '../engine/rows/order-statuses.ts';
import { answers, t } from '../platform/database/columns.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { query, unprepared } from '../platform/database/statement.ts';

/** What goes on with a merchant now. */
export interface MerchantStanding {
  readonly openDeposits: number;
  readonly openWithdrawals: number;
  readonly pendingDeliveries: number;
  readonly activeKeys: number;
}

const OPEN_ORDERS = unprepared(
  'open-orders-of-merchant',
  `select order_type, count(*)::integer as count
   from (
     (
       select order_type
       from orders
       where merchant_id = $1
         and due_at is not null
         and status in ${OPEN}
       limit $2
     )
     union all
     (
       select order_type
       from orders
       where merchant_id = $1
         and due_at is null
         and status = 'ManualReview'
       limit $2
     )
   ) o
   group by order_type`,
  answers({ orderType: t.oneOf<OrderType>(), count: t.integer }),
);

const OTHERS = unprepared(
  'deliveries-and-keys-of-merchant',
  `select
     (
       select count(*)::integer
       from (
         select
         from delivery_queue
         where merchant_id = $1
         limit $2
       ) d
     ) as deliveries,
     (
       select count(*)::integer
       from api_keys
       where merchant_id = $1
         and revoked_at is null
     ) as keys`,
  answers({ deliveries: t.integer, keys: t.integer }),
);

/**
 * Open orders by their kind, deliveries that wait and keys in force, each counted as far as
 * `countedMax`. Open orders are found by their deadline, or because they are in review.
 */
export async function readMerchantStanding(
  db: Queryable,
  merchantId: string,
  countedMax: number,
): Promise<MerchantStanding> {
  const orders = await query(db, OPEN_ORDERS, [merchantId, countedMax]);
  const [others] = await query(db, OTHERS, [merchantId, countedMax]);
  const open = (type: OrderType) =>
    Math.min(orders.find(({ orderType }) => orderType === type)?.count ?? 0, countedMax);
  return {
    openDeposits: open('Deposit'),
    openWithdrawals: open('Withdrawal'),
    pendingDeliveries: others?.deliveries ?? 0,
    activeKeys: others?.keys ?? 0,
  };
}
