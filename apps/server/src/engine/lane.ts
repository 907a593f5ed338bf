import type { Database } from '../storage/db.ts';
import { createLane, type Lane } from '../storage/lane.ts';
import { createTermsCache, type TermsCache } from '../storage/terms.ts';

/**
 * When a command has timed out, a connection without a commit for this long is dropped: it, or what
 * it waits for, may be frozen.
 */
const PATIENCE_MS = 2_000;

/** The connection on which batches are decided and written. */
export interface BatchLane extends Omit<Lane, 'drop'> {
  /** The terms as they were last read on it. */
  readonly terms: TermsCache;
  /** A batch was committed. */
  progressed(): void;
  /** Drops the connection if it makes no progress. `late`: a command has just timed out. */
  dropWhenStuck(late: boolean): void;
}

/** `onReopened`: the connection was lost, and changes of the database may have been missed. */
export function createBatchLane(
  database: Database,
  timeoutMs: number,
  onReopened: () => void,
): BatchLane {
  let terms = createTermsCache();
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
      if (opening === 'again') onReopened();
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
    progressed,
    dropWhenStuck(late) {
      overdue ||= late;
      if (overdue && performance.now() - progressedAt > PATIENCE_MS) lane.drop();
    },
  };
}
