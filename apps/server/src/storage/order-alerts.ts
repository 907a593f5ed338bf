import type { Instant, Money } from '@munshi/core';
import { money } from '@munshi/core';
import type { Queryable } from './db.ts';
import { time } from './rows.ts';
import { query, statement } from './statement.ts';

/** What called a member: a withdrawal was assigned, or a deposit's customer has confirmed. */
export type AlertKind = 'assigned' | 'customer-confirmed';

/** An order that calls its member, since when. */
export interface AlertedOrder {
  readonly orderId: string;
  readonly memberId: string;
  readonly kind: AlertKind;
  readonly alertedAt: Instant;
}

const MARK_SEEN = statement<{ readonly seen_at: Instant; readonly alerted_at: Instant }>(
  'mark-alert-seen',
  `insert into order_alerts as a (order_id, member_id, kind, alerted_at, seen_at)
   values ($1, $2, $3, $4, $5)
   on conflict (order_id, member_id) do update
   set seen_at = coalesce(a.seen_at, excluded.seen_at),
     next_at = null
   returning seen_at, alerted_at`,
);

/** The first time counts; answers it. Nothing more is sent of the alert. */
export async function markAlertSeen(
  db: Queryable,
  { orderId, memberId, kind, alertedAt }: AlertedOrder,
  now: Instant,
): Promise<{ readonly seenAt: Instant; readonly alertedAt: Instant }> {
  const values = [orderId, memberId, kind, time(alertedAt), time(now)];
  const [row] = await query(db, MARK_SEEN, values);
  return { seenAt: row?.seen_at ?? now, alertedAt: row?.alerted_at ?? alertedAt };
}

/** What a member has said of an order in hand, and when they saw its alert. */
export interface MemberMarks {
  readonly seenAt: Instant | null;
  readonly sendingSince: Instant | null;
  readonly told: readonly {
    readonly kind: 'otherAmount' | 'moneySeen';
    readonly amount: Money | null;
    readonly note: string;
    readonly at: Instant;
  }[];
}

type Mark = 'seen' | 'sending' | MemberMarks['told'][0]['kind'];

const MARKS = statement<{
  readonly order_id: string;
  readonly kind: Mark;
  readonly amount: string | null;
  readonly note: string;
  readonly at: Instant;
}>(
  'marks-of-member',
  `select order_id, kind, amount, note, at
   from order_notes
   where order_id = any($1::uuid[])
     and actor_kind = 'member'
     and actor_id = $2::uuid::text
     and kind <> 'report'
   union all
   select order_id, 'seen', null, '', seen_at
   from order_alerts
   where order_id = any($1::uuid[]) and member_id = $2::uuid and seen_at is not null
   order by at`,
);

/** Those of one member, by order. Orders without any are left out. */
export async function readMemberMarks(
  db: Queryable,
  orderIds: readonly string[],
  memberId: string,
): Promise<ReadonlyMap<string, MemberMarks>> {
  if (orderIds.length === 0) return new Map();
  const rows = await query(db, MARKS, [orderIds, memberId]);
  const byOrder = Map.groupBy(rows, (row) => row.order_id);
  return new Map(
    [...byOrder].map(([orderId, marks]) => [
      orderId,
      {
        seenAt: marks.find(({ kind }) => kind === 'seen')?.at ?? null,
        sendingSince: marks.find(({ kind }) => kind === 'sending')?.at ?? null,
        told: marks.flatMap(({ kind, amount, note, at }) =>
          kind === 'otherAmount' || kind === 'moneySeen'
            ? [{ kind, amount: amount === null ? null : money(amount), note, at }]
            : [],
        ),
      },
    ]),
  );
}

/** An alert as operators look at it. */
export interface OrderAlert extends AlertedOrder {
  readonly memberName: string;
  readonly seenAt: Instant | null;
  /** When a push service first took it. */
  readonly pushedAt: Instant | null;
  readonly secondAt: Instant | null;
  readonly secondError: string | null;
  readonly thirdAt: Instant | null;
  readonly thirdError: string | null;
  readonly missedAt: Instant | null;
}

const OF_ORDER = statement<{
  readonly order_id: string;
  readonly member_id: string;
  readonly member_name: string;
  readonly kind: AlertKind;
  readonly alerted_at: Instant;
  readonly seen_at: Instant | null;
  readonly pushed_at: Instant | null;
  readonly second_at: Instant | null;
  readonly second_error: string | null;
  readonly third_at: Instant | null;
  readonly third_error: string | null;
  readonly missed_at: Instant | null;
}>(
  'alerts-of-order',
  `select a.*, m.name as member_name
   from order_alerts a
   join members m on m.member_id = a.member_id
   where a.order_id = $1
   order by a.alerted_at
   limit 100`,
);

/** The first one first. */
export async function listAlertsOfOrder(
  db: Queryable,
  orderId: string,
): Promise<readonly OrderAlert[]> {
  return (await query(db, OF_ORDER, [orderId])).map((row) => ({
    orderId: row.order_id,
    memberId: row.member_id,
    memberName: row.member_name,
    kind: row.kind,
    alertedAt: row.alerted_at,
    seenAt: row.seen_at,
    pushedAt: row.pushed_at,
    secondAt: row.second_at,
    secondError: row.second_error,
    thirdAt: row.third_at,
    thirdError: row.third_error,
    missedAt: row.missed_at,
  }));
}
