import type { RowKind, RowOf } from '@munshi/core';
import type { Columns } from '../../platform/database/columns.ts';
import { type Statement as BoundStatement, textArray } from '../../platform/database/pipeline.ts';
import { type Statement, statement } from '../../platform/database/statement.ts';
import type { LoadRequest, Writes } from './batch.ts';

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

/** What the one of these statements that was asked has answered; nothing where none was. */
export type AnswerOf = <Result>(...either: readonly Statement<Result>[]) => readonly Result[];

/** How the rows of a kind are loaded and locked, and how their changes are written. */
export interface Stored<Kind extends RowKind> {
  ask(request: LoadRequest): readonly Asked[];
  read(of: AnswerOf): readonly RowOf<Kind>[];
  write(writes: Writes): readonly BoundStatement[];
}

/** Rows that a statement finds by what commands name them by. */
export const foundBy = <Kind extends RowKind>(
  kind: Kind,
  sql: Statement<RowOf<Kind>>,
  write: (rows: Writes[Kind]) => readonly BoundStatement[],
): Stored<Kind> => ({
  ask: ({ [kind]: names }) => ask(names.length > 0, sql, textArray(names)),
  read: (of) => of(sql),
  write: (writes) => write(writes[kind]),
});

/** What a preview runs instead of these statements, by their names: it neither locks nor makes. */
const previews = new Map<string, Statement | undefined>();

/** A statement that locks the rows it reads. */
export function locking<Result>(
  name: string,
  text: string,
  columns: Columns<Result>,
): Statement<Result> {
  previews.set(name, statement(`preview-${name}`, text, columns));
  return statement(name, `${text}\n   for update`, columns);
}

/** A statement that makes the rows that are locked next. */
export function making(name: string, text: string): Statement {
  previews.set(name, undefined);
  return statement(name, text);
}

export function asPreview(asked: Asked): readonly Asked[] {
  if (!previews.has(asked.name)) return [asked];
  const preview = previews.get(asked.name);
  return preview === undefined ? [] : [{ ...asked, ...preview }];
}

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
