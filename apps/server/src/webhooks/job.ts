import type { Job, JobDeps } from '../platform/jobs/worker.ts';
import { clearUnusedFailures } from './health.store.ts';

/** Longer than between any two attempts: nothing waits for a receiver that had none since. */
const UNUSED_MS = 24 * 60 * 60_000;

/** A receiver to which nothing is sent no longer counts as failing: no success could end it. */
export function unusedReceivers({ database, clock }: JobDeps): Job {
  return {
    name: 'unused-receivers',
    everyMs: 600_000,
    async run() {
      await clearUnusedFailures(database.pool, clock.now() - UNUSED_MS);
      return false;
    },
  };
}
