import type { Job, JobDeps } from '../platform/jobs/worker.ts';
import { deleteRequestKeysBefore } from './request-keys.store.ts';

/** How long a repeat with the same Idempotency-Key is answered like the first request. */
const REQUEST_KEYS_MS = 30 * 24 * 60 * 60_000;

export function oldRequestKeys({ database, clock }: JobDeps): Job {
  return {
    name: 'old-request-keys',
    everyMs: 600_000,
    irrevocable: true,
    run: async () =>
      (await deleteRequestKeysBefore(database.pool, clock.now() - REQUEST_KEYS_MS, 10_000)) ===
      10_000,
  };
}
