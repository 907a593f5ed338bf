import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { ORDER_SEARCH_KINDS, readOrderSearch, UTC } from '@munshi/core';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findViolations } from '../../apps/server/src/books/invariants.ts';
import { countOrders, listOrders } from '../../apps/server/src/orders/list.store.ts';
import { type Database, openDatabase } from '../../apps/server/src/platform/database/db.ts';
import { answerColumns, statements } from '../../apps/server/src/platform/database/statement.ts';
import { cloneDatabase } from '../support/database.ts';
import { explainGenerically } from '../support/plans.ts';
import { filesOf, ROOT, read } from './sources.ts';

/** SQL that is not a statement(): of connections and migrations, and what is put together. */
const OTHERWISE = [
  'platform/database/cells',
  'platform/database/connection/channel',
  'platform/database/copy-rows',
  'platform/database/db',
  'platform/database/grants',
  'platform/database/connection/job-locks',
  'platform/database/connection/lane',
  'platform/database/migrate',
  'platform/database/connection/primary',
  'platform/database/roles',
  'platform/database/connection/session-settings',
  'platform/database/connection/wait-for-database',
  // Run by the tests below.
  'books/invariants',
  'orders/list.store',
  'orders/searches.store',
].map((name) => `apps/server/src/${name}.ts`);

let clone: Awaited<ReturnType<typeof cloneDatabase>>;
let database: Database;

beforeAll(async () => {
  clone = await cloneDatabase();
  database = clone.database;
  const files = filesOf('apps/server/src/**/*.ts').filter(
    (name) => !name.endsWith('.test.ts') && /\bdatabase\/statement\.ts'/.test(read(name)),
  );
  for (const file of files) await import(/* @vite-ignore */ path.join(ROOT, file));
});
afterAll(() => clone.drop());

describe('every SQL statement of the server', () => {
  test('prepares against the migrated schema', async () => {
    const client = await database.pool.connect();
    const refused: string[] = [];
    for (const [name, text] of statements) {
      await client
        .query(`prepare "tidy ${name}" as ${text}`)
        .catch((error: Error) => refused.push(`${name}: ${error.message}`));
    }
    client.release(true);
    expect(refused).toEqual([]);
    expect(statements.size).toBeGreaterThan(120);
  });

  test('answers the columns that its reader expects, by name and type', async () => {
    const client = await database.pool.connect();
    const { rows: types } = await client.query('select oid, format_type(oid, null) from pg_type');
    const typeOf = new Map(types.map(({ oid, format_type }) => [Number(oid), format_type]));
    const wrong: unknown[] = [];
    for (const [name, { fields }] of answerColumns) {
      const description = new Description(`described ${name}`, statements.get(name) as string);
      client.query(description);
      const answered = await description.fields;
      const asRead = ({ name, sqlType }: Answered) => `${name} ${sqlType}`;
      const found = answered.map(({ name, dataTypeID }) =>
        asRead({ name, sqlType: SAME_TYPES[typeOf.get(dataTypeID)] ?? typeOf.get(dataTypeID) }),
      );
      const expected = fields.map(asRead);
      if (found.toSorted().join() !== expected.toSorted().join())
        wrong.push({ name, found, expected });
    }
    client.release(true);
    expect(wrong).toEqual([]);
    expect(answerColumns.size).toBeGreaterThan(30);
  });

  test('leaves no sealed column out of the check of the master key', async () => {
    const { rows } = await database.pool.query(
      `select table_name, column_name
       from information_schema.columns
       where table_schema = current_schema()
         and data_type = 'bytea'
         and column_name like 'sealed%'`,
    );
    const checked = statements.get('secret-of-each-seal') ?? '';
    expect(rows.length).toBeGreaterThan(5);
    for (const { table_name, column_name } of rows)
      expect(checked).toMatch(new RegExp(`\\b${column_name}\\b[^()]*\\bfrom ${table_name}\\b`));
  });

  test('is one that the role that runs it has the rights for', async () => {
    const databases = [clone.target, clone.retention].map((target) =>
      openDatabase(target, { poolSize: 1 }),
    );
    const clients = await Promise.all(databases.map(({ pool }) => pool.connect()));
    const refused: string[] = [];
    for (const [name, text] of statements) {
      const client = clients[name.startsWith('retention-') ? 1 : 0] as pg.PoolClient;
      await explainGenerically(client, text).catch((error: Error) =>
        refused.push(`${name}: ${error.message} (platform/database/grants.ts)`),
      );
    }
    for (const client of clients) client.release(true);
    for (const database of databases) await database.close();
    expect(refused).toEqual([]);
  });

  test('is one that these tests see', () => {
    const written =
      /\.query(?:<[^(]*>)?\(\s*(?:[`'](?:select (?!1')|insert|update|delete|with)|\{\s*(?:name|text)\b)/;
    const others = filesOf('apps/server/src/**/*.ts').filter(
      (file) => !file.endsWith('.test.ts') && !OTHERWISE.includes(file) && written.test(read(file)),
    );
    expect(others).toEqual([]);
  });

  test('is one that a schema of its own can run, on Citus too (decision 18, decision 19)', () => {
    const refused: readonly (readonly [what: RegExp, instead: string])[] = [
      [/\bpublic\./, 'name no schema'],
      [/advisory(?![\s\S]*current_schema)/, 'take the lock by lockFor'],
      [/\bpg_notify\b/, 'send by a channel'],
      [/^with\b[\s\S]*\(\s*insert into[\s\S]*\)\s*insert into/, 'insert by two statements'],
      [/insert into[^()]*\([^()]*\)\s*select array\[/, 'give the array as a value'],
      [
        /^insert into[\s\S]*\bjson_to_recordset\b[^;]*\bjoin\b/,
        'insert arrays of columns by unnest',
      ],
      [/\bset\b[^;]*= row\.\w+::\w+\[\]/, 'cast no array of a joined row in an update'],
      [
        /^insert into\b[\s\S]*\b(make_interval|interval|convert_to|now)\b/,
        'let the service compute what depends on settings: an insert of Citus breaks by it',
      ],
      [/\b(nextval|currval)\b/, 'a sequence has other numbers on each node'],
    ];
    const found = [...statements].flatMap(([name, text]) =>
      refused.filter(([what]) => what.test(text)).map(([, instead]) => `${name}: ${instead}`),
    );
    expect(found).toEqual([]);
  });

  test('locks no row before the cell is held in its place', () => {
    const MAY_BEGIN = ['db', 'migrate', 'connection/wait-for-database'].map(
      (name) => `apps/server/src/platform/database/${name}.ts`,
    );
    const files = filesOf('apps/server/src/**/*.ts').filter((file) => !file.endsWith('.test.ts'));
    const begins = files.filter(
      (file) => !MAY_BEGIN.includes(file) && /query\(\s*['"`]begin/i.test(read(file)),
    );
    expect(begins).toEqual([]);
    const unguarded = files.filter((file) => /\[\s*BEGIN,(?!\s*GUARD\b)/.test(read(file)));
    expect(unguarded).toEqual([]);
  });

  test('listOrders and countOrders run without filters, with each and with all of them', async () => {
    const page = { after: null, limit: 10 };
    expect(await listOrders(database.pool, {}, page)).toEqual([]);
    const filters = {
      status: ['Queued', 'ManualReview'],
      stage: ['Sent', 'Assigned'],
      orderType: 'Deposit',
      walletType: ['ProviderA'],
      currency: ['BDT'],
      merchantId: randomUUID(),
      memberId: randomUUID(),
      from: 0,
      to: Date.now(),
      amountFrom: 1n,
      amountTo: 1n,
      dueFrom: 0,
      dueTo: Date.now(),
      hasLateClaim: true,
      hasFailingWebhook: true,
    } as const;
    const here = { now: Date.now(), zones: UTC };
    const searched = ['1234', '1234567890', '2500 10:40', 'K7M2QX', 'Bilal', randomUUID()].map(
      (text) => ({ search: { what: readOrderSearch(text, here), by: ORDER_SEARCH_KINDS } }),
    );
    const each = Object.entries(filters).map(([name, value]) => ({ [name]: value }));
    for (const asked of [
      filters,
      { status: ['Expired'], walletType: ['TillID'], orderType: 'Deposit' } as const,
      ...each,
      ...searched,
      ...searched.map((one) => ({ ...filters, ...one })),
    ]) {
      expect(await listOrders(database.pool, asked, { ...page, after: randomUUID() })).toEqual([]);
      expect(await countOrders(database.pool, asked, 10)).toBe(0);
    }
  });

  test('the invariants run and hold for an empty database', async () => {
    expect(await findViolations(database.pool, Date.now())).toEqual([]);
  });
});

interface Answered {
  readonly name: string;
  readonly sqlType: string;
}
/** Types that the driver reads alike. */
const SAME_TYPES: Readonly<Record<string, string>> = {
  'character varying': 'text',
  smallint: 'integer',
  json: 'jsonb',
};

/** Prepares a statement and asks for the columns of its answer, without running it. */
class Description extends pg.Query {
  readonly fields: Promise<readonly pg.FieldDef[]>;
  readonly #text: string;
  readonly #name: string;
  readonly #resolve: (fields: readonly pg.FieldDef[]) => void;
  readonly #reject: (error: Error) => void;
  #found: readonly pg.FieldDef[] = [];

  constructor(name: string, text: string) {
    super({ text });
    this.#name = name;
    this.#text = text;
    const { promise, resolve, reject } = Promise.withResolvers<readonly pg.FieldDef[]>();
    this.fields = promise;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  override submit = (connection: pg.Connection) => {
    const wire = connection as unknown as {
      parse(statement: { name: string; text: string }): void;
      describe(statement: { type: 'S'; name: string }): void;
      sync(): void;
    };
    wire.parse({ name: this.#name, text: this.#text });
    wire.describe({ type: 'S', name: this.#name });
    wire.sync();
  };

  handleRowDescription({ fields }: { readonly fields: readonly pg.FieldDef[] }) {
    this.#found = fields;
  }

  handleError(error: Error) {
    this.#reject(error);
  }

  handleReadyForQuery() {
    this.#resolve(this.#found);
  }
}
