import type { Instant } from '@munshi/core';
import type pg from 'pg';
import {
  answers,
  assignedFrom,
  columns,
  from,
  type KindsOf,
  namesOf,
  orNull,
  type RecordOf,
  t,
  unnested,
} from '../platform/database/columns.ts';
import { plainArray, runPipeline, textArray } from '../platform/database/pipeline.ts';
import { BEGIN, COMMIT, GUARD, statement } from '../platform/database/statement.ts';

/** What an attempt met. */
export interface AttemptResult {
  readonly merchantId: string;
  readonly deliveryId: string;
  readonly subjectId: string;
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

const ATTEMPT = {
  merchantId: t.uuid,
  deliveryId: t.uuid,
  number: t.integer,
  startedAt: t.instant,
  durationMs: t.integer,
  succeeded: t.boolean,
  responseStatus: orNull(t.integer),
  error: orNull(t.text),
  answer: orNull(t.text),
  keyId: orNull(t.uuid),
  requested: t.boolean,
} satisfies Partial<KindsOf<AttemptResult>>;
const ATTEMPT_COLUMNS = namesOf(ATTEMPT);

const ACKNOWLEDGED = unnested({
  place: t.tid,
  deliveryId: t.uuid,
  token: t.uuid,
  startedAt: t.instant,
  durationMs: t.integer,
  responseStatus: orNull(t.integer),
  answer: orNull(t.text),
  keyId: orNull(t.uuid),
} satisfies Partial<KindsOf<AttemptResult>>);

/**
 * Takes acknowledged deliveries out of the queue, each where its claim has left it: a place that
 * was changed since lies elsewhere, and its attempt is recorded with the others. Token and delivery
 * distinguish it from anything that may lie there instead: a newer event of the same order has the
 * same token, and may have come to lie there.
 */
const ACKNOWLEDGE = statement(
  'acknowledge',
  `with acknowledged as (
     delete from delivery_queue q
     using ${ACKNOWLEDGED.rows}
     where q.ctid = row.place
       and q.delivery_id = row.delivery_id
       and q.claim_token = row.token
     returning q.merchant_id, q.delivery_id, q.attempts + 1, row.started_at, row.duration_ms,
       true, row.response_status, null, row.answer, row.key_id, q.requested
   )
   insert into delivery_attempts (${ATTEMPT_COLUMNS})
   select *
   from acknowledged
   returning delivery_id`,
  answers({ deliveryId: t.uuid }),
);

/** Answers the deliveries whose places were where their claims had left them. */
async function recordAcknowledged(
  lane: pg.Client,
  results: readonly AttemptResult[],
): Promise<readonly string[]> {
  if (results.length === 0) return [];
  // In the order in which the engine takes places, so that neither holds what the other waits for.
  const sorted = [...results].sort((a, b) => (a.subjectId < b.subjectId ? -1 : 1));
  const values = ACKNOWLEDGED.arraysOf(sorted);
  const [gone] = await runPipeline(lane, [{ ...ACKNOWLEDGE, values }]);
  return gone.map(({ deliveryId }) => deliveryId);
}

const PLACE = columns('', {
  place: from('ctid', t.tid),
  subjectId: from('order_id', t.uuid),
  deliveryId: t.uuid,
  claimToken: orNull(t.uuid),
  nextAttemptAt: t.instant,
  attempts: t.integer,
  requested: t.boolean,
});
type Place = RecordOf<typeof PLACE>;
const LOCK_PLACES = statement(
  'lock-queue',
  `select ${PLACE.list}
   from delivery_queue
   where order_id = any($1::uuid[])
   order by order_id
   for update`,
  PLACE,
);

/** A locked place in the queue whose claim is held, with the attempt that was made under it. */
interface Held {
  readonly place: Place;
  readonly result: AttemptResult;
  readonly state: AttemptedState;
}

/** Records what was not simply acknowledged, with the places in the queue locked. */
async function recordLocked(
  lane: pg.Client,
  results: readonly AttemptResult[],
): Promise<ReadonlyMap<string, AttemptedState>> {
  if (results.length === 0) return new Map();
  const subjectIds = plainArray(results.map(({ subjectId }) => subjectId));
  const [, , places] = await runPipeline(lane, [
    BEGIN,
    GUARD,
    { ...LOCK_PLACES, values: [subjectIds] },
  ]);
  const claimed = new Map(places.map((place) => [`${place.subjectId} ${place.claimToken}`, place]));
  const held = results.flatMap((result): Held[] => {
    const place = claimed.get(`${result.subjectId} ${result.token}`);
    return place === undefined ? [] : [{ place, result, state: stateAfter(result, place) }];
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
  place: Place,
): AttemptedState {
  if (place.deliveryId !== deliveryId) return 'overtaken';
  if (succeeded) return 'delivered';
  return retryAt === null && place.nextAttemptAt === dueAt ? 'abandoned' : 'pending';
}

const WRITTEN = unnested(ATTEMPT);
const WRITE_ATTEMPTS = statement(
  'write-attempts',
  `insert into delivery_attempts (${ATTEMPT_COLUMNS})
   select *
   from ${WRITTEN.rows}`,
);

const writeAttempts = (held: readonly Held[]) => ({
  ...WRITE_ATTEMPTS,
  values: WRITTEN.arraysOf(held.map(({ result }) => result)),
});

const LEAVE_QUEUE = statement(
  'leave-queue',
  `delete from delivery_queue
   where ctid = any($1::tid[])`,
);

const leaveQueue = (held: readonly Held[]) => ({
  ...LEAVE_QUEUE,
  values: [textArray(held.map(({ place }) => place.place))],
});

const QUEUED = {
  nextAttemptAt: orNull(t.instant),
  attempts: t.integer,
  requested: t.boolean,
  ready: t.boolean,
};
const STAYING = unnested({ place: t.tid, ...QUEUED });
const STAY_IN_QUEUE = statement(
  'stay-in-queue',
  `update delivery_queue q
   set claim_token = null,
       claimed_until = null,
       ${assignedFrom('row', QUEUED)}
   from ${STAYING.rows}
   where q.ctid = row.place`,
);

const stayInQueue = (held: readonly Held[]) => ({
  ...STAY_IN_QUEUE,
  values: STAYING.arraysOf(held.map(stay)),
});

/**
 * The claim ends; a newer event stays as it is, and so does the time of an attempt that was asked
 * for meanwhile.
 */
function stay({ place, result, state }: Held) {
  const askedFor = place.nextAttemptAt !== result.dueAt;
  const asItIs = state === 'overtaken' || askedFor;
  return {
    place: place.place,
    nextAttemptAt: asItIs ? place.nextAttemptAt : result.retryAt,
    attempts: state === 'overtaken' ? place.attempts : result.number,
    requested: asItIs && place.requested,
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
