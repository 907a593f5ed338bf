import { type Instant, type Money, money, type WalletType } from '@munshi/core';
import type { Queryable } from '../db.ts';
import { time } from '../rows.ts';
import { query, statement } from '../statement.ts';
import { CONFIRM_MEDIAN } from './confirm-times.ts';
import { firstIdOf } from './first-id.ts';
import { ENDED_OR_LEGACY, FAILED } from './order-statuses.ts';
import { WITHOUT_MEMBER } from './queues.ts';

/** How the platform does now: open orders, members with room, and what became of recent orders. */

export interface OpenOrders {
  readonly walletType: WalletType;
  readonly waiting: number;
  readonly oldestWaitingAt: Instant | null;
  readonly inHand: number;
  readonly toConfirm: number;
  readonly soonestDueAt: Instant | null;
}

const OPEN = statement<{
  readonly wallet_type: WalletType;
  readonly waiting: number;
  readonly oldest: Instant | null;
  readonly in_hand: number;
  readonly to_confirm: number;
  readonly soonest: Instant | null;
}>(
  'open-orders-by-method',
  `select wallet_type,
     sum(waiting)::integer as waiting, min(oldest) as oldest,
     sum(in_hand)::integer as in_hand, sum(to_confirm)::integer as to_confirm,
     min(soonest) as soonest
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
);

export async function countOpenOrders(db: Queryable): Promise<readonly OpenOrders[]> {
  return (await query(db, OPEN)).map((row) => ({
    walletType: row.wallet_type,
    waiting: row.waiting,
    oldestWaitingAt: row.oldest,
    inHand: row.in_hand,
    toConfirm: row.to_confirm,
    soonestDueAt: row.soonest,
  }));
}

/** What members have room for, by the methods of their accounts. */
export interface Capacity {
  readonly walletType: WalletType;
  readonly members: number;
  readonly orders: number;
  readonly float: Money;
}

const CAPACITY = statement<{
  readonly wallet_type: WalletType;
  readonly members: number;
  readonly orders: number;
  readonly float: string;
}>(
  'capacity-by-method',
  `select a.wallet_type, count(*)::integer as members,
     sum(m.max_open_orders - m.open_orders)::integer as orders,
     sum(m.float_balance - m.float_held)::text as float
   from (
     select distinct wallet_type, member_id
     from member_accounts
     where status = 'approved' and not paused
   ) a
   join members m on m.member_id = a.member_id
   where m.online and m.status = 'active' and m.open_orders < m.max_open_orders
   group by a.wallet_type`,
);

export async function readCapacity(db: Queryable): Promise<readonly Capacity[]> {
  return (await query(db, CAPACITY)).map(({ wallet_type, members, orders, float }) => ({
    walletType: wallet_type,
    members,
    orders,
    float: money(float),
  }));
}

const ONLINE = statement<{ readonly count: number }>(
  'count-members-online',
  `select count(*)::integer as count
   from members
   where online and status = 'active'`,
);

export async function countMembersOnline(db: Queryable): Promise<number> {
  return (await query(db, ONLINE))[0]?.count ?? 0;
}

/** What became of the orders of a method that were created in a span of time. */
export interface Outcomes {
  readonly walletType: WalletType;
  readonly created: number;
  readonly completed: number;
  readonly failed: number;
  readonly medianConfirmSeconds: number | null;
}

const OUTCOMES = statement<{
  readonly wallet_type: WalletType;
  readonly created: number;
  readonly completed: number;
  readonly failed: number;
  readonly median_seconds: number | null;
}>(
  'outcomes-by-method',
  `select wallet_type, count(*)::integer as created,
     (count(*) filter (where completed_at is not null))::integer as completed,
     (count(*) filter (where status in ${FAILED}))::integer as failed,
     (${CONFIRM_MEDIAN} filter (where order_type = 'Deposit' and status in ${ENDED_OR_LEGACY}
       and completed_at is not null))::integer as median_seconds
   from orders
   where order_id >= $1::uuid and order_id < $2::uuid
   group by wallet_type`,
);

/** Of orders created from `from` on and before `to`: ids sort by creation. */
export async function readOutcomes(
  db: Queryable,
  from: Instant,
  to: Instant,
): Promise<readonly Outcomes[]> {
  const rows = await query(db, OUTCOMES, [firstIdOf(from), firstIdOf(to)]);
  return rows.map(({ wallet_type, median_seconds, ...counts }) => ({
    walletType: wallet_type,
    ...counts,
    medianConfirmSeconds: median_seconds,
  }));
}

/** What became of the orders that were created in a part of a span of time. */
export interface Slice {
  /** From 0; parts in which nothing was created are not there. */
  readonly slice: number;
  readonly created: number;
  readonly completed: number;
  readonly failed: number;
}

const SLICES = statement<Slice>(
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
);

/** Of orders created from `from` on and before `to`, by parts of `sliceMs`. */
export function readSlices(
  db: Queryable,
  { from, to, sliceMs }: { readonly from: Instant; readonly to: Instant; readonly sliceMs: number },
): Promise<readonly Slice[]> {
  return query(db, SLICES, [firstIdOf(from), firstIdOf(to), time(from), sliceMs]);
}
