import { type AddressInfo, createServer } from 'node:net';
import { expect, inject, test } from 'vitest';
import { cloneDatabase } from '../../../../../tests/support/database.ts';
import { createOutage } from './connection/outage.ts';
import { waitForDatabase } from './connection/wait-for-database.ts';
import { inTransaction, openDatabase, transact } from './db.ts';
import { CrowdedError, TooSlowError, withinTime } from './limited.ts';

const { host, user, password } = inject('postgres');
const settings = { user, password, database: 'postgres', ssl: false } as const;

test('with several hosts the one that answers is found, for the pool and for lanes', async () => {
  const hosts = [
    { host: '127.0.0.1', port: 1 },
    { host: '/nowhere', port: 5432 },
    { host, port: 5432 },
  ];
  const database = openDatabase({ ...settings, hosts }, { poolSize: 2 });
  await waitForDatabase(database, 10_000);
  const lane = await database.openLane('test');
  expect((await lane.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  await lane.end();
  await database.close();
});

test('a database that never answers is abandoned with its error', async () => {
  const database = openDatabase(
    { ...settings, hosts: [{ host: '127.0.0.1', port: 1 }] },
    { poolSize: 2 },
  );
  await expect(waitForDatabase(database, 300)).rejects.toThrow('ECONNREFUSED');
  await database.close();
});

test('a wrong password is not waited for', async () => {
  const database = openDatabase(
    { ...settings, password: 'wrong', hosts: [{ host, port: 5432 }] },
    { poolSize: 1 },
  );
  const waits: Error[] = [];
  await expect(waitForDatabase(database, 60_000, (error) => waits.push(error))).rejects.toThrow(
    'password authentication failed',
  );
  expect(waits).toEqual([]);
  await database.close();
});

test('timestamps are milliseconds and numeric is exact text', async () => {
  const database = openDatabase({ ...settings, hosts: [{ host, port: 5432 }] }, { poolSize: 1 });
  const { rows } = await database.pool.query(
    `select '2026-01-02T03:04:05.678Z'::timestamptz as at, 99999999999999.9999::numeric(18, 4) as amount`,
  );
  expect(rows).toEqual([{ at: Date.UTC(2026, 0, 2, 3, 4, 5, 678), amount: '99999999999999.9999' }]);
  await database.close();
});

test('a pooled connection that is ended while somebody has it fails its next statement, and not the process', async () => {
  const database = openDatabase({ ...settings, hosts: [{ host, port: 5432 }] }, { poolSize: 2 });
  const client = await database.pool.connect();
  const { rows } = await client.query('select pg_backend_pid() as pid');
  const ended = new Promise((resolve) => client.once('end', resolve));
  await database.pool.query('select pg_terminate_backend($1)', [rows[0].pid]);
  await ended;
  await expect(client.query('select 1')).rejects.toThrow();
  client.release(true);
  expect((await database.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  await database.close();
});

test('a pooled connection that ends while nobody has it is logged once, with its reason', async () => {
  const logged: string[] = [];
  const outage = createOutage();
  const log = {
    warn: (detail: object, message: string) => logged.push(`${message} ${JSON.stringify(detail)}`),
  };
  const database = openDatabase(
    { ...settings, hosts: [{ host, port: 5432 }] },
    { poolSize: 2, watch: outage.watch(log) },
  );
  const [idle, busy] = await Promise.all([database.pool.connect(), database.pool.connect()]);
  const { rows } = await idle.query('select pg_backend_pid() as pid');
  idle.release();
  await busy.query('select pg_terminate_backend($1)', [rows[0].pid]);
  await expect
    .poll(() => logged)
    .toEqual([
      expect.stringMatching(
        /the primary is still there .*terminating connection due to administrator command/,
      ),
    ]);
  expect(database.stats.failovers).toBe(0);
  busy.release();
  await database.close();
});

test('a session has the settings that the service needs, regardless of its role', async () => {
  const owner = openDatabase({ ...settings, hosts: [{ host, port: 5432 }] }, { poolSize: 1 });
  const role = `odd_${process.pid}`;
  await owner.pool.query(`create role ${role} login superuser password 'odd'`);
  const odd = {
    TimeZone: 'Asia/Karachi',
    DateStyle: 'German',
    bytea_output: 'escape',
    standard_conforming_strings: 'off',
    default_transaction_read_only: 'on',
  };
  for (const [name, value] of Object.entries({
    ...odd,
    statement_timeout: '900ms',
    default_transaction_isolation: 'serializable',
  })) {
    await owner.pool.query(`alter role ${role} set ${name} = '${value}'`);
  }
  const database = openDatabase(
    { ...settings, user: role, password: 'odd', hosts: [{ host, port: 5432 }] },
    { poolSize: 1 },
  );
  const read = `select '2026-01-02T03:04:05Z'::timestamptz as at, '\\x00ff'::bytea as bytes, current_setting('transaction_isolation') as isolation,
    current_setting('transaction_read_only') as read_only, current_setting('statement_timeout') as timeout`;
  const expected = [
    {
      at: Date.UTC(2026, 0, 2, 3, 4, 5),
      bytes: Buffer.from([0, 255]),
      isolation: 'read committed',
      read_only: 'off',
      timeout: '0',
    },
  ];
  const lane = await database.openLane('test');
  expect((await database.pool.query(read)).rows).toEqual(expected);
  expect((await lane.query(read)).rows).toEqual(expected);
  await lane.end();
  await database.close();
  await owner.pool.query(`drop role ${role}`);
  await owner.close();
});

test('a prepared statement whose table has another shape by now is prepared again, on the pool and in a transaction', async () => {
  const { database, drop } = await cloneDatabase();
  await database.pool.query('create table shapes as select 1 as one');
  const read = { name: 'read-shapes', text: 'select * from shapes' };
  const clients = await Promise.all([1, 2, 3].map(() => database.pool.connect()));
  for (const client of clients) await client.query(read);
  for (const client of clients) client.release();
  await database.pool.query('alter table shapes add two int');
  expect((await inTransaction(database.pool, (client) => client.query(read))).rows).toEqual([
    { one: 1, two: null },
  ]);
  expect((await database.pool.query(read)).rows).toEqual([{ one: 1, two: null }]);
  await drop();
});

test('a transaction in which a statement failed unseen is not taken for committed', async () => {
  const { database, drop } = await cloneDatabase();
  await expect(
    inTransaction(database.pool, (client) => client.query('select 1 / 0').catch(() => 'unseen')),
  ).rejects.toThrow('rolled back');
  await drop();
});

test('a connection asks for nothing at its start that a pooler refuses or drops', async () => {
  const { promise: asked, resolve } = Promise.withResolvers<Buffer>();
  const server = createServer((socket) => {
    socket.once('data', resolve);
    socket.once('data', () => socket.destroy());
    socket.on('error', () => {});
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const database = openDatabase(
    { ...settings, hosts: [{ host: '127.0.0.1', port }] },
    { poolSize: 1 },
  );
  await expect(database.openLane('test')).rejects.toThrow();
  // After its length and the version: names and values in turn, each ended by a zero.
  const words = (await asked).subarray(8).toString().split('\0');
  const names = words.filter((word, at) => at % 2 === 0 && word !== '');
  expect(
    names.filter(
      (name) => !['user', 'database', 'application_name', 'client_encoding'].includes(name),
    ),
  ).toEqual([]);
  await database.close();
  server.close();
});

test('a long read has its own timeout, not the pool’s, and keeps its connection', async () => {
  const hosts = [{ host, port: 5432 }];
  const database = openDatabase({ ...settings, hosts }, { poolSize: 1, timeoutMs: 1_000 });
  const session = 'pg_backend_pid() as session';
  const sleep = (seconds: number, milliseconds: number) =>
    withinTime(
      database,
      async (db) =>
        (await db.query({ text: `select ${session}, pg_sleep(${seconds})` })).rows[0].session,
      milliseconds,
    );
  const own = await sleep(1.1, 60_000);
  await expect(sleep(30, 200)).rejects.toThrow(TooSlowError);
  const { rows } = await database.pool.query(`select ${session}`);
  expect(rows).toEqual([{ session: own }]);
  await database.close();
});

test('long reads take half of the pool and two of its places for one reader, and others go first', async () => {
  const hosts = [{ host, port: 5432 }];
  const database = openDatabase({ ...settings, hosts }, { poolSize: 8 });
  const begun: { readonly reader: string | undefined; readonly end: () => void }[] = [];
  const read = (reader: string | undefined) =>
    withinTime(
      { pool: database.pool, ...(reader !== undefined && { reader }) },
      async () => {
        const { promise, resolve } = Promise.withResolvers<void>();
        begun.push({ reader, end: resolve });
        await promise;
      },
      600_000,
    );
  const readers = () => begun.map(({ reader }) => reader);
  const reads = ['greedy', 'greedy', 'greedy', 'greedy'].map(read);
  await expect.poll(readers).toEqual(['greedy', 'greedy']);
  reads.push(...['other', 'other', undefined].map(read));
  await expect.poll(readers).toEqual(['greedy', 'greedy', 'other', 'other']);
  // The other half is free, and a place may be waited for as long as a read may take.
  expect((await database.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  await expect(withinTime(database, async () => {}, 1)).rejects.toThrow(CrowdedError);
  begun[0]?.end();
  await expect.poll(readers).toEqual(['greedy', 'greedy', 'other', 'other', undefined]);
  for (let ended = 1; ended < reads.length; ended += 1) {
    await expect.poll(() => begun.length).toBeGreaterThan(ended);
    begun[ended]?.end();
  }
  await Promise.all(reads);
  await database.close();
});

test('transactions that lock the same rows in opposite orders are both done', async () => {
  const clone = await cloneDatabase();
  const { pool } = clone.database;
  await pool.query('create table pairs (id integer primary key, sum integer not null)');
  await pool.query('insert into pairs values (1, 0), (2, 0)');
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let runs = 0;
  const add = (order: readonly number[], own: () => void, other: Promise<void>) =>
    inTransaction(pool, async (client) => {
      runs += 1;
      for (const id of order) {
        await client.query('update pairs set sum = sum + 1 where id = $1', [id]);
        own();
        await other;
      }
    });
  await Promise.all([
    add([1, 2], first.resolve, second.promise),
    add([2, 1], second.resolve, first.promise),
  ]);
  expect((await pool.query('select id, sum from pairs order by id')).rows).toEqual([
    { id: 1, sum: 2 },
    { id: 2, sum: 2 },
  ]);
  expect(runs).toBeGreaterThan(2); // each time one of the two loses, it runs again
  await clone.drop();
});

test('a transaction that always loses ends with its conflict', async () => {
  const database = openDatabase({ ...settings, hosts: [{ host, port: 5432 }] }, { poolSize: 1 });
  let runs = 0;
  const lost = transact(database.pool, async (client) => {
    runs += 1;
    await client.query(`do $$ begin raise 'lost' using errcode = '40P01'; end $$`);
  });
  await expect(lost).rejects.toMatchObject({ code: '40P01' });
  expect(runs).toBe(6);
  await database.close();
});
