import { type Columns, orNull, type RecordFrom, t } from './columns.ts';
import type { Queryable } from './queryable.ts';

/** SQL that each connection prepares once, under its name. `Result` is a record of its answer. */
export interface Statement<Result = unknown> {
  readonly name: string;
  readonly text: string;
  readonly columns?: Columns<Result> | undefined;
}

/** SQL that is planned at each call. */
type Unprepared<Result> = Omit<Statement<Result>, 'name'>;

const all = new Map<string, string>();
const readBy = new Map<string, Columns<unknown>>();

/** Every statement of the modules that have been loaded, by its name. */
export const statements: ReadonlyMap<string, string> = all;

/** What those that are read answer, by their names. */
export const answerColumns: ReadonlyMap<string, Columns<unknown>> = readBy;

function register(name: string, text: string, columns: Columns<unknown> | undefined) {
  if (all.has(name)) throw new Error(`two statements have the name ${name}`);
  all.set(name, text);
  if (columns !== undefined) readBy.set(name, columns);
}

/** A statement, and what it answers: without columns it answers no rows, or none that are read. */
export function statement(name: string, text: string): Statement<never>;
export function statement<Result>(
  name: string,
  text: string,
  columns: Columns<Result>,
): Statement<Result>;
export function statement(
  name: string,
  text: string,
  columns?: Columns<unknown>,
): Statement<unknown> {
  register(name, text, columns);
  return { name, text, columns };
}

/**
 * For lists whose filters may be null: which index serves depends on the filters that are given,
 * so that a plan must not be kept.
 */
export function unprepared<Result>(
  name: string,
  text: string,
  columns: Columns<Result>,
): Unprepared<Result> {
  register(name, text, columns);
  return { text, columns };
}

/** For lanes, which run prepared statements alone. SQL's own PREPARE takes neither. */
export const BEGIN: Statement = { name: 'begin', text: 'begin' };
export const COMMIT: Statement = { name: 'commit', text: 'commit' };

/**
 * Comes first in a transaction that locks rows. Citus lets a cell move while its rows are locked,
 * and nobody meets the locks at its new place; it does not while somebody has written. So this
 * writes, and hits nothing: the table is empty for ever (decision 19).
 */
export const GUARD = statement('guard-cell', 'update cell_guard set held = held');

/**
 * A lock of this schema until the transaction ends, by a text that is SQL. It is asked for with a
 * row of the schema: Citus then takes it where the cell lies, whichever node is asked (decision
 * 18).
 */
export const lockFor = (name: string, key: string, lock = 'pg_advisory_xact_lock') =>
  statement(
    name,
    `select ${lock}(hashtext(${key}), hashtext(current_schema()))
   from terms_version`,
  );

/** Quotes a name for SQL, with any characters in it. */
export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** The records of the answer. */
export async function query<Result>(
  db: Queryable,
  { columns, ...sql }: Statement<Result> | Unprepared<Result>,
  values: unknown[] = [],
): Promise<readonly Result[]> {
  const { rows } = await db.query({ ...sql, values });
  return columns === undefined ? (rows as Result[]) : rows.map(columns.read);
}

/** The first record of the answer. */
export async function queryOne<Result>(
  db: Queryable,
  sql: Statement<Result> | Unprepared<Result>,
  values: unknown[] = [],
): Promise<Result | undefined> {
  return (await query(db, sql, values))[0];
}

/** A statement as a function of the values that it takes. */
type Call<Args extends readonly unknown[], Answer> = (
  db: Queryable,
  ...args: Args
) => Promise<Answer>;
/** The values of `$1`, `$2` and so on. */
type Values<Args extends readonly unknown[]> = (...args: Args) => unknown[];

/** Reads the records of an answer. */
export function readsAll<Result, Args extends readonly unknown[] = []>(
  name: string,
  text: string,
  columns: Columns<Result>,
  values?: Values<Args>,
): Call<Args, readonly Result[]> {
  const sql = statement(name, text, columns);
  return (db, ...args) => query(db, sql, values?.(...args));
}

/** The same for lists whose filters may be null, by `unprepared`. */
export function lists<Result, Args extends readonly unknown[] = []>(
  name: string,
  text: string,
  columns: Columns<Result>,
  values?: Values<Args>,
): Call<Args, readonly Result[]> {
  const sql = unprepared(name, text, columns);
  return (db, ...args) => query(db, sql, values?.(...args));
}

/** Reads the first record of an answer; undefined where there is none. */
export function readsOne<Result, Args extends readonly unknown[] = []>(
  name: string,
  text: string,
  columns: Columns<Result>,
  values?: Values<Args>,
): Call<Args, Result | undefined> {
  const sql = statement(name, text, columns);
  return (db, ...args) => queryOne(db, sql, values?.(...args));
}

/** Reads the record of an answer that always has one: sums, and tables of one row. */
export function readsRow<Result, Args extends readonly unknown[] = []>(
  name: string,
  text: string,
  columns: Columns<Result>,
  values?: Values<Args>,
): Call<Args, Result> {
  return readsOne(name, text, columns, values) as Call<Args, Result>;
}

/** Inserts, updates, deletes or locks, and answers how many rows. */
export function writes<Args extends readonly unknown[] = []>(
  name: string,
  text: string,
  values?: Values<Args>,
): Call<Args, number> {
  const sql = statement(name, text);
  return (db, ...args) => execute(db, sql, values?.(...args));
}

/** The same for what changes one row at most; answers whether it did. */
export function writesOne<Args extends readonly unknown[] = []>(
  name: string,
  text: string,
  values?: Values<Args>,
): Call<Args, boolean> {
  const write = writes(name, text, values);
  return async (db, ...args) => (await write(db, ...args)) === 1;
}

/** How many rows were inserted, updated or deleted. */
export async function execute(
  db: Queryable,
  sql: Statement<unknown>,
  values: unknown[] = [],
): Promise<number> {
  const { rowCount } = await db.query({ ...sql, values });
  return rowCount ?? 0;
}

/** The parameters of a page. */
export const PAGE = { after: orNull(t.uuid), limit: t.integer };
/** Which part of a list: the entries behind `after` (null: from the first), at most `limit`. */
export type Page = RecordFrom<typeof PAGE>;
