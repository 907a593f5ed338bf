import { type AlertId, type Instant, RECEIVER_FAILING_AFTER } from '@munshi/core';
import { answers, orNull, type RecordFrom, t, unnested } from '../platform/database/columns.ts';
import { time } from '../platform/database/rows.ts';
import { readsAll, writes } from '../platform/database/statement.ts';

/** What some attempts at one endpoint, a merchant's receiver at a host and port, have shown. */
const NEWS = {
  merchantId: t.uuid,
  host: t.text,
  /** For the alert, when this makes one. */
  alertId: t.id<AlertId>(),
  /** Failures since the last success among these attempts, or all of them. */
  failures: t.integer,
  successAt: orNull(t.instant),
  failureAt: orNull(t.instant),
  error: orNull(t.text),
};
export type EndpointNews = RecordFrom<typeof NEWS>;
const GIVEN = unnested(NEWS);

/** Failures in a row after this news, beside those before it where there was no success. */
const FAILURES = `excluded.consecutive_failures
       + case when excluded.last_success_at is null then e.consecutive_failures else 0 end`;

/** Since when the endpoint fails; what was failing before stays so until a success. */
const FAILING_SINCE = `case
       when ${FAILURES} >= ${RECEIVER_FAILING_AFTER} then coalesce(
         case when excluded.last_success_at is null then e.failing_since end,
         excluded.last_failure_at
       )
       when excluded.last_success_at is null then e.failing_since
     end`;

/**
 * Writes how endpoints did, and an alert where one starts to fail or has recovered. Rows are taken
 * in the order of their keys. Answers the failures in a row that each has now.
 */
export const noteEndpoints = readsAll(
  'note-endpoints',
  `with given as (
     select *
     from ${GIVEN.rows}
   ), written as (
     insert into webhook_endpoints as e (
       merchant_id, host, consecutive_failures, failing_since, last_success_at, last_failure_at,
       last_error
     )
     select merchant_id, host, failures,
       case when failures >= ${RECEIVER_FAILING_AFTER} then failure_at end,
       success_at, failure_at, error
     from given
     order by merchant_id, host
     on conflict (merchant_id, host) do update
     set was_failing = e.failing_since is not null,
       consecutive_failures = ${FAILURES},
       failing_since = ${FAILING_SINCE},
       last_success_at = coalesce(excluded.last_success_at, e.last_success_at),
       last_failure_at = coalesce(excluded.last_failure_at, e.last_failure_at),
       last_error = coalesce(excluded.last_error, e.last_error)
     returning merchant_id, host, was_failing, failing_since, last_error, consecutive_failures
   ), alerted as (
     insert into webhook_alerts (alert_id, merchant_id, host, kind, detail, at)
     select g.alert_id, merchant_id, host,
       case when w.failing_since is null then 'recovered' else 'failing' end,
       case when w.failing_since is not null then w.last_error end,
       case when w.failing_since is null then g.success_at else g.failure_at end
     from written w
     join given g using (merchant_id, host)
     where w.was_failing <> (w.failing_since is not null)
   )
   select merchant_id, host, consecutive_failures as failures
   from written`,
  answers({ merchantId: t.uuid, host: t.text, failures: t.integer }),
  (news: readonly EndpointNews[]) => [...GIVEN.arraysOf(news)],
);

/** Endpoints that had no attempt since `before` no longer count as failing. */
export const clearUnusedFailures = writes(
  'clear-unused-failures',
  `update webhook_endpoints
   set failing_since = null, consecutive_failures = 0
   where failing_since is not null and last_failure_at < $1`,
  (before: Instant) => [time(before)],
);
