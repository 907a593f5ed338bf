import type { Job, JobDeps } from '../platform/jobs/worker.ts';
import { forgetRefusedBefore } from './traffic.store.ts';

/** Refused requests are kept for 7 days. */
const REFUSALS_MS = 7 * 24 * 60 * 60_000;

export function oldRefusals({ database, clock }: JobDeps): Job {
  return {
    name: 'old-refusals',
    everyMs: 600_000,
    irrevocable: true,
    run: () => forgetRefusedBefore(database.pool, clock.now() - REFUSALS_MS, 1_000),
  };
}
