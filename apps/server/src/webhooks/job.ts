import type { Job, JobDeps } from '../platform/jobs/worker.ts';
import { forgiveUnused } from './health.store.ts';

/** Every retry comes sooner, so nothing waits any more for a receiver that had no attempt since. */
const UNUSED_MS = 24 * 60 * 60_000;

/** A receiver that nothing is sent to stops to count as failing, as it can never recover. */
export function unusedReceivers({ database, clock }: JobDeps): Job {
  return {
    name: 'unused-receivers',
    everyMs: 600_000,
    async run() {
      await forgiveUnused(database.pool, clock.now() - UNUSED_MS);
      return false;
    },
  };
}
