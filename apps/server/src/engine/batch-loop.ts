import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Batches } from './batches.ts';
import type { BatchLane } from './lane.ts';
import type { Queue } from './queue.ts';

interface BatchLoopOptions {
  readonly queue: Queue;
  readonly lane: BatchLane;
  readonly batches: Batches;
  /** No batch is decided before it resolves. */
  readonly indexIsRead: Promise<void>;
  readonly log: { warn(detail: object, message: string): void };
}

/**
 * The next load is sent behind a commit if as many commands wait as the batch had, and at least
 * this many. Measured: smaller overlapping batches cost more than the overlap gains.
 */
const OVERLAP_MIN = 24;
/** Pause between attempts to open the lane; each attempt also waits for the primary. */
const BACK_OFF_MS = { first: 50, longest: 250 };

/** Decides and writes batch after batch, as long as the process lives. */
export async function decideBatches({
  queue,
  lane,
  batches,
  indexIsRead,
  log,
}: BatchLoopOptions): Promise<never> {
  for (;;) {
    if (queue.length === 0) {
      await queue.filled(1);
      // The commands that arrive in the same turn of the event loop share the batch.
      await new Promise((resolve) => setImmediate(resolve));
    }
    const client = await openLane();
    const batch = queue.takeBatch();
    const since = performance.now();
    const decided = batch.length === 0 ? undefined : await batches.decide(client, batch);
    if (decided === undefined) {
      lane.release(client);
      continue;
    }
    const written = batches
      .write(client, batch, decided, since)
      .finally(() => lane.release(client));
    await Promise.race([written, queue.filled(Math.max(batch.length, OVERLAP_MIN))]);
  }

  /** Opens the lane for a batch, again and again while the database is away. */
  async function openLane(): Promise<pg.Client> {
    for (let pauseMs = BACK_OFF_MS.first; ; pauseMs = Math.min(BACK_OFF_MS.longest, 2 * pauseMs)) {
      try {
        const client = await lane.acquire();
        await indexIsRead;
        return client;
      } catch (error) {
        log.warn({ err: error }, 'the database cannot be reached');
        await delay(pauseMs);
      }
    }
  }
}
