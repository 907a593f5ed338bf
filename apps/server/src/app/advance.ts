import type { Instant } from '@munshi/core';
import { anyWaiting, findNextDue } from '../engine/rows/due-orders.ts';
import { findNextAlert } from '../member-alerts/rounds.store.ts';
import type { Clock } from '../platform/clock.ts';
import type { JobLocks } from '../platform/database/connection/job-locks.ts';
import type { Database } from '../platform/database/db.ts';
import type { Worker } from '../platform/jobs/worker.ts';
import { readClockOffset, saveClockOffset } from '../settings/clock-offset.store.ts';

interface AdvanceDeps {
  readonly clock: Clock;
  readonly database: Database;
  readonly worker: Worker;
  readonly locks: JobLocks;
  /** `settle` makes every attempt that is due; `nextDue` says when the next one is. */
  readonly webhooks: { settle(): Promise<void>; nextDue(): Promise<Instant | null> };
  readonly alerts: { settle(): Promise<void> };
}

const MINUTE_MS = 60_000;
/** Webhook retries that are due closer together than this run in one step. */
const RETRY_STEP_MS = 5_000;

/** Between tries to get the lock while another process advances the clock. */
const TURN_MS = 100;

/**
 * Moves a sandbox clock by `seconds` and runs what is due, in the order of time: it stops at each
 * deadline, at each step of an alert, at each webhook retry and, while withdrawals wait, at each minute. Resolves when all
 * has run. Advances run one at a time across processes.
 */
export function clockAdvancer(deps: AdvanceDeps): (seconds: number) => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  async function takeTurn(seconds: number) {
    for (let mine = false; !mine; ) {
      await deps.locks.whileHeld('clock advance', () => {
        mine = true;
        return advance(deps, seconds);
      });
      if (!mine) await new Promise((resolve) => setTimeout(resolve, TURN_MS));
    }
  }
  return (seconds) => {
    const advanced = last.then(() => takeTurn(seconds));
    last = advanced.catch(() => {});
    return advanced;
  };
}

async function advance(
  { clock, database, worker, webhooks, alerts }: AdvanceDeps,
  seconds: number,
): Promise<void> {
  // Another process may have advanced it a moment ago: this one goes on from there.
  clock.setOffset(await readClockOffset(database.pool));
  const target = clock.now() + seconds * 1000;
  let retriedAt = Number.NEGATIVE_INFINITY;
  for (;;) {
    // Read before the work: what falls due while it runs belongs to the next step.
    const now = clock.now();
    await worker.runAll();
    await alerts.settle();
    await webhooks.settle();
    if (now >= target) return;
    const due = (await findNextDue(database.pool, now)) ?? target;
    const alert = (await findNextAlert(database.pool, now)) ?? target;
    const minute = (await anyWaiting(database.pool)) ? now + MINUTE_MS : target;
    const retry = Math.max(retriedAt + RETRY_STEP_MS, (await webhooks.nextDue()) ?? target);
    const next = Math.min(target, Math.max(now + 1, Math.min(due, alert, minute, retry)));
    if (next === retry) retriedAt = next;
    const offset = next - Date.now();
    clock.setOffset(offset);
    await saveClockOffset(database.pool, offset);
  }
}

const FOLLOW_MS = 500;

/**
 * Follows the advances of other processes within half a second. Returns a function that stops it.
 */
export function followAdvances(clock: Clock, { pool }: Database): () => void {
  if (!clock.sandbox) return () => {};
  const timer = setInterval(() => {
    readClockOffset(pool).then(clock.setOffset, () => {}); // the database is away: the next tick asks again
  }, FOLLOW_MS);
  timer.unref();
  return () => clearInterval(timer);
}
