import { answers, t } from './columns.ts';
import type { Queryable } from './queryable.ts';
import { query, statement } from './statement.ts';

const READ = statement(
  'database-clock',
  'select clock_timestamp() as at',
  answers({ at: t.instant }),
);

export interface ClockDifference {
  /** By how much the database's clock is ahead of this machine's. */
  readonly aheadMs: number;
  /** How exact that is: the clock was read somewhere on the way of the answer. */
  readonly withinMs: number;
}

/** Compares the clock of the database with this machine's, by one question. */
export async function compareClocks(db: Queryable): Promise<ClockDifference> {
  const asked = Date.now();
  const since = performance.now();
  const [{ at }] = (await query(db, READ)) as readonly [{ readonly at: number }];
  const withinMs = (performance.now() - since) / 2;
  return { aheadMs: at - asked - withinMs, withinMs };
}

/** By how much they differ at least. */
export const leastDifference = ({ aheadMs, withinMs }: ClockDifference): number =>
  Math.max(0, Math.abs(aheadMs) - withinMs);
