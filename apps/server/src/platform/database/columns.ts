import {
  type Factor,
  formatFactor,
  type Instant,
  type Money,
  money,
  parseFactor,
} from '@munshi/core';
import { blankOf, copyLine, plainArray, textArray } from './pipeline.ts';
import { numeric, type Row, time } from './rows.ts';

/**
 * The columns that a family of statements reads and writes, each declared once: from it follow the
 * select list, the reader, the insert and the record's type. `tests/tidy/statements.test.ts`
 * compares what each statement answers with its columns.
 */

/** What a column holds, and how it is read and written. */
export interface Kind<Value> {
  /** As Postgres names the type: `format_type`. */
  readonly sqlType: string;
  /** The column or expression, where the property's name in snake_case is not it. */
  readonly sql?: string;
  readonly mayBeNull?: true;
  /** From the driver's value, which may be null; left out where that is the record's. */
  readonly read?: (value: unknown) => Value;
  /** To a parameter; left out where that is the record's value. */
  readonly write?: (value: Value) => unknown;
}

const nullable =
  <Value>(read: (value: never) => Value) =>
  (value: unknown) =>
    (value === null ? null : read(value as never)) as Value;

/** The kinds of columns that there are. */
export const t = {
  uuid: { sqlType: 'uuid' } as Kind<string>,
  /** A uuid that names one kind of row. */
  id: <Id extends string>(): Kind<Id> => ({ sqlType: 'uuid' }),
  text: { sqlType: 'text' } as Kind<string>,
  /** Where a row lies, until it is changed. */
  tid: { sqlType: 'tid' } as Kind<string>,
  integer: { sqlType: 'integer' } as Kind<number>,
  /** Up to 2 ** 53. */
  bigint: { sqlType: 'bigint', read: (value) => Number(value) } as Kind<number>,
  float: { sqlType: 'double precision' } as Kind<number>,
  boolean: { sqlType: 'boolean' } as Kind<boolean>,
  bytes: { sqlType: 'bytea' } as Kind<Buffer>,
  /** Bytes that the record has in hex. */
  hex: {
    sqlType: 'bytea',
    read: nullable((value: Buffer) => value.toString('hex')),
    write: nullable((value: string) => `\\x${value}`),
  } as Kind<string>,
  uuids: { sqlType: 'uuid[]' } as Kind<readonly string[]>,
  instant: {
    sqlType: 'timestamp with time zone',
    write: nullable((at: Instant) => time(at)),
  } as Kind<Instant>,
  amount: {
    sqlType: 'numeric',
    read: nullable((value: string) => money(value)),
    write: nullable((value: Money) => numeric(value)),
  } as Kind<Money>,
  factor: {
    sqlType: 'numeric',
    read: nullable((value: string) => parseFactor(value) as Factor),
    write: nullable((value: Factor) => formatFactor(value)),
  } as Kind<Factor>,
  /** A text that is one of a few, which a CHECK holds. */
  oneOf: <Value extends string>(): Kind<Value> => ({ sqlType: 'text' }),
  listOf: <Value extends string>(): Kind<readonly Value[]> => ({ sqlType: 'text[]' }),
  json: <Value>(): Kind<Value> => ({
    sqlType: 'jsonb',
    write: nullable((value: Value) => JSON.stringify(value)),
  }),
};

/** A column that may be null. */
export const orNull = <Value>(kind: Kind<Value>): Kind<Value | null> =>
  ({ ...kind, mayBeNull: true }) as Kind<Value | null>;

/** What is read from another column or an expression than the property's own name. */
export const from = <Value>(sql: string, kind: Kind<Value>): Kind<Value> => ({ ...kind, sql });

/** What is made of a column when it is read; null stays null. */
export const made = <Stored, Value>(
  kind: Kind<Stored>,
  make: (value: NonNullable<Stored>) => Value,
): Kind<Value> => ({
  sqlType: kind.sqlType,
  ...(kind.sql !== undefined && { sql: kind.sql }),
  read: nullable((value: never) =>
    make((kind.read ? kind.read(value) : value) as NonNullable<Stored>),
  ),
});

/** Kinds for every property of a record that is declared elsewhere, and no other. */
export type KindsOf<Value> = { readonly [Name in keyof Value]-?: Kind<Value[Name]> };

interface Field {
  /** Of the row that the statement answers. */
  readonly name: string;
  readonly sqlType: string;
}

/** Columns of a statement's answer. */
export interface Columns<Result> {
  /** Their part of a select list, or of `returning`. */
  readonly list: string;
  readonly fields: readonly Field[];
  read(row: Row): Result;
  /** The same as a record within a record, whose columns' names begin so. */
  within(prefix: string): Columns<Result>;
}

// biome-ignore lint/suspicious/noExplicitAny: a kind of any value; its own type is inferred
type Property = Kind<any> | Columns<any>;
type Shape = Readonly<Record<string, Property>>;
type ValueOf<P> =
  P extends Columns<infer Result> ? Result : P extends Kind<infer Value> ? Value : never;
/** The record that is read by columns. */
export type RecordOf<C> = C extends Columns<infer Result> ? Result : never;

// biome-ignore lint/suspicious/noExplicitAny: as above
const isColumns = (property: Property): property is Columns<any> => 'fields' in property;
const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * Columns of a table under an alias, answered under their properties' names. A property that is
 * itself columns is a record within the record: its columns come with the name before theirs, so
 * that two tables of a join may have columns of one name.
 */
export const columns = <S extends Shape>(alias: string, shape: S) =>
  withNames(shape, '', {
    output: (name) => name,
    sql: (name, { sql = snakeCase(name) }) =>
      /^\w+$/.test(sql) && alias !== '' ? `${alias}.${sql}` : sql,
  });

/**
 * The answer of a statement whose select list is written in it: each property is the column of its
 * name in snake_case.
 */
export const answers = <S extends Shape>(shape: S) =>
  withNames(shape, '', { output: snakeCase, sql: snakeCase });

/** Columns of an outer join: null where `by`, which is never null there, is. */
export const optional = <Result>(
  of: Columns<Result>,
  by: keyof Result & string,
  prefix = '',
): Columns<Result | null> => ({
  ...of,
  read: (row) => (row[`${prefix}${by}`] === null ? null : of.read(row)),
  within: (outer) => optional(of.within(outer), by, outer),
});

/** What is made of a record when it is read. */
export const shaped = <Read, Value>(
  of: Columns<Read>,
  make: (record: Read) => Value,
): Columns<Value> => ({
  ...of,
  read: (row) => make(of.read(row)),
  within: (outer) => shaped(of.within(outer), make),
});

/** An answer of one column, which is read as its value. */
export const only = <Value>(name: string, kind: Kind<Value>): Columns<Value> =>
  shaped(answers({ [name]: kind }), (record) => record[name] as Value);

interface Names {
  output(name: string): string;
  sql(name: string, kind: Kind<unknown>): string;
}

function withNames<S extends Shape>(
  shape: S,
  prefix: string,
  names: Names,
): Columns<{ readonly [Name in keyof S]: ValueOf<S[Name]> }> {
  const parts = Object.entries(shape).map(([property, of]) => {
    const output = `${prefix}${names.output(property)}`;
    if (isColumns(of)) {
      const { list, fields, read } = of.within(`${output}.`);
      return { property, list, fields, read, isPlain: false };
    }
    const { sqlType, read } = of;
    const sql = names.sql(property, of);
    return {
      property,
      list: /^(\w+\.)?(\w+)$/.exec(sql)?.[2] === output ? sql : `${sql} as "${output}"`,
      fields: [{ name: output, sqlType }],
      read: read === undefined ? (row: Row) => row[output] : (row: Row) => read(row[output]),
      isPlain: read === undefined && output === property,
    };
  });
  const blank = blankOf(Object.keys(shape));
  const read = (row: Row) => {
    const record = { ...blank };
    for (const { property, read } of parts) record[property] = read(row);
    return record;
  };
  return {
    list: parts.map(({ list }) => list).join(', '),
    fields: parts.flatMap(({ fields }) => fields),
    // A row under the properties' own names is the record.
    read: (parts.every(({ isPlain }) => isPlain) ? (row: Row) => row : read) as never,
    within: (outer) => withNames(shape, outer, names),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: as above
type Kinds = Readonly<Record<string, Kind<any>>>;
/** The record that is written by columns. */
export type RecordFrom<S extends Kinds> = { readonly [Name in keyof S]: ValueOf<S[Name]> };

/** The names of a table's columns, as a list of SQL. */
export const namesOf = (shape: Kinds): string => stored(shape).names.join(', ');

/** Null for each column that may be. */
export const nullsOf = <S extends Kinds>(shape: S) =>
  Object.fromEntries(
    Object.entries(shape).flatMap(([name, { mayBeNull }]) => (mayBeNull ? [[name, null]] : [])),
  ) as { readonly [Name in keyof S as null extends ValueOf<S[Name]> ? Name : never]: null };

/** The names of a table's columns, and how a record's values are given for them, in order. */
export function stored<S extends Kinds>(shape: S) {
  const kinds = Object.entries(shape);
  return {
    names: kinds.map(([name, { sql = snakeCase(name) }]) => sql),
    valuesOf: (record: RecordFrom<S>): unknown[] =>
      kinds.map(([name, { write }]) => (write ? write(record[name]) : record[name])),
  };
}

/** The values of `$1`, `$2` and so on, from a record with these properties. */
export const parameters = <S extends Kinds>(shape: S) => stored(shape).valuesOf;

/** `insert into <table> (…) values (…)` of a record, and its values. */
export function insertion<S extends Kinds>(table: string, shape: S) {
  const { names, valuesOf } = stored(shape);
  const places = names.map((_, at) => `$${at + 1}`);
  const into = `insert into ${table} (${names.join(', ')})
   values (${places.join(', ')})`;
  return { into, valuesOf };
}

/** `<column> = $n, …` of an update of all these columns, from `$1` on; `next` is what follows. */
export function assignments<S extends Kinds>(shape: S) {
  const { names, valuesOf } = stored(shape);
  const set = names.map((name, at) => `${name} = $${at + 1}`).join(', ');
  return { set, next: names.length + 1, valuesOf };
}

/** Many new rows of a table: as a statement for `unnested` records, and as lines to copy in. */
export function insertions<S extends Kinds>(table: string, shape: S) {
  const { names, valuesOf } = stored(shape);
  const { rows, arraysOf } = unnested(shape);
  const into = `${table} (${names.join(', ')})`;
  return {
    text: `insert into ${into}
   select *
   from ${rows}`,
    arraysOf,
    /** Where many come at once, half the time of an insert from JSON. */
    copyText: `copy ${into} from stdin`,
    lineOf: (record: RecordFrom<S>) => copyLine(valuesOf(record) as (string | number | null)[]),
  };
}

/**
 * `<column> = <source>.<column>, …`: of an update from `unnested` rows, or of an insert that meets
 * a row of the same key.
 */
export const assignedFrom = (source: 'row' | 'excluded', shape: Kinds): string =>
  Object.entries(shape)
    .map(([name, { sqlType, sql = snakeCase(name) }]) =>
      source === 'row' && isArray(sqlType)
        ? `${sql} = string_to_array(btrim(row.${sql}, '{}'), ',')::${sqlType}`
        : `${sql} = ${source}.${sql}`,
    )
    .join(',\n       ');

/**
 * Records as a table `row`, given as one array for each column, from `$<first>` on; `next` is what
 * follows. From JSON they take twice the time, as every row repeats the names of its columns.
 *
 * `unnest` would take an array of arrays apart: such a column is given as text, and not cast here,
 * which Citus takes for something that a setting may change.
 */
export function unnested<S extends Kinds>(shape: S, first = 1) {
  const kinds = Object.entries(shape);
  const { names } = stored(shape);
  const types = kinds.map(([, { sqlType }]) => (isArray(sqlType) ? 'text' : sqlType));
  const arrays = types.map((type, at) => `$${first + at}::${type}[]`);
  return {
    rows: `unnest(${arrays.join(', ')})
       as row (${names.join(', ')})`,
    next: first + names.length,
    /** A column without any value is an empty array, which `unnest` fills with nulls. */
    arraysOf: (records: readonly RecordFrom<S>[]): readonly string[] =>
      kinds.map(([name, { write }], at) => {
        const elements = records.map(
          (record) => (write ? write(record[name]) : record[name]) as string | null,
        );
        if (elements.every((element) => element === null)) return '{}';
        return QUOTED.has(types[at] as string) ? textArray(elements) : plainArray(elements);
      }),
  };
}

const isArray = (sqlType: string) => sqlType.endsWith('[]');
/** Types whose values may hold what an array's text gives a meaning to. */
const QUOTED = new Set(['text', 'tid', 'bytea', 'json', 'jsonb']);
