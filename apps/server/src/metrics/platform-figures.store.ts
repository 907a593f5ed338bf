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
import { countQueues, totalOf } from '../now/queues.store.ts';
import { answers, orNull, t } from '../platform/database/columns.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { time } from '../platform/database/rows.ts';
import { readsAll, readsRow } from '../platform/database/statement.ts';
import { readRounds } from '../retention/store.ts';
import { findNextAttempt } from '../webhooks/queue.store.ts';

/** What `/metrics` shows of the platform, each found by a partial index and counted to a limit. */

/** An outage may leave more: a figure this high says enough. */
const COUNTED_MAX = 100_000;

const IN_STATE = `select order_type, wallet_type, status,
       greatest(created_at, awaiting_at, holder_since, sent_at) as since
     from orders`;

/** Open orders by their state. */
const countOrdersByState = readsAll(
  'orders-by-state',
  `select order_type, wallet_type, status, count(*)::integer as count, min(since) as oldest_at
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
    /** When the one that has been there longest was last created, given to a member or paid. */
    oldestAt: t.instant,
  }),
);

/** Orders that time should have moved on before this. */
const countOverdue = readsRow(
  'overdue-orders',
  `select count(*)::integer as count, min(due_at) as oldest_at
   from (
     select due_at
     from orders
     where due_at < $1 and status = any($2::text[])
     order by due_at
     limit ${COUNTED_MAX}
   ) o`,
  answers({ count: t.integer, oldestAt: orNull(t.instant) }),
  (before: Instant) => [time(before), TIMED_STATUSES],
);

/** Deliveries that wait for an attempt. */
const countWaitingDeliveries = readsRow(
  'waiting-deliveries',
  `select (count(*) filter (where attempts = 0))::integer as first,
     (count(*) filter (where attempts > 0))::integer as retry
   from (
     select attempts
     from delivery_queue
     limit ${COUNTED_MAX}
   ) q`,
  answers({
    first: t.integer,
    /** They have failed before. */
    retry: t.integer,
  }),
);

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
    queues: totalOf(await countQueues(db, now), null),
    audit: await readCheckState(db),
    books: await readLatestChecks(db, now),
    retention: await readRounds(db, now),
  };
}
