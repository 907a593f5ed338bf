import type { AuditEntry, CommandKind, CommandOf, Decision, ResultOf } from '@munshi/core';
import type pg from 'pg';
import { accepted } from '../platform/refusals.ts';
import type { CommittedBatch } from './batches.ts';
import { writeWithin } from './ledger/write.ts';
import type { Changed } from './preview.ts';
import type { SubmitOptions } from './queue.ts';
import { createTermsCache } from './rows/terms.ts';
import { type BatchOptions, type DecidedBatch, decideBatch } from './run-batch.ts';

/** A command that was decided in the transaction of a write. */
export interface DecidedIn<Result> {
  readonly result: Result;
  /** What the audit log says of it, which the write writes; undefined where it says nothing. */
  readonly audit: Pick<AuditEntry, 'action' | 'target' | 'detail' | 'commandId'> | undefined;
  readonly changed: Changed;
  /** What follows once that transaction is committed; where it is not, nothing does. */
  readonly after: () => void;
}

interface DecideInDeps extends Pick<BatchOptions, 'index' | 'ids' | 'keyedDigest' | 'clock'> {
  readonly onCommitted: (batch: CommittedBatch, decided: DecidedBatch) => void;
}

/**
 * Decides one command and writes it, in the transaction that `inTransaction` has opened on this
 * connection: the command is committed together with the rows of the write, or not at all. Throws
 * its refusal, of which nothing is written either.
 *
 * To the batches of this process it is as the commit of another process: they wait for its locks,
 * and the member index learns of it afterwards. What the write has locked before may come later in
 * the order of a batch's locks (`load.ts`). Where the two then wait for each other, Postgres ends
 * one of them, the other one commits, and the one that was ended is run again: a batch by the queue,
 * a write by `inTransaction`, from its start.
 */
export async function decideIn<Kind extends CommandKind>(
  { onCommitted, ...options }: DecideInDeps,
  client: pg.PoolClient,
  command: CommandOf<Kind>,
  { mayBeDone = false }: SubmitOptions,
): Promise<DecidedIn<ResultOf<Kind>>> {
  const since = performance.now();
  const connection = client as pg.PoolClient & pg.Client;
  const decided = await decideBatch(
    connection,
    [{ command, attempts: 0, doubtful: mayBeDone }],
    // Terms that the write itself has changed are nobody else's before it is committed.
    { ...options, terms: createTermsCache(), transaction: 'ofWrite' },
  );
  const { outcomes, rows, writes, now } = decided;
  const [outcome] = outcomes;
  if (outcome === undefined || 'bug' in outcome) throw outcome?.bug;
  const result = accepted(outcome.decision as Decision<ResultOf<Kind>>);
  await writeWithin(connection, { ...writes, audit: [] }, now);
  const { deliveries } = writes;
  return {
    result,
    audit: writes.audit[0],
    changed: { before: rows, writes },
    after: () =>
      onCommitted({ commands: [{ command }], deliveries, ms: performance.now() - since }, decided),
  };
}
