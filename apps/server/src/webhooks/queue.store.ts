import type { DeliveryId, EventType, Instant } from '@munshi/core';
import type pg from 'pg';
import { TERMS_VERSION } from '../engine/rows/terms.ts';
import {
  columns,
  from,
  made,
  only,
  optional,
  orNull,
  type RecordOf,
  t,
} from '../platform/database/columns.ts';
import { createLane, dropClient } from '../platform/database/connection/lane.ts';
import type { Database } from '../platform/database/db.ts';
import { plainArray, runPipeline } from '../platform/database/pipeline.ts';
import { time } from '../platform/database/rows.ts';
import { readsRow, statement } from '../platform/database/statement.ts';
import { STALLED_MS } from '../platform/outbound/send.ts';

/**
 * A claim is held this long; when its worker has died, another takes the delivery up after it.
 * Clocks may differ by less.
 */
export const LEASE_MS = 2 * STALLED_MS;
/**
 * A lease that ends this much later than one given now was given by a clock that has been set back
 * since: it is over.
 */
const CLOCK_SLACK_MS = 30_000;

const CLAIMED = columns('c', {
  merchantId: t.uuid,
  deliveryId: t.id<DeliveryId>(),
  subjectId: from('c.order_id', t.uuid),
  /** Where its claimed place in the queue lies; a change of the place moves it. */
  place: t.tid,
  /** The key that created the order. */
  apiKeyId: from('d.api_key_id', t.uuid),
  eventType: from('d.event_type', t.oneOf<EventType>()),
  url: from('d.url', t.text),
  /** Host and port of its URL. */
  host: t.text,
  body: from(
    `convert_from(d.body, 'UTF8')`,
    made(t.text, (body) => Buffer.from(body)),
  ),
  createdAt: from('d.created_at', t.instant),
  dueAt: from('next_attempt_at', t.instant),
  attemptsMade: from('attempts', t.integer),
  /** An operator has asked for this attempt. */
  requested: t.boolean,
});
/** A delivery that this process may attempt until its lease ends. */
export type Claimed = RecordOf<typeof CLAIMED>;

/** Each that was claimed, or one row without. */
const GONE = columns('gone', {
  /** How many hosts have shared the room. */
  hosts: t.integer,
  nextHost: orNull(t.text),
  claimed: optional(CLAIMED, 'place'),
});

export interface ClaimRequest {
  readonly now: Instant;
  /**
   * Retries are taken up when they were due by then; first attempts and those an operator asked for
   * when they are due.
   */
  readonly retriesDueBy: Instant;
  readonly token: string;
  /** How many at most. */
  readonly room: number;
  /** How many at most of one host. */
  readonly roomPerHost: number;
  /** Hosts with another room than that. */
  readonly hosts: readonly { readonly host: string; readonly room: number }[];
  /** Merchants who have their share. */
  readonly withoutMerchants: readonly string[];
  /**
   * Subjects that this process is making an attempt about. Their claims say so already, but not to
   * a clock that jumps.
   */
  readonly withoutSubjects: readonly string[];
  /** Hosts are gone through from this one on, in their order; `''`: from the first. */
  readonly fromHost: string;
}

/** Hosts that one claim goes through; the next one goes on behind them. */
export const HOSTS_MAX = 1_000;
/** Retries that one claim makes ready; the next one goes on. */
const RETRIES_MAX = 2_000;

/**
 * Retries whose time has come take their place among what is ready. Those that another process is
 * about to move are left to it.
 */
const MAKE_READY = statement(
  'make-ready',
  `update delivery_queue
   set ready = true
   where ctid = any(array(
     select ctid
     from delivery_queue
     where not ready and next_attempt_at <= $1::timestamptz
     order by next_attempt_at
     limit ${RETRIES_MAX}
     for update skip locked
   ))`,
);

/**
 * Hosts that have something ready are found by skipping from one to the next in the index, so that
 * neither the backlog of one nor what waits for a later retry costs the others anything.
 */
const HOSTS = `hosts as (
     (
       select q.host, 1 as number
       from delivery_queue q
       where q.ready and q.host >= $11::text
       order by q.host
       limit 1
     )
     union all
     select
       (
         select q.host
         from delivery_queue q
         where q.ready and q.host > h.host
         order by q.host
         limit 1
       ),
       h.number + 1
     from hosts h
     where h.host is not null and h.number <= ${HOSTS_MAX}
   )`;

/**
 * Claims deliveries that are due, each host's in order of their time and every host its share. The
 * claim is of the order's place in the queue: a newer event that takes the place meanwhile waits
 * until the attempt is over (W3). The rows are locked when their places are taken: nobody can move
 * them before the update. Deliveries by LATERAL: their ids are no parameter, and a join alone,
 * planned while there are few, reads all of them.
 */
const CLAIM = statement(
  'claim-deliveries',
  `with recursive ${HOSTS}, open as (
     select h.host, coalesce(other.room, $5::integer) as room
     from hosts h
     left join json_to_recordset($6) as other (host text, room integer) on other.host = h.host
     where h.host is not null
       and h.number <= ${HOSTS_MAX}
       and coalesce(other.room, $5::integer) > 0
   ), due as (
     select c.place
     from open o
     cross join lateral (
       select q.ctid as place, q.next_attempt_at
       from delivery_queue q
       where q.ready
         and q.host = o.host
         and q.next_attempt_at <= $1::timestamptz
         and (q.next_attempt_at <= $2::timestamptz or q.attempts = 0 or q.requested)
         and (
           q.claimed_until is null
           or q.claimed_until <= $1::timestamptz
           or q.claimed_until > $10::timestamptz
         )
         and q.merchant_id <> all($8::uuid[])
         and q.order_id not in (select unnest($9::uuid[]))
       order by q.next_attempt_at
       limit least(o.room, greatest(1, $7::integer / (select count(*) from open)))
       for update of q skip locked
     ) c
     order by c.next_attempt_at
     limit $7::integer
   ), claimed as (
     update delivery_queue q
     set claim_token = $3::uuid,
       claimed_until = $4::timestamptz
     where q.ctid = any(array(select place from due))
     returning q.ctid as place, q.merchant_id, q.delivery_id, q.order_id, q.host,
       q.next_attempt_at, q.attempts, q.requested
   )
   select ${GONE.list}
   from (
     select (select count(*)::integer from open) as hosts,
       (select host from hosts where number > ${HOSTS_MAX}) as next_host
   ) gone
   left join (
     claimed c
     cross join lateral (
       select *
       from deliveries d
       where d.delivery_id = c.delivery_id
       limit 1
     ) d
   ) on true`,
  GONE,
);

/**
 * A connection for the statements of this file, opened when it is needed and again after it was
 * lost.
 */
export interface QueueLane {
  run<T>(work: (lane: pg.Client) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/**
 * A claim has to walk a host's index from its oldest delivery and stop when it has enough; left to
 * itself the planner expects few to fit, and sorts the whole backlog (measured: 180 ms of 20,000).
 * Nothing here waits for the disk: when Postgres itself crashes, the last moment's claims and
 * records are gone, and those webhooks are sent once more.
 */
export const QUEUE_SETTINGS = [
  'enable_sort = off',
  'enable_bitmapscan = off',
  'synchronous_commit = off',
];

export function createQueueLane(database: Database, timeoutMs: number): QueueLane {
  const lane = createLane(database, {
    name: 'webhooks',
    timeoutMs,
    async prepare(client) {
      for (const setting of QUEUE_SETTINGS) await client.query(`set ${setting}`);
    },
  });
  return {
    run: (work) =>
      lane.run(async (client) => {
        try {
          return await work(client);
        } catch (error) {
          dropClient(client); // after any error, the next statement has a new connection
          throw error;
        }
      }),
    close: lane.close,
  };
}

/** What was claimed, and the version of the signing keys right after (`terms_version`). */
export interface Claims {
  readonly claims: readonly Claimed[];
  /** Whether a limit has cut it short: more may be due. */
  readonly cut: boolean;
  /** Where the next claim goes on, null when this one has gone through the last host. */
  readonly nextHost: string | null;
  readonly keysVersion: string;
}

export async function claimDeliveries(lane: pg.Client, request: ClaimRequest): Promise<Claims> {
  const { now, token, room, roomPerHost, hosts, withoutMerchants, withoutSubjects } = request;
  const values = [
    time(now),
    time(request.retriesDueBy),
    token,
    time(now + LEASE_MS),
    String(roomPerHost),
    JSON.stringify(hosts),
    String(room),
    plainArray(withoutMerchants),
    plainArray(withoutSubjects),
    time(now + LEASE_MS + CLOCK_SLACK_MS),
    request.fromHost,
  ];
  const [, gone, [version]] = await runPipeline(lane, [
    { ...MAKE_READY, values: [time(request.retriesDueBy)] },
    { ...CLAIM, values },
    TERMS_VERSION,
  ]);
  const claims = gone.flatMap(({ claimed }) => claimed ?? []);
  const [{ hosts: sharing, nextHost }] = gone as [RecordOf<typeof GONE>];
  return {
    claims,
    cut: isCut(claims, request, sharing),
    nextHost,
    keysVersion: version?.version as string,
  };
}

/**
 * Whether all were claimed that there is room for, or of a host all that it has room for or that is
 * its share of the room.
 */
function isCut(
  claims: readonly Claimed[],
  { room, roomPerHost, hosts }: ClaimRequest,
  sharing: number,
): boolean {
  const share = Math.max(1, Math.floor(room / sharing));
  const limitOf = (host: string) =>
    Math.min(share, hosts.find((one) => one.host === host)?.room ?? roomPerHost);
  return (
    claims.length >= room ||
    [...Map.groupBy(claims, ({ host }) => host)].some(([host, of]) => of.length >= limitOf(host))
  );
}

const RELEASE = statement(
  'release-deliveries',
  `update delivery_queue
   set claim_token = null,
     claimed_until = null
   where order_id = any($1::uuid[]) and claim_token = $2`,
);

/** Gives back claims of which no attempt is made. */
export async function releaseDeliveries(
  lane: pg.Client,
  claims: readonly Pick<Claimed, 'subjectId'>[],
  token: string,
): Promise<void> {
  const subjectIds = plainArray(claims.map(({ subjectId }) => subjectId));
  await runPipeline(lane, [{ ...RELEASE, values: [subjectIds, token] }]);
}

/** When the next attempt of any delivery is due, null when nothing is pending. */
export const findNextAttempt = readsRow(
  'next-attempt',
  `select least(
     (select min(next_attempt_at) from delivery_queue where ready),
     (select min(next_attempt_at) from delivery_queue where not ready)
   ) as at`,
  only('at', orNull(t.instant)),
);
