import { createLane, type Lane } from '../platform/database/connection/lane.ts';
import type { Database } from '../platform/database/db.ts';
import { createTermsCache, type TermsCache } from './rows/terms.ts';

/**
 * When a command has timed out, a connection without a commit for this long is dropped: it, or what
 * it waits for, may be frozen.
 */
const PATIENCE_MS = 2_000;

/** The connection on which batches are decided and written. */
export interface BatchLane extends Omit<Lane, 'drop'> {
  /** The terms as they were last read on it. */
  readonly terms: TermsCache;
  /** How often it was lost and replaced: changes of the database may have been missed. */
  readonly losses: number;
  /** A batch was committed. */
  progressed(): void;
  /** Drops the connection if it makes no progress. `late`: a command has just timed out. */
  dropWhenStuck(late: boolean): void;
}

export function createBatchLane(database: Database, timeoutMs: number): BatchLane {
  let terms = createTermsCache();
  let losses = 0;
  /** When a lost connection was replaced, or a batch was last committed. */
  let progressedAt = 0;
  /** Whether a command has timed out since then. */
  let overdue = false;

  function progressed() {
    progressedAt = performance.now();
    overdue = false;
  }

  const lane = createLane(database, {
    name: 'engine',
    timeoutMs,
    prepare(_client, opening) {
      if (opening === 'renewed') return;
      progressed();
      // The database may have been restored meanwhile: an older version may mean other terms.
      terms = createTermsCache();
      if (opening === 'again') losses += 1;
    },
  });

  return {
    acquire: lane.acquire,
    release: lane.release,
    run: lane.run,
    close: lane.close,
    get processId() {
      return lane.processId;
    },
    get terms() {
      return terms;
    },
    get losses() {
      return losses;
    },
    progressed,
    dropWhenStuck(late) {
      overdue ||= late;
      if (overdue && performance.now() - progressedAt > PATIENCE_MS) lane.drop();
    },
  };
}
