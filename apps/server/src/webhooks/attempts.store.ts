import type { Instant } from '@munshi/core';
import type pg from 'pg';
import { plainArray, runPipeline, textArray } from '../platform/database/pipeline.ts';
import { type Row, time } from '../platform/database/rows.ts';
import { BEGIN, COMMIT, GUARD, statement } from '../platform/database/statement.ts';

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
 * of those whose claim was. What was acknowledged, as nearly everything is, takes one statement.
 */
export async function recordAttempts(
  lane: pg.Client,
  results: readonly AttemptResult[],
): Promise<ReadonlyMap<string, AttemptedState>> {
  const acknowledged = results.filter(({ succeeded }) => succeeded);
  const states = new Map<string, AttemptedState>();
  for (const deliveryId of await recordAcknowledged(lane, acknowledged))
    states.set(deliveryId, 'delivered');
  const others = results.filter(({ deliveryId }) => !states.has(deliveryId));
  for (const [deliveryId, state] of await recordLocked(lane, others)) states.set(deliveryId, state);
  return states;
}

const ATTEMPT_COLUMNS = `merchant_id, delivery_id, number, started_at, duration_ms, succeeded,
     response_status, error, answer, key_id, requested`;

/**
 * Takes acknowledged deliveries out of the queue, each where its claim has left it: a place that
 * was changed since lies elsewhere, and its attempt is recorded with the others. Token and delivery
 * tell it from whatever may lie there instead: a newer event of the same order has the same token,
 * and may have come to lie there.
 */
const ACKNOWLEDGE = statement(
  'acknowledge',
  `with acknowledged as (
     delete from delivery_queue q
     using unnest(
       $1::tid[], $2::uuid[], $3::uuid[], $4::timestamptz[], $5::integer[], $6::smallint[],
       $7::text[], $8::uuid[]
     ) as g (
       place, delivery_id, token, started_at, duration_ms, response_status, answer, key_id
     )
     where q.ctid = g.place
       and q.delivery_id = g.delivery_id
       and q.claim_token = g.token
     returning q.merchant_id, q.delivery_id, (q.attempts + 1)::smallint, g.started_at,
       g.duration_ms, true, g.response_status, null::text, g.answer, g.key_id, q.requested
   )
   insert into delivery_attempts (${ATTEMPT_COLUMNS})
   select *
   from acknowledged
   returning delivery_id`,
);

/** Answers the deliveries whose places were where their claims had left them. */
async function recordAcknowledged(
  lane: pg.Client,
  results: readonly AttemptResult[],
): Promise<readonly string[]> {
  if (results.length === 0) return [];
  // In the order in which the engine takes places, so that neither holds what the other waits for.
  const sorted = [...results].sort((a, b) => (a.orderId < b.orderId ? -1 : 1));
  const values = [
    textArray(sorted.map(({ place }) => place)),
    plainArray(sorted.map(({ deliveryId }) => deliveryId)),
    plainArray(sorted.map(({ token }) => token)),
    plainArray(sorted.map(({ startedAt }) => time(startedAt))),
    plainArray(sorted.map(({ durationMs }) => durationMs)),
    plainArray(sorted.map(({ responseStatus }) => responseStatus)),
    textArray(sorted.map(({ answer }) => answer)),
    plainArray(sorted.map(({ keyId }) => keyId)),
  ];
  const [rows = []] = await runPipeline(lane, [{ ...ACKNOWLEDGE, values }]);
  return rows.map((row) => row['delivery_id']);
}

const LOCK_PLACES = statement(
  'lock-queue',
  `select ctid as place, order_id, delivery_id, claim_token, next_attempt_at, attempts, requested
   from delivery_queue
   where order_id = any($1::uuid[])
   order by order_id
   for update`,
);

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
  if (results.length === 0) return new Map();
  const orderIds = plainArray(results.map(({ orderId }) => orderId));
  const locking = [BEGIN, GUARD, { ...LOCK_PLACES, values: [orderIds] }];
  const [, , rows = []] = await runPipeline(lane, locking);
  const places = new Map(rows.map((row) => [`${row['order_id']} ${row['claim_token']}`, row]));
  const held = results.flatMap((result): Held[] => {
    const row = places.get(`${result.orderId} ${result.token}`);
    return row === undefined ? [] : [{ row, result, state: stateAfter(result, row) }];
  });
  await runPipeline(lane, [
    writeAttempts(held),
    leaveQueue(held.filter(({ state }) => state === 'delivered' || state === 'abandoned')),
    stayInQueue(held.filter(({ state }) => state === 'pending' || state === 'overtaken')),
    abandonDeliveries(held.filter(({ state }) => state === 'abandoned')),
    COMMIT,
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

const WRITE_ATTEMPTS = statement(
  'write-attempts',
  `insert into delivery_attempts (${ATTEMPT_COLUMNS})
   select *
   from unnest(
     $1::uuid[], $2::uuid[], $3::smallint[], $4::timestamptz[], $5::integer[], $6::boolean[],
     $7::smallint[], $8::text[], $9::text[], $10::uuid[], $11::boolean[]
   )`,
);

function writeAttempts(held: readonly Held[]) {
  const results = held.map(({ result }) => result);
  const values = [
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
  return { ...WRITE_ATTEMPTS, values };
}

const LEAVE_QUEUE = statement(
  'leave-queue',
  `delete from delivery_queue
   where ctid = any($1::tid[])`,
);

const leaveQueue = (held: readonly Held[]) => ({
  ...LEAVE_QUEUE,
  values: [textArray(held.map(({ row }) => row['place']))],
});

const STAY_IN_QUEUE = statement(
  'stay-in-queue',
  `update delivery_queue q
   set claim_token = null,
     claimed_until = null,
     next_attempt_at = g.next_attempt_at,
     attempts = g.attempts,
     requested = g.requested,
     ready = g.ready
   from unnest($1::tid[], $2::timestamptz[], $3::smallint[], $4::boolean[], $5::boolean[])
     as g (place, next_attempt_at, attempts, requested, ready)
   where q.ctid = g.place`,
);

function stayInQueue(held: readonly Held[]) {
  const places = held.map(stay);
  const values = [
    textArray(places.map(({ place }) => place)),
    plainArray(places.map(({ nextAttemptAt }) => time(nextAttemptAt))),
    plainArray(places.map(({ attempts }) => attempts)),
    plainArray(places.map(({ requested }) => requested)),
    plainArray(places.map(({ ready }) => ready)),
  ];
  return { ...STAY_IN_QUEUE, values };
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

const ABANDON = statement(
  'abandon',
  `update deliveries
   set abandoned = true
   where delivery_id = any($1::uuid[])`,
);

const abandonDeliveries = (held: readonly Held[]) => ({
  ...ABANDON,
  values: [plainArray(held.map(({ result }) => result.deliveryId))],
});
