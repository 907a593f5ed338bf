import type { Instant } from '@munshi/core';
import type { Queryable } from './db.ts';
import { partOfOrder } from './order-row.ts';
import { query, statement } from './statement.ts';

const part = partOfOrder('x', [
  'orderId',
  'orderReference',
  'memberId',
  'status',
  'amount',
  'currency',
  'sentAt',
]);

/**
 * Another deposit that was said to be paid with the same payment: the same digits on the same
 * account, the same digits and amount on any, or the same QR payer and amount, within 24 hours
 * (D75).
 */
export interface Duplicate extends Omit<ReturnType<typeof part.read>, 'sentAt'> {
  /** The order that it is a duplicate of. */
  readonly of: string;
  readonly sentAt: Instant;
}

/** Of each kind, of an order. Digits are few and customers many: more tell nothing more. */
const EACH_MAX = 20;

/** By what the customer entered, among the orders of two days: orders_digits, orders_payer. */
const FIND = statement(
  'duplicates',
  `select o.order_id as of, x.*
   from orders o
   cross join lateral (
     (
       select ${part.list}
       from orders x
       where x.transaction_digits = o.transaction_digits
         and x.sent_at between o.sent_at - interval '24 hours' and o.sent_at + interval '24 hours'
         and x.order_id <> o.order_id
         and (x.account_id = o.account_id or (x.amount = o.amount and x.currency = o.currency))
       order by x.sent_at desc
       limit ${EACH_MAX}
     )
     union all
     (
       select ${part.list}
       from orders x
       where x.payer_account = o.payer_account
         and x.sent_at between o.sent_at - interval '24 hours' and o.sent_at + interval '24 hours'
         and x.order_id <> o.order_id
         and x.amount = o.amount
         and x.currency = o.currency
       order by x.sent_at desc
       limit ${EACH_MAX}
     )
   ) x
   where o.order_id = any($1::uuid[])
   order by x.sent_at desc, x.order_id desc`,
);

/** The duplicates of these orders, the newest first. Orders that nobody has paid have none. */
export async function findDuplicates(
  db: Queryable,
  orderIds: readonly string[],
): Promise<readonly Duplicate[]> {
  if (orderIds.length === 0) return [];
  const rows = await query(db, FIND, [orderIds]);
  return rows.map((row) => ({ ...part.read(row), of: row['of'], sentAt: row['sent_at'] }));
}
