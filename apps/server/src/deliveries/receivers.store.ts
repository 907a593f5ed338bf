import type { AlertId, ReceiverAlertKind } from '@munshi/core';
import { GIVEN_UP } from '../engine/rows/deliveries.ts';
import {
  answers,
  columns,
  from,
  orNull,
  parameters,
  type RecordOf,
  t,
} from '../platform/database/columns.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { time } from '../platform/database/rows.ts';
import { lists, PAGE, query, queryOne, unprepared } from '../platform/database/statement.ts';

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
  alertId: t.id<AlertId>(),
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
