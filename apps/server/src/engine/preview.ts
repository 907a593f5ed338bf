import type { Command, CommandKind, Context, Decision, Instant, ResultOf } from '@munshi/core';
import type pg from 'pg';
import { type Database, inSnapshot } from '../platform/database/db.ts';
import type { Ids } from './ids.ts';
import type { LoadedRows, Writes } from './ledger/batch.ts';
import { createTermsCache } from './rows/terms.ts';
import { decideBatch } from './run-batch.ts';

/** What a command changes, or would change. */
export interface Changed {
  /** The rows that it looked at, as they were before. */
  readonly before: Pick<LoadedRows, 'orders' | 'wallets' | 'members' | 'sums'>;
  readonly writes: Writes;
}

export interface Preview<Result = ResultOf<CommandKind>> extends Changed {
  readonly decision: Decision<Result>;
}

interface PreviewDeps {
  readonly database: Database;
  readonly ids: Ids;
  readonly keyedDigest: Context['keyedDigest'];
  readonly now: () => Instant;
}

/**
 * Decides a command as a batch would, from rows of one moment, and writes nothing: the transaction
 * is read only, takes no lock that an order could wait for, and runs beside the engine's lane.
 */
export function previewCommand(
  { database, ids, keyedDigest, now }: PreviewDeps,
  command: Command,
): Promise<Preview> {
  return inSnapshot(database.pool, async (client) => {
    const { outcomes, rows, writes } = await decideBatch(
      client as pg.PoolClient & pg.Client,
      [{ command, attempts: 0, doubtful: false }],
      {
        index: undefined,
        terms: createTermsCache(),
        ids,
        keyedDigest,
        clock: now,
        transaction: 'ofPreview',
      },
    );
    const [outcome] = outcomes;
    if (outcome === undefined || 'bug' in outcome) throw outcome?.bug;
    return { decision: outcome.decision, before: rows, writes };
  });
}
