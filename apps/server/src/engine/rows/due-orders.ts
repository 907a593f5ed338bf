import { type Instant, TIMED_STATUSES } from '@munshi/core';
import { columns, only, orNull, type RecordOf, t } from '../../platform/database/columns.ts';
import { time } from '../../platform/database/rows.ts';
import { readsAll, readsRow } from '../../platform/database/statement.ts';
import { ofOrder } from './order-row.ts';

const DUE_ORDER = columns(
  'o',
  ofOrder([
    'merchantId',
    'orderId',
    'orderType',
    'walletType',
    'currency',
    'amount',
    'floatAmount',
    'status',
    'memberId',
    'formerMemberIds',
    'reassignments',
    'maxRetryCount',
    'dueAt',
  ]),
);
/** What the clock's commands need to know of an order before it is locked. */
export type DueOrder = RecordOf<typeof DUE_ORDER>;

/**
 * Orders that time moves on whose deadline has come, the earliest first, but for those that are
 * `left`.
 */
export const findDue = readsAll(
  'due',
  `select ${DUE_ORDER.list}
   from orders o
   where o.due_at <= $1
     and o.status = any($2::text[])
     and o.order_id <> all($3::uuid[])
   order by o.due_at, o.order_id
   limit $4`,
  DUE_ORDER,
  (at: Instant, left: readonly string[], limit: number) => [time(at), TIMED_STATUSES, left, limit],
);

/**
 * When the next deadline after this one comes, null when there is none. What is due and has not
 * moved by itself waits for an operator.
 */
export const findNextDue = readsRow(
  'next-due',
  `select min(due_at) as at
   from orders
   where due_at > $1 and status = any($2::text[])`,
  only('at', orNull(t.instant)),
  (after: Instant) => [time(after), TIMED_STATUSES],
);

/** The condition of the index orders_waiting. */
const WAITS = `o.status = 'Awaiting'
     and o.order_type = 'Withdrawal'
     and o.customer_account_number is not null`;

/** Withdrawals that wait for a member, oldest first, after the given one. */
export const findWaiting = readsAll(
  'waiting',
  `select ${DUE_ORDER.list}
   from orders o
   where ${WAITS}
     and o.wallet_type = any($1::text[])
     and ($2::uuid is null or o.order_id > $2::uuid)
   order by o.order_id
   limit $3`,
  DUE_ORDER,
  (walletTypes: readonly string[], after: string | null, limit: number) => [
    walletTypes,
    after,
    limit,
  ],
);

/** Whether any withdrawal waits for a member. */
export const anyWaiting = readsRow(
  'any-waiting',
  `select exists (
     select from orders o
     where ${WAITS}
   ) as waits`,
  only('waits', t.boolean),
);

/**
 * Deposits not paid yet whose member or account is withdrawn (states.md#cancelled,
 * states.md#queued), but for those that are `left`.
 */
export const findWithdrawn = readsAll(
  'withdrawn',
  // Materialized: ordered by id, the limit would have all orders read in that order.
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
   select ${DUE_ORDER.list}
   from o
   where o.order_id <> all($1::uuid[])
   order by o.order_id
   limit $2`,
  DUE_ORDER,
  (left: readonly string[], limit: number) => [left, limit],
);
