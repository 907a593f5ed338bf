import {
  formatMoney,
  type Instant,
  type OrderSearch,
  type OrderType,
  type Status,
  type Trigger,
  type WalletType,
} from '@munshi/core';
import { ENDED, IN_HAND, LEGACY, oneMember } from '../engine/rows/order-statuses.ts';
import { isSentFor } from '../engine/rows/payable.ts';
import {
  answers,
  columns,
  from,
  optional,
  orNull,
  type RecordOf,
  t,
} from '../platform/database/columns.ts';
import {
  FIRST_ID,
  firstIdOf,
  ID_MARGIN_MS,
  idsOfPage,
  LAST_ID,
} from '../platform/database/first-id.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { time } from '../platform/database/rows.ts';
import { accountKeyOf, transactionKeyOf } from '../platform/database/search-key.ts';
import { query, readsAll, unprepared } from '../platform/database/statement.ts';
import { MEMBER_ORDER, type MemberOrder, type MemberOrderQuestion } from './orders.store.ts';

/** What a member has received and paid, as they look back on it. */

/** From (included) to (excluded), by the time of an order's creation. */
export interface CreatedBetween {
  readonly from: Instant;
  readonly to: Instant;
}

/** Null asks nothing. */
export interface OrderFilters {
  readonly from: Instant | null;
  readonly to: Instant | null;
  readonly accountId: string | null;
  readonly search: OrderSearch | null;
}

const MATCHES = `($5::timestamptz is null or o.created_at >= $5)
       and ($6::timestamptz is null or o.created_at < $6)
       and ($7::uuid is null or o.account_id = $7)
       and (
         $8::text[] is null
         or o.order_reference = any($8)
         or right(o.order_reference, 6) = $9
         or o.order_id = $10::uuid
         or o.transaction_digits = any($11::text[])
         or ${transactionKeyOf('o.member_transaction_reference')} = $12
         or ${accountKeyOf('coalesce(o.customer_account_number, o.payer_account)')} = $14
         or ${isSentFor('o', '$13')}
       )`;

/** As member-closed-orders, which every page without filters is read by. */
const FOUND = unprepared(
  'member-found-orders',
  `with handed_on as materialized (
     select o.order_id
     from orders o
     where o.former_member_ids @> array[$1::uuid]
       and (o.member_id is distinct from $1 or o.status in ${ENDED})
       and o.order_id >= $3::uuid
       and o.order_id < $2::uuid
       and ${MATCHES}
   ), theirs as (
     (
       select o.order_id
       from orders o
       where o.member_id ${oneMember('$1')}
         and o.status in ${ENDED}
         and o.order_id >= $3::uuid
         and o.order_id < $2::uuid
         and ${MATCHES}
       order by o.member_id desc, o.order_id desc
       limit $4
     )
     union
     (
       select order_id
       from handed_on
       order by order_id desc
       limit $4
     )
   )
   select ${MEMBER_ORDER.list}
   from theirs t
   join orders o on o.order_id = t.order_id
   left join member_accounts a on a.account_id = o.account_id and a.member_id = $1
   order by o.order_id desc
   limit $4`,
  MEMBER_ORDER,
);

/** As member-open-orders, with the parameters of the one above. */
const FOUND_OPEN = unprepared(
  'member-found-open-orders',
  `select ${MEMBER_ORDER.list}
   from orders o
   left join member_accounts a on a.account_id = o.account_id and a.member_id = $1
   where o.order_id in (
       select h.order_id
       from member_accounts m
       join orders h on h.account_id = m.account_id
       where m.member_id = $1
         and h.member_id = $1
         and h.status in ${IN_HAND}
       union all
       select order_id
       from orders
       where member_id = $1
         and status in ${LEGACY}
     )
     and o.order_id > $3::uuid
     and o.order_id < $2::uuid
     and ${MATCHES}
   order by o.order_id
   limit $4`,
  MEMBER_ORDER,
);

/** What ended with the member or was handed on, as far as the filters want it, newest first. */
export const findClosedOrders = (
  db: Queryable,
  asked: MemberOrderQuestion,
  filters: OrderFilters,
): Promise<readonly MemberOrder[]> =>
  query(db, FOUND, valuesOf(asked, filters, idsOfPage({ ...filters, after: asked.after })));

/** What the member has in hand, as far as the filters want it, the oldest first. */
export const findOpenOrders = (
  db: Queryable,
  asked: MemberOrderQuestion,
  filters: OrderFilters,
): Promise<readonly MemberOrder[]> =>
  query(
    db,
    FOUND_OPEN,
    valuesOf(asked, filters, { first: asked.after ?? FIRST_ID, behind: LAST_ID }),
  );

function valuesOf(
  { memberId, limit }: MemberOrderQuestion,
  { from, to, accountId, search }: OrderFilters,
  ids: ReturnType<typeof idsOfPage>,
) {
  const { digits = null, amount = null } = search ?? {};
  return [
    memberId,
    ids.behind,
    ids.first,
    limit,
    time(from),
    time(to),
    accountId,
    search?.reference ?? null,
    search?.shortEnd ?? null,
    search?.orderId ?? null,
    digits === null ? [] : [...digits.ofAny, ...digits.ofOpen],
    search?.transaction ?? null,
    amount && formatMoney(amount.value),
    search?.account ?? null,
  ];
}

const OWN_ACCOUNT = { walletType: t.oneOf<WalletType>(), accountNumber: t.text };

const sumIn = (name: string) =>
  columns('d', { count: from(name, t.integer), amount: from(`${name}_amount`, t.amount) });
/** How many, and how much in wallet currency. */
export type Sum = RecordOf<ReturnType<typeof sumIn>>;

const DAY = columns('d', {
  date: t.text,
  account: optional(
    columns('a', { accountId: from('d.account_id', t.uuid), ...OWN_ACCOUNT }),
    'accountId',
  ),
  received: sumIn('received'),
  paid: sumIn('paid'),
  failed: t.integer,
});
/** What an account had on a day. */
export type AccountDay = RecordOf<typeof DAY>;

/**
 * By day of creation and account, the latest day first; `utcOffset` in minutes. The orders are those
 * of the index orders_of_member.
 */
export const readAccountDays = readsAll(
  'days-of-member',
  `select ${DAY.list}
   from (
     select date, account_id,
       (count(*) filter (where settled and order_type = 'Deposit'))::integer as received,
       coalesce(
         sum(float_amount) filter (where settled and order_type = 'Deposit'),
         0
       ) as received_amount,
       (count(*) filter (where settled and order_type = 'Withdrawal'))::integer as paid,
       coalesce(
         sum(float_amount) filter (where settled and order_type = 'Withdrawal'),
         0
       ) as paid_amount,
       (count(*) filter (where not settled))::integer as failed
     from (
       select account_id, order_type, float_amount, completed_at is not null as settled,
         to_char(
           created_at at time zone 'UTC' + make_interval(mins => $6),
           'YYYY-MM-DD'
         ) as date
       from orders
       where member_id = $1
         and status in ${ENDED}
         and order_id >= $2::uuid
         and order_id < $3::uuid
         and created_at >= $4
         and created_at < $5
     ) o
     group by date, account_id
   ) d
   left join member_accounts a on a.account_id = d.account_id
   order by d.date desc, a.wallet_type, a.account_number`,
  DAY,
  (memberId: string, { from, to }: CreatedBetween, utcOffset: number) => [
    memberId,
    firstIdOf(from),
    firstIdOf(to + ID_MARGIN_MS),
    time(from),
    time(to),
    utcOffset,
  ],
);

/** What operators gave a member on each day, and took. */
export const readFloatDays = readsAll(
  'float-days-of-member',
  `select to_char(posted_at at time zone 'UTC' + make_interval(mins => $4), 'YYYY-MM-DD') as date,
     coalesce(sum(member_float) filter (where member_float > 0), 0) as added,
     coalesce(sum(-member_float) filter (where member_float < 0), 0) as taken
   from postings
   where member_id = $1 and kind = 'float' and posted_at >= $2 and posted_at < $3
   group by date`,
  answers({ date: t.text, added: t.amount, taken: t.amount }),
  (memberId: string, { from, to }: CreatedBetween, utcOffset: number) => [
    memberId,
    time(from),
    time(to),
    utcOffset,
  ],
);

const STEP = answers({
  at: t.instant,
  toStatus: t.oneOf<Status>(),
  trigger: t.oneOf<Trigger>(),
  actorKind: t.oneOf<'merchant' | 'customer' | 'member' | 'operator' | 'clock'>(),
  actorId: orNull(t.text),
  note: orNull(t.text),
  number: t.integer,
});
/** A step of an order, its creation included. */
export type OrderStep = RecordOf<typeof STEP>;

/** Everything that an order went through, the first step first. */
export const readSteps = readsAll(
  'steps-of-order',
  `select created_at as at, created_status as to_status, 'created' as trigger,
     'merchant' as actor_kind, null as actor_id, null as note, 0 as number
   from orders
   where order_id = $1
   union all
   select at, to_status, trigger, actor_kind, actor_id, note, number
   from order_moves
   where order_id = $1
   order by number
   limit 1000`,
  STEP,
  (orderId: string) => [orderId],
);

const MOVED = columns('o', {
  orderId: t.uuid,
  orderType: t.oneOf<OrderType>(),
  account: optional(columns('a', { accountId: t.uuid, ...OWN_ACCOUNT }), 'accountId'),
});
/** What a movement of the float was about. */
export type MovedOrder = Omit<RecordOf<typeof MOVED>, 'orderId'>;

const listMoved = readsAll(
  'moved-orders',
  `select ${MOVED.list}
   from orders o
   left join member_accounts a on a.account_id = o.account_id and a.member_id = $2
   where o.order_id = any($1::uuid[])`,
  MOVED,
  (orderIds: readonly string[], memberId: string) => [orderIds, memberId],
);

/** These orders by their ids, each with the member's own account where it was theirs. */
export async function readMovedOrders(
  db: Queryable,
  orderIds: readonly string[],
  memberId: string,
): Promise<ReadonlyMap<string, MovedOrder>> {
  const rows = orderIds.length === 0 ? [] : await listMoved(db, orderIds, memberId);
  return new Map(rows.map(({ orderId, ...moved }) => [orderId, moved]));
}
