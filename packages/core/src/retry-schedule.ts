import type { Instant } from './order.ts';

/**
 * Attempts that are made by themselves; after the last one the delivery is abandoned (spec:
 * Delivery and retries).
 */
export const ATTEMPTS_MAX = 10;
/** Delays after failed attempts 1 to 9, of live services in minutes. */
const DELAYS = [1, 2, 4, 8, 16, 32, 64, 128, 256];

export interface RetrySchedule {
  /** One delay, and how often a round of retries begins. */
  readonly unitMs: number;
  /**
   * How long a round goes on. A retry starts some moments after it is due, and the next one is due
   * as many moments after another whole unit: it must not wait for the round after.
   */
  readonly roundMs: number;
}
export const LIVE_SCHEDULE: RetrySchedule = { unitMs: 60_000, roundMs: 15_000 };
/** Seconds for minutes: all ten attempts are over after eight and a half minutes. */
export const SANDBOX_SCHEDULE: RetrySchedule = { unitMs: 1_000, roundMs: 1_000 };

/**
 * When a delivery is due again after its failed attempt `number`, which started at `startedAt`;
 * null when it is abandoned. An attempt that an operator asks for counts like any other, so one
 * asked for after the tenth is the last again.
 */
export function nextAttemptAt(
  number: number,
  startedAt: Instant,
  { unitMs } = LIVE_SCHEDULE,
): Instant | null {
  const delay = DELAYS[number - 1];
  return delay === undefined ? null : startedAt + delay * unitMs;
}

/** At this time the retries that were due by the answer are sent. */
export const retriesDueBy = (now: Instant, { unitMs, roundMs } = LIVE_SCHEDULE): Instant =>
  Math.min(now, now - (now % unitMs) + roundMs);
