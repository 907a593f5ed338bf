import type { EventType, Instant } from '@munshi/core';
import type pg from 'pg';
import type { Database, Queryable } from './db.ts';
import { fly, plainArray, textArray } from './flight.ts';
import { type Row, time } from './rows.ts';

/** A claim is held this long; when its worker has died, another takes the delivery up after it. Clocks may differ by less. */
export const LEASE_MS = 60_000;
/** A lease that ends this much later than one given now was given by a clock that has been set back since: it is over. */
const CLOCK_SLACK_MS = 30_000;

/** A delivery that this process may attempt until its lease ends. */
export interface Claimed {
  readonly merchantId: string;
  readonly deliveryId: string;
  readonly orderId: string;
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
  /** Retries are taken up when they were due by then; first attempts and those an operator asked for when they are due. */
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
  /** Orders that this process is making an attempt of. Their claims say so already, but not to a clock that jumps. */
  readonly withoutOrders: readonly string[];
}

/**
 * Claims deliveries that are due, each host's in order of their time and every host its share. Hosts are found by skipping
 * from one to the next in the index, so that the backlog of one costs the others nothing. A delivery is left alone while
 * another one of its order is claimed: an older event that was superseded on its way ends before the newer one starts (W3).
 * The rows are locked when their places are taken: nobody can move them before the update. `offset 0` keeps the look at the order's
 * other deliveries from becoming a join, for which a plan made while the table is small reads all of it.
 */
const CLAIM = `with recursive hosts as (
    (select host from deliveries where status = 'pending' order by host limit 1)
    union all
    select (select d.host from deliveries d where d.status = 'pending' and d.host > h.host order by d.host limit 1) from hosts h where h.host is not null
  ), open as (
    select h.host, coalesce(other.room, $5::integer) as room
    from hosts h left join json_to_recordset($6) as other (host text, room integer) on other.host = h.host
    where h.host is not null and coalesce(other.room, $5::integer) > 0
  ), due as (
    select c.place from open o cross join lateral (
      select d.ctid as place, d.next_attempt_at from deliveries d
      where d.status = 'pending' and d.host = o.host and d.next_attempt_at <= $1::timestamptz
        and (d.next_attempt_at <= $2::timestamptz or d.attempts = 0 or d.requested)
        and (d.claimed_until is null or d.claimed_until <= $1::timestamptz or d.claimed_until > $10::timestamptz)
        and d.merchant_id <> all($8::uuid[])
        and d.order_id not in (select unnest($9::uuid[]))
        and not exists (select from deliveries other where other.order_id = d.order_id and (other.merchant_id = d.merchant_id) is true
          and other.delivery_id <> d.delivery_id and other.claimed_until > $1::timestamptz and other.claimed_until <= $10::timestamptz offset 0)
      order by d.next_attempt_at limit least(o.room, greatest(1, $7::integer / (select count(*) from open)))
      for update of d skip locked) c
    order by c.next_attempt_at limit $7::integer
  )
  update deliveries d set claim_token = $3::uuid, claimed_until = $4::timestamptz where d.ctid = any(array(select place from due))
  returning d.merchant_id, d.delivery_id, d.order_id, d.api_key_id, d.event_type, d.url, d.host, d.body, d.created_at, d.next_attempt_at, d.attempts, d.requested`;

/** A connection for the statements of this file, opened when it is needed and again after it was lost. */
export interface QueueLane {
  run<T>(work: (lane: pg.Client) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/**
 * A claim has to walk a host's index from its oldest delivery and stop when it has enough; left to itself the planner expects
 * few to fit, and sorts the whole backlog (measured: 180 ms of 20,000). Nothing here waits for the disk: when Postgres itself
 * crashes, the last moment's claims and records are gone, and those webhooks are sent once more.
 */
const SETTINGS = ['enable_sort = off', 'enable_bitmapscan = off', 'synchronous_commit = off'];

export function createQueueLane(database: Database, timeoutMs: number): QueueLane {
  let lane: pg.Client | undefined;
  let opening: Promise<pg.Client> | undefined;

  async function open(): Promise<pg.Client> {
    const opened = await database.openLane('webhooks', { timeoutMs });
    for (const setting of SETTINGS) await opened.query(`set ${setting}`);
    return opened;
  }

  return {
    async run(work) {
      if (lane?.connection.stream.destroyed !== false) {
        opening ??= open().finally(() => {
          opening = undefined;
        });
        lane = await opening;
      }
      const on = lane;
      try {
        return await work(on);
      } catch (error) {
        on.connection.stream.destroy(); // whatever it was, the next statement has a new connection
        throw error;
      }
    },
    close: async () => {
      await lane?.end().catch(() => {});
    },
  };
}

export async function claimDeliveries(lane: pg.Client, request: ClaimRequest): Promise<readonly Claimed[]> {
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
  ];
  const [rows = []] = await fly(lane, [{ name: 'claim-deliveries', text: CLAIM, values }]);
  return rows.map((row: Row) => ({
    merchantId: row['merchant_id'],
    deliveryId: row['delivery_id'],
    orderId: row['order_id'],
    apiKeyId: row['api_key_id'],
    eventType: row['event_type'],
    url: row['url'],
    host: row['host'],
    body: row['body'],
    createdAt: row['created_at'],
    dueAt: row['next_attempt_at'],
    attemptsMade: row['attempts'],
    requested: row['requested'],
  }));
}

/** The API key whose secret signs an attempt. `sealedSecret` is null on legacy keys. */
export interface SigningKey {
  readonly keyId: string;
  readonly prefix: string;
  readonly sealedSecret: Buffer | null;
  readonly sealKeyId: string | null;
}

const lists = (claims: readonly Pick<Claimed, 'merchantId' | 'deliveryId'>[]) => [
  plainArray(claims.map(({ merchantId }) => merchantId)),
  plainArray(claims.map(({ deliveryId }) => deliveryId)),
];

/**
 * The rows that two lists name. The lists stand beside each join with them, because a join alone may read the whole table: a plan
 * made while that is small takes it for the shorter one, and is kept.
 */
const LISTED = 'd.merchant_id = any($1::uuid[]) and d.delivery_id = any($2::uuid[])';

const OVERTAKEN = `select d.delivery_id from deliveries d where ${LISTED} and (d.status <> 'pending' or d.claim_token is distinct from $3)`;

const KEYS = `select merchant_id, key_id, prefix, sealed_secret, seal_key_id from api_keys
  where merchant_id = any($1::uuid[]) and revoked_at is null order by merchant_id, created_at desc, key_id desc`;

export interface StartCheck {
  /** Superseded since they were claimed, or no longer this process's: not to be sent. */
  readonly overtaken: ReadonlySet<string>;
  /** The key that signs a delivery: the one that created the order while it is active, else the merchant's newest active one. */
  keyOf(claim: Pick<Claimed, 'merchantId' | 'apiKeyId'>): SigningKey | undefined;
}

/** What is to be known right before claimed deliveries are sent (spec: Signing secret used; a newer event supersedes an earlier one). */
export async function checkAtStart(lane: pg.Client, claims: readonly Claimed[], token: string): Promise<StartCheck> {
  const merchantIds = [...new Set(claims.map(({ merchantId }) => merchantId))];
  const [overtaken = [], active = []] = await fly(lane, [
    { name: 'overtaken', text: OVERTAKEN, values: [...lists(claims), token] },
    { name: 'signing-keys', text: KEYS, values: [plainArray(merchantIds)] },
  ]);
  const keys = Map.groupBy(active, (row) => row['merchant_id'] as string);
  return {
    overtaken: new Set(overtaken.map((row) => row['delivery_id'])),
    keyOf({ merchantId, apiKeyId }) {
      const own = keys.get(merchantId) ?? [];
      const row = own.find((key) => key['key_id'] === apiKeyId) ?? own[0];
      return row && { keyId: row['key_id'], prefix: row['prefix'], sealedSecret: row['sealed_secret'], sealKeyId: row['seal_key_id'] };
    },
  };
}

const RELEASE = `update deliveries d set claim_token = null, claimed_until = null where ${LISTED} and d.claim_token = $3`;

/** Gives back claims of which no attempt is made. */
export async function releaseDeliveries(lane: pg.Client, claims: readonly Pick<Claimed, 'merchantId' | 'deliveryId'>[], token: string): Promise<void> {
  await fly(lane, [{ name: 'release-deliveries', text: RELEASE, values: [...lists(claims), token] }]);
}

/** What an attempt met. */
export interface AttemptResult {
  readonly merchantId: string;
  readonly deliveryId: string;
  readonly token: string;
  /** When it was due, as claimed: another value in the row says that an operator has asked for one more since. */
  readonly dueAt: Instant;
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
 * Writes attempts and what follows from them, each only while its claim is held. A delivery that was superseded meanwhile
 * stays so unless it was acknowledged; one that was asked for again meanwhile stays due.
 */
const RECORD = `with written as (
    update deliveries d set attempts = d.attempts + 1, claim_token = null, claimed_until = null,
      status = case when g.succeeded then 'delivered' when d.status = 'pending' and d.next_attempt_at = g.due_at and g.retry_at is null then 'abandoned'
        else d.status end,
      next_attempt_at = case when g.succeeded or d.status <> 'pending' then null when d.next_attempt_at <> g.due_at then d.next_attempt_at else g.retry_at end,
      requested = d.requested and not g.succeeded and d.status = 'pending' and d.next_attempt_at <> g.due_at
    from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::timestamptz[], $5::timestamptz[], $6::integer[], $7::boolean[], $8::smallint[], $9::text[], $10::text[],
      $11::uuid[], $12::boolean[], $13::timestamptz[]) as g (merchant_id, delivery_id, token, due_at, started_at, duration_ms, succeeded, response_status, error,
      answer, key_id, requested, retry_at)
    where ${LISTED} and d.merchant_id = g.merchant_id and d.delivery_id = g.delivery_id and d.claim_token = g.token
    returning d.merchant_id, d.delivery_id, d.attempts, d.status, g.started_at, g.duration_ms, g.succeeded, g.response_status, g.error, g.answer, g.key_id,
      g.requested as was_requested
  ), attempted as (
    insert into delivery_attempts (merchant_id, delivery_id, number, started_at, duration_ms, succeeded, response_status, error, answer, key_id, requested)
    select merchant_id, delivery_id, attempts, started_at, duration_ms, succeeded, response_status, error, answer, key_id, was_requested from written
  )
  select delivery_id, status from written`;

/** Records attempts in one statement. Answers the state of those deliveries whose claim was still held. */
export async function recordAttempts(lane: pg.Client, results: readonly AttemptResult[]): Promise<ReadonlyMap<string, string>> {
  const values = [
    ...lists(results),
    plainArray(results.map(({ token }) => token)),
    plainArray(results.map(({ dueAt }) => time(dueAt))),
    plainArray(results.map(({ startedAt }) => time(startedAt))),
    plainArray(results.map(({ durationMs }) => durationMs)),
    plainArray(results.map(({ succeeded }) => succeeded)),
    plainArray(results.map(({ responseStatus }) => responseStatus)),
    textArray(results.map(({ error }) => error)),
    textArray(results.map(({ answer }) => answer)),
    plainArray(results.map(({ keyId }) => keyId)),
    plainArray(results.map(({ requested }) => requested)),
    plainArray(results.map(({ retryAt }) => time(retryAt))),
  ];
  const [rows = []] = await fly(lane, [{ name: 'record-attempts', text: RECORD, values }]);
  return new Map(rows.map((row) => [row['delivery_id'], row['status']]));
}

/** When the next attempt of any delivery is due, null when nothing is pending. */
export async function findNextAttempt(db: Queryable): Promise<Instant | null> {
  const { rows } = await db.query({ name: 'next-attempt', text: `select min(next_attempt_at) as at from deliveries where status = 'pending'` });
  return rows[0].at;
}
