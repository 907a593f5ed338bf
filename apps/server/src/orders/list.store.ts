import type { Order } from '@munshi/core';
import { ofOrder } from '../engine/rows/order-row.ts';
import { answers, columns, from, orNull, type RecordOf, t } from '../platform/database/columns.ts';
import { idsOfPage } from '../platform/database/first-id.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { type Page, queryOne, unprepared } from '../platform/database/statement.ts';
import type { Given, OrderFilters, Search } from './search-selects.store.ts';
import { searchesFor } from './searches.store.ts';

export const LIST_PROPERTIES = [
  'orderId',
  'orderReference',
  'merchantId',
  'orderType',
  'walletType',
  'currency',
  'amount',
  'fee',
  'status',
  'merchantOrderRef',
  'customerReference',
  'memberId',
  'createdAt',
  'assignedAt',
  'sentAt',
  'completedAt',
  'failedAt',
  'cancelledAt',
  'expiresAt',
  'dueAt',
  'failureReason',
] as const satisfies readonly (keyof Order)[];

/** What a list shows of an order. */
export type OrderSummary = Pick<Order, (typeof LIST_PROPERTIES)[number]>;

export const LISTED_ORDER = {
  ...ofOrder(LIST_PROPERTIES),
  merchantName: from('b.name', t.text),
  memberName: from('m.name', orNull(t.text)),
};
const LISTED = columns('o', LISTED_ORDER);
export type ListedOrder = RecordOf<typeof LISTED>;

/**
 * Orders, the newest first, older than `after`. Each search gives its newest, and the newest of all
 * are shown: only those are joined.
 */
export async function listOrders(
  db: Queryable,
  filters: OrderFilters,
  { after, limit }: Page,
): Promise<readonly ListedOrder[]> {
  const { found, most, values } = newestOf(filters, after, { list: 'o.*', limit });
  if (found === '') return [];
  const text = `
    select ${LISTED.list}
    from (
      select distinct on (order_id) *
      from (
        ${found}
      ) as found
      order by order_id desc
      limit ${most}
    ) o
    join merchants b on b.merchant_id = o.merchant_id
    left join members m on m.member_id = o.member_id
    order by o.order_id desc`;
  const { rows } = await db.query({ text, values });
  return rows.map(LISTED.read);
}

const FIRST = answers({ orderId: t.uuid, createdAt: t.instant });
/** The first of the newest orders, in which parts are looked for. */
export type FirstOfNewest = RecordOf<typeof FIRST>;

const FIRST_OF_NEWEST = unprepared(
  'first-of-newest-orders',
  `select order_id, created_at
   from orders
   where order_id = (
     select order_id
     from orders
     where order_id >= $1::uuid
       and order_id < $2::uuid
       and ($3::uuid is null or merchant_id = $3)
     order by order_id desc
     offset $4
     limit 1
   )`,
  FIRST,
);

/**
 * The first of so many newest orders of these days and this merchant; undefined where there are no
 * more. By an index alone.
 */
export function findFirstOfNewest(
  db: Queryable,
  { from, to, merchantId }: OrderFilters,
  newest: number,
): Promise<FirstOfNewest | undefined> {
  const ids = idsOfPage({ from, to, after: null });
  return queryOne(db, FIRST_OF_NEWEST, [ids.first, ids.behind, merchantId, newest]);
}

/** The ids of orders, the newest first, up to a limit. */
export async function listOrderIds(
  db: Queryable,
  filters: OrderFilters,
  limit: number,
): Promise<readonly string[]> {
  const { found, most, values } = newestOf(filters, null, { list: 'o.order_id', limit });
  if (found === '') return [];
  const text = `
    select distinct order_id
    from (
      ${found}
    ) as found
    order by order_id desc
    limit ${most}`;
  const { rows } = await db.query({ text, values });
  return rows.map(({ order_id }) => order_id);
}

/** How many orders there are, up to a limit. */
export async function countOrders(
  db: Queryable,
  filters: OrderFilters,
  limit: number,
): Promise<number> {
  const { found, most, values } = newestOf(filters, null, { list: 'o.order_id', limit });
  if (found === '') return 0;
  const text = `
    select count(*)::integer as count
    from (
      select distinct order_id
      from (
        ${found}
      ) as found
      limit ${most}
    ) counted`;
  const { rows } = await db.query({ text, values });
  return rows[0].count;
}

/** All searches as one text, empty where nothing can be found, and the place of the limit. */
function newestOf(
  filters: OrderFilters,
  after: string | null,
  { list, limit }: { readonly list: string; readonly limit: number },
) {
  const values: unknown[] = [];
  const given: Given = (value) => `$${values.push(value)}`;
  const searches = searchesFor(filters, after, given);
  const most = given(limit);
  const select = ({ each, from = 'orders', where, order = 'o.order_id desc' }: Search) => {
    const newest = `
      select ${list}
      from ${from} o
      where ${where.join('\n        and ')}
      order by ${order}
      limit ${most}`;
    return each === undefined
      ? `(${newest}\n)`
      : `select o.* from ${each} cross join lateral (${newest}\n) o`;
  };
  return { found: searches.map(select).join('\nunion all\n'), most, values };
}
