import { expect, inject, test } from 'vitest';
import { openDatabase, waitForDatabase } from './db.ts';

const { host, user, password } = inject('postgres');
const settings = { user, password, database: 'template_munshi', ssl: false } as const;

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

test('a database that never answers is given up with its error', async () => {
  const database = openDatabase({ ...settings, hosts: [{ host: '127.0.0.1', port: 1 }] }, { poolSize: 2 });
  await expect(waitForDatabase(database, 300)).rejects.toThrow('ECONNREFUSED');
  await database.close();
});

test('a wrong password is not waited for', async () => {
  const database = openDatabase({ ...settings, password: 'wrong', hosts: [{ host, port: 5432 }] }, { poolSize: 1 });
  const waits: Error[] = [];
  await expect(waitForDatabase(database, 60_000, (error) => waits.push(error))).rejects.toThrow('password authentication failed');
  expect(waits).toEqual([]);
  await database.close();
});

test('timestamps are milliseconds and numeric is exact text', async () => {
  const database = openDatabase({ ...settings, hosts: [{ host, port: 5432 }] }, { poolSize: 1 });
  const { rows } = await database.pool.query(`select '2026-01-02T03:04:05.678Z'::timestamptz as at, 99999999999999.9999::numeric(18, 4) as amount`);
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

test('a pooled connection that is ended while nobody has it is told with its error, without what the connection holds', async () => {
  const told: Error[] = [];
  const database = openDatabase({ ...settings, hosts: [{ host, port: 5432 }] }, { poolSize: 2, log: (error) => told.push(error) });
  const [idle, busy] = await Promise.all([database.pool.connect(), database.pool.connect()]);
  const { rows } = await idle.query('select pg_backend_pid() as pid');
  idle.release();
  await busy.query('select pg_terminate_backend($1)', [rows[0].pid]);
  await expect.poll(() => told.length).toBe(1);
  expect(told[0]).toMatchObject({ code: '57P01' });
  expect(told[0]).not.toHaveProperty('client');
  busy.release();
  await database.close();
});
