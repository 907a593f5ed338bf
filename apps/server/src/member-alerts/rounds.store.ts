import type { Instant, OrderAlertKind } from '@munshi/core';
import { ofOrder } from '../engine/rows/order-row.ts';
import {
  answers,
  columns,
  from,
  only,
  orNull,
  type RecordOf,
  t,
} from '../platform/database/columns.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { time } from '../platform/database/rows.ts';
import { query, readsAll, readsRow, statement } from '../platform/database/statement.ts';
import { type AlertedOrder, BEGUN_AGAIN } from './store.ts';

/** Whether anything is sent or counted of alerts, and by which windows orders are due. */
export interface AlertNeeds {
  readonly hasPhones: boolean;
  readonly hasChannels: boolean;
  readonly missedAlertsMax: number | null;
  readonly windows: readonly number[];
}

const NEEDS = statement(
  'alert-needs',
  `select exists (select from push_subscriptions) as has_phones,
     exists (select from alert_channels) as has_channels,
     missed_alerts_max, payout_window_seconds, member_confirmation_window_seconds
   from settings`,
  answers({
    hasPhones: t.boolean,
    hasChannels: t.boolean,
    missedAlertsMax: orNull(t.integer),
    payoutWindowSeconds: t.integer,
    memberConfirmationWindowSeconds: t.integer,
  }),
);

export async function readAlertNeeds(db: Queryable): Promise<AlertNeeds> {
  const [row] = await query(db, NEEDS);
  return {
    hasPhones: row?.hasPhones ?? false,
    hasChannels: row?.hasChannels ?? false,
    missedAlertsMax: row?.missedAlertsMax ?? null,
    windows: [row?.payoutWindowSeconds ?? 0, row?.memberConfirmationWindowSeconds ?? 0],
  };
}

/**
 * Orders that have begun to call are found by their deadlines, which are so long after: no index is
 * kept of when they began. $4: for members without a phone too.
 */
const BEGIN = statement(
  'begin-alerts',
  `insert into order_alerts as a (order_id, member_id, kind, alerted_at, next_at)
   select o.order_id, o.member_id, o.kind, o.called_at, o.called_at
   from (
     select o.order_id, o.member_id,
       case o.status
         when 'AwaitingMemberPayout' then 'assigned'
         else 'customer-confirmed'
       end as kind,
       case o.status when 'AwaitingMemberPayout' then o.holder_since else o.sent_at end
         as called_at
     from unnest($1::timestamptz[], $2::timestamptz[]) as w (after, until)
     join orders o on o.due_at > w.after and o.due_at <= w.until
     where o.status in ('AwaitingMemberPayout', 'AwaitingMemberConfirmation')
       and o.member_id is not null
   ) o
   where o.called_at > $3::timestamptz
     and ($4::boolean or exists (select from push_subscriptions p where p.member_id = o.member_id))
   on conflict (order_id, member_id) do update
   set ${BEGUN_AGAIN},
     seen_at = null,
     next_at = excluded.next_at
   where a.alerted_at < excluded.alerted_at`,
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
  const behind = (at: Instant) => windows.map((seconds) => time(at + seconds * 1_000));
  await query(db, BEGIN, [behind(since), behind(until), time(since), everybody]);
}

const DUE = columns('c', {
  orderId: t.uuid,
  memberId: t.uuid,
  kind: t.oneOf<OrderAlertKind>(),
  alertedAt: t.instant,
  pushedAt: orNull(t.instant),
  secondAt: orNull(t.instant),
  thirdAt: orNull(t.instant),
  missedAt: orNull(t.instant),
  order: columns(
    'o',
    ofOrder([
      'orderId',
      'memberId',
      'status',
      'holderSince',
      'sentAt',
      'orderType',
      'amount',
      'currency',
      'dueAt',
    ]),
  ),
  memberName: from('m.name', t.text),
  username: from('m.username', t.text),
});
/** An alert to go on with, and its order as it is now. */
export type DueAlert = RecordOf<typeof DUE>;

/** Alerts whose next step is due, at most `limit`; they come again at `until` if nobody ends them. */
export const claimAlerts = readsAll(
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
   select ${DUE.list}
   from claimed c
   join orders o on o.order_id = c.order_id
   join members m on m.member_id = c.member_id`,
  DUE,
  (now: Instant, until: Instant, limit: number) => [time(now), time(until), limit],
);

/** What became of an alert's steps. Undefined: not tried. */
export interface AlertOutcome {
  readonly pushedAt?: Instant;
  readonly second?: { readonly at: Instant; readonly error: string | null };
  readonly third?: { readonly at: Instant; readonly error: string | null };
  readonly missedAt?: Instant;
  /** Null: it is over. */
  readonly nextAt: Instant | null;
}

const RECORD = statement(
  'record-alert',
  `update order_alerts
   set pushed_at = coalesce(pushed_at, $3),
     second_at = coalesce(second_at, $4),
     second_error = coalesce(second_error, $5),
     third_at = coalesce(third_at, $6),
     third_error = coalesce(third_error, $7),
     missed_at = case when seen_at is null then coalesce(missed_at, $8) end,
     next_at = case when seen_at is null then $9::timestamptz end
   where order_id = $1 and member_id = $2 and alerted_at = $10
   returning missed_at`,
  answers({ missedAt: orNull(t.instant) }),
);

/**
 * Writes it down; answers whether the alert is missed. One that was seen meanwhile is over, as is
 * one whose order has come back since.
 */
export async function recordAlert(
  db: Queryable,
  { orderId, memberId, alertedAt }: Pick<AlertedOrder, 'orderId' | 'memberId' | 'alertedAt'>,
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
    time(alertedAt),
  ]);
  return (row?.missedAt ?? null) !== null;
}

/** When the next step of an alert is due; null: there is none. */
export const findNextAlert = readsRow(
  'next-alert',
  `select min(next_at) as at
   from order_alerts
   where next_at > $1`,
  only('at', orNull(t.instant)),
  (now: Instant) => [time(now)],
);
