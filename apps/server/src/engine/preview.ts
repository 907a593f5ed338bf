import type { Command, CommandKind, Context, Decision, Instant, ResultOf } from '@munshi/core';
import type pg from 'pg';
import { type Database, inSnapshot } from '../platform/database/db.ts';
import type { Ids } from './ids.ts';
import type { LoadedRows, Writes } from './ledger/batch.ts';
import { createTermsCache } from './rows/terms.ts';
import { decideBatch } from './run-batch.ts';

/** What commands would do, one after the other. */
export interface Preview {
  /** One for each command. */
  readonly decisions: readonly Decision<ResultOf<CommandKind>>[];
  /** The rows that they looked at, before the first. */
  readonly before: Pick<LoadedRows, 'orders' | 'wallets' | 'members'>;
  /** What would be written after the last. */
  readonly writes: Writes;
}

interface PreviewDeps {
  readonly database: Database;
  readonly ids: Ids;
  readonly keyedDigest: Context['keyedDigest'];
  readonly now: () => Instant;
}

/**
 * Decides commands as a batch would, from rows of one moment, and writes nothing: the transaction
 * is read only, takes no lock that an order could wait for, and runs beside the engine's lane.
 */
export function previewCommands(
  { database, ids, keyedDigest, now }: PreviewDeps,
  commands: readonly Command[],
): Promise<Preview> {
  return inSnapshot(database.pool, async (client) => {
    const jobs = commands.map((command) => ({ command, attempts: 0, doubtful: false }));
    const { outcomes, rows, writes } = await decideBatch(
      client as pg.PoolClient & pg.Client,
      jobs,
      {
        index: undefined,
        terms: createTermsCache(),
        ids,
        keyedDigest,
        clock: now,
        transaction: 'ofPreview',
      },
    );
    const decisions = outcomes.map((outcome) => {
      if ('bug' in outcome) throw outcome.bug;
      return outcome.decision;
    });
    return { decisions, before: rows, writes };
  });
}
