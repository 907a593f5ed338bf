import {
  type Instant,
  type NoteKind,
  type OrderQueue,
  QUEUES,
  type Queue,
  type Trigger,
} from '@munshi/core';
import { asksAboutOrder } from '../engine/rows/approvals.ts';
import { FAILED } from '../engine/rows/order-statuses.ts';
import { LISTED_ORDER } from '../orders/list.store.ts';
import {
  answers,
  columns,
  optional,
  orNull,
  type RecordOf,
  t,
} from '../platform/database/columns.ts';
import { FIRST_ID } from '../platform/database/first-id.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { time } from '../platform/database/rows.ts';
import { query, readsAll, statement } from '../platform/database/statement.ts';

/** What waits for operators. Every queue is found by a partial index that has few rows. */

/** Which orders `o` are in a queue, and since when, which is what they are sorted by. */
interface QueueRule {
  readonly where: string;
  readonly since: string;
  /** What comes before everything else is 0. */
  readonly rank?: string;
}

/** The condition of the index orders_without_member. */
export const WITHOUT_MEMBER = `((o.status = 'Awaiting'
           and (o.order_type = 'Deposit' or o.customer_account_number is not null))
         or (o.status = 'Queued' and o.member_id is null))`;

/** The parameter `$1` is now. */
const RULES: Readonly<Record<OrderQueue, QueueRule>> = {
  paidNotConfirmed: {
    where: `o.order_id = any(array(
         select order_id
         from orders
         where status = 'ManualReview' and order_type = 'Deposit' and sent_at is not null
         union all
         select order_id
         from order_notes
         where kind = 'otherAmount' and at > $1::timestamptz - interval '7 days'
       ))
       and o.order_type = 'Deposit'
       and o.sent_at is not null
       and o.status in ('ManualReview', 'AwaitingMemberConfirmation')`,
    since: 'o.sent_at',
    rank: `(select (count(*) = 0)::integer
       from order_notes n
       where n.order_id = o.order_id and n.kind = 'otherAmount')`,
  },
  moneySeen: {
    where: `o.order_id = any(array(
         select order_id
         from order_notes
         where kind = 'moneySeen' and at > $1::timestamptz - interval '3 days'
       ))
       and o.order_type = 'Deposit'
       and o.status in ${FAILED}`,
    since: 'o.failed_at',
  },
  payoutsInDoubt: {
    where: `o.status = 'ManualReview' and o.order_type = 'Withdrawal'`,
    since: 'coalesce(o.holder_since, o.created_at)',
    rank: `(select (x.trigger is distinct from 'member-reported')::integer
       from order_moves x
       where x.order_id = o.order_id and x.number = o.moves)`,
  },
  escalatedUnpaid: {
    where: `o.status = 'ManualReview' and o.order_type = 'Deposit' and o.sent_at is null`,
    since: 'o.created_at',
  },
  aboutToRunOut: {
    where: `o.due_at <= $1::timestamptz + interval '5 minutes'
       and o.status in ('AwaitingMemberConfirmation', 'AwaitingMemberPayout')`,
    since: 'o.due_at',
  },
  waitingForMember: {
    where: WITHOUT_MEMBER,
    since: 'o.created_at',
  },
};

const QUEUED = columns('o', {
  ...LISTED_ORDER,
  rank: t.integer,
  since: t.instant,
  /** How it came to its status; null: it was created so. */
  lastMove: optional(
    columns('x', { at: t.instant, trigger: t.oneOf<Trigger>(), note: orNull(t.text) }),
    'trigger',
  ),
  /** The member's latest statement about it. */
  told: optional(
    columns('n', {
      kind: t.oneOf<NoteKind>(),
      amount: orNull(t.amount),
      note: t.text,
      at: t.instant,
    }),
    'kind',
  ),
});
/** An order in a queue. */
export type QueuedOrder = RecordOf<typeof QUEUED>;

/** An order's position in its queue. */
export type QueuePlace = Pick<QueuedOrder, 'rank' | 'since'> & { readonly orderId: string };

const listing = (queue: OrderQueue) => {
  const { where, since, rank = '1' } = RULES[queue];
  return statement(
    `list-queue-${queue}`,
    `select ${QUEUED.list}
     from (
       select *
       from (
         select o.*, ${since} as since, ${rank} as rank
         from orders o
         where ${where}
           and o.order_id <> all (array(
             select a.target::uuid
             from approvals a
             where a.requested_by = $6 and ${asksAboutOrder('$1')}
           ))
       ) o
       where (o.rank, o.since, o.order_id) > ($2::integer, $3::timestamptz, $4::uuid)
         and $1::timestamptz is not null
       order by o.rank, o.since, o.order_id
       limit $5
     ) o
     join merchants b on b.merchant_id = o.merchant_id
     left join members m on m.member_id = o.member_id
     left join order_moves x on x.order_id = o.order_id and x.number = o.moves
     left join lateral (
       select kind, amount, note, at
       from order_notes
       where order_id = o.order_id and kind <> 'report'
       order by at desc
       limit 1
     ) n on true
     order by o.rank, o.since, o.order_id`,
    QUEUED,
  );
};
const LISTS: Readonly<Record<OrderQueue, ReturnType<typeof listing>>> = {
  paidNotConfirmed: listing('paidNotConfirmed'),
  payoutsInDoubt: listing('payoutsInDoubt'),
  escalatedUnpaid: listing('escalatedUnpaid'),
  moneySeen: listing('moneySeen'),
  aboutToRunOut: listing('aboutToRunOut'),
  waitingForMember: listing('waitingForMember'),
};

const FIRST: QueuePlace = { rank: -1, since: 0, orderId: FIRST_ID };

/**
 * The orders of a queue behind `after` (null: from the first), at most `limit`, without those that
 * `operatorId` has asked a second operator about.
 */
export async function listQueue(
  db: Queryable,
  queue: OrderQueue,
  operatorId: string,
  {
    now,
    after,
    limit,
  }: { readonly now: Instant; readonly after: QueuePlace | null; readonly limit: number },
): Promise<readonly QueuedOrder[]> {
  const { rank, since, orderId } = after ?? FIRST;
  const values = [time(now), rank, time(since), orderId, limit, operatorId];
  return query(db, LISTS[queue], values);
}

/** How many wait of which the same operators have asked, and since when the first of them has. */
const COUNTED = answers({
  queue: t.oneOf<Queue>(),
  askers: t.listOf<string>(),
  count: t.integer,
  oldestAt: orNull(t.instant),
});
type Counted = RecordOf<typeof COUNTED>;

interface CountedRows extends QueueRule {
  /** A table `o` with `order_id`. */
  readonly of: string;
}

const countOf = (queue: Queue, { of, where, since }: CountedRows) => `select '${queue}' as queue,
     coalesce(a.askers, '{}') as askers, count(*)::integer as count, min(${since}) as oldest_at
   from ${of} o
   left join asked a on a.order_id = o.order_id
   where ${where}
   group by a.askers`;
const countOrders = (queue: OrderQueue) => countOf(queue, { of: 'orders', ...RULES[queue] });

/** Every queue. */
export const countQueues = readsAll(
  'count-queues',
  `with asked as materialized (
     select a.target::uuid as order_id, array_agg(a.requested_by order by a.requested_by) as askers
     from approvals a
     where ${asksAboutOrder('$1')}
     group by a.target
   )
   ${countOrders('paidNotConfirmed')}
   union all
   ${countOrders('payoutsInDoubt')}
   union all
   ${countOrders('escalatedUnpaid')}
   union all
   ${countOrders('moneySeen')}
   union all
   ${countOrders('aboutToRunOut')}
   union all
   ${countOrders('waitingForMember')}
   union all
   ${countOf('lateClaims', { of: 'late_claims', where: `o.status = 'open'`, since: 'o.claimed_at' })}
   union all
   select 'toApprove', '{}', count(*)::integer, min(requested_at)
   from approvals
   where status in ('pending', 'waiting') and expires_at > $1
   union all
   select 'accountsToApprove', '{}', count(*)::integer, min(created_at)
   from member_accounts
   where status = 'pending'
   union all
   select 'webhooksFailing', '{}', count(*)::integer, min(failing_since)
   from webhook_endpoints
   where failing_since is not null`,
  COUNTED,
  (now: Instant) => [time(now)],
);

/** The queues with what waits in them, without what `operatorId` has asked about; null: all of it. */
export const totalOf = (counted: readonly Counted[], operatorId: string | null) =>
  QUEUES.map((queue) => {
    const own = counted.filter(
      (one) => one.queue === queue && (operatorId === null || !one.askers.includes(operatorId)),
    );
    const times = own.map(({ oldestAt }) => oldestAt).filter((at) => at !== null);
    return {
      queue,
      count: own.reduce((sum, { count }) => sum + count, 0),
      oldestAt: times.length === 0 ? null : Math.min(...times),
    };
  });
