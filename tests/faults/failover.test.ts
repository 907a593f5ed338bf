import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../apps/server/src/platform/database/db.ts';
import { UnknownCommitError } from '../../apps/server/src/platform/database/errors.ts';
import { createMerchant } from '../support/fixtures.ts';
import { postOrder } from '../support/merchant-client.ts';
import { operatorClient } from '../support/operator-client.ts';
import { databaseUrl, startProcess } from '../support/process.ts';
import { MASTER_KEY, type Service, startService } from '../support/service.ts';
import { bareEnvironment, listenTo } from '../support/spoken.ts';
import {
  type PostgresNode,
  type ReplicatedPostgres,
  startReplicatedPostgres,
} from './support/replicated-postgres.ts';

const MUNSHI = path.join(import.meta.dirname, '../../bin/munshi.ts');
/** Of the commands that need any. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  'operator-link': ['anybody'],
  'operator-token': ['create', 'somebody'],
  cell: ['list'],
};

let postgres: ReplicatedPostgres;
beforeAll(async () => {
  postgres = await startReplicatedPostgres();
});
afterAll(() => postgres?.close());

const portOf = ({ target }: PostgresNode) => target.hosts[0]?.port;
const newOrder = () => ({
  orderType: 'Deposit',
  amount: 100,
  walletType: 'ProviderA',
  merchantOrderRef: randomUUID(),
});

/** A command of `munshi` on both hosts, in this order. */
function munshi(
  hosts: readonly PostgresNode[],
  ...args: readonly string[]
): Promise<{ readonly code: number | null; readonly said: string }> {
  const env = {
    ...bareEnvironment(),
    DATABASE_URL: databaseUrl(postgres.target(...hosts)),
    CELLS_DATABASE_URL: databaseUrl(postgres.target(...hosts)),
    MASTER_KEY,
  };
  const child = spawn(process.execPath, [MUNSHI, ...args], { env });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
  }
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, said })));
}

test('a server starts, and every command of munshi works, where the first host named is a standby', async () => {
  const [primary, standby] = postgres.nodes;
  const { said } = await munshi([standby, primary], '--help');
  const [, onDatabase = ''] = said.split('On the database');
  const commands = [...onDatabase.matchAll(/^ {2}([a-z-]+)/gm)].map(([, name = '']) => name);
  expect(commands).toContain('verify');
  // The demo wants a database that nobody has used.
  for (const command of ['demo', ...commands.filter((name) => name !== 'demo')]) {
    // The doctor ends with 1: it finds what a database of tests lacks.
    const code = command === 'doctor' ? 1 : 0;
    const ended = await munshi([standby, primary], command, ...(ARGUMENTS[command] ?? []));
    expect({ command, ...ended }).toMatchObject({ command, code });
    if (command === 'doctor') expect(ended.said).toContain('Each of the 2 lets the service in.');
  }
  const server = await startProcess({
    target: postgres.target(standby, primary),
    url: 'http://localhost',
  });
  await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status).toBe(200);
  expect(await server.stop()).toBe(0);
});

test('a primary dies and the standby is promoted: orders go on, the log has the beginning and the end, and no stack', async () => {
  const [a, b] = postgres.nodes;
  const fixtures = await startService({ ROLES: 'http' }, { target: postgres.target(a, b) });
  const merchant = await createMerchant(fixtures);
  await fixtures.close();
  let log = '';
  const server = await startProcess(
    { target: postgres.target(a, b), url: 'http://localhost' },
    { LOG_LEVEL: 'info' },
    (text) => {
      log += text;
    },
  );
  const at = { ...merchant, url: server.url };
  expect((await postOrder(at, newOrder())).status).toBe(200);
  await b.caughtUp();
  await a.kill();
  const meanwhile = Promise.all(
    Array.from({ length: 20 }, () => postOrder(at, newOrder()).then(({ status }) => status)),
  );
  await expect.poll(() => log).toContain('the database primary is lost');
  await b.promote();
  expect(new Set(await meanwhile)).not.toContain(500);
  await expect.poll(async () => (await postOrder(at, newOrder())).status).toBe(200);
  await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status).toBe(200);
  expect(await (await fetch(`${server.url}/metrics`)).text()).toMatch(
    /^munshi_database_failovers_total 1$/m,
  );
  expect(await server.stop()).toBe(0);
  const lines = log
    .trim()
    .split('\n')
    .map(
      (line) =>
        JSON.parse(line) as {
          readonly msg: string;
          readonly host?: string;
          readonly err?: { readonly stack?: string };
        },
    );
  expect(lines.filter(({ msg }) => msg.includes('primary is lost'))).toEqual([
    expect.objectContaining({ host: `127.0.0.1:${portOf(a)}` }),
  ]);
  expect(lines.filter(({ msg }) => msg.includes('primary is found'))).toEqual([
    expect.objectContaining({ host: `127.0.0.1:${portOf(b)}` }),
  ]);
  expect(lines.filter(({ err }) => err?.stack !== undefined)).toEqual([]);
  expect(log.length).toBeLessThan(10_000);
});

test('a primary freezes and is overtaken: connections go to the new one, and the old one is refused when it thaws and says that it leads', async () => {
  const [a, b] = postgres.nodes;
  await a.rebuild();
  await a.caughtUp();
  const target = postgres.target(b, a);
  const watched = openDatabase(target, { poolSize: 2, timeoutMs: 1_000 });
  const port = async (database = watched) =>
    (await database.pool.query('select inet_server_port() as port')).rows[0].port;
  expect(await port()).toBe(portOf(b));
  const idle = openDatabase(target, { poolSize: 1 });
  expect(await port(idle)).toBe(portOf(b));
  await b.freeze();
  await a.promote();
  await expect.poll(() => port().catch(() => 'away')).toBe(portOf(a));
  await b.thaw();
  expect(await b.query('select pg_is_in_recovery() as standby')).toEqual([{ standby: false }]);
  // Both say that they lead: a newcomer finds the newer one, and a process that knows it keeps to
  // it.
  const newcomer = openDatabase(target, { poolSize: 1 });
  expect(await port(newcomer)).toBe(portOf(a));
  // One that asked nothing meanwhile is still connected to the old one, and leaves it by itself.
  await expect.poll(() => port(idle).catch(() => 'away')).toBe(portOf(a));
  const all = await Promise.all([watched.pool.connect(), watched.pool.connect()]);
  for (const client of all) client.release(true);
  expect(await port()).toBe(portOf(a));
  await a.kill();
  await expect
    .poll(() => port().catch((error: Error) => error.message))
    .toContain('it was overtaken');
  await a.start();
  await expect.poll(() => port().catch(() => 'away')).toBe(portOf(a));
  await Promise.all([watched.close(), idle.close(), newcomer.close()]);
  await b.rebuild();
});

test('a command of munshi says that its commit waits for the standby, and ends when nobody is waited for', async () => {
  const [a, b] = postgres.nodes;
  await a.setSynchronous(true);
  await b.stop();
  const env = { ...bareEnvironment(), DATABASE_URL: databaseUrl(a.target), MASTER_KEY };
  const create = (name: string) =>
    listenTo(process.execPath, [MUNSHI, 'operator-token', 'create', name], { cwd: '/', env });
  const SAID = /committed on the primary, and "\*" \(synchronous_standby_names\) has not confirmed/;
  const cancelled = create('cancelled');
  await cancelled.says(SAID);
  await a.query(`select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`);
  expect(await cancelled.exited).toBe(1);
  expect(cancelled.said()).toMatch(/^munshi: Nobody can say whether the change holds/m);

  const waiting = create('waiting');
  await waiting.says(SAID);
  expect(waiting.said()).not.toContain('op_');
  await a.setSynchronous(false);
  expect(await waiting.exited).toBe(0);
  expect(waiting.said()).toMatch(/^op_\S+$/m);
  await b.start();
});

test('a commit whose wait for the standby is cancelled is answered 503 and never 200, wherever it was sent', async () => {
  const [a, b] = postgres.nodes;
  await a.setSynchronous(true);
  const service = await startService({ ROLES: 'http' }, { target: a.target });
  await b.stop();
  const { database } = service;
  const lane = await database.openLane('test');
  const writes: Readonly<Record<string, () => Promise<unknown>>> = {
    'an operator’s write': () =>
      operatorClient(service as Service).patch('/settings', {
        displayNames: { methods: { ProviderA: 'Another name' } },
      }),
    'a statement of its own': () =>
      database.pool.query('create table of_the_pool ()').catch((error: Error) => error),
    'a lane': () => lane.query('create table of_a_lane ()').catch((error: Error) => error),
  };
  for (const [name, write] of Object.entries(writes)) {
    const answer = write();
    const waiting = `select pid from pg_stat_activity where wait_event = 'SyncRep'`;
    await expect.poll(() => a.query(waiting)).toHaveLength(1);
    await a.query(`select pg_cancel_backend(pid) from (${waiting}) as waiting`);
    const answered = await answer;
    if (answered instanceof Error)
      expect({ name, answered }).toEqual({ name, answered: expect.any(UnknownCommitError) });
    else expect({ name, answered }).toMatchObject({ name, answered: { status: 503 } });
  }
  await a.setSynchronous(false);
  await service.close();
});
