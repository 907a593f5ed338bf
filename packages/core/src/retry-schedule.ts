import type { Instant } from './order.ts';

/**
 * Attempts that are made by themselves; after the last one the delivery is abandoned (spec:
 * Delivery and retries).
 */
export const ATTEMPTS_MAX = 10;
const MINUTE_MS = 60_000;
/** Minutes of delay after failed attempts 1 to 9. */
const DELAYS_MINUTES = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/**
 * When a delivery is due again after its failed attempt `number`, which started at `startedAt`;
 * null when it is abandoned. An attempt that an operator asks for counts like any other, so one
 * asked for after the tenth is the last again.
 */
export function nextAttemptAt(number: number, startedAt: Instant): Instant | null {
  const minutes = DELAYS_MINUTES[number - 1];
  return minutes === undefined ? null : startedAt + minutes * MINUTE_MS;
}

/**
 * How long the round of a minute goes on. A retry starts some moments after it is due, and the next
 * one is due as many moments after another whole minute: it must not wait for the minute after.
 */
const ROUND_MS = 15_000;

/** Retries are processed once a minute: at this time those that were due by the answer are sent. */
export const retriesDueBy = (now: Instant): Instant =>
  Math.min(now, now - (now % MINUTE_MS) + ROUND_MS);
