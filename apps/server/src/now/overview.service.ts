import type { Instant } from '@munshi/core';
import { BoundedMap } from '../platform/bounded-map.ts';
import { renewed, rested } from '../platform/lasting.ts';
import type { ServiceDeps } from '../writes/deps.ts';
import {
  type Capacity,
  countMembersOnline,
  countOpenOrders,
  type OpenOrders,
  type Outcomes,
  readCapacity,
  readOutcomes,
  readSlices,
  type Slice,
} from './overview.store.ts';

/** How the platform does, for a screen that several people look at all day (apis.md#orders). */
export interface Overview {
  readonly asOf: Instant;
  readonly membersOnline: number;
  readonly open: readonly OpenOrders[];
  readonly capacity: readonly Capacity[];
  /** Its 12 parts of 5 minutes, the oldest first. */
  readonly lastHour: readonly Slice[];
  /** The same an exact week before. */
  readonly weekBefore: readonly Slice[];
  /** The oldest first; the last one goes on. */
  readonly hours: readonly { readonly from: Instant; readonly outcomes: readonly Outcomes[] }[];
}

const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * 24 * HOUR_MS;
const HOURS = 12;
const SLICES = 12;
const SLICE_MS = HOUR_MS / SLICES;
const REST_MAX_MS = 2_000;
/** Orders of an hour that is over go on to end for a while. */
const HOUR_READ_FOR_MS = 600_000;

/** Reads it at most a fifth of the time in this process, and each hour that is over rarely. */
export function createOverview({
  database: { pool },
  clock,
}: Pick<ServiceDeps, 'database' | 'clock'>): () => Promise<Overview> {
  const outcomesOfPast = ofPast(4 * HOURS, (from, to) => readOutcomes(pool, from, to));
  const partsOf = async (from: Instant, to: Instant) =>
    inParts(await readSlices(pool, { from, to, sliceMs: SLICE_MS }));
  const partsOfPast = ofPast(2, partsOf);

  return rested(REST_MAX_MS, async () => {
    const now = clock.now();
    const thisHour = now - (now % HOUR_MS);
    const hours = [];
    for (let from = thisHour - (HOURS - 1) * HOUR_MS; from <= thisHour; from += HOUR_MS) {
      const isOver = from + 2 * HOUR_MS <= now;
      const outcomes = isOver
        ? await outcomesOfPast(from, from + HOUR_MS)
        : await readOutcomes(pool, from, from + HOUR_MS);
      hours.push({ from, outcomes });
    }
    const minute = now - (now % 60_000);
    return {
      asOf: now,
      membersOnline: await countMembersOnline(pool),
      open: await countOpenOrders(pool),
      capacity: await readCapacity(pool),
      lastHour: await partsOf(now - HOUR_MS, now + 1),
      weekBefore: await partsOfPast(minute - WEEK_MS - HOUR_MS, minute - WEEK_MS),
      hours,
    };
  });
}

/**
 * Reads what is over, from one time to another, and goes by that for a while. After that it is read
 * beside, one after the other: all hours become old at once, and nobody waits for twelve readings.
 */
function ofPast<T>(kept: number, read: (from: Instant, to: Instant) => Promise<T>) {
  const past = new BoundedMap<string, () => Promise<T>>(kept);
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = (from: Instant, to: Instant) => {
    const reading = turn.then(() => read(from, to));
    turn = reading.catch(() => {});
    return reading;
  };
  return (from: Instant, to: Instant): Promise<T> => {
    const key = `${from} ${to}`;
    const known = past.get(key) ?? renewed(HOUR_READ_FOR_MS, () => inTurn(from, to));
    past.set(key, known);
    return known();
  };
}

/** Every part of an hour; what was created in its last millisecond belongs to the last part. */
const inParts = (slices: readonly Slice[]): readonly Slice[] =>
  Array.from({ length: SLICES }, (_, at) => {
    const own = slices.filter(({ slice }) => Math.max(0, Math.min(slice, SLICES - 1)) === at);
    const sum = (of: (slice: Slice) => number) => own.reduce((all, slice) => all + of(slice), 0);
    return {
      slice: at,
      created: sum(({ created }) => created),
      completed: sum(({ completed }) => completed),
      failed: sum(({ failed }) => failed),
    };
  });
