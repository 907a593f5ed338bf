import { setTimeout as delay } from 'node:timers/promises';
import type {
  Command,
  CommandKind,
  CommandOf,
  Decision,
  Instant,
  Need,
  Notice,
  ResultOf,
} from '@munshi/core';
import type pg from 'pg';
import type { Database } from '../storage/db.ts';
import { UnavailableError } from '../storage/errors.ts';
import type { Writes } from '../storage/ledger/batch.ts';
import { createBatches } from './batches.ts';
import { followMembers } from './follow-members.ts';
import type { Ids } from './ids.ts';
import { createBatchLane } from './lane.ts';
import { createMemberIndex } from './member-index.ts';
import { type Preview, previewCommands } from './preview.ts';
import { createQueue, DEADLINE_MS, type SubmitOptions, type Waiting } from './queue.ts';
import type { DecidedBatch } from './run-batch.ts';

export interface Engine {
  /**
   * Runs one command. Resolves with its decision after the commit; a refusal is a value. Throws
   * UnavailableError when it could not be decided in time, and the cause when it broke.
   */
  submit<Kind extends CommandKind>(
    command: CommandOf<Kind> & { readonly kind: Kind },
    options?: SubmitOptions,
  ): Promise<Decision<ResultOf<Kind>>>;
  /**
   * What these commands would do if they came now, one after the other: decided as `submit` decides
   * them, and not written. Throws what breaks.
   */
  preview(commands: readonly Command[]): Promise<Preview>;
  /**
   * Whether somebody could take this now, by what this process knows of the members: no question to
   * the database. `holder` has the order and would give it back first.
   */
  couldBeTaken(need: Need, holder: string | null): boolean;
  /** Takes no further command; resolves when the accepted ones are answered. */
  stop(): Promise<void>;
  /** Whether commands can be decided now: none has waited long, and the lane opens and answers. */
  ready(): Promise<boolean>;
  /** Since the start; `unanswered` is the present number. */
  readonly stats: {
    readonly batches: number;
    readonly commands: number;
    readonly retries: number;
    readonly unanswered: number;
  };
}

export interface EngineOptions {
  readonly database: Database;
  readonly now: () => Instant;
  readonly ids: Ids;
  readonly log: {
    warn(detail: object, message: string): void;
    error(detail: object, message: string): void;
  };
  /** Told after each commit: what members' screens should know. */
  readonly onNotices?: (notices: readonly Notice[]) => void;
  /**
   * Told after each commit by which members may be given withdrawals that they could not before.
   */
  readonly onCapacity?: (memberIds: readonly string[]) => void;
  /** Told after each commit that wrote webhook deliveries. */
  readonly onDeliveries?: () => void;
  /** Told after each commit what it wrote. */
  readonly onWritten?: (writes: Writes) => void;
}

/**
 * The next load is sent behind a commit if as many commands wait as the batch had, and at least
 * this many. Measured: smaller overlapping batches cost more than the overlap gains.
 */
const OVERLAP_MIN = 24;
/** How often late commands are looked for. */
const WATCH_MS = 250;
/** Between tries to open the lane, each of which waits for the primary by itself. */
const BACK_OFF_MS = { first: 50, longest: 250 };
/** If a command has waited longer, the engine is not ready. */
const READY_WAIT_MS = 4_000;
/**
 * After a start, commands wait at most this long for the index. Then every batch asks the database.
 */
const INDEX_PATIENCE_MS = 3_000;

/**
 * The one writer of money and status. Commands that arrive while a batch is decided and written
 * make the next batch: a single command is decided at once, many share a transaction.
 */
export function createEngine({
  database,
  now,
  ids,
  log,
  onNotices,
  onCapacity,
  onDeliveries,
  onWritten,
}: EngineOptions): Engine {
  const queue = createQueue(log);
  const index = createMemberIndex();
  const lane = createBatchLane(database, DEADLINE_MS, () => members.startAnew());
  const members = followMembers({ database, index, log, ownSession: () => lane.processId });
  const indexIsRead = Promise.race([
    members.firstReading,
    delay(INDEX_PATIENCE_MS, undefined, { ref: false }),
  ]);
  const batches = createBatches({
    queue,
    index,
    members,
    lane,
    ids,
    now,
    log,
    onCommitted: answer,
  });

  const watch = setInterval(() => lane.dropWhenStuck(queue.refuseLate()), WATCH_MS).unref();
  decideBatches();

  async function decideBatches(): Promise<never> {
    for (;;) {
      if (queue.length === 0) {
        await queue.filled(1);
        // The commands that arrive in the same turn of the event loop share the batch.
        await new Promise((resolve) => setImmediate(resolve));
      }
      const client = await openLane();
      const batch = queue.takeBatch();
      const decided = batch.length === 0 ? undefined : await batches.decide(client, batch);
      if (decided === undefined) {
        lane.release(client);
        continue;
      }
      const written = batches.write(client, batch, decided).finally(() => lane.release(client));
      await Promise.race([written, queue.filled(Math.max(batch.length, OVERLAP_MIN))]);
    }
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

  function answer(batch: readonly Waiting[], { outcomes, snapshot, writes }: DecidedBatch) {
    queue.answer(batch, outcomes);
    if (snapshot.notices.length > 0) onNotices?.(snapshot.notices);
    const able = snapshot.ableToTakeMore();
    if (able.length > 0) onCapacity?.(able.map(({ memberId }) => memberId));
    if (writes.deliveries.length > 0) onDeliveries?.();
    onWritten?.(writes);
  }

  return {
    submit: queue.submit as Engine['submit'],
    couldBeTaken: (need, holder) => !members.loaded || index.couldBeTaken(need, now(), holder),
    preview: (commands) => previewCommands({ database, ids, now }, commands),
    async ready() {
      if (queue.isClosed || queue.oldestMs() > READY_WAIT_MS) return false;
      const answers = async (client: pg.Client) => {
        await indexIsRead;
        // An error is an answer too: the batch on the same connection may have failed.
        return client.query('select 1').then(
          () => true,
          (error) => !(error instanceof UnavailableError),
        );
      };
      return lane.run(answers).catch((error) => {
        log.warn({ err: error }, 'the database cannot be reached');
        return false;
      });
    },
    stats: {
      get batches() {
        return batches.stats.batches;
      },
      get commands() {
        return batches.stats.commands;
      },
      get retries() {
        return batches.stats.retries;
      },
      get unanswered() {
        return queue.unanswered;
      },
    },
    async stop() {
      await queue.close();
      clearInterval(watch);
      members.stop();
      await lane.close();
    },
  };
}
