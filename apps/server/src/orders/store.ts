import type { Order, OrderId } from '@munshi/core';
import { ORDER } from '../engine/rows/order-row.ts';
import { answers, columns, from, t } from '../platform/database/columns.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { queryOne, readsAll, readsOne, statement } from '../platform/database/statement.ts';

/** Orders by their ids, outside of the engine. */

const FOUND = columns('', { order: ORDER, merchantName: from('b.name', t.text) });

export const findOrder = readsOne(
  'find-order',
  `select ${FOUND.list}
   from orders o
   join merchants b on b.merchant_id = o.merchant_id
   where o.order_id = $1`,
  FOUND,
  (orderId: string) => [orderId],
);

/** Orders, locked in id order: nothing new happens to them before the transaction ends. */
export const lockOrders = readsAll(
  'lock-orders',
  `select ${ORDER.list}
   from orders o
   where o.order_id = any($1::uuid[])
   order by o.order_id
   for no key update`,
  ORDER,
  (orderIds: readonly string[]) => [orderIds],
);

const TAKER = statement(
  'taker-of-reference',
  `select order_id, order_reference
   from orders
   where merchant_id = $1 and live_reference = $2 and order_id <> $3`,
  answers({ orderId: t.id<OrderId>(), orderReference: t.text }),
);

/** The live order that has this one's merchantOrderRef. */
export async function findTakerOfReference(
  db: Queryable,
  { merchantId, orderId, merchantOrderRef }: Order,
): Promise<Pick<Order, 'orderId' | 'orderReference'> | null> {
  if (merchantOrderRef === null) return null;
  return (await queryOne(db, TAKER, [merchantId, merchantOrderRef, orderId])) ?? null;
}

const PAYOUT_SAID = statement(
  'payout-said',
  `select exists (
       select
       from order_notes
       where order_id = $1 and kind in ('sending', 'report')
     ) or exists (
       select
       from order_moves
       where order_id = $1 and trigger = 'member-reported'
     ) as said`,
  answers({ said: t.boolean }),
);

/** Whether a member, perhaps an earlier one, began to pay the withdrawal or reported it. */
export async function saidOfPayout(
  db: Queryable,
  { orderType, orderId }: Pick<Order, 'orderType' | 'orderId'>,
): Promise<boolean> {
  if (orderType !== 'Withdrawal') return false;
  return (await queryOne(db, PAYOUT_SAID, [orderId]))?.said ?? false;
}

const SAID_PAID = statement(
  'order-said-paid',
  `select exists (select from late_claims where merchant_id = $1 and order_id = $2)
     or exists (
       select
       from order_notes
       where order_id = $2 and kind in ('moneySeen', 'otherAmount')
     ) as said`,
  answers({ said: t.boolean }),
);

/** Whether a late claim of the customer, or a note of the member, says that money came. */
export async function isSaidPaid(
  db: Queryable,
  { merchantId, orderId }: Pick<Order, 'merchantId' | 'orderId'>,
): Promise<boolean> {
  return (await queryOne(db, SAID_PAID, [merchantId, orderId]))?.said ?? false;
}
