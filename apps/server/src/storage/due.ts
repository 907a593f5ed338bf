import { type Instant, type Order, TIMED_STATUSES } from '@munshi/core';
import type { Queryable } from './db.ts';
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
const iso = (at: Instant) => new Date(at).toISOString();

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
  const text = `select ${part.list} from orders o
    where o.due_at <= $1 and o.status = any($2::text[]) and o.order_id <> all($3::uuid[]) order by o.due_at, o.order_id limit $4`;
  const { rows } = await db.query({
    name: 'due',
    text,
    values: [iso(at), TIMED_STATUSES, left, limit],
  });
  return rows.map(part.read);
}

/**
 * When the next deadline after this one comes, null when there is none. What is due and has not
 * moved by itself waits for an operator.
 */
export async function findNextDue(db: Queryable, after: Instant): Promise<Instant | null> {
  const text =
    'select min(due_at) as at from orders where due_at > $1 and status = any($2::text[])';
  const { rows } = await db.query({ name: 'next-due', text, values: [iso(after), TIMED_STATUSES] });
  return rows[0].at;
}

/** Withdrawals that wait for a member, oldest first (D59), after the given one. */
export async function findWaiting(
  db: Queryable,
  walletTypes: readonly string[],
  after: string | null,
  limit: number,
): Promise<readonly DueOrder[]> {
  const text = `select ${part.list} from orders o
    where o.status = 'Awaiting' and o.order_type = 'Withdrawal' and o.customer_account_number is not null
      and o.wallet_type = any($1::text[]) and ($2::uuid is null or o.order_id > $2::uuid)
    order by o.order_id limit $3`;
  const { rows } = await db.query({ name: 'waiting', text, values: [walletTypes, after, limit] });
  return rows.map(part.read);
}

/** Whether any withdrawal waits for a member. */
export async function anyWaiting(db: Queryable): Promise<boolean> {
  const text = `select exists (select from orders where status = 'Awaiting' and order_type = 'Withdrawal' and customer_account_number is not null) as any`;
  const { rows } = await db.query({ name: 'any-waiting', text });
  return rows[0].any;
}

/**
 * Deposits not paid yet whose member or account is withdrawn (D38, D58), but for those that are
 * `left`.
 */
export async function findWithdrawn(
  db: Queryable,
  left: readonly string[],
  limit: number,
): Promise<readonly DueOrder[]> {
  const text = `with o as materialized (
      select * from orders where status in ('Queued', 'AwaitingCustomerPayment') and account_id = any (array(
        select a.account_id from member_accounts a join members m on m.member_id = a.member_id where a.status <> 'approved' or m.status <> 'active')))
    select ${part.list} from o where o.order_id <> all($1::uuid[]) order by o.order_id limit $2`;
  const { rows } = await db.query({ name: 'withdrawn', text, values: [left, limit] });
  return rows.map(part.read);
}

/** Forgets signed bodies whose replay window has passed; answers how many. */
export async function deleteReplaysBefore(
  db: Queryable,
  at: Instant,
  limit: number,
): Promise<number> {
  const text = `delete from signature_replays where (merchant_id, key_id, digest) in (
    select merchant_id, key_id, digest from signature_replays where accepted_at < $1 limit $2)`;
  const { rowCount } = await db.query({ name: 'delete-replays', text, values: [iso(at), limit] });
  return rowCount ?? 0;
}
