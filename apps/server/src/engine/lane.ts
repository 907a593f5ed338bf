import type { Database } from '../storage/db.ts';
import { createLane, type Lane } from '../storage/lane.ts';
import { createTermsCache, type TermsCache } from '../storage/terms.ts';

/**
 * Once a command's time is over, connections on which nothing was committed for so long are given
 * up: they, or what they wait for, may stand still.
 */
const PATIENCE_MS = 2_000;

/** The connection on which batches are decided and written. */
export interface BatchLane extends Omit<Lane, 'drop'> {
  /** The terms as they were last read on it. */
  readonly terms: TermsCache;
  /** A batch was committed. */
  progressed(): void;
  /** Gives the connection up where nothing moves on it. `late`: a command's time has just ended. */
  dropWhenStuck(late: boolean): void;
}

/** `onReopened`: the connection before was lost, and with it perhaps news of the database. */
export function createBatchLane(
  database: Database,
  timeoutMs: number,
  onReopened: () => void,
): BatchLane {
  let terms = createTermsCache();
  /** When a connection was opened for want of one, or a batch was last committed. */
  let progressedAt = 0;
  /** Whether a command's time has ended since then. */
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
      // The database may have been restored meanwhile: what was known under a version of before
      // says nothing.
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
