import { type Instant, type Order, TIMED_STATUSES } from '@munshi/core';
import type { Queryable } from '../db.ts';
import { time } from '../rows.ts';
import { query, statement } from '../statement.ts';
import { partOfOrder } from './order-row.ts';

/** What the clock's commands need to know of an order before it is locked. */
export type DueOrder = Pick<Order, (typeof DUE_PROPERTIES)[number]>;

const DUE_PROPERTIES = [
  'merchantId',
  'orderId',
  'orderType',
  'walletType',
  'amount',
  'floatAmount',
  'status',
  'memberId',
  'formerMemberIds',
  'reassignments',
  'maxRetryCount',
  'dueAt',
] as const satisfies readonly (keyof Order)[];

const part = partOfOrder('o', DUE_PROPERTIES);

const DUE = statement(
  'due',
  `select ${part.list}
   from orders o
   where o.due_at <= $1
     and o.status = any($2::text[])
     and o.order_id <> all($3::uuid[])
   order by o.due_at, o.order_id
   limit $4`,
);

/**
 * Orders that time moves on whose deadline has come, the earliest first, but for those that are
 * `left`.
 */
export async function findDue(
  db: Queryable,
  at: Instant,
  left: readonly string[],
  limit: number,
): Promise<readonly DueOrder[]> {
  return (await query(db, DUE, [time(at), TIMED_STATUSES, left, limit])).map(part.read);
}

const NEXT_DUE = statement<{ readonly at: Instant | null }>(
  'next-due',
  `select min(due_at) as at
   from orders
   where due_at > $1 and status = any($2::text[])`,
);

/**
 * When the next deadline after this one comes, null when there is none. What is due and has not
 * moved by itself waits for an operator.
 */
export async function findNextDue(db: Queryable, after: Instant): Promise<Instant | null> {
  const [row] = await query(db, NEXT_DUE, [time(after), TIMED_STATUSES]);
  return row?.at ?? null;
}

/** The condition of the index orders_waiting. */
const WAITS = `o.status = 'Awaiting'
     and o.order_type = 'Withdrawal'
     and o.customer_account_number is not null`;

const WAITING = statement(
  'waiting',
  `select ${part.list}
   from orders o
   where ${WAITS}
     and o.wallet_type = any($1::text[])
     and ($2::uuid is null or o.order_id > $2::uuid)
   order by o.order_id
   limit $3`,
);

/** Withdrawals that wait for a member, oldest first, after the given one. */
export async function findWaiting(
  db: Queryable,
  walletTypes: readonly string[],
  after: string | null,
  limit: number,
): Promise<readonly DueOrder[]> {
  return (await query(db, WAITING, [walletTypes, after, limit])).map(part.read);
}

const ANY_WAITING = statement<{ readonly waits: boolean }>(
  'any-waiting',
  `select exists (
     select from orders o
     where ${WAITS}
   ) as waits`,
);

/** Whether any withdrawal waits for a member. */
export async function anyWaiting(db: Queryable): Promise<boolean> {
  const [row] = await query(db, ANY_WAITING);
  return row?.waits === true;
}

/** Materialized: ordered by id, the limit would have all orders read in that order. */
const WITHDRAWN = statement(
  'withdrawn',
  `with o as materialized (
     select *
     from orders
     where status in ('Queued', 'AwaitingCustomerPayment')
       and account_id = any(array(
         select a.account_id
         from member_accounts a
         join members m on m.member_id = a.member_id
         where a.status <> 'approved' or m.status <> 'active'
       ))
   )
   select ${part.list}
   from o
   where o.order_id <> all($1::uuid[])
   order by o.order_id
   limit $2`,
);

/**
 * Deposits not paid yet whose member or account is withdrawn (states.md#cancelled,
 * states.md#queued), but for those that are `left`.
 */
export async function findWithdrawn(
  db: Queryable,
  left: readonly string[],
  limit: number,
): Promise<readonly DueOrder[]> {
  return (await query(db, WITHDRAWN, [left, limit])).map(part.read);
}
