import {
  ADDED_KINDS,
  type AddedKind,
  type AddedLists,
  type Instant,
  ROW_KINDS,
} from '@munshi/core';
import type pg from 'pg';
import { ConflictError } from '../../platform/database/errors.ts';
import { runPipeline, type Statement } from '../../platform/database/pipeline.ts';
import type { Writes } from './batch.ts';
import { writeReplays } from './creations.ts';
import { ADDITIONS, LEDGER } from './kinds.ts';
import { KEEP_LOCKS } from './load.ts';
import { copyOrders } from './orders.ts';
import { ask } from './statements.ts';

/**
 * A row changed between its reading and its writing although it was locked or guarded: decide again
 * from fresh rows.
 */
class StaleRowError extends ConflictError {}

/** Ends the transaction of a batch that is not to be written. */
export async function abandon(lane: pg.Client): Promise<void> {
  await lane.query('rollback');
}

/**
 * Sends the writes and the commit in one write; the caller may send the next batch's load right
 * behind. Resolves when the commit is certain. Throws the database's error when nothing was
 * written, StaleRowError when a guarded row had changed; where the connection is lost with it, the
 * outcome has to be looked up.
 */
export async function writeChanges(lane: pg.Client, writes: Writes, now: Instant): Promise<void> {
  const statements = statementsOf(writes, now);
  lane.connection.stream.cork();
  const sent = statements.length === 0 ? undefined : runPipeline(lane, statements);
  const committed = lane.query('commit');
  lane.connection.stream.uncork();
  const [written, ended] = await Promise.allSettled([sent, committed]);
  if (written.status === 'rejected') throw written.reason;
  if (ended.status === 'rejected') throw ended.reason;
  if (ended.value.command !== 'COMMIT') throw new StaleRowError('the transaction was rolled back');
}

/**
 * Writes in a transaction that a write has opened and commits itself. Every conflict is thrown as
 * one after which that transaction is run again, a row that another has put first too.
 */
export async function writeWithin(client: pg.Client, writes: Writes, now: Instant): Promise<void> {
  try {
    await runPipeline(client, [...ask(true, KEEP_LOCKS), ...statementsOf(writes, now)]);
  } catch (error) {
    throw error instanceof ConflictError
      ? new StaleRowError(error.message, { cause: error })
      : error;
  }
}

const statementsOf = (writes: Writes, now: Instant): readonly Statement[] => [
  // An order that ends gives its reference to one that is created with it.
  ...ROW_KINDS.flatMap((kind) => LEDGER[kind].write(writes)),
  ...copyOrders(writes.created),
  ...writeReplays(writes.replays),
  ...ADDED_KINDS.flatMap((kind) => added(kind, writes, now)),
];

const added = <Kind extends AddedKind>(kind: Kind, writes: AddedLists, now: Instant) =>
  ADDITIONS[kind](writes[kind], now);
