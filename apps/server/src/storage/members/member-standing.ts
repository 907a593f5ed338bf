import { type Instant, type Money, money, type Order } from '@munshi/core';
import type { Queryable } from '../db.ts';
import { FIRST_ID, firstIdOf, LAST_ID, ORDER_ID_MARGIN_MS } from '../orders/first-id.ts';
import { partOfOrder } from '../orders/order-row.ts';
import { ENDED_OR_LEGACY, IN_HAND, oneMember } from '../orders/order-statuses.ts';
import { searchKeyOf } from '../orders/search-key.ts';
import { time } from '../rows.ts';
import { query, statement } from '../statement.ts';

/** What operators see of a member beside their row. */

const PROPERTIES = [
  'orderId',
  'orderReference',
  'orderType',
  'walletType',
  'currency',
  'amount',
  'status',
  'sentAt',
  'dueAt',
] as const satisfies readonly (keyof Order)[];
export type OrderInHand = Pick<Order, (typeof PROPERTIES)[number]>;

const part = partOfOrder('o', PROPERTIES);

const ORDERS_IN_HAND = statement(
  'orders-in-hand-of-member',
  `select ${part.list}
   from orders o
   where o.account_id = any(array(
       select account_id from member_accounts where member_id = $1
     ))
     and o.member_id = $1
     and o.status in ${IN_HAND}
   order by o.order_id
   limit 200`,
);

/** What a member holds, the oldest first. */
export async function listOrdersInHand(
  db: Queryable,
  memberId: string,
): Promise<readonly OrderInHand[]> {
  return (await query(db, ORDERS_IN_HAND, [memberId])).map((row) => part.read(row));
}

export interface SameNumber {
  readonly accountId: string;
  readonly otherAccountId: string;
  readonly memberId: string;
  readonly memberName: string;
}

const SAME_NUMBERS = statement<{
  readonly account_id: string;
  readonly other_id: string;
  readonly member_id: string;
  readonly name: string;
}>(
  'same-account-numbers',
  `select own.account_id, other.account_id as other_id, m.member_id, m.name
   from member_accounts own
   join member_accounts other
     on ${searchKeyOf('other.account_number')}
       = ${searchKeyOf('own.account_number')}
     and other.member_id <> own.member_id
   join members m on m.member_id = other.member_id
   where own.member_id = $1
   order by own.account_id, other.account_id
   limit 50`,
);

/** Accounts of others that have the number of one of this member's, however it is written. */
export async function listSameNumbers(
  db: Queryable,
  memberId: string,
): Promise<readonly SameNumber[]> {
  const rows = await query(db, SAME_NUMBERS, [memberId]);
  return rows.map((row) => ({
    accountId: row.account_id,
    otherAccountId: row.other_id,
    memberId: row.member_id,
    memberName: row.name,
  }));
}

/** Where a movement stands in the list: when its order was created, or it was made. */
export interface MovementPlace {
  readonly at: Instant;
  readonly id: string;
}

/** What moved a member's float. */
export interface Movement {
  readonly place: MovementPlace;
  readonly movementId: string;
  readonly kind: 'settlement' | 'float';
  readonly amount: Money;
  readonly orderId: string | null;
  readonly orderReference: string | null;
  readonly note: string | null;
  readonly at: Instant;
}

/**
 * Settlements are found by the member's orders: an index of all postings by their member would be
 * written with every order. An order of an older status may have ended without one.
 */
const MOVEMENTS = statement<{
  readonly place_at: Instant;
  readonly place_id: string;
  readonly posting_id: string;
  readonly kind: 'settlement' | 'float';
  readonly member_float: string;
  readonly order_id: string | null;
  readonly order_reference: string | null;
  readonly note: string | null;
  readonly posted_at: Instant;
}>(
  'movements-of-member',
  `select *
   from (
     (
       select o.created_at as place_at, o.order_id as place_id, p.posting_id, p.kind,
         p.member_float, o.order_id, o.order_reference, p.note, p.posted_at
       from orders o
       cross join lateral (
         select *
         from postings
         where order_id = o.order_id and member_id = $1
         limit 1
       ) p
       where o.member_id ${oneMember('$1')}
         and o.status in ${ENDED_OR_LEGACY}
         and o.completed_at is not null
         and o.order_id < $4::uuid
         and o.order_id >= $6::uuid
         and (o.created_at, o.order_id) < ($2::timestamptz, $3::uuid)
         and o.created_at >= $7::timestamptz
       order by o.member_id desc, o.order_id desc
       limit $5
     )
     union all
     (
       select posted_at, posting_id, posting_id, kind, member_float, null, null, note, posted_at
       from postings
       where member_id = $1
         and kind = 'float'
         and (posted_at, posting_id) < ($2::timestamptz, $3::uuid)
         and posted_at >= $7::timestamptz
       order by posted_at desc, posting_id desc
       limit $5
     )
   ) moved
   order by place_at desc, place_id desc
   limit $5`,
);

const LAST: MovementPlace = {
  at: Date.UTC(9999, 0),
  id: LAST_ID,
};

interface MovementQuestion {
  /** From the first one where null. */
  readonly after: MovementPlace | null;
  readonly limit: number;
  /** At this place in time or later. */
  readonly from?: Instant | null;
  /** Before this one. */
  readonly to?: Instant | null;
}

/** The newest first. */
export async function listMovements(
  db: Queryable,
  memberId: string,
  { after, limit, from = null, to = null }: MovementQuestion,
): Promise<readonly Movement[]> {
  const start = to === null ? LAST : { at: to, id: FIRST_ID };
  const { at, id } = after !== null && after.at < start.at ? after : start;
  const rows = await query(db, MOVEMENTS, [
    memberId,
    time(at),
    id,
    at === LAST.at ? LAST.id : firstIdOf(at + ORDER_ID_MARGIN_MS),
    limit,
    from === null ? FIRST_ID : firstIdOf(from),
    time(from ?? 0),
  ]);
  return rows.map((row) => ({
    place: { at: row.place_at, id: row.place_id },
    movementId: row.posting_id,
    kind: row.kind,
    amount: money(row.member_float),
    orderId: row.order_id,
    orderReference: row.order_reference,
    note: row.note,
    at: row.posted_at,
  }));
}
