import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { chmod, cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startEmbeddedPostgres } from '@munshi/embedded-postgres';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { HOLD_TERMS } from '../../apps/server/src/engine/rows/terms.ts';
import { createJobLocks } from '../../apps/server/src/platform/database/connection/job-locks.ts';
import { type Database, openDatabase } from '../../apps/server/src/platform/database/db.ts';
import { isMigrated, migrate } from '../../apps/server/src/platform/database/migrate.ts';
import { prefillOrders } from '../../bench/prefill.ts';
import { seedMembers, seedMerchants } from '../../bench/seed.ts';
import { cloneDatabase } from '../support/database.ts';
import {
  createMember,
  createMerchant,
  createOrder,
  signInMember,
  type TestMerchant,
} from '../support/fixtures.ts';
import { type MemberClient, memberClient } from '../support/member-client.ts';
import { openPage } from '../support/page-client.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { databaseUrl } from '../support/process.ts';
import { MASTER_KEY, startService } from '../support/service.ts';
import { bareEnvironment, listenTo } from '../support/spoken.ts';
import { expectSound } from '../support/verify.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const SERVER = path.join(ROOT, 'apps', 'server', 'src');

const FOLDER = path.join(SERVER, 'platform', 'database', 'migrations');
const MIGRATIONS = readdirSync(FOLDER).sort();

let folders: string;
beforeAll(async () => {
  folders = await mkdtemp(path.join(tmpdir(), 'munshi-migrations-'));
  await chmod(folders, 0o755); // for the account of Postgres
});
afterAll(() => rm(folders, { recursive: true, force: true, maxRetries: 20 }));

/** The migrations of this version, and these after them. */
async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = path.join(folders, randomUUID());
  await cp(FOLDER, folder, { recursive: true });
  for (const [name, sql] of Object.entries(files)) await writeFile(path.join(folder, name), sql);
  return folder;
}

test('a migration that was changed after it was applied is refused by its name', async () => {
  const { database, drop } = await cloneDatabase();
  const folder = await folderWith({ '0002_one.sql': 'create table one (x integer);\n' });
  expect(await migrate(database.pool, { folder })).toEqual(['0002_one.sql']);
  await writeFile(path.join(folder, '0002_one.sql'), 'create table one (x bigint);\n');
  await expect(migrate(database.pool, { folder })).rejects.toThrow(
    /^The migration 0002_one\.sql was changed after this database had it: .*$/,
  );
  await drop();
});

test('of a migration that fails nothing is left, and those before it stay', async () => {
  const { database, drop } = await cloneDatabase();
  const folder = await folderWith({
    '0002_one.sql': 'create table one (x integer);\n',
    '0003_two.sql': 'create table two (x integer);\ncreate table two (x integer);\n',
  });
  await expect(migrate(database.pool, { folder })).rejects.toThrow('"two" already exists');
  const { rows } = await database.pool.query(
    `select to_regclass('one') is not null as one, to_regclass('two') is not null as two`,
  );
  expect(rows).toEqual([{ one: true, two: false }]);
  await drop();
});

test('an older version that starts again takes no rights on the tables of a newer one', async () => {
  const { database, drop } = await cloneDatabase();
  const [runtimeRole, retentionRole] = [`service_${randomUUID()}`, `retention_${randomUUID()}`];
  for (const role of [runtimeRole, retentionRole])
    await database.pool.query(`create role "${role}"`);
  const given = async () => {
    const { rows } = await database.pool.query(
      `select has_table_privilege($1, 'one', 'select') as service,
         has_table_privilege($2, 'one', 'select') as retention`,
      [runtimeRole, retentionRole],
    );
    return rows[0];
  };
  const newer = await folderWith({ '0035_one.sql': 'create table one (x integer);\n' });
  await migrate(database.pool, { folder: newer, runtimeRole, retentionRole });
  for (const role of [runtimeRole, retentionRole])
    await database.pool.query(`grant select on one to "${role}"`);
  await database.pool.query(`revoke select on orders from "${runtimeRole}"`);
  await migrate(database.pool, { runtimeRole, retentionRole });
  expect(await given()).toEqual({ service: true, retention: true });
  // What it knows it gives, such as to a role that is new.
  const { rows } = await database.pool.query(
    `select has_table_privilege($1, 'orders', 'select') as reads`,
    [runtimeRole],
  );
  expect(rows).toEqual([{ reads: true }]);
  // The version that knows all of the migrations gives what it knows.
  await migrate(database.pool, { folder: newer, runtimeRole, retentionRole });
  expect(await given()).toEqual({ service: false, retention: false });
  for (const role of [runtimeRole, retentionRole]) {
    await database.pool.query(`drop owned by "${role}"`);
    await database.pool.query(`drop role "${role}"`);
  }
  await drop();
});

test('the first plans know the tables that have rows, and take none for empty', async () => {
  const { database, drop } = await cloneDatabase();
  const known = `select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and reltuples >= 0 order by 1`;
  expect((await database.pool.query(known)).rows.map(({ name }) => name)).toEqual([
    'audit_checks',
    'schema_migrations',
    'settings',
    'terms_version',
  ]);
  await drop();
});

// Each waits for seconds for a lock in a database of its own: together.
test.concurrent.for([
  [
    'another process that migrates',
    'select pg_advisory_xact_lock(7240501, hashtext(current_schema()))',
  ],
  ['a transaction that holds a table', 'lock table schema_migrations in access exclusive mode'],
] as const)(
  'a migration that meets %s says so, lets others pass, and goes on when it can',
  async ([, hold], { expect }) => {
    const { database, drop } = await cloneDatabase();
    const holder = await database.pool.connect();
    await holder.query('begin');
    await holder.query(hold);
    const said: string[] = [];
    const migrated = migrate(database.pool, { progress: (text) => said.push(text) });
    await expect
      .poll(() => said)
      .toContainEqual(expect.stringContaining('Waiting to migrate the database'));
    const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    expect((await database.pool.query(waiting)).rows).toEqual([]);
    await holder.query('rollback');
    holder.release();
    expect(await migrated).toEqual([]);
    await drop();
  },
);

describe.concurrent('an index that is created concurrently', () => {
  const INDEX = {
    '0002_index.sql': '-- no transaction\ncreate index concurrently one on orders (fee);\n',
  };
  const valid = async ({ pool }: Database) =>
    (
      await pool.query(
        `select indisvalid as valid from pg_index where indexrelid = to_regclass('one')`,
      )
    ).rows;

  /** Holds what the index waits for, which is made and not valid then. */
  async function makeWait(database: Database) {
    const holder = await database.pool.connect();
    await holder.query('begin isolation level repeatable read');
    await holder.query('select 1 from orders');
    return {
      // `expect.poll` belongs to one test, and these run together.
      waiting: () =>
        vi.waitFor(async () => {
          const { rowCount } = await database.pool.query(
            `select from pg_stat_activity where datname = current_database() and wait_event = 'virtualxid'`,
          );
          expect(rowCount).toBe(1);
        }, PATIENCE_MS),
      async release() {
        await holder.query('rollback');
        holder.release();
      },
    };
  }

  test('is made again where a crash has left it half made', async ({ expect }) => {
    const { database, drop } = await cloneDatabase();
    const folder = await folderWith(INDEX);
    const wait = await makeWait(database);
    const ended = expect(migrate(database.pool, { folder })).rejects.toThrow(/terminat/);
    await wait.waiting();
    await database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event = 'virtualxid'`,
    );
    await ended;
    expect(await valid(database)).toEqual([{ valid: false }]);
    await wait.release();
    expect(await migrate(database.pool, { folder })).toEqual(['0002_index.sql']);
    expect(await valid(database)).toEqual([{ valid: true }]);
    await drop();
  });

  test('is kept where the process died before it had written so', async ({ expect }) => {
    const { database, drop } = await cloneDatabase();
    const folder = await folderWith(INDEX);
    await migrate(database.pool, { folder });
    await database.pool.query(`delete from schema_migrations where name = '0002_index.sql'`);
    expect(await migrate(database.pool, { folder })).toEqual(['0002_index.sql']);
    expect(await valid(database)).toEqual([{ valid: true }]);
    await drop();
  });

  test('does not wait for the processes that wait for it', async ({ expect }) => {
    const { database, drop } = await cloneDatabase();
    const folder = await folderWith(INDEX);
    const wait = await makeWait(database);
    const first = migrate(database.pool, { folder });
    await wait.waiting();
    const said: string[] = [];
    const second = migrate(database.pool, { folder, progress: (text) => said.push(text) });
    await expect.poll(() => said.length).toBeGreaterThan(0);
    await wait.release();
    expect([await first, await second]).toEqual([['0002_index.sql'], []]);
    expect(await valid(database)).toEqual([{ valid: true }]);
    await drop();
  });
});

/** A deposit from its creation to its end. */
async function live(merchant: TestMerchant, member: MemberClient): Promise<void> {
  const order = await createOrder(merchant, { amount: 500 });
  await openPage(order).data('open');
  await openPage(order).data('confirm', { transactionDigits: '1234' });
  const ended = await member.data('POST', `/orders/${order.orderId}/confirm`, {});
  expect(ended).toMatchObject({ status: 'Completed' });
}

test('a filled database is migrated while orders come and go, of which none fails', async () => {
  const clone = await cloneDatabase();
  await seedMerchants(clone.database, 20);
  await seedMembers(clone.database, 20, { online: false });
  await prefillOrders(clone.database, 20_000);
  const service = await startService({}, clone);
  const merchant = await createMerchant(service);
  const password = randomUUID();
  const holder = await createMember(service, {
    methods: ['ProviderA'],
    maxOpenOrders: 1_000,
    float: '10000000',
    password,
  });
  const member = memberClient(service.url, await signInMember(service, holder, password));

  let migrated = false;
  let ended = 0;
  const load = Promise.all(
    Array.from({ length: 8 }, async () => {
      do {
        await live(merchant, member);
        ended += 1;
      } while (!migrated);
      await live(merchant, member);
    }),
  );
  await expect.poll(() => ended).toBeGreaterThan(8);
  const before = ended;
  const folder = await folderWith({
    '0002_remarks.sql': `alter table orders add column remark text;
alter table orders add constraint orders_remark_check check (char_length(remark) <= 100) not valid;
create table remarks (order_id uuid primary key, remark text not null);
`,
    '0003_remarks_index.sql': `-- no transaction
create index concurrently orders_remark on orders (remark) where remark is not null;
create index concurrently orders_fee on orders (fee, order_id);
`,
    '0004_remarks_valid.sql': `alter table orders validate constraint orders_remark_check;
`,
  });
  await clone.database.pool.query(
    `alter database ${clone.owner.database} owner to ${clone.owner.user}`,
  );
  const owner = openDatabase(clone.owner, { poolSize: 1 });
  expect(await migrate(owner.pool, { folder, runtimeRole: clone.target.user })).toEqual([
    '0002_remarks.sql',
    '0003_remarks_index.sql',
    '0004_remarks_valid.sql',
  ]);
  migrated = true;
  await load;
  expect(ended).toBeGreaterThan(before);
  expect(await isMigrated(owner.pool)).toBe(true);
  await expectSound(service);
  await owner.close();
  await service.close();
  await clone.drop();
});

test('two schemas of one database are migrated, changed and served without waiting for each other', async () => {
  const clone = await cloneDatabase();
  const open = async (user: string) => {
    await clone.database.pool.query(`create role ${user} login password 'x'`);
    await clone.database.pool.query(`create schema ${user} authorization ${user}`);
    await clone.database.pool.query(`alter role ${user} set search_path = ${user}`);
    const database = openDatabase({ ...clone.target, user, password: 'x' }, { poolSize: 2 });
    expect(await migrate(database.pool)).toEqual(MIGRATIONS);
    return database;
  };
  const names = [`cell_one_${process.pid}`, `cell_two_${process.pid}`] as const;
  const [one, two] = [await open(names[0]), await open(names[1])];

  const batch = await one.pool.connect();
  await batch.query('begin');
  await batch.query(HOLD_TERMS.text);
  await two.pool.query('update settings set payout_window_seconds = 60');
  await batch.query('rollback');
  batch.release();
  const version = async ({ pool }: Database) =>
    (await pool.query('select version from terms_version')).rows;
  expect([await version(one), await version(two)]).toEqual([
    [{ version: '0' }],
    [{ version: '1' }],
  ]);

  const [ofOne, ofTwo] = [createJobLocks(one), createJobLocks(two)];
  let atOnce = false;
  await ofOne.whileHeld('job', () =>
    ofTwo.whileHeld('job', async () => {
      atOnce = true;
    }),
  );
  expect(atOnce).toBe(true);

  for (const { close } of [ofOne, ofTwo, one, two]) await close();
  for (const name of names)
    await clone.database.pool.query(`drop owned by ${name} cascade; drop role ${name}`);
  await clone.drop();
});

describe('a database from before the first release', () => {
  const OLD = `create table schema_migrations (name text primary key, applied_at timestamptz not null default now());
    insert into schema_migrations (name) values ('0001_foundation.sql')`;

  /** What a program says that ends with an error. */
  async function refusal(script: string, args: readonly string[], env: Record<string, string>) {
    const { exited, said } = listenTo(process.execPath, [path.join(ROOT, script), ...args], {
      cwd: folders,
      env: { ...bareEnvironment(), PORT: '0', ...env },
    });
    expect(await exited, said()).toBe(1);
    return said();
  }

  test.each([
    ['the service', 'apps/server/src/main.ts', []],
    ['the worker', 'apps/server/src/main.ts', ['--roles', 'worker']],
    ['munshi migrate', 'bin/munshi.ts', ['migrate']],
  ])('is refused by %s in one line that says how to begin again', async (_name, script, args) => {
    const { database, owner, drop } = await cloneDatabase();
    await database.pool.query(
      `drop table schema_migrations; ${OLD}; alter table schema_migrations owner to ${owner.user}`,
    );
    expect(await refusal(script, args, { DATABASE_URL: databaseUrl(owner), MASTER_KEY })).toBe(
      'munshi: The database that DATABASE_URL names was made before the first release, and cannot be brought up to date: to begin anew, name a new, empty database.\n',
    );
    await drop();
  });

  test('is refused by the embedded Postgres with the folder to remove', async () => {
    const dataDir = path.join(folders, 'old');
    const server = await startEmbeddedPostgres({ dataDir });
    const client = new pg.Client(server.config('postgres'));
    await client.connect();
    await client.query(OLD);
    await client.end();
    await server.stop();
    expect(await refusal('apps/server/src/main.ts', [], { DATA_DIR: dataDir })).toContain(
      `munshi: The data in ${dataDir} were made before the first release, and cannot be brought up to date: to begin anew, remove that folder and start again; all that is in it will be lost.\n`,
    );
  });
});
