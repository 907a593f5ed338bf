import type { Job, JobDeps } from '../platform/jobs/worker.ts';
import { deleteOrderClaimsEndedBy } from './claims.store.ts';

export function endedClaims({ database, clock }: JobDeps): Job {
  return {
    name: 'ended-order-claims',
    everyMs: 600_000,
    run: async () =>
      (await deleteOrderClaimsEndedBy(database.pool, clock.now(), 10_000)) === 10_000,
  };
}
