import { playOf } from '@munshi/core';
import type { Job, JobDeps } from '../platform/jobs/worker.ts';
import type { ServiceDeps } from '../writes/deps.ts';
import { makeMembers } from './members.service.ts';
import { moveOrder, passOn } from './moves.service.ts';
import { findPlayed } from './store.ts';

/** Older orders are left as they are. */
const PLAYED_MS = 24 * 3_600_000;

const REASONS = {
  Deposit: {
    notReceived: 'The payment was not received.',
    otherAmount: 'Another amount was received.',
  },
  Withdrawal: {
    notReceived: 'The wallet refuses the payout.',
    otherAmount: 'The wallet takes another amount.',
  },
} as const;

type Deps = JobDeps & Pick<ServiceDeps, 'engine' | 'ids'>;

export const sandboxJobs = (deps: Deps): readonly Job[] => [
  playedMembers(deps),
  {
    name: 'sandbox-members',
    everyMs: 60_000,
    run: () => makeMembers(deps).then(() => false),
  },
];

/** Members of a sandbox who are not signed in play themselves (testing.md). */
function playedMembers(deps: Deps): Job {
  return {
    name: 'played-members',
    everyMs: 1_000,
    async run() {
      const now = deps.clock.now();
      for (const order of await findPlayed(deps.database.pool, { since: now - PLAYED_MS, now })) {
        const play = playOf(order, now);
        if (play === undefined) continue;
        if (play.act === 'reassign') await passOn(deps, order);
        else
          await moveOrder(deps, order.orderId, {
            ...play,
            reason:
              play.reasonCode === null ? undefined : REASONS[order.orderType][play.reasonCode],
          });
      }
      return false;
    },
  };
}
