import type { EventType, Instant } from '@munshi/core';
import type pg from 'pg';
import type { Database, Queryable } from './db.ts';
import { fly, plainArray, textArray } from './flight.ts';
import { createLane, dropClient } from './lane.ts';
import { type Row, time } from './rows.ts';
import { TERMS_VERSION } from './terms.ts';

/**
 * A claim is held this long; when its worker has died, another takes the delivery up after it.
 * Clocks may differ by less.
 */
export const LEASE_MS = 60_000;
/**
 * A lease that ends this much later than one given now was given by a clock that has been set back
 * since: it is over.
 */
const CLOCK_SLACK_MS = 30_000;

/** A delivery that this process may attempt until its lease ends. */
export interface Claimed {
  readonly merchantId: string;
  readonly deliveryId: string;
  readonly orderId: string;
  /** Where its claimed place in the queue lies; whoever changes the place moves it. */
  readonly place: string;
  /** The key that created the order. */
  readonly apiKeyId: string;
  readonly eventType: EventType;
  readonly url: string;
  /** Host and port of its URL. */
  readonly host: string;
  readonly body: Buffer;
  readonly createdAt: Instant;
  readonly dueAt: Instant;
  readonly attemptsMade: number;
  /** An operator has asked for this attempt. */
  readonly requested: boolean;
}

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
   * Orders that this process is making an attempt of. Their claims say so already, but not to a
   * clock that jumps.
   */
  readonly withoutOrders: readonly string[];
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
const MAKE_READY = `update delivery_queue set ready = true where ctid = any(array(
  select ctid from delivery_queue where not ready and next_attempt_at <= $1::timestamptz order by next_attempt_at limit ${RETRIES_MAX} for update skip locked))`;

/**
 * Claims deliveries that are due, each host's in order of their time and every host its share.
 * Hosts that have something ready are found by skipping from one to the next in the index, so that
 * neither the backlog of one nor what waits for a later retry costs the others anything; where
 * there are very many, some at a time. The claim is of the order's place in the queue: a newer
 * event that takes the place meanwhile waits until the attempt is over (W3). The rows are locked
 * when their places are taken: nobody can move them before the update. A delivery is found among
 * those of its order, of which there are few: with the merchant as a condition, a plan made when
 * the table was known to be empty read all of the merchant's deliveries, and was kept.
 */
const CLAIM = `with recursive hosts as (
    (select q.host, 1 as number from delivery_queue q where q.ready and q.host >= $11::text order by q.host limit 1)
    union all
    select (select q.host from delivery_queue q where q.ready and q.host > h.host order by q.host limit 1), h.number + 1
    from hosts h where h.host is not null and h.number <= ${HOSTS_MAX}
  ), open as (
    select h.host, coalesce(other.room, $5::integer) as room
    from hosts h left join json_to_recordset($6) as other (host text, room integer) on other.host = h.host
    where h.host is not null and h.number <= ${HOSTS_MAX} and coalesce(other.room, $5::integer) > 0
  ), due as (
    select c.place from open o cross join lateral (
      select q.ctid as place, q.next_attempt_at from delivery_queue q
      where q.ready and q.host = o.host and q.next_attempt_at <= $1::timestamptz
        and (q.next_attempt_at <= $2::timestamptz or q.attempts = 0 or q.requested)
        and (q.claimed_until is null or q.claimed_until <= $1::timestamptz or q.claimed_until > $10::timestamptz)
        and q.merchant_id <> all($8::uuid[])
        and q.order_id not in (select unnest($9::uuid[]))
      order by q.next_attempt_at limit least(o.room, greatest(1, $7::integer / (select count(*) from open)))
      for update of q skip locked) c
    order by c.next_attempt_at limit $7::integer
  ), claimed as (
    update delivery_queue q set claim_token = $3::uuid, claimed_until = $4::timestamptz where q.ctid = any(array(select place from due))
    returning q.ctid as place, q.merchant_id, q.delivery_id, q.order_id, q.host, q.next_attempt_at, q.attempts, q.requested
  )
  select c.*, d.api_key_id, d.event_type, d.url, d.created_at, convert_from(d.body, 'UTF8') as body, gone.hosts, gone.next_host
  from (select (select count(*)::integer from open) as hosts, (select host from hosts where number > ${HOSTS_MAX}) as next_host) gone
  left join (claimed c cross join lateral (
    select * from deliveries d where d.order_id = c.order_id and (d.merchant_id = c.merchant_id and d.delivery_id = c.delivery_id) is true limit 1) d) on true`;

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
          dropClient(client); // whatever it was, the next statement has a new connection
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
  const { now, token, room, roomPerHost, hosts, withoutMerchants, withoutOrders } = request;
  const values = [
    time(now),
    time(request.retriesDueBy),
    token,
    time(now + LEASE_MS),
    String(roomPerHost),
    JSON.stringify(hosts),
    String(room),
    plainArray(withoutMerchants),
    plainArray(withoutOrders),
    time(now + LEASE_MS + CLOCK_SLACK_MS),
    request.fromHost,
  ];
  const readying = { name: 'make-ready', text: MAKE_READY, values: [time(request.retriesDueBy)] };
  const [, rows = [], version = []] = await fly(lane, [
    readying,
    { name: 'claim-deliveries', text: CLAIM, values },
    TERMS_VERSION,
  ]);
  const claims = rows.filter((row) => row['place'] !== null).map(readClaimed);
  const [{ hosts: sharing, next_host: nextHost }] = rows as [Row];
  return {
    claims,
    cut: isCut(claims, request, sharing),
    nextHost,
    keysVersion: version[0]?.['version'],
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

const readClaimed = (row: Row): Claimed => ({
  merchantId: row['merchant_id'],
  deliveryId: row['delivery_id'],
  orderId: row['order_id'],
  place: row['place'],
  apiKeyId: row['api_key_id'],
  eventType: row['event_type'],
  url: row['url'],
  host: row['host'],
  body: Buffer.from(row['body']),
  createdAt: row['created_at'],
  dueAt: row['next_attempt_at'],
  attemptsMade: row['attempts'],
  requested: row['requested'],
});

const RELEASE =
  'update delivery_queue set claim_token = null, claimed_until = null where order_id = any($1::uuid[]) and claim_token = $2';

/** Gives back claims of which no attempt is made. */
export async function releaseDeliveries(
  lane: pg.Client,
  claims: readonly Pick<Claimed, 'orderId'>[],
  token: string,
): Promise<void> {
  await fly(lane, [
    {
      name: 'release-deliveries',
      text: RELEASE,
      values: [plainArray(claims.map(({ orderId }) => orderId)), token],
    },
  ]);
}

/** What an attempt met. */
export interface AttemptResult {
  readonly merchantId: string;
  readonly deliveryId: string;
  readonly orderId: string;
  readonly place: string;
  readonly token: string;
  /**
   * When it was due, as claimed: another time in the queue says that an operator has asked for one
   * more since.
   */
  readonly dueAt: Instant;
  /** From 1. */
  readonly number: number;
  readonly startedAt: Instant;
  readonly durationMs: number;
  readonly succeeded: boolean;
  readonly responseStatus: number | null;
  readonly error: string | null;
  readonly answer: string | null;
  /** The key that signed; null when nothing was sent. */
  readonly keyId: string | null;
  readonly requested: boolean;
  /** When a failed delivery is due again; null when it is abandoned. */
  readonly retryAt: Instant | null;
}

/**
 * How a delivery stands after its attempt; `overtaken`: a newer event has its place, and has waited
 * for this attempt.
 */
export type AttemptedState = 'delivered' | 'pending' | 'abandoned' | 'overtaken';

/**
 * Writes attempts and what follows from them, each only while its claim is held. Answers the state
 * of those of which it was. What was acknowledged, as nearly everything is, takes one statement.
 */
export async function recordAttempts(
  lane: pg.Client,
  results: readonly AttemptResult[],
): Promise<ReadonlyMap<string, AttemptedState>> {
  const states = new Map<string, AttemptedState>();
  // In the order in which the engine takes places, so that neither holds what the other waits for.
  const acknowledged = results
    .filter(({ succeeded }) => succeeded)
    .sort((a, b) => (a.orderId < b.orderId ? -1 : 1));
  if (acknowledged.length > 0) {
    const values = [
      textArray(acknowledged.map(({ place }) => place)),
      plainArray(acknowledged.map(({ deliveryId }) => deliveryId)),
      plainArray(acknowledged.map(({ token }) => token)),
      plainArray(acknowledged.map(({ startedAt }) => time(startedAt))),
      plainArray(acknowledged.map(({ durationMs }) => durationMs)),
      plainArray(acknowledged.map(({ responseStatus }) => responseStatus)),
      textArray(acknowledged.map(({ answer }) => answer)),
      plainArray(acknowledged.map(({ keyId }) => keyId)),
    ];
    const [rows = []] = await fly(lane, [{ name: 'acknowledge', text: ACKNOWLEDGE, values }]);
    for (const row of rows) states.set(row['delivery_id'], 'delivered');
  }
  const others = results.filter(({ deliveryId }) => !states.has(deliveryId));
  if (others.length > 0)
    for (const [deliveryId, state] of await recordLocked(lane, others))
      states.set(deliveryId, state);
  return states;
}

const ATTEMPT_COLUMNS =
  'merchant_id, delivery_id, number, started_at, duration_ms, succeeded, response_status, error, answer, key_id, requested';
const ATTEMPT_LISTS = `$1::uuid[], $2::uuid[], $3::smallint[], $4::timestamptz[], $5::integer[], $6::boolean[], $7::smallint[], $8::text[], $9::text[], $10::uuid[],
  $11::boolean[]`;
const attemptLists = (results: readonly AttemptResult[]) => [
  plainArray(results.map(({ merchantId }) => merchantId)),
  plainArray(results.map(({ deliveryId }) => deliveryId)),
  plainArray(results.map(({ number }) => number)),
  plainArray(results.map(({ startedAt }) => time(startedAt))),
  plainArray(results.map(({ durationMs }) => durationMs)),
  plainArray(results.map(({ succeeded }) => succeeded)),
  plainArray(results.map(({ responseStatus }) => responseStatus)),
  textArray(results.map(({ error }) => error)),
  textArray(results.map(({ answer }) => answer)),
  plainArray(results.map(({ keyId }) => keyId)),
  plainArray(results.map(({ requested }) => requested)),
];

/**
 * Takes acknowledged deliveries out of the queue, each where its claim has left it: a place that
 * was changed since lies elsewhere, and its attempt is recorded with the others. Token and delivery
 * tell it from whatever may lie there instead: a newer event of the same order has the same token,
 * and may have come to lie there.
 */
const ACKNOWLEDGE = `with acknowledged as (
    delete from delivery_queue q
    using unnest($1::tid[], $2::uuid[], $3::uuid[], $4::timestamptz[], $5::integer[], $6::smallint[], $7::text[], $8::uuid[])
      as g (place, delivery_id, token, started_at, duration_ms, response_status, answer, key_id)
    where q.ctid = g.place and q.delivery_id = g.delivery_id and q.claim_token = g.token
    returning q.merchant_id, q.delivery_id, (q.attempts + 1)::smallint, g.started_at, g.duration_ms, true, g.response_status, null::text, g.answer, g.key_id,
      q.requested
  )
  insert into delivery_attempts (${ATTEMPT_COLUMNS}) select * from acknowledged returning delivery_id`;

const LOCK = `select ctid as place, order_id, delivery_id, claim_token, next_attempt_at, attempts, requested
  from delivery_queue where order_id = any($1::uuid[]) order by order_id for update`;
const WRITE_ATTEMPTS = `insert into delivery_attempts (${ATTEMPT_COLUMNS}) select * from unnest(${ATTEMPT_LISTS})`;
const LEAVE_QUEUE = 'delete from delivery_queue where ctid = any($1::tid[])';
const STAY_IN_QUEUE = `update delivery_queue q
  set claim_token = null, claimed_until = null, next_attempt_at = g.next_attempt_at, attempts = g.attempts, requested = g.requested, ready = g.ready
  from unnest($1::tid[], $2::timestamptz[], $3::smallint[], $4::boolean[], $5::boolean[]) as g (place, next_attempt_at, attempts, requested, ready) where q.ctid = g.place`;
const ABANDON =
  'update deliveries set abandoned = true where order_id = any($1::uuid[]) and (delivery_id = any($2::uuid[])) is true';

/** A locked place in the queue whose claim is held, with the attempt that was made under it. */
interface Held {
  readonly row: Row;
  readonly result: AttemptResult;
  readonly state: AttemptedState;
}

/** Records what was not simply acknowledged, with the places in the queue locked. */
async function recordLocked(
  lane: pg.Client,
  results: readonly AttemptResult[],
): Promise<ReadonlyMap<string, AttemptedState>> {
  const locking = {
    name: 'lock-queue',
    text: LOCK,
    values: [plainArray(results.map(({ orderId }) => orderId))],
  };
  const [, rows = []] = await fly(lane, [{ name: 'begin', text: 'begin' }, locking]);
  const places = new Map(rows.map((row) => [`${row['order_id']} ${row['claim_token']}`, row]));
  const held = results.flatMap((result): Held[] => {
    const row = places.get(`${result.orderId} ${result.token}`);
    return row === undefined ? [] : [{ row, result, state: stateAfter(result, row) }];
  });
  const recorded = held.map(({ result }) => result);
  const leaving = held.filter(({ state }) => state === 'delivered' || state === 'abandoned');
  const staying = held
    .filter(({ state }) => state === 'pending' || state === 'overtaken')
    .map(stay);
  const abandoned = leaving
    .filter(({ state }) => state === 'abandoned')
    .map(({ result }) => result);
  const placeOf = ({ row }: Held) => row['place'] as string;
  await fly(lane, [
    { name: 'write-attempts', text: WRITE_ATTEMPTS, values: attemptLists(recorded) },
    { name: 'leave-queue', text: LEAVE_QUEUE, values: [textArray(leaving.map(placeOf))] },
    {
      name: 'stay-in-queue',
      text: STAY_IN_QUEUE,
      values: [
        textArray(staying.map(({ place }) => place)),
        plainArray(staying.map(({ nextAttemptAt }) => time(nextAttemptAt))),
        plainArray(staying.map(({ attempts }) => attempts)),
        plainArray(staying.map(({ requested }) => requested)),
        plainArray(staying.map(({ ready }) => ready)),
      ],
    },
    {
      name: 'abandon',
      text: ABANDON,
      values: [
        plainArray(abandoned.map(({ orderId }) => orderId)),
        plainArray(abandoned.map(({ deliveryId }) => deliveryId)),
      ],
    },
    { name: 'commit', text: 'commit' },
  ]);
  return new Map(held.map(({ result, state }) => [result.deliveryId, state]));
}

function stateAfter(
  { deliveryId, succeeded, retryAt, dueAt }: AttemptResult,
  place: Row,
): AttemptedState {
  if (place['delivery_id'] !== deliveryId) return 'overtaken';
  if (succeeded) return 'delivered';
  return retryAt === null && place['next_attempt_at'] === dueAt ? 'abandoned' : 'pending';
}

/**
 * The claim ends; a newer event stays as it is, and so does the time of an attempt that was asked
 * for meanwhile.
 */
function stay({ row, result, state }: Held) {
  const askedFor = row['next_attempt_at'] !== result.dueAt;
  const asItIs = state === 'overtaken' || askedFor;
  return {
    place: row['place'] as string,
    nextAttemptAt: asItIs ? (row['next_attempt_at'] as Instant) : result.retryAt,
    attempts: state === 'overtaken' ? (row['attempts'] as number) : result.number,
    requested: asItIs && (row['requested'] as boolean),
    ready: asItIs,
  };
}

/** When the next attempt of any delivery is due, null when nothing is pending. */
export async function findNextAttempt(db: Queryable): Promise<Instant | null> {
  const text = `select least((select min(next_attempt_at) from delivery_queue where ready), (select min(next_attempt_at) from delivery_queue where not ready)) as at`;
  const { rows } = await db.query({ name: 'next-attempt', text });
  return rows[0].at;
}
