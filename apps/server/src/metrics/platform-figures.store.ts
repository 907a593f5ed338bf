import {
  type Instant,
  type OrderType,
  type Status,
  TIMED_STATUSES,
  type WalletType,
} from '@munshi/core';
import { readCheckState } from '../audit/checks.store.ts';
import { readLatestChecks } from '../books/checks.store.ts';
import { countMembersOnline, readCapacity } from '../now/overview.store.ts';
import { countQueues } from '../now/queues.store.ts';
import { answers, orNull, t } from '../platform/database/columns.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { time } from '../platform/database/rows.ts';
import { query, queryOne, statement } from '../platform/database/statement.ts';
import { readRounds } from '../retention/store.ts';
import { findNextAttempt } from '../webhooks/queue.store.ts';

/** What `/metrics` shows of the platform, each found by a partial index and counted to a limit. */

/** An outage may leave more: a figure this high says enough. */
const COUNTED_MAX = 100_000;

/** Open orders in one state. */
interface OrdersInState {
  readonly orderType: OrderType;
  readonly walletType: WalletType;
  readonly status: Status;
  readonly count: number;
  /** When the one that has been there longest was last created, given to a member or paid. */
  readonly oldestAt: Instant;
}

const IN_STATE = `select order_type, wallet_type, status,
       greatest(created_at, awaiting_at, holder_since, sent_at) as since
     from orders`;

const BY_STATE = statement(
  'orders-by-state',
  `select order_type, wallet_type, status, count(*)::integer as count, min(since) as oldest
   from (
     (${IN_STATE}
     where due_at is not null
     limit ${COUNTED_MAX})
     union all
     (${IN_STATE}
     where status = 'ManualReview' and due_at is null
     limit ${COUNTED_MAX})
   ) o
   group by order_type, wallet_type, status`,
  answers({
    orderType: t.oneOf<OrderType>(),
    walletType: t.oneOf<WalletType>(),
    status: t.oneOf<Status>(),
    count: t.integer,
    oldest: t.instant,
  }),
);

async function countOrdersByState(db: Queryable): Promise<readonly OrdersInState[]> {
  return (await query(db, BY_STATE)).map((row) => ({
    orderType: row.orderType,
    walletType: row.walletType,
    status: row.status,
    count: row.count,
    oldestAt: row.oldest,
  }));
}

/** Orders that time should have moved on before this. */
interface Overdue {
  readonly count: number;
  readonly oldestAt: Instant | null;
}

const OVERDUE = statement(
  'overdue-orders',
  `select count(*)::integer as count, min(due_at) as oldest
   from (
     select due_at
     from orders
     where due_at < $1 and status = any($2::text[])
     order by due_at
     limit ${COUNTED_MAX}
   ) o`,
  answers({ count: t.integer, oldest: orNull(t.instant) }),
);

async function countOverdue(db: Queryable, before: Instant): Promise<Overdue> {
  const [row] = await query(db, OVERDUE, [time(before), TIMED_STATUSES]);
  return { count: row?.count ?? 0, oldestAt: row?.oldest ?? null };
}

const WAITING_DELIVERIES = answers({
  first: t.integer,
  /** They have failed before. */
  retry: t.integer,
});

const WAITING = statement(
  'waiting-deliveries',
  `select (count(*) filter (where attempts = 0))::integer as first,
     (count(*) filter (where attempts > 0))::integer as retry
   from (
     select attempts
     from delivery_queue
     limit ${COUNTED_MAX}
   ) q`,
  WAITING_DELIVERIES,
);

/** Deliveries that wait for an attempt. */
async function countWaitingDeliveries(db: Queryable) {
  return (await queryOne(db, WAITING)) ?? { first: 0, retry: 0 };
}

/** As late as the clock's work may be (S8). */
const LATE_MS = 65_000;

export type Platform = Awaited<ReturnType<typeof readPlatform>>;

/** The platform-wide metrics. */
export async function readPlatform(db: Queryable, now: Instant) {
  return {
    orders: await countOrdersByState(db),
    overdue: await countOverdue(db, now),
    late: await countOverdue(db, now - LATE_MS),
    membersOnline: await countMembersOnline(db),
    capacity: await readCapacity(db),
    deliveries: await countWaitingDeliveries(db),
    nextAttemptAt: await findNextAttempt(db),
    queues: await countQueues(db, now),
    audit: await readCheckState(db),
    books: await readLatestChecks(db),
    retention: await readRounds(db),
  };
}
