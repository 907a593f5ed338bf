import type { EventType, Instant } from '@munshi/core';
import type pg from 'pg';
import type { Queryable } from './db.ts';
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
  /** Host and port of its URL. */
  readonly host: string;
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
    select c.merchant_id, c.delivery_id from open o cross join lateral (
      select d.merchant_id, d.delivery_id, d.next_attempt_at from deliveries d
      where d.status = 'pending' and d.host = o.host and d.next_attempt_at <= $1::timestamptz
        and (d.next_attempt_at <= $2::timestamptz or d.attempts = 0 or d.requested)
        and (d.claimed_until is null or d.claimed_until <= $1::timestamptz or d.claimed_until > $10::timestamptz)
        and d.merchant_id <> all($8::uuid[])
        and d.order_id not in (select unnest($9::uuid[]))
        and not exists (select from deliveries other where other.merchant_id = d.merchant_id and other.order_id = d.order_id
          and other.delivery_id <> d.delivery_id and other.claimed_until > $1::timestamptz and other.claimed_until <= $10::timestamptz)
      order by d.next_attempt_at limit least(o.room, greatest(1, $7::integer / (select count(*) from open)))
      for update of d skip locked) c
    order by c.next_attempt_at limit $7::integer
  )
  update deliveries d set claim_token = $3::uuid, claimed_until = $4::timestamptz from due
  where d.merchant_id = due.merchant_id and d.delivery_id = due.delivery_id
  returning d.merchant_id, d.delivery_id, d.order_id, d.host`;

export async function claimDeliveries(lane: pg.Client, request: ClaimRequest): Promise<readonly Claimed[]> {
  const { now, token, room, roomPerHost, hosts, withoutMerchants, withoutOrders } = request;
  const values = [
    time(now),
    time(request.retriesDueBy),
    token,
    time(now + LEASE_MS),
    roomPerHost,
    JSON.stringify(hosts),
    room,
    withoutMerchants,
    withoutOrders,
    time(now + LEASE_MS + CLOCK_SLACK_MS),
  ];
  const { rows } = await lane.query({ name: 'claim-deliveries', text: CLAIM, values });
  return rows.map((row: Row) => ({ merchantId: row['merchant_id'], deliveryId: row['delivery_id'], orderId: row['order_id'], host: row['host'] }));
}

/** The API key whose secret signs an attempt. `sealedSecret` is null on legacy keys. */
export interface SigningKey {
  readonly keyId: string;
  readonly prefix: string;
  readonly sealedSecret: Buffer | null;
  readonly sealKeyId: string | null;
}

/** A claimed delivery as it is when its attempt starts. */
export interface Attemptable {
  readonly deliveryId: string;
  /** False when a newer event has superseded it since it was claimed: it is not to be sent. */
  readonly current: boolean;
  readonly eventType: EventType;
  readonly url: string;
  readonly body: Buffer;
  readonly createdAt: Instant;
  readonly dueAt: Instant;
  readonly attemptsMade: number;
  readonly requested: boolean;
  /** The key that created the order while it is active, else the merchant's newest active one (spec: Signing secret used). */
  readonly key: SigningKey | undefined;
}

const READ = `select d.delivery_id, d.status, d.event_type, d.url, d.body, d.created_at, d.next_attempt_at, d.attempts, d.requested,
    k.key_id, k.prefix, k.sealed_secret, k.seal_key_id
  from unnest($1::uuid[], $2::uuid[]) as q (merchant_id, delivery_id)
  join deliveries d on d.merchant_id = q.merchant_id and d.delivery_id = q.delivery_id and d.claim_token = $3
  left join lateral (
    select k.key_id, k.prefix, k.sealed_secret, k.seal_key_id from api_keys k where k.merchant_id = d.merchant_id and k.revoked_at is null
    order by k.key_id = d.api_key_id desc, k.created_at desc, k.key_id desc limit 1) k on true`;

const lists = (claims: readonly Claimed[]) => [claims.map(({ merchantId }) => merchantId), claims.map(({ deliveryId }) => deliveryId)];

/** Reads what was claimed, again and right before it is sent: body, signing key, and whether it is still to be sent. */
export async function readClaimed(lane: pg.Client, claims: readonly Claimed[], token: string): Promise<readonly Attemptable[]> {
  const { rows } = await lane.query({ name: 'read-claimed', text: READ, values: [...lists(claims), token] });
  return rows.map((row: Row) => ({
    deliveryId: row['delivery_id'],
    current: row['status'] === 'pending',
    eventType: row['event_type'],
    url: row['url'],
    body: row['body'],
    createdAt: row['created_at'],
    dueAt: row['next_attempt_at'],
    attemptsMade: row['attempts'],
    requested: row['requested'],
    key:
      row['key_id'] === null ? undefined : { keyId: row['key_id'], prefix: row['prefix'], sealedSecret: row['sealed_secret'], sealKeyId: row['seal_key_id'] },
  }));
}

const RELEASE = `update deliveries d set claim_token = null, claimed_until = null from unnest($1::uuid[], $2::uuid[]) as q (merchant_id, delivery_id)
  where d.merchant_id = q.merchant_id and d.delivery_id = q.delivery_id and d.claim_token = $3`;

/** Gives back claims of which no attempt is made. */
export async function releaseDeliveries(lane: pg.Client, claims: readonly Claimed[], token: string): Promise<void> {
  await lane.query({ name: 'release-deliveries', text: RELEASE, values: [...lists(claims), token] });
}

/** What an attempt met. */
export interface AttemptResult {
  readonly merchantId: string;
  readonly deliveryId: string;
  readonly token: string;
  /** When it was due, as read at its start: another value in the row says that an operator has asked for one more since. */
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
const RECORD = `with given as (
    select * from json_to_recordset($1) as row (merchant_id uuid, delivery_id uuid, token uuid, due_at timestamptz, started_at timestamptz,
      duration_ms integer, succeeded boolean, response_status smallint, error text, answer text, key_id uuid, requested boolean, retry_at timestamptz)
  ), written as (
    update deliveries d set attempts = d.attempts + 1, claim_token = null, claimed_until = null,
      status = case when g.succeeded then 'delivered' when d.status = 'pending' and d.next_attempt_at = g.due_at and g.retry_at is null then 'abandoned'
        else d.status end,
      next_attempt_at = case when g.succeeded or d.status <> 'pending' then null when d.next_attempt_at <> g.due_at then d.next_attempt_at else g.retry_at end,
      requested = d.requested and not g.succeeded and d.status = 'pending' and d.next_attempt_at <> g.due_at
    from given g where d.merchant_id = g.merchant_id and d.delivery_id = g.delivery_id and d.claim_token = g.token
    returning d.merchant_id, d.delivery_id, d.attempts, d.status
  ), attempted as (
    insert into delivery_attempts (merchant_id, delivery_id, number, started_at, duration_ms, succeeded, response_status, error, answer, key_id, requested)
    select merchant_id, delivery_id, w.attempts, g.started_at, g.duration_ms, g.succeeded, g.response_status, g.error, g.answer, g.key_id, g.requested
    from written w join given g using (merchant_id, delivery_id)
  )
  select delivery_id, status from written`;

/** Records attempts in one statement. Answers the state of those deliveries whose claim was still held. */
export async function recordAttempts(lane: pg.Client, results: readonly AttemptResult[]): Promise<ReadonlyMap<string, string>> {
  const given = results.map((result) => ({
    merchant_id: result.merchantId,
    delivery_id: result.deliveryId,
    token: result.token,
    due_at: time(result.dueAt),
    started_at: time(result.startedAt),
    duration_ms: result.durationMs,
    succeeded: result.succeeded,
    response_status: result.responseStatus,
    error: result.error,
    answer: result.answer,
    key_id: result.keyId,
    requested: result.requested,
    retry_at: time(result.retryAt),
  }));
  const { rows } = await lane.query({ name: 'record-attempts', text: RECORD, values: [JSON.stringify(given)] });
  return new Map(rows.map((row: Row) => [row['delivery_id'], row['status']]));
}

/** When the next attempt of any delivery is due, null when nothing is pending. */
export async function findNextAttempt(db: Queryable): Promise<Instant | null> {
  const { rows } = await db.query({ name: 'next-attempt', text: `select min(next_attempt_at) as at from deliveries where status = 'pending'` });
  return rows[0].at;
}
