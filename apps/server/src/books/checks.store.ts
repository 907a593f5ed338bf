import type { Instant } from '@munshi/core';
import { answers, orNull, type RecordOf, t } from '../platform/database/columns.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { time } from '../platform/database/rows.ts';
import { query, statement, writes } from '../platform/database/statement.ts';
import type { Invariant } from './invariants/invariant.ts';

/** A rule that a check found broken. */
export interface BrokenRule extends Pick<Invariant, 'id' | 'rule'> {
  /** How many rows break it, as far as they were counted. */
  readonly rows: number;
  /** The first of them, as JSON. */
  readonly examples: readonly string[];
}

const CHECK = answers({
  checkId: t.uuid,
  startedAt: t.instant,
  rulesChecked: t.integer,
  broken: t.json<readonly BrokenRule[]>(),
  /** Null: it goes on, or was abandoned. */
  finishedAt: orNull(t.instant),
});
export type BooksCheck = RecordOf<typeof CHECK>;

const LATEST = statement(
  'latest-books-checks',
  `(select check_id, started_at, rules_checked, broken, finished_at
   from books_checks
   where started_at <= $1
   order by started_at desc
   limit 1)
   union all
   (select check_id, started_at, rules_checked, broken, finished_at
   from books_checks
   where started_at <= $1 and finished_at <= $1
   order by started_at desc
   limit 1)`,
  CHECK,
);

/**
 * The latest check, and the latest one that has ended; undefined: there was none. What was written
 * by a clock that was ahead is left out: it would be the latest until that date, and no night
 * before would have a check.
 */
export async function readLatestChecks(
  db: Queryable,
  now: Instant,
): Promise<{
  readonly latest: BooksCheck | undefined;
  readonly finished: BooksCheck | undefined;
}> {
  const checks = await query(db, LATEST, [time(now)]);
  return { latest: checks[0], finished: checks.findLast(({ finishedAt }) => finishedAt !== null) };
}

export const beginCheck = writes(
  'begin-books-check',
  `insert into books_checks (check_id, started_at)
   values ($1, $2)`,
  (checkId: string, at: Instant) => [checkId, time(at)],
);

/**
 * The rule behind `rulesChecked` was checked, and what was found. Of two processes that checked it,
 * as the first one's lock was lost while it read, the first to say so is noted.
 */
export const noteRule = writes(
  'note-books-rule',
  `update books_checks
   set rules_checked = $2 + 1, broken = broken || $3::jsonb
   where check_id = $1 and rules_checked = $2`,
  (
    { checkId, rulesChecked }: Pick<BooksCheck, 'checkId' | 'rulesChecked'>,
    broken: readonly BrokenRule[],
  ) => [checkId, rulesChecked, JSON.stringify(broken)],
);

export const finishCheck = writes(
  'finish-books-check',
  `update books_checks
   set finished_at = $2
   where check_id = $1`,
  (checkId: string, at: Instant) => [checkId, time(at)],
);
