import type { Engine } from '../engine/engine.ts';
import type { Job, JobDeps } from '../platform/jobs/worker.ts';
import { withdrawDeposits } from './withdrawn-deposits.service.ts';

/**
 * Takes unpaid deposits from suspended members, and from accounts that are not approved any more.
 * This is done before the write that causes it is answered; once a minute it covers what a crash
 * left behind.
 */
export function withdrawnMembers(deps: JobDeps & { readonly engine: Engine }): Job {
  return {
    name: 'withdrawn-members',
    everyMs: 60_000,
    async run() {
      await withdrawDeposits(deps);
      return false;
    },
  };
}
