import type { Clock } from '../clock.ts';
import type { Database } from '../storage/db.ts';
import { anyWaiting, findNextDue } from '../storage/due.ts';
import { saveClockOffset } from '../storage/settings.ts';
import type { Worker } from './worker.ts';

interface AdvanceDeps {
  readonly clock: Clock;
  readonly database: Database;
  readonly worker: Worker;
}

const MINUTE_MS = 60_000;

/**
 * Moves a sandbox clock by `seconds` in steps, to each deadline on the way and, while withdrawals wait, to each minute, and
 * runs what is due at every step, so that all happens in the order of its time. Resolves when it has run.
 */
export async function advanceClock(seconds: number, { clock, database, worker }: AdvanceDeps): Promise<void> {
  const target = clock.now() + seconds * 1000;
  for (;;) {
    await worker.runAll();
    const now = clock.now();
    if (now >= target) return;
    const due = (await findNextDue(database.pool)) ?? target;
    const minute = (await anyWaiting(database.pool)) ? now + MINUTE_MS : target;
    const next = Math.min(target, Math.max(now + 1, Math.min(due, minute)));
    const offset = next - Date.now();
    clock.setOffset(offset);
    await saveClockOffset(database.pool, offset);
  }
}
