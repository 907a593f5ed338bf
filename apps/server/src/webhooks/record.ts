import { setTimeout as delay } from 'node:timers/promises';
import { createBatchLoader } from '../platform/database/connection/batch-loader.ts';
import type { Database } from '../platform/database/db.ts';
import { type AttemptedState, type AttemptResult, recordAttempts } from './attempts.store.ts';
import { createQueueLane, LEASE_MS } from './queue.store.ts';

export interface Recorder {
  /**
   * Records an attempt that began at `since` (`performance.now()`), again and again while the
   * database is away and the claim may hold. Answers what has become of the delivery, undefined
   * when the claim was lost.
   */
  record(result: AttemptResult, since: number): Promise<AttemptedState | undefined>;
  close(): Promise<void>;
}

const TIMEOUT_MS = 10_000;
const RECORDS_MAX = 500;
/** Records may gather for this long: nobody waits for one. */
const RECORD_REST_MS = 5;
const PAUSE_MS = { first: 50, longest: 1_000 };

/** Has a connection of its own: records do not wait behind claims. */
export function createRecorder(database: Database): Recorder {
  const lane = createQueueLane(database, TIMEOUT_MS);
  const recordTogether = createBatchLoader(
    (results: readonly AttemptResult[]) =>
      lane.run(async (client) => {
        const states = await recordAttempts(client, results);
        return results.map(({ deliveryId }) => states.get(deliveryId));
      }),
    { max: RECORDS_MAX, restMs: RECORD_REST_MS },
  );

  return {
    async record(result, since) {
      for (let ms = PAUSE_MS.first; ; ms = Math.min(PAUSE_MS.longest, ms * 2)) {
        try {
          return await recordTogether(result);
        } catch (error) {
          if (performance.now() - since > LEASE_MS) throw error;
          await delay(ms);
        }
      }
    },
    close: lane.close,
  };
}
