import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { startDatabaseProxy } from '../../../../../tests/support/database-proxy.ts';
import { type Database, openDatabase } from './db.ts';
import { ConflictError, UnavailableError, UnknownCommitError } from './errors.ts';
import { runPipeline } from './pipeline.ts';

const { host, user, password } = inject('postgres');
const settings = { user, password, database: 'postgres', ssl: false } as const;
let database: Database;

beforeAll(() => {
  database = openDatabase({ ...settings, hosts: [{ host, port: 5432 }] }, { poolSize: 2 });
});
afterAll(() => database.close());

/** What a statement throws on a pooled connection, on a lane and in a pipeline. */
async function errorsOf(text: string): Promise<readonly Error[]> {
  const ways = [
    () => database.pool.query(text),
    async () => {
      const client = await database.pool.connect();
      await client.query(text).finally(() => client.release(true));
    },
    async () => {
      const lane = await database.openLane('test');
      await lane.query(text).finally(() => lane.end());
    },
    async () => {
      const lane = await database.openLane('test');
      await runPipeline(lane, [{ name: 'failing', text }]).finally(() => lane.end());
    },
  ];
  return Promise.all(
    ways.map((way) =>
      way().then(
        () => new Error('it went well'),
        (error: Error) => error,
      ),
    ),
  );
}

const raising = (code: string) =>
  `do $$ begin raise exception 'the connection is fine' using errcode = '${code}'; end $$`;

test.each(['23505', '40001', '40P01'])('%s is a conflict, wherever it happens', async (code) => {
  for (const error of await errorsOf(raising(code))) {
    expect(error).toBeInstanceOf(ConflictError);
    expect(error).toMatchObject({ code, message: 'the connection is fine' });
  }
});

test('a row that Citus says another node has already is a conflict too', async () => {
  const said = 'duplicate key value violates unique constraint "orders_reference_102094"';
  const raised = `do $$ begin raise exception '${said}' using errcode = 'XX000'; end $$`;
  for (const error of await errorsOf(raised)) {
    expect(error).toBeInstanceOf(ConflictError);
    expect(error).toMatchObject({ code: '23505', message: said });
  }
  for (const error of await errorsOf(raising('XX000')))
    expect(error).not.toBeInstanceOf(ConflictError);
});

test('a node of Citus that is restarted is away', async () => {
  const raised = `do $$ begin raise 'postmaster was shut down' using errcode = 'XX000'; end $$`;
  for (const error of await errorsOf(raised)) expect(error).toBeInstanceOf(UnavailableError);
});

test('a commit that Citus warns of is unknown, and its connection is abandoned', async () => {
  const warned = `do $$ begin raise warning 'failed to commit transaction on node:5432'; end $$`;
  for (const error of await errorsOf(warned)) expect(error).toBeInstanceOf(UnknownCommitError);
});

test.each(['08006', '53300', '57014', '57P01', '25006', '25P03'])(
  '%s says that the database is away, wherever it happens',
  async (code) => {
    for (const error of await errorsOf(raising(code))) {
      expect(error).toBeInstanceOf(UnavailableError);
      expect(error).toMatchObject({ code });
    }
  },
);

test.each(['22012', '23514', '42P01', 'XX000'])(
  '%s is a bug, though it speaks of connections',
  async (code) => {
    for (const error of await errorsOf(raising(code))) {
      expect(error).not.toBeInstanceOf(UnavailableError);
      expect(error).not.toBeInstanceOf(ConflictError);
      expect(error).toMatchObject({ code });
    }
  },
);

test('a connection that ends under a statement, or is closed, says that the database is away', async () => {
  const lane = await database.openLane('test');
  const { rows } = await lane.query('select pg_backend_pid() as pid');
  const sleeping = lane.query('select pg_sleep(60)');
  const ended = expect(sleeping).rejects.toBeInstanceOf(UnavailableError);
  await database.pool.query('select pg_terminate_backend($1)', [rows[0].pid]);
  await ended;
  await expect(lane.query('select 1')).rejects.toBeInstanceOf(UnavailableError);
});

test('a connection that is cut under a pooled statement says that the database is away', async () => {
  const proxy = await startDatabaseProxy({ ...settings, hosts: [{ host, port: 5432 }] });
  const behind = openDatabase(proxy.target, { poolSize: 1 });
  const sleeping = behind.pool.query('select pg_sleep(60)');
  const ended = expect(sleeping).rejects.toBeInstanceOf(UnavailableError);
  const asleep = `select from pg_stat_activity where query = 'select pg_sleep(60)' and state = 'active'`;
  await expect.poll(async () => (await database.pool.query(asleep)).rowCount).toBe(1);
  proxy.set('reset');
  await ended;
  await behind.close();
  await proxy.close();
});

test('a database that cannot be reached is away, and one that refuses is not', async () => {
  const nowhere = openDatabase(
    { ...settings, hosts: [{ host: '127.0.0.1', port: 1 }] },
    { poolSize: 1 },
  );
  await expect(nowhere.pool.query('select 1')).rejects.toBeInstanceOf(UnavailableError);
  // From then on the primary is searched for, some seconds long: for both at once.
  for (const way of await Promise.allSettled([nowhere.pool.connect(), nowhere.openLane('test')]))
    expect(way).toEqual({ status: 'rejected', reason: expect.any(UnavailableError) });
  await nowhere.close();
  const refused = openDatabase(
    { ...settings, password: 'wrong', hosts: [{ host, port: 5432 }] },
    { poolSize: 1 },
  );
  await expect(refused.pool.query('select 1')).rejects.not.toBeInstanceOf(UnavailableError);
  await refused.close();
});
