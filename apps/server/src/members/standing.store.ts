import type { Instant } from '@munshi/core';
import { ofOrder } from '../engine/rows/order-row.ts';
import { ENDED_OR_LEGACY, IN_HAND, oneMember } from '../engine/rows/order-statuses.ts';
import { columns, from, orNull, type RecordOf, t } from '../platform/database/columns.ts';
import { FIRST_ID, firstIdOf, ID_MARGIN_MS, LAST_ID } from '../platform/database/first-id.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { time } from '../platform/database/rows.ts';
import { accountKeyOf } from '../platform/database/search-key.ts';
import { query, readsAll, statement } from '../platform/database/statement.ts';

/** What operators see of a member beside their row. */

const ORDER_IN_HAND = columns(
  'o',
  ofOrder([
    'orderId',
    'orderReference',
    'orderType',
    'walletType',
    'currency',
    'amount',
    'status',
    'sentAt',
    'dueAt',
  ]),
);
export type OrderInHand = RecordOf<typeof ORDER_IN_HAND>;

/** What a member holds, the oldest first. */
export const listOrdersInHand = readsAll(
  'orders-in-hand-of-member',
  `select ${ORDER_IN_HAND.list}
   from orders o
   where o.account_id = any(array(
       select account_id from member_accounts where member_id = $1
     ))
     and o.member_id = $1
     and o.status in ${IN_HAND}
   order by o.order_id
   limit 200`,
  ORDER_IN_HAND,
  (memberId: string) => [memberId],
);

const SAME_NUMBER = columns('m', {
  accountId: from('own.account_id', t.uuid),
  otherAccountId: from('other.account_id', t.uuid),
  memberId: t.uuid,
  memberName: from('name', t.text),
});

/** Accounts of others that have the number of one of this member's, however it is written. */
export const listSameNumbers = readsAll(
  'same-account-numbers',
  `select ${SAME_NUMBER.list}
   from member_accounts own
   join member_accounts other
     on ${accountKeyOf('other.account_number')}
       = ${accountKeyOf('own.account_number')}
     and other.member_id <> own.member_id
   join members m on m.member_id = other.member_id
   where own.member_id = $1
   order by own.account_id, other.account_id
   limit 50`,
  SAME_NUMBER,
  (memberId: string) => [memberId],
);

/** Where a movement stands in the list: when its order was created, or it was made. */
export interface MovementPlace {
  readonly at: Instant;
  readonly id: string;
}

const MOVEMENT = columns('moved', {
  place: columns('moved', { at: from('place_at', t.instant), id: from('place_id', t.uuid) }),
  movementId: t.uuid,
  kind: t.oneOf<'settlement' | 'float'>(),
  amount: t.amount,
  orderId: orNull(t.uuid),
  orderReference: orNull(t.text),
  note: orNull(t.text),
  at: t.instant,
});
/** What moved a member's float. */
export type Movement = RecordOf<typeof MOVEMENT>;

/**
 * Settlements are found by the member's orders: an index of all postings by their member would be
 * written with every order. An order of an older status may have ended without one.
 */
const MOVEMENTS = statement(
  'movements-of-member',
  `select ${MOVEMENT.list}
   from (
     (
       select o.created_at as place_at, o.order_id as place_id, p.posting_id as movement_id, p.kind,
         p.member_float as amount, o.order_id, o.order_reference, p.note, p.posted_at as at
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
  MOVEMENT,
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
  return query(db, MOVEMENTS, [
    memberId,
    time(at),
    id,
    at === LAST.at ? LAST.id : firstIdOf(at + ID_MARGIN_MS),
    limit,
    from === null ? FIRST_ID : firstIdOf(from),
    time(from ?? 0),
  ]);
}
