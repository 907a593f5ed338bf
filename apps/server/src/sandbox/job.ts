import { type Order, type Play, playOf } from '@munshi/core';
import type { Job, JobDeps } from '../platform/jobs/worker.ts';
import type { ServiceDeps } from '../writes/deps.ts';
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

type Deps = JobDeps & Pick<ServiceDeps, 'engine'>;

/** Members of a sandbox who are not signed in play themselves (testing.md). */
export function playedMembers(deps: Deps): Job {
  return {
    name: 'played-members',
    everyMs: 1_000,
    async run() {
      const now = deps.clock.now();
      for (const order of await findPlayed(deps.database.pool, { since: now - PLAYED_MS, now })) {
        const play = playOf(order, now);
        if (play === undefined) continue;
        // One that does not move must not keep the others waiting.
        await act(deps, order, play).catch((error) =>
          deps.log.error({ err: error, orderId: order.orderId }, 'a member did not play'),
        );
      }
      return false;
    },
  };
}

async function act(deps: Deps, order: Order, play: Play): Promise<void> {
  if (play.act === 'reassign') {
    await passOn(deps, order);
    return;
  }
  const { reasonCode } = play;
  const reason = reasonCode === null ? undefined : REASONS[order.orderType][reasonCode];
  await moveOrder(deps, order.orderId, { ...play, reason });
}
