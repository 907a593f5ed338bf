import type { Currency } from '@munshi/core';
import { answers, orNull, type RecordOf, t } from '../platform/database/columns.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { query, statement } from '../platform/database/statement.ts';

const ORDER = answers({
  orderId: t.uuid,
  orderReference: t.text,
  merchantId: t.uuid,
  memberId: orNull(t.uuid),
  amount: t.amount,
  currency: t.oneOf<Currency>(),
});
export type AskedOrder = RecordOf<typeof ORDER>;

const ORDERS = statement(
  'asked-orders',
  `select order_id, order_reference, merchant_id, member_id, amount, currency
   from orders
   where order_id = any($1::uuid[])`,
  ORDER,
);

/** The orders that requests are about, by their ids. */
export async function readAskedOrders(
  db: Queryable,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, AskedOrder>> {
  const rows = orderIds.length === 0 ? [] : await query(db, ORDERS, [orderIds]);
  return new Map(rows.map((row) => [row.orderId, row]));
}
