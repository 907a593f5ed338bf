import type { Instant, OrderAlertKind } from '@munshi/core';
import { answers, columns, from, orNull, type RecordOf, t } from '../platform/database/columns.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { time } from '../platform/database/rows.ts';
import { query, readsAll, statement } from '../platform/database/statement.ts';

/** An order that calls its member, since when. */
export interface AlertedOrder {
  readonly orderId: string;
  readonly memberId: string;
  readonly kind: OrderAlertKind;
  readonly alertedAt: Instant;
}

/**
 * A payout that comes back to a member calls them again: the alert takes the place of the one of
 * their earlier assignment (states.md#awaitingmemberpayout).
 */
export const BEGUN_AGAIN = [
  'pushed_at',
  'second_at',
  'second_error',
  'third_at',
  'third_error',
  'missed_at',
]
  .map((column) => `${column} = case when a.alerted_at >= excluded.alerted_at then a.${column} end`)
  .concat('alerted_at = greatest(a.alerted_at, excluded.alerted_at)')
  .join(',\n     ');

const MARK_SEEN = statement(
  'mark-alert-seen',
  `insert into order_alerts as a (order_id, member_id, kind, alerted_at, seen_at)
   values ($1, $2, $3, $4, $5)
   on conflict (order_id, member_id) do update
   set ${BEGUN_AGAIN},
     seen_at = case
       when a.alerted_at < excluded.alerted_at then excluded.seen_at
       else coalesce(a.seen_at, excluded.seen_at)
     end,
     next_at = null
   returning seen_at, alerted_at`,
  answers({ seenAt: t.instant, alertedAt: t.instant }),
);

/** The first time counts; answers it. Nothing more is sent of the alert. */
export async function markAlertSeen(
  db: Queryable,
  { orderId, memberId, kind, alertedAt }: AlertedOrder,
  now: Instant,
): Promise<{ readonly seenAt: Instant; readonly alertedAt: Instant }> {
  const values = [orderId, memberId, kind, time(alertedAt), time(now)];
  const [row] = await query(db, MARK_SEEN, values);
  return { seenAt: row?.seenAt ?? now, alertedAt: row?.alertedAt ?? alertedAt };
}

const ALERT_COLUMNS = {
  orderId: t.uuid,
  memberId: t.uuid,
  memberName: from('m.name', t.text),
  kind: t.oneOf<OrderAlertKind>(),
  alertedAt: t.instant,
  seenAt: orNull(t.instant),
  /** When a push service first took it. */
  pushedAt: orNull(t.instant),
  secondAt: orNull(t.instant),
  secondError: orNull(t.text),
  thirdAt: orNull(t.instant),
  thirdError: orNull(t.text),
  missedAt: orNull(t.instant),
};
const ALERT = columns('a', ALERT_COLUMNS);
/** An alert as operators look at it. */
export type OrderAlert = RecordOf<typeof ALERT>;

/** The first one first. */
export const listAlertsOfOrder = readsAll(
  'alerts-of-order',
  `select ${ALERT.list}
   from order_alerts a
   join members m on m.member_id = a.member_id
   where a.order_id = $1
   order by a.alerted_at
   limit 100`,
  ALERT,
  (orderId: string) => [orderId],
);

/** An alert of a member as operators look at it. */
const MEMBER_ALERT = columns('a', {
  ...ALERT_COLUMNS,
  orderReference: from('o.order_reference', t.text),
});

const SEEN_OF_LATE = statement(
  'alerts-seen-of-late',
  `select m.member_id, max(a.seen_at) as seen_at,
     (count(*) filter (where a.missed_at is not null and a.seen_since = 0))::integer as missed
   from unnest($1::uuid[]) as m (member_id)
   cross join lateral (
     select seen_at, missed_at, count(seen_at) over (order by alerted_at desc) as seen_since
     from (
       select alerted_at, seen_at, missed_at
       from order_alerts
       where member_id = m.member_id
       order by alerted_at desc
       limit 200
     ) last
   ) a
   group by m.member_id`,
  answers({ memberId: t.uuid, seenAt: orNull(t.instant), missed: t.integer }),
);

/** Of a member's last 200 alerts: when they last saw one, and how many they have missed since. */
export async function readAlertsOfLate(db: Queryable, memberIds: readonly string[]) {
  const rows = await query(db, SEEN_OF_LATE, [memberIds]);
  const byMember = new Map(rows.map(({ memberId, ...alerts }) => [memberId, alerts]));
  return (memberId: string) => byMember.get(memberId) ?? { seenAt: null, missed: 0 };
}

/** The newest first. */
export const listAlertsOfMember = readsAll(
  'alerts-of-member',
  `select ${MEMBER_ALERT.list}
   from (
     select *
     from order_alerts
     where member_id = $1
     order by alerted_at desc
     limit $2
   ) a
   join orders o on o.order_id = a.order_id
   join members m on m.member_id = a.member_id
   order by a.alerted_at desc`,
  MEMBER_ALERT,
  (memberId: string, limit: number) => [memberId, limit],
);
