import type { Context, Instant } from '@munshi/core';
import type pg from 'pg';
import { dropClient, isLost } from '../platform/database/connection/lane.ts';
import { ConflictError, UnavailableError } from '../platform/database/errors.ts';
import type { MemberFollower } from './follow-members.ts';
import type { Ids } from './ids.ts';
import type { BatchLane } from './lane.ts';
import { abandon, writeChanges } from './ledger/write.ts';
import type { MemberIndex } from './member-index.ts';
import type { Failure, Queue } from './queue.ts';
import { type DecidedBatch, decideBatch } from './run-batch.ts';
import type { Waiting } from './unanswered.ts';

interface BatchesOptions {
  readonly queue: Queue;
  readonly index: MemberIndex;
  readonly members: MemberFollower;
  readonly lane: BatchLane;
  readonly ids: Ids;
  readonly keyedDigest: Context['keyedDigest'];
  readonly now: () => Instant;
  readonly log: { warn(detail: object, message: string): void };
  readonly onCommitted: (batch: readonly Waiting[], decided: DecidedBatch) => void;
  readonly onBatch: ((batch: CommittedBatch) => void) | undefined;
}

/** A batch that was committed. */
export interface CommittedBatch {
  readonly commands: readonly Pick<Waiting, 'command'>[];
  readonly deliveries: DecidedBatch['writes']['deliveries'];
  /** From its load to its commit. */
  readonly ms: number;
}

/** What a failed batch means for its commands. */
function classify(error: unknown, client: pg.Client): Failure['meaning'] {
  if (error instanceof ConflictError) return 'conflict';
  return error instanceof UnavailableError || isLost(client) ? 'lost' : 'broken';
}

export type Batches = ReturnType<typeof createBatches>;

/** Decides and writes batches. The commands of one that fails go back into the queue. */
export function createBatches({
  queue,
  index,
  members,
  lane,
  ids,
  keyedDigest,
  now,
  log,
  onCommitted,
  onBatch,
}: BatchesOptions) {
  const stats = { batches: 0, commands: 0, retries: 0 };

  /** Returns undefined if the batch could not be decided and went back into the queue. */
  async function decide(
    client: pg.Client,
    batch: readonly Waiting[],
  ): Promise<DecidedBatch | undefined> {
    stats.batches += 1;
    stats.commands += batch.length;
    try {
      return await decideBatch(client, batch, {
        index: members.loaded ? index : undefined,
        terms: lane.terms,
        ids,
        keyedDigest,
        clock: now,
        transaction: 'own',
      });
    } catch (error) {
      const meaning = classify(error, client);
      if (meaning !== 'lost') await abandon(client).catch(() => dropClient(client));
      putBack(client, batch, error as Error, { meaning, mayBeDone: false });
      return undefined;
    }
  }

  /**
   * Writes a batch that was taken at `since` (`performance.now()`). Its commands are answered after
   * the commit, or go back into the queue.
   */
  async function write(
    client: pg.Client,
    batch: readonly Waiting[],
    decided: DecidedBatch,
    since: number,
  ): Promise<void> {
    const { writes, membersBefore, now } = decided;
    for (const member of writes.members) index.put(member);
    try {
      await writeChanges(client, writes, now);
    } catch (error) {
      const meaning = classify(error, client);
      // These rows were not written: the index is put right before the next decision.
      if (meaning === 'lost') members.doubt(writes.members.map(({ memberId }) => memberId));
      else for (const member of membersBefore) index.takeBack(member);
      putBack(client, batch, error as Error, { meaning, mayBeDone: meaning === 'lost' });
      return;
    }
    for (const { memberId } of writes.members) index.written(memberId);
    lane.progressed();
    onBatch?.({
      commands: batch,
      deliveries: writes.deliveries,
      ms: performance.now() - since,
    });
    // Answers wait until the next batch's load is sent.
    setImmediate(onCommitted, batch, decided);
  }

  function putBack(client: pg.Client, batch: readonly Waiting[], error: Error, failure: Failure) {
    stats.retries += 1;
    if (failure.meaning === 'lost') {
      dropClient(client);
      log.warn(
        { err: error, commands: batch.length },
        'the database connection failed; its commands are tried again',
      );
    }
    queue.putBack(batch, error, failure);
  }

  return { stats, decide, write };
}
