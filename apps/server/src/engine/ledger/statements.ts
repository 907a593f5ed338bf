import type { Columns } from '../../platform/database/columns.ts';
import type { Statement as BoundStatement } from '../../platform/database/pipeline.ts';
import { type Statement, statement } from '../../platform/database/statement.ts';

/** A statement of a load. */
export interface Asked extends BoundStatement {
  /** By which its answer is found; a preview runs another in its stead. */
  readonly of: Statement;
}

/** As a list, which is empty where there is nothing to ask for. */
export const ask = (
  wanted: boolean,
  sql: Statement,
  ...values: (string | null)[]
): readonly Asked[] => (wanted ? [{ of: sql, ...sql, values }] : []);

const unlocked = new Map<string, Statement>();

/** A statement that locks the rows it reads. A preview runs it without the lock. */
export function locking<Result>(
  name: string,
  text: string,
  columns: Columns<Result>,
): Statement<Result> {
  unlocked.set(name, statement(`preview-${name}`, text, columns));
  return statement(name, `${text}\n   for update`, columns);
}

export const withoutLock = (asked: Asked): Asked => ({ ...asked, ...unlocked.get(asked.name) });

/**
 * An update that must hit as many rows as expected; if not, nothing of the batch is committed and
 * it is decided again. A table that grows with use gets the keys (`= any`) besides the join: a
 * join alone, planned while the table is small, reads all of it.
 */
export const guarded = (name: string, update: string, expected = '$2') =>
  statement(
    name,
    `with changed as (
     ${update}
     returning 1
   )
   select expect_rows((select count(*) from changed), ${expected})`,
  );

/** Copies new rows in, or nothing. */
export const copy = <Record>(
  name: string,
  { copyText, lineOf }: { readonly copyText: string; lineOf(record: Record): string },
  records: readonly Record[],
): readonly BoundStatement[] =>
  records.length === 0 ? [] : [{ name, text: copyText, copied: records.map(lineOf).join('') }];

/** Runs a statement with these arrays, unless there is nothing to change. */
export const change = (
  rows: readonly unknown[],
  sql: Statement,
  values: () => readonly string[],
): readonly BoundStatement[] => (rows.length === 0 ? [] : [{ ...sql, values: values() }]);
