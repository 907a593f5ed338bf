import { type Instant, RECEIVER_FAILING_AFTER, type ReceiverAlertKind } from '@munshi/core';
import { GIVEN_UP } from '../engine/rows/deliveries.ts';
import {
  answers,
  columns,
  from,
  orNull,
  parameters,
  type RecordFrom,
  type RecordOf,
  t,
  unnested,
} from '../platform/database/columns.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { time } from '../platform/database/rows.ts';
import {
  lists,
  PAGE,
  query,
  queryOne,
  readsAll,
  unprepared,
  writes,
} from '../platform/database/statement.ts';

/** What some attempts at one endpoint, a merchant's receiver at a host and port, have shown. */
const NEWS = {
  merchantId: t.uuid,
  host: t.text,
  /** For the alert, when this makes one. */
  alertId: t.uuid,
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

const ENDPOINT = columns('e', {
  merchantId: from('(merchant_id)', t.uuid),
  merchantName: from('m.name', t.text),
  host: from('(host)', t.text),
  failingSince: orNull(t.instant),
  consecutiveFailures: from('coalesce(e.consecutive_failures, 0)', t.integer),
  lastSuccessAt: orNull(t.instant),
  lastFailureAt: orNull(t.instant),
  lastError: orNull(t.text),
  /**
   * Deliveries that wait for an attempt, those of them that have failed before, and abandoned
   * ones after which nothing was sent.
   */
  pending: from('coalesce(w.pending, 0)::integer', t.integer),
  failing: from('coalesce(w.failing, 0)::integer', t.integer),
  abandoned: from('coalesce(g.abandoned, 0)::integer', t.integer),
});
export type EndpointHealth = RecordOf<typeof ENDPOINT>;

const LIST_ENDPOINTS = unprepared(
  'list-webhook-endpoints',
  `with waiting as (
     select merchant_id, host,
       count(*) as pending,
       count(*) filter (where attempts > 0) as failing
     from delivery_queue
     where $1::uuid is null or merchant_id = $1
     group by 1, 2
   ), given_up as (
     select merchant_id, host, count(*) as abandoned
     from deliveries d
     where ${GIVEN_UP} and ($1::uuid is null or merchant_id = $1)
     group by 1, 2
   )
   select ${ENDPOINT.list}
   from webhook_endpoints e
   full join waiting w using (merchant_id, host)
   full join given_up g using (merchant_id, host)
   join merchants m using (merchant_id)
   where ($1::uuid is null or merchant_id = $1)
     and (
       $3::uuid is null
       or (coalesce(e.failing_since, 'infinity'), merchant_id, host)
         > (coalesce($2::timestamptz, 'infinity'), $3, $4::text)
     )
   order by coalesce(e.failing_since, 'infinity'), merchant_id, host
   limit $5`,
  ENDPOINT,
);

/** Where an endpoint stands in the list. */
export type EndpointPlace = Pick<EndpointHealth, 'failingSince' | 'merchantId' | 'host'>;

/**
 * Endpoints after a place in the list, those that have failed the longest first, the healthy ones
 * last; of one merchant, or of all for null. How much waits would change from page to page, and is
 * no order.
 */
export async function listEndpoints(
  db: Queryable,
  {
    merchantId,
    after,
    limit,
  }: {
    readonly merchantId: string | null;
    readonly after: EndpointPlace | null;
    readonly limit: number;
  },
): Promise<readonly EndpointHealth[]> {
  const place = [time(after?.failingSince ?? null), after?.merchantId ?? null, after?.host ?? null];
  return query(db, LIST_ENDPOINTS, [merchantId, ...place, limit]);
}

const COUNTS = answers({
  pending: t.integer,
  failing: t.integer,
  abandoned: t.integer,
  /** When the next attempt of any delivery is due, or was. */
  nextDueAt: orNull(t.instant),
});
export type DeliveryCounts = RecordOf<typeof COUNTS>;

const COUNT_DELIVERIES = unprepared(
  'count-deliveries',
  `select count(*)::integer as pending,
     (count(*) filter (where attempts > 0))::integer as failing,
     min(next_attempt_at) as next_due_at,
     (
       select count(*)::integer
       from deliveries d
       where ${GIVEN_UP} and ($1::uuid is null or merchant_id = $1)
     ) as abandoned
   from delivery_queue
   where $1::uuid is null or merchant_id = $1`,
  COUNTS,
);

/**
 * Deliveries that wait, that have failed and are tried again, and that were abandoned; of one
 * merchant, or of all for null.
 */
export async function countDeliveries(
  db: Queryable,
  merchantId: string | null,
): Promise<DeliveryCounts> {
  return (await queryOne(db, COUNT_DELIVERIES, [merchantId])) as DeliveryCounts;
}

const ALERT = columns('', {
  alertId: t.uuid,
  merchantId: t.uuid,
  host: t.text,
  kind: t.oneOf<ReceiverAlertKind>(),
  detail: orNull(t.text),
  at: t.instant,
});

/** Alerts, the newest first. */
export const listAlerts = lists(
  'list-webhook-alerts',
  `select ${ALERT.list}
   from webhook_alerts
   where ($1::uuid is null or merchant_id = $1)
     and ($2::uuid is null or alert_id < $2)
   order by alert_id desc
   limit $3`,
  ALERT,
  parameters({ merchantId: orNull(t.uuid), ...PAGE }),
);
