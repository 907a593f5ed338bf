import type { Instant } from '@munshi/core';
import type { Queryable } from '../db.ts';
import { query, statement } from '../statement.ts';
import { partOfOrder } from './order-row.ts';
import { samePayment } from './same-payment.ts';

const part = partOfOrder('x', [
  'orderId',
  'orderReference',
  'memberId',
  'status',
  'amount',
  'currency',
  'sentAt',
]);

/** Another deposit that was said within 24 hours to be paid with the same payment. */
export interface Duplicate extends Omit<ReturnType<typeof part.read>, 'sentAt'> {
  /** The order that it is a duplicate of. */
  readonly of: string;
  readonly sentAt: Instant;
}

/** Of each kind, of an order. Digits are few and customers many: more tell nothing more. */
const EACH_MAX = 20;

const same = samePayment({
  digits: '= o.transaction_digits',
  accountId: 'o.account_id',
  payerAccount: 'o.payer_account',
  amount: 'o.amount',
  currency: 'o.currency',
  from: "o.sent_at - interval '24 hours'",
  to: "o.sent_at + interval '24 hours'",
});

const FIND = statement(
  'duplicates',
  `select o.order_id as of, x.*
   from orders o
   cross join lateral (
     (
       select ${part.list}
       from orders x
       where ${same.digits}
         and x.order_id <> o.order_id
       order by x.sent_at desc
       limit ${EACH_MAX}
     )
     union all
     (
       select ${part.list}
       from orders x
       where ${same.payer}
         and x.order_id <> o.order_id
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
