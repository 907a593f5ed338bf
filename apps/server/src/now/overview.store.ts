import type { Instant, WalletType } from '@munshi/core';
import { CONFIRM_MEDIAN } from '../engine/rows/confirm-times.ts';
import { ENDED_OR_LEGACY, FAILED } from '../engine/rows/order-statuses.ts';
import { answers, only, orNull, type RecordOf, t } from '../platform/database/columns.ts';
import { firstIdOf } from '../platform/database/first-id.ts';
import { time } from '../platform/database/rows.ts';
import { readsAll, readsRow } from '../platform/database/statement.ts';
import { WITHOUT_MEMBER } from './queues.store.ts';

/** How the platform does now: open orders, members with room, and what became of recent orders. */

const OPEN_ORDERS = answers({
  walletType: t.oneOf<WalletType>(),
  waiting: t.integer,
  oldestWaitingAt: orNull(t.instant),
  inHand: t.integer,
  toConfirm: t.integer,
  soonestDueAt: orNull(t.instant),
});
export type OpenOrders = RecordOf<typeof OPEN_ORDERS>;

export const countOpenOrders = readsAll(
  'open-orders-by-method',
  `select wallet_type,
     sum(waiting)::integer as waiting, min(oldest) as oldest_waiting_at,
     sum(in_hand)::integer as in_hand, sum(to_confirm)::integer as to_confirm,
     min(soonest) as soonest_due_at
   from (
     select o.wallet_type, 0 as waiting, null::timestamptz as oldest, count(*) as in_hand,
       count(*) filter (
         where o.status in ('AwaitingMemberConfirmation', 'AwaitingMemberPayout')
       ) as to_confirm,
       min(o.due_at) filter (
         where o.status in ('AwaitingMemberConfirmation', 'AwaitingMemberPayout')
       ) as soonest
     from orders o
     where o.due_at is not null and o.member_id is not null
     group by o.wallet_type
     union all
     select o.wallet_type, count(*), min(o.created_at), 0, 0, null
     from orders o
     where ${WITHOUT_MEMBER}
     group by o.wallet_type
   ) counted
   group by wallet_type`,
  OPEN_ORDERS,
);

const ROOM = answers({
  walletType: t.oneOf<WalletType>(),
  members: t.integer,
  orders: t.integer,
  float: t.amount,
});
/** What members have room for, by the methods of their accounts. */
export type Capacity = RecordOf<typeof ROOM>;

export const readCapacity = readsAll(
  'capacity-by-method',
  `select a.wallet_type, count(*)::integer as members,
     sum(m.max_open_orders - m.open_orders)::integer as orders,
     sum(greatest(m.float_balance - m.float_held, 0)) as float
   from (
     select distinct wallet_type, member_id
     from member_accounts
     where status = 'approved' and not paused
   ) a
   join members m on m.member_id = a.member_id
   where m.online and m.status = 'active' and m.open_orders < m.max_open_orders
   group by a.wallet_type`,
  ROOM,
);

export const countMembersOnline = readsRow(
  'count-members-online',
  `select count(*)::integer as count
   from members
   where online and status = 'active'`,
  only('count', t.integer),
);

const OUTCOME = answers({
  walletType: t.oneOf<WalletType>(),
  created: t.integer,
  completed: t.integer,
  failed: t.integer,
  medianConfirmSeconds: orNull(t.integer),
});
/** What became of the orders of a method that were created in a span of time. */
export type Outcomes = RecordOf<typeof OUTCOME>;

/** Of orders created from `from` on and before `to`: ids sort by creation. */
export const readOutcomes = readsAll(
  'outcomes-by-method',
  `select wallet_type, count(*)::integer as created,
     (count(*) filter (where completed_at is not null))::integer as completed,
     (count(*) filter (where status in ${FAILED}))::integer as failed,
     (${CONFIRM_MEDIAN} filter (where order_type = 'Deposit' and status in ${ENDED_OR_LEGACY}
       and completed_at is not null))::integer as median_confirm_seconds
   from orders
   where order_id >= $1::uuid and order_id < $2::uuid
   group by wallet_type`,
  OUTCOME,
  (from: Instant, to: Instant) => [firstIdOf(from), firstIdOf(to)],
);

const SLICE = answers({
  /** From 0; parts in which nothing was created are not there. */
  slice: t.integer,
  created: t.integer,
  completed: t.integer,
  failed: t.integer,
});
/** What became of the orders that were created in a part of a span of time. */
export type Slice = RecordOf<typeof SLICE>;

/** Of orders created from `from` on and before `to`, by parts of `sliceMs`. */
export const readSlices = readsAll(
  'outcomes-by-slice',
  `select floor(
       extract(epoch from created_at - $3::timestamptz) * 1000 / $4::integer
     )::integer as slice,
     count(*)::integer as created,
     (count(*) filter (where completed_at is not null))::integer as completed,
     (count(*) filter (where status in ${FAILED}))::integer as failed
   from orders
   where order_id >= $1::uuid and order_id < $2::uuid
   group by slice`,
  SLICE,
  ({
    from,
    to,
    sliceMs,
  }: {
    readonly from: Instant;
    readonly to: Instant;
    readonly sliceMs: number;
  }) => [firstIdOf(from), firstIdOf(to), time(from), sliceMs],
);
