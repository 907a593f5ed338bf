import type { Statement as BoundStatement } from '../../platform/database/pipeline.ts';
import { type Statement, statement } from '../../platform/database/statement.ts';

/** What a load asks for; each is answered by rows. */
export type Part =
  | 'termsVersion'
  | 'orders'
  | 'notes'
  | 'liveOfOrders'
  | 'wallets'
  | 'members'
  | 'accounts'
  | 'inHand'
  | 'adjustments'
  | 'approvals'
  | 'sums'
  | 'existing'
  | 'applied';

export interface Asked extends BoundStatement {
  readonly as?: Part;
}

/** As a list, which is empty where there is nothing to ask for. */
export const ask = (
  wanted: boolean,
  as: Part,
  sql: Statement,
  ...values: (string | null)[]
): readonly Asked[] => (wanted ? [{ as, ...sql, values }] : []);

const unlocked = new Map<string, Statement>();

/** A statement that locks the rows it reads. A preview runs it without the lock. */
export function locking(name: string, text: string): Statement {
  unlocked.set(name, statement(`preview-${name}`, text));
  return statement(name, `${text}\n   for update`);
}

export const withoutLock = (asked: Asked): Asked => ({ ...asked, ...unlocked.get(asked.name) });

/**
 * An update that must hit as many rows as expected; if not, nothing of the batch is committed and
 * it is decided again. A table that grows with use is told the keys (`= any`) beside the join: a
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

/** Writes rows from JSON, or nothing. */
export const put = (sql: Statement, rows: readonly object[]): readonly BoundStatement[] =>
  rows.length === 0 ? [] : [{ ...sql, values: [JSON.stringify(rows)] }];

/** Copies lines in, or nothing. */
export const copy = (
  name: string,
  text: string,
  lines: readonly string[],
): readonly BoundStatement[] =>
  lines.length === 0 ? [] : [{ name, text, copied: lines.join('') }];

/** Runs a statement with these arrays, unless there is nothing to change. */
export const change = (
  rows: readonly unknown[],
  sql: Statement,
  values: () => readonly string[],
): readonly BoundStatement[] => (rows.length === 0 ? [] : [{ ...sql, values: values() }]);
