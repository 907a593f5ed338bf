import { type EventType, SENT_EVENTS } from '@munshi/core';
import {
  answers,
  columns,
  from,
  made,
  optional,
  type RecordOf,
  t,
} from '../platform/database/columns.ts';
import { firstIdOf, LAST_ID } from '../platform/database/first-id.ts';
import { readsAll, readsRow } from '../platform/database/statement.ts';

/** Outcomes in the order in which they are final (decision 33). */

/** A time by the database's clock, in microseconds since the epoch. */
export type DatabaseTime = number;

const microseconds = (at: string) => `(extract(epoch from ${at}) * 1000000)::bigint`;

/**
 * The time now, and one before which every delivery is visible to statements that follow: each
 * transaction under way that may have written some began later. It has the lock until its rows can
 * be seen. Only sessions of the service's own role say when they began; no other writes any.
 */
export const readSettled = readsRow(
  'feed-settled',
  `select ${microseconds('statement_timestamp()')} as now,
     ${microseconds('least(statement_timestamp(), min(a.xact_start))')} as settled
   from pg_locks l
   join pg_stat_activity a on a.pid = l.pid
   where l.relation = 'deliveries'::regclass
     and l.database = (select oid from pg_database where datname = current_database())
     and l.mode = 'RowExclusiveLock'`,
  answers({ now: t.bigint, settled: t.bigint }),
);

/** As the index `deliveries_recorded_late` has it. */
const LATE = `d.recorded_at - d.created_at > interval '10 seconds'`;
const LATE_MICROSECONDS = 10_000_000;

const OUTCOME = columns('d', {
  deliveryId: t.uuid,
  eventType: t.oneOf<EventType>(),
  apiKeyId: t.uuid,
  body: from(
    `convert_from(d.body, 'UTF8')`,
    made(t.text, (body) => Buffer.from(body)),
  ),
  /** Recorded within the window, which is over. */
  isSettled: t.boolean,
});
export type Outcome = RecordOf<typeof OUTCOME>;

const timeOf = (place: string) =>
  `timestamptz 'epoch' + ${place}::double precision * interval '1 microsecond'`;
const SENT = SENT_EVENTS.filter((type) => type !== 'webhook.test')
  .map((type) => `'${type}'`)
  .join(', ');
const some = (condition: string, rest: string) => `(
         select d.delivery_id, d.event_type, d.api_key_id, d.body,
           coalesce(d.recorded_at, d.created_at) < ${timeOf('$3')} as is_settled
         from deliveries d
         where ${condition}
           and d.event_type in (${SENT})
           and d.body is not null
         ${rest}
       )`;

const ANSWERED = columns('', {
  merchantId: from('k.merchant_id', t.uuid),
  outcome: optional(OUTCOME, 'deliveryId'),
});

/**
 * Outcomes that were recorded from a time on, in the order of their ids, with the merchant of the
 * key; no row: it is not active. An id has the time of the process that made it, so that the
 * merchant's index has them without what was recorded much earlier. Pairs and the offset keep the
 * planner from going through the ids of every merchant instead, in their order.
 */
export const readOutcomes = readsAll(
  'feed-outcomes',
  `select ${ANSWERED.list}
   from api_keys k
   left join lateral (
     select *
     from (
       ${some(
         `(d.merchant_id, d.delivery_id) > (k.merchant_id, $5)
           and (d.merchant_id, d.delivery_id) < (k.merchant_id, '${LAST_ID}')
           and coalesce(d.recorded_at, d.created_at) >= ${timeOf('$2')}
           and (${LATE}) is not true`,
         `order by d.merchant_id, d.delivery_id
         limit $6`,
       )}
       union all
       ${some(
         `d.merchant_id = k.merchant_id
           and d.recorded_at >= ${timeOf('$2')}
           and ${LATE}`,
         'offset 0',
       )}
     ) d
     where d.delivery_id > $4
     order by d.delivery_id
     limit $6
   ) d on true
   where k.key_hash = $1 and k.revoked_at is null
   order by d.delivery_id`,
  ANSWERED,
  ({
    apiKeyHash,
    from,
    to,
    after,
    limit,
  }: {
    readonly apiKeyHash: string;
    readonly from: DatabaseTime;
    readonly to: DatabaseTime;
    /** A delivery; those behind it are asked for. */
    readonly after: string;
    readonly limit: number;
  }) => {
    const first = firstIdOf(Math.floor((from - LATE_MICROSECONDS) / 1_000));
    return [t.hex.write?.(apiKeyHash), from, to, after, after > first ? after : first, limit];
  },
);
