import { ofOrder } from '../engine/rows/order-row.ts';
import { payableOf } from '../engine/rows/payable.ts';
import { columns, from, type RecordOf, t } from '../platform/database/columns.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { query, statement } from '../platform/database/statement.ts';
import { samePayment } from './same-payment.ts';

const FOUND = columns('x', {
  ...ofOrder(['orderId', 'orderReference', 'memberId', 'status', 'amount', 'currency']),
  sentAt: t.instant,
  /** The order that it is a duplicate of. */
  of: from('o.order_id', t.uuid),
});
/** Another order of the same 24 hours that may have got the same payment. */
export type Duplicate = RecordOf<typeof FOUND>;

/** Of each kind, of an order. Digits are few and customers many: more add nothing. */
const EACH_MAX = 20;

const same = samePayment({
  digits: 'array[o.transaction_digits]',
  accountId: 'o.account_id',
  memberId: 'o.member_id',
  payerAccount: 'o.payer_account',
  payable: payableOf('o'),
  currency: 'o.currency',
  from: "o.sent_at - interval '24 hours'",
  to: "o.sent_at + interval '24 hours'",
});

const FIND = statement(
  'duplicates',
  `select ${FOUND.list}
   from orders o
   cross join lateral (
     (
       select x.*
       from orders x
       where ${same.digits}
         and x.order_id <> o.order_id
       order by x.sent_at desc
       limit ${EACH_MAX}
     )
     union all
     (
       select x.*
       from orders x
       where ${same.payer}
         and x.order_id <> o.order_id
       order by x.sent_at desc
       limit ${EACH_MAX}
     )
     union all
     (
       select x.*
       from orders x
       where ${same.noted}
         and o.transaction_digits is not null
         and x.transaction_digits is distinct from o.transaction_digits
         and x.order_id <> o.order_id
       order by x.sent_at desc
       limit ${EACH_MAX}
     )
   ) x
   where o.order_id = any($1::uuid[])
   order by x.sent_at desc, x.order_id desc`,
  FOUND,
);

/** The duplicates of these orders, the newest first. Orders that nobody has paid have none. */
export async function findDuplicates(
  db: Queryable,
  orderIds: readonly string[],
): Promise<readonly Duplicate[]> {
  return orderIds.length === 0 ? [] : query(db, FIND, [orderIds]);
}
