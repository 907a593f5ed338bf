import { type Currency, type Instant, type Money, money, type Status } from '@munshi/core';
import type { Queryable } from './db.ts';
import type { MemberOrder } from './member-orders.ts';
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

/** Those of one member about orders that they hold, by order. */
export async function readMemberMarks(
  db: Queryable,
  orders: readonly Pick<MemberOrder, 'orderId' | 'holderSince'>[],
  memberId: string,
): Promise<ReadonlyMap<string, MemberMarks>> {
  if (orders.length === 0) return new Map();
  const rows = await query(db, MARKS, [orders.map(({ orderId }) => orderId), memberId]);
  const byOrder = Map.groupBy(rows, (row) => row.order_id);
  return new Map(
    orders.map(({ orderId, holderSince }) => {
      const marks = byOrder.get(orderId) ?? [];
      // What they said of an earlier assignment does not count for this one.
      const isSending = ({ kind, at }: (typeof marks)[number]) =>
        kind === 'sending' && at >= (holderSince ?? 0);
      const told = marks.flatMap(({ kind, amount, note, at }) =>
        kind === 'otherAmount' || kind === 'moneySeen'
          ? [{ kind, amount: amount === null ? null : money(amount), note, at }]
          : [],
      );
      const seenAt = marks.find(({ kind }) => kind === 'seen')?.at ?? null;
      return [orderId, { seenAt, sendingSince: marks.find(isSending)?.at ?? null, told }];
    }),
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

interface AlertRow {
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
}

const OF_ORDER = statement<AlertRow>(
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
  return (await query(db, OF_ORDER, [orderId])).map(readAlert);
}

const readAlert = (row: AlertRow): OrderAlert => ({
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
});

/** Whether anything is sent or counted of alerts, and by which windows orders are due. */
export interface AlertNeeds {
  readonly hasPhones: boolean;
  readonly hasChannels: boolean;
  readonly missedAlertsMax: number | null;
  readonly windows: readonly number[];
}

const NEEDS = statement<{
  readonly has_phones: boolean;
  readonly has_channels: boolean;
  readonly missed_alerts_max: number | null;
  readonly payout_window_seconds: number;
  readonly member_confirmation_window_seconds: number;
}>(
  'alert-needs',
  `select exists (select from push_subscriptions) as has_phones,
     exists (select from alert_channels) as has_channels,
     missed_alerts_max, payout_window_seconds, member_confirmation_window_seconds
   from settings`,
);

export async function readAlertNeeds(db: Queryable): Promise<AlertNeeds> {
  const [row] = await query(db, NEEDS);
  return {
    hasPhones: row?.has_phones ?? false,
    hasChannels: row?.has_channels ?? false,
    missedAlertsMax: row?.missed_alerts_max ?? null,
    windows: [row?.payout_window_seconds ?? 0, row?.member_confirmation_window_seconds ?? 0],
  };
}

/**
 * Orders that have begun to call are found by their deadlines, which are so long after: no index is
 * kept of when they began. $4: for members without a phone too.
 */
const BEGIN = statement(
  'begin-alerts',
  `insert into order_alerts (order_id, member_id, kind, alerted_at, next_at)
   select o.order_id, o.member_id, o.kind, o.called_at, o.called_at
   from (
     select o.order_id, o.member_id,
       case o.status
         when 'AwaitingMemberPayout' then 'assigned'
         else 'customer-confirmed'
       end as kind,
       case o.status when 'AwaitingMemberPayout' then o.holder_since else o.sent_at end
         as called_at
     from unnest($1::integer[]) as w (seconds)
     join orders o
       on o.due_at > $2::timestamptz + make_interval(secs => w.seconds)
       and o.due_at <= $3::timestamptz + make_interval(secs => w.seconds)
     where o.status in ('AwaitingMemberPayout', 'AwaitingMemberConfirmation')
       and o.member_id is not null
   ) o
   where o.called_at > $2
     and ($4 or exists (select from push_subscriptions p where p.member_id = o.member_id))
   on conflict do nothing`,
);

/** Begins the alerts of orders that have called their member since `since`. */
export async function beginAlerts(
  db: Queryable,
  asked: {
    readonly windows: readonly number[];
    readonly since: Instant;
    readonly until: Instant;
    readonly everybody: boolean;
  },
): Promise<void> {
  const { windows, since, until, everybody } = asked;
  await query(db, BEGIN, [windows, time(since), time(until), everybody]);
}

/** An alert to go on with, and its order as it is now. */
export interface DueAlert extends AlertedOrder {
  readonly pushedAt: Instant | null;
  readonly secondAt: Instant | null;
  readonly thirdAt: Instant | null;
  readonly missedAt: Instant | null;
  readonly order: Pick<
    MemberOrder,
    'orderId' | 'memberId' | 'status' | 'holderSince' | 'sentAt' | 'amount' | 'currency' | 'dueAt'
  >;
  readonly memberName: string;
  readonly username: string;
}

const CLAIM = statement<{
  readonly order_id: string;
  readonly member_id: string;
  readonly kind: AlertKind;
  readonly alerted_at: Instant;
  readonly pushed_at: Instant | null;
  readonly second_at: Instant | null;
  readonly third_at: Instant | null;
  readonly missed_at: Instant | null;
  readonly holder_id: string | null;
  readonly status: Status;
  readonly holder_since: Instant | null;
  readonly sent_at: Instant | null;
  readonly amount: string;
  readonly currency: Currency;
  readonly due_at: Instant | null;
  readonly name: string;
  readonly username: string;
}>(
  'claim-alerts',
  `with due as (
     select order_id, member_id
     from order_alerts
     where next_at <= $1
     order by next_at
     limit $3
     for update skip locked
   ), claimed as (
     update order_alerts a
     set next_at = $2
     from due d
     where a.order_id = d.order_id and a.member_id = d.member_id
     returning a.*
   )
   select c.order_id, c.member_id, c.kind, c.alerted_at, c.pushed_at, c.second_at, c.third_at,
     c.missed_at, o.member_id as holder_id, o.status, o.holder_since, o.sent_at, o.amount,
     o.currency, o.due_at, m.name, m.username
   from claimed c
   join orders o on o.order_id = c.order_id
   join members m on m.member_id = c.member_id`,
);

/** Alerts whose next step is due, at most `limit`; they come again at `until` if nobody ends them. */
export async function claimAlerts(
  db: Queryable,
  now: Instant,
  until: Instant,
  limit: number,
): Promise<readonly DueAlert[]> {
  return (await query(db, CLAIM, [time(now), time(until), limit])).map((row) => ({
    orderId: row.order_id,
    memberId: row.member_id,
    kind: row.kind,
    alertedAt: row.alerted_at,
    pushedAt: row.pushed_at,
    secondAt: row.second_at,
    thirdAt: row.third_at,
    missedAt: row.missed_at,
    order: {
      orderId: row.order_id,
      memberId: row.holder_id,
      status: row.status,
      holderSince: row.holder_since,
      sentAt: row.sent_at,
      amount: money(row.amount),
      currency: row.currency,
      dueAt: row.due_at,
    },
    memberName: row.name,
    username: row.username,
  }));
}

/** What became of an alert's steps. Undefined: not tried. */
export interface AlertOutcome {
  readonly pushedAt?: Instant;
  readonly second?: { readonly at: Instant; readonly error: string | null };
  readonly third?: { readonly at: Instant; readonly error: string | null };
  readonly missedAt?: Instant;
  /** Null: it is over. */
  readonly nextAt: Instant | null;
}

const RECORD = statement<{ readonly missed_at: Instant | null }>(
  'record-alert',
  `update order_alerts
   set pushed_at = coalesce(pushed_at, $3),
     second_at = coalesce(second_at, $4),
     second_error = coalesce(second_error, $5),
     third_at = coalesce(third_at, $6),
     third_error = coalesce(third_error, $7),
     missed_at = case when seen_at is null then coalesce(missed_at, $8) end,
     next_at = case when seen_at is null then $9::timestamptz end
   where order_id = $1 and member_id = $2
   returning missed_at`,
);

/** Writes it down; answers whether the alert is missed. One that was seen meanwhile is over. */
export async function recordAlert(
  db: Queryable,
  { orderId, memberId }: Pick<AlertedOrder, 'orderId' | 'memberId'>,
  { pushedAt, second, third, missedAt, nextAt }: AlertOutcome,
): Promise<boolean> {
  const [row] = await query(db, RECORD, [
    orderId,
    memberId,
    time(pushedAt ?? null),
    time(second?.at ?? null),
    second?.error ?? null,
    time(third?.at ?? null),
    third?.error ?? null,
    time(missedAt ?? null),
    time(nextAt),
  ]);
  return (row?.missed_at ?? null) !== null;
}

const NEXT = statement<{ readonly at: Instant | null }>(
  'next-alert',
  `select min(next_at) as at
   from order_alerts
   where next_at > $1`,
);

/** When the next step of an alert is due; null: there is none. */
export async function findNextAlert(db: Queryable, now: Instant): Promise<Instant | null> {
  const [row] = await query(db, NEXT, [time(now)]);
  return row?.at ?? null;
}

const MISSED_IN_A_ROW = statement<{ readonly missed: number }>(
  'missed-in-a-row',
  `select (count(*) filter (where missed_at is not null))::integer as missed
   from (
     select a.missed_at
     from order_alerts a
     where a.member_id = $1
       and (a.next_at is null or a.seen_at is not null or a.missed_at is not null)
       and exists (select from members where member_id = $1 and online)
       and not exists (
         select
         from missed_alert_stops s
         where s.member_id = $1 and s.ended_at >= a.alerted_at
       )
     order by a.alerted_at desc
     limit $2
   ) last`,
);

/**
 * Whether a member is online and missed the last so many alerts, every one. What came before they
 * returned from an earlier stop no longer counts.
 */
export async function hasMissed(db: Queryable, memberId: string, count: number): Promise<boolean> {
  const [row] = await query(db, MISSED_IN_A_ROW, [memberId, count]);
  return row?.missed === count;
}

const STOP = statement(
  'stop-for-missed-alerts',
  `insert into missed_alert_stops (member_id, stopped_at, missed)
   values ($1, $2, $3)
   on conflict (member_id) do update
   set stopped_at = excluded.stopped_at,
     missed = excluded.missed,
     ended_at = null`,
);

/** Remembers why the member is offline. */
export async function noteStop(
  db: Queryable,
  memberId: string,
  now: Instant,
  missed: number,
): Promise<void> {
  await query(db, STOP, [memberId, time(now), missed]);
}

const END_STOP = statement(
  'end-stop-for-missed-alerts',
  `update missed_alert_stops
   set ended_at = $2
   where member_id = $1 and ended_at is null`,
);

/** The member has come back. */
export async function endStop(db: Queryable, memberId: string, now: Instant): Promise<void> {
  await query(db, END_STOP, [memberId, time(now)]);
}

/** Missed alerts in a row took the member offline. */
export interface MissedAlertStop {
  readonly at: Instant;
  readonly missed: number;
}

const READ_STOP = statement<{ readonly at: Instant; readonly missed: number }>(
  'read-stop-for-missed-alerts',
  `select s.stopped_at as at, s.missed
   from missed_alert_stops s
   join members m on m.member_id = s.member_id
   where s.member_id = $1 and s.ended_at is null and not m.online`,
);

export async function findStop(
  db: Queryable,
  memberId: string,
): Promise<MissedAlertStop | undefined> {
  const [row] = await query(db, READ_STOP, [memberId]);
  return row;
}

/** An alert of a member as operators look at it. */
export interface MemberAlert extends OrderAlert {
  readonly orderReference: string;
}

const SEEN_OF_LATE = statement<{
  readonly member_id: string;
  readonly seen_at: Instant | null;
  readonly missed: number;
}>(
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
);

/** Of a member's last 200 alerts: when they last saw one, and how many they have missed since. */
export interface AlertsOfLate {
  readonly seenAt: Instant | null;
  readonly missed: number;
}

export async function readAlertsOfLate(
  db: Queryable,
  memberIds: readonly string[],
): Promise<(memberId: string) => AlertsOfLate> {
  const rows = await query(db, SEEN_OF_LATE, [memberIds]);
  const byMember = new Map(
    rows.map(({ member_id, seen_at, missed }) => [member_id, { seenAt: seen_at, missed }]),
  );
  return (memberId) => byMember.get(memberId) ?? { seenAt: null, missed: 0 };
}

const OF_MEMBER = statement<AlertRow & { readonly order_reference: string }>(
  'alerts-of-member',
  `select a.*, m.name as member_name, o.order_reference
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
);

/** The newest first. */
export async function listAlertsOfMember(
  db: Queryable,
  memberId: string,
  limit: number,
): Promise<readonly MemberAlert[]> {
  const rows = await query(db, OF_MEMBER, [memberId, limit]);
  return rows.map((row) => ({ ...readAlert(row), orderReference: row.order_reference }));
}
