import type { Instant } from '@munshi/core';
import { answers, type RecordOf, t } from '../platform/database/columns.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { time } from '../platform/database/rows.ts';
import { query, readsOne, statement, writes } from '../platform/database/statement.ts';

const MISSED_IN_A_ROW = statement(
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
  answers({ missed: t.integer }),
);

/**
 * Whether a member is online and missed the last so many alerts, every one. What came before they
 * returned from an earlier stop no longer counts.
 */
export async function hasMissed(db: Queryable, memberId: string, count: number): Promise<boolean> {
  const [row] = await query(db, MISSED_IN_A_ROW, [memberId, count]);
  return row?.missed === count;
}

/** Remembers why the member is offline. */
export const noteStop = writes(
  'stop-for-missed-alerts',
  `insert into missed_alert_stops (member_id, stopped_at, missed)
   values ($1, $2, $3)
   on conflict (member_id) do update
   set stopped_at = excluded.stopped_at,
     missed = excluded.missed,
     ended_at = null`,
  (memberId: string, now: Instant, missed: number) => [memberId, time(now), missed],
);

/** The member has come back. */
export const endStop = writes(
  'end-stop-for-missed-alerts',
  `update missed_alert_stops
   set ended_at = $2
   where member_id = $1 and ended_at is null`,
  (memberId: string, now: Instant) => [memberId, time(now)],
);

const STOP = answers({ at: t.instant, missed: t.integer });
/** Missed alerts in a row took the member offline. */
export type MissedAlertStop = RecordOf<typeof STOP>;

export const findStop = readsOne(
  'read-stop-for-missed-alerts',
  `select s.stopped_at as at, s.missed
   from missed_alert_stops s
   join members m on m.member_id = s.member_id
   where s.member_id = $1 and s.ended_at is null and not m.online`,
  STOP,
  (memberId: string) => [memberId],
);
