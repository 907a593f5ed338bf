import { REPLAY_WINDOW_MS } from '@munshi/core';
import type { Job, JobDeps } from '../platform/jobs/worker.ts';
import { deleteReplaysBefore } from './replays.store.ts';

export function oldReplays({ database, clock }: JobDeps): Job {
  return {
    name: 'old-replays',
    everyMs: 600_000,
    irrevocable: true,
    run: async () =>
      (await deleteReplaysBefore(database.pool, clock.now() - REPLAY_WINDOW_MS, 10_000)) === 10_000,
  };
}
