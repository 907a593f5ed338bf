import { setTimeout as delay } from 'node:timers/promises';
import {
  type Command,
  type CommandKind,
  type CommandOf,
  type Context,
  type Decision,
  type Instant,
  isSent,
  type Need,
  type Notice,
  type ResultOf,
} from '@munshi/core';
import type pg from 'pg';
import type { Database } from '../platform/database/db.ts';
import { UnavailableError } from '../platform/database/errors.ts';
import { decideBatches } from './batch-loop.ts';
import { type CommittedBatch, createBatches } from './batches.ts';
import { type DecidedIn, decideIn } from './decide-in.ts';
import { followMembers } from './follow-members.ts';
import type { Ids } from './ids.ts';
import { createBatchLane } from './lane.ts';
import type { Writes } from './ledger/batch.ts';
import { createMemberIndex } from './member-index.ts';
import { type Preview, previewCommand } from './preview.ts';
import { createQueue, type SubmitOptions } from './queue.ts';
import type { DecidedBatch } from './run-batch.ts';
import { DEADLINE_MS, type Waiting } from './unanswered.ts';

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
   * Decides one command in the transaction of a write, and writes it there: both are committed, or
   * neither. Throws its refusal. A conflict is thrown too: the write begins again.
   */
  decideIn<Kind extends CommandKind>(
    client: pg.PoolClient,
    command: CommandOf<Kind> & { readonly kind: Kind },
    options?: SubmitOptions,
  ): Promise<DecidedIn<ResultOf<Kind>>>;
  /**
   * What this command would do if it came now: decided as `submit` decides it, and not written.
   * Throws what breaks.
   */
  preview<Kind extends CommandKind>(
    command: CommandOf<Kind> & { readonly kind: Kind },
  ): Promise<Preview<ResultOf<Kind>>>;
  /**
   * Whether somebody could take this now, as far as this process knows; the database is not asked.
   * `holder` has the order now and would give it back first.
   */
  couldBeTaken(need: Need, holder: string | null): boolean;
  /** Takes no further command; resolves when the accepted ones are answered. */
  stop(): Promise<void>;
  /** Whether commands can be decided now: none has waited long, and the lane opens and answers. */
  ready(): Promise<boolean>;
  /** Counts since the start; `unanswered`, `waiting` and `oldestMs` are as it is now. */
  readonly stats: {
    readonly batches: number;
    readonly commands: number;
    readonly retries: number;
    /** Commands without an answer, and those of them that no batch has taken. */
    readonly unanswered: number;
    readonly waiting: number;
    /** How long the oldest of them has waited. */
    readonly oldestMs: number;
  };
}

export interface EngineOptions {
  readonly database: Database;
  readonly now: () => Instant;
  readonly ids: Ids;
  readonly keyedDigest: Context['keyedDigest'];
  readonly log: {
    warn(detail: object, message: string): void;
    error(detail: object, message: string): void;
  };
  /** Called after each commit with what members' screens should know. */
  readonly onNotices?: (notices: readonly Notice[]) => void;
  /**
   * Called after a commit with the members who may now be given withdrawals that they could not
   * take before.
   */
  readonly onCapacity?: (memberIds: readonly string[]) => void;
  /** Called after each commit that wrote deliveries with a URL. */
  readonly onDeliveries?: () => void;
  /** Called after each commit with what it wrote. */
  readonly onWritten?: (writes: Writes) => void;
  /** Called with each batch as soon as it was committed, before its callers are answered. */
  readonly onBatch?: (batch: CommittedBatch) => void;
}

/** How often late commands are looked for. */
const WATCH_MS = 250;
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
  keyedDigest,
  log,
  onNotices,
  onCapacity,
  onDeliveries,
  onWritten,
  onBatch,
}: EngineOptions): Engine {
  const queue = createQueue(log);
  const index = createMemberIndex();
  const lane = createBatchLane(database, DEADLINE_MS);
  const members = followMembers({ database, index, lane, log });
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
    keyedDigest,
    now,
    log,
    onCommitted: answer,
    onBatch,
  });

  const watch = setInterval(() => lane.dropWhenStuck(queue.refuseLate()), WATCH_MS).unref();
  decideBatches({ queue, lane, batches, indexIsRead, log });

  function answer(batch: readonly Waiting[], decided: DecidedBatch) {
    queue.answer(batch, decided.outcomes);
    announce(decided);
  }

  function announce({ snapshot, writes }: DecidedBatch) {
    if (snapshot.notices.length > 0) onNotices?.(snapshot.notices);
    const able = snapshot.ableToTakeMore();
    if (able.length > 0) onCapacity?.(able.map(({ memberId }) => memberId));
    if (writes.deliveries.some(isSent)) onDeliveries?.();
    onWritten?.(writes);
  }

  return {
    submit: queue.submit as Engine['submit'],
    decideIn: (client, command, options = {}) =>
      decideIn(
        {
          index: members.loaded ? index : undefined,
          ids,
          keyedDigest,
          clock: now,
          onCommitted(batch, decided) {
            members.look();
            onBatch?.(batch);
            announce(decided);
          },
        },
        client,
        command,
        options,
      ),
    couldBeTaken: (need, holder) => !members.loaded || index.couldBeTaken(need, now(), holder),
    preview: ((command: Command) =>
      previewCommand({ database, ids, keyedDigest, now }, command)) as Engine['preview'],
    async ready() {
      if (queue.isClosed || queue.oldestMs() > READY_WAIT_MS) return false;
      return lane
        .run(async (client) => {
          await indexIsRead;
          return answers(client);
        })
        .catch((error) => {
          log.warn({ err: error }, 'the database cannot be reached');
          return false;
        });
    },
    get stats() {
      return {
        ...batches.stats,
        unanswered: queue.unanswered,
        waiting: queue.length,
        oldestMs: queue.oldestMs(),
      };
    },
    async stop() {
      await queue.close();
      clearInterval(watch);
      members.stop();
      await lane.close();
    },
  };
}

/** An error is an answer too: the batch on the same connection may have failed. */
const answers = (client: pg.Client) =>
  client.query('select 1').then(
    () => true,
    (error) => !(error instanceof UnavailableError),
  );
