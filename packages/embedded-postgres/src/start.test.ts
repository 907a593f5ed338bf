import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import { serverAccount } from './account.ts';
import { findPrograms } from './binaries.ts';
import {
  attachEmbeddedPostgres,
  DataDirInUseError,
  type EmbeddedOptions,
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from './index.ts';
import {
  isAlive,
  killHelpers,
  query,
  runOwner,
  temporaryDirectories,
  until,
} from './test-support.ts';

const directories = temporaryDirectories();
const servers: EmbeddedPostgres[] = [];
const others: ChildProcess[] = [];

async function start(
  dataDir: string,
  options: Partial<EmbeddedOptions> = {},
): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, ephemeral: true, ...options });
  servers.push(server);
  return server;
}

afterEach(async () => {
  killHelpers();
  for (const other of others.splice(0)) other.kill('SIGKILL');
  for (const server of servers.splice(0)) await server.stop();
  await directories.clean();
});

/** A process of Postgres' own account; one of another account would not block it. */
async function spawnAsServer(
  dataDir: string,
  command: string,
  args: string[],
): Promise<ChildProcess> {
  const { uid, gid } = await stat(path.join(dataDir, 'pg18'));
  const child = spawn(command, args, {
    ...(process.getuid?.() === 0 ? { uid, gid } : {}),
    cwd: '/',
    stdio: 'ignore',
  });
  others.push(child);
  await once(child, 'spawn');
  return child;
}

const setting = async (server: EmbeddedPostgres, name: string) =>
  (await query(server.config('postgres'), `show ${name}`))[0]?.[name];

test('data outlives a stop and a warm start, and the first start says that it takes a moment', async () => {
  const dataDir = await directories.make();
  const steps: string[] = [];
  const cold = await start(dataDir, { ephemeral: false, progress: (step) => steps.push(step) });
  await query(cold.config('postgres'), 'create table kept as select 42 as answer');
  expect(await setting(cold, 'fsync')).toBe('on');
  expect(await setting(cold, 'max_wal_size')).toBe('4GB');
  await cold.stop();
  expect(isAlive(cold.pid)).toBe(false);
  expect(existsSync(cold.socketDir)).toBe(false);

  const warm = await start(dataDir, { ephemeral: false, progress: (step) => steps.push(step) });
  expect(await query(warm.config('postgres'), 'select answer from kept')).toEqual([{ answer: 42 }]);
  expect(steps).toEqual([
    'Preparing the database (first start, a few seconds)…',
    'Starting the database…',
    'Starting the database…',
  ]);
});

test('an ephemeral server is not durable, and every server speaks C.UTF-8, no TCP, and only with the password', async () => {
  const server = await start(await directories.make());
  expect(await setting(server, 'fsync')).toBe('off');
  expect(await setting(server, 'listen_addresses')).toBe('');
  expect(
    await query(
      server.config('postgres'),
      'select datlocprovider as provider, datlocale as locale from pg_database where datname = current_database()',
    ),
  ).toEqual([{ provider: 'b', locale: 'C.UTF-8' }]);
  await expect(
    query({ ...server.config('postgres'), password: 'guess' }, 'select 1'),
  ).rejects.toThrow('password authentication failed');
});

test('a second start is refused with the owner and what to do, and the first goes on serving', async () => {
  const dataDir = await directories.make();
  const first = runOwner(dataDir);
  const { pid, postgres } = await first.next<{ pid: number; postgres: number }>();

  const refused = await startEmbeddedPostgres({ dataDir, ephemeral: true }).catch((error) => error);
  expect(refused).toBeInstanceOf(DataDirInUseError);
  expect(refused.pid).toBe(pid);
  expect(refused.message).toBe(
    `The database in ${dataDir} is already running, started by process ${pid}. Stop that one first, or set DATA_DIR to another directory.`,
  );

  const attached = await attachEmbeddedPostgres(dataDir);
  expect(attached && (await query(attached.config('postgres'), 'select 1 as one'))).toEqual([
    { one: 1 },
  ]);
  expect(isAlive(postgres)).toBe(true);
});

test('a second start in the same process is refused as well, and leaves the lock with the first', async () => {
  const dataDir = await directories.make();
  const first = await start(dataDir);
  await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow('started by this same process');
  const other = runOwner(dataDir);
  expect(await other.next()).toMatchObject({ name: 'DataDirInUseError', owner: process.pid });
  expect(await query(first.config('postgres'), 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('of several starts at the same moment on new data exactly one wins', async () => {
  const dataDir = await directories.make();
  const starters = [1, 2, 3].map(() => runOwner(dataDir));
  const outcomes = await Promise.all(
    starters.map((starter) => starter.next<{ pid?: number; name?: string; owner?: number }>()),
  );
  const winner = outcomes.find((outcome) => outcome.pid);
  expect(outcomes.filter((outcome) => outcome.pid)).toHaveLength(1);
  for (const loser of outcomes.filter((outcome) => !outcome.pid))
    expect(loser).toMatchObject({ name: 'DataDirInUseError', owner: winner?.pid });
});

test('kill -9 of the owner stops its Postgres, and a new start finds all committed data', async () => {
  const dataDir = await directories.make();
  const owner = runOwner(dataDir);
  const { postgres } = await owner.next<{ postgres: number }>();
  const attached = await attachEmbeddedPostgres(dataDir);
  if (!attached) throw new Error('nothing to attach to');
  const { host } = attached.config('postgres');
  await query(attached.config('postgres'), 'create table kept as select 42 as answer');

  await owner.kill();
  await until('Postgres to stop', () => !isAlive(postgres));
  await until('its socket directory to go', () => !existsSync(host));
  const next = await start(dataDir);
  expect(await query(next.config('postgres'), 'select answer from kept')).toEqual([{ answer: 42 }]);
});

test('a start in the very moment of the kill -9 waits for the old Postgres instead of failing', async () => {
  const dataDir = await directories.make();
  const owner = runOwner(dataDir);
  const { postgres } = await owner.next<{ postgres: number }>();
  await owner.kill();
  const next = await start(dataDir);
  expect(isAlive(postgres)).toBe(false);
  expect(next.pid).not.toBe(postgres);
});

test('a Postgres that was killed while a table was being created starts again', async () => {
  const dataDir = await directories.make();
  const owner = runOwner(dataDir);
  const { postgres } = await owner.next<{ postgres: number }>();
  const attached = await attachEmbeddedPostgres(dataDir);
  if (!attached) throw new Error('nothing to attach to');
  const client = new pg.Client(attached.config('postgres'));
  client.on('error', () => {}); // its server is killed
  await client.connect();
  await client.query('begin');
  await client.query('create unlogged table half (id bigint generated always as identity)');
  process.kill(postgres, 'SIGKILL');
  await owner.kill();
  const next = await start(dataDir);
  expect(await query(next.config('postgres'), 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('a Postgres that runs without any owner is stopped and replaced', async () => {
  const dataDir = await directories.make();
  await (await start(dataDir)).stop();
  const { postgres } = await findPrograms({
    account: serverAccount(await stat(path.join(dataDir, 'pg18'))),
    home: dataDir,
  });
  const data = path.join(dataDir, 'pg18');
  const orphan = await spawnAsServer(dataDir, postgres, [
    '-D',
    data,
    '-c',
    'listen_addresses=',
    '-c',
    'unix_socket_directories=/tmp',
    '-c',
    'port=54329',
  ]);
  await until('the orphan to serve', async () =>
    (await readFile(path.join(data, 'postmaster.pid'), 'utf8').catch(() => '')).includes('ready'),
  );

  const steps: string[] = [];
  const next = await start(dataDir, { progress: (step) => steps.push(step) });
  expect(steps).toContain('Stopping a database server that an earlier process left behind…');
  expect(orphan.exitCode ?? orphan.signalCode).not.toBeNull();
  expect(await query(next.config('postgres'), 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('a stale note whose process number another process has now neither blocks the start nor hurts that process', async () => {
  const dataDir = await directories.make();
  const first = await start(dataDir);
  const note = path.join(dataDir, 'pg18', 'postmaster.pid');
  const text = await readFile(note, 'utf8');
  await first.stop();

  const bystander = await spawnAsServer(dataDir, 'sleep', ['600']);
  await writeFile(note, text.replace(/^\d+/, String(bystander.pid)));
  const next = await start(dataDir);
  expect(next.pid).not.toBe(bystander.pid);
  expect(bystander.exitCode ?? bystander.signalCode).toBeNull();
});

test('the unexpected end of Postgres is reported once with the reason, and the same process can start it again', async () => {
  const dataDir = await directories.make();
  const deaths: string[] = [];
  const server = await start(dataDir, { onDeath: (reason) => deaths.push(reason) });
  process.kill(server.pid, 'SIGKILL');
  const [reason] = await until('onDeath', () => (deaths.length > 0 ? deaths : undefined));
  expect(reason).toContain(`process ${server.pid}) was killed by signal 9 while it was serving`);

  const next = await start(dataDir, { onDeath: (again) => deaths.push(again) });
  expect(await query(next.config('postgres'), 'select 1 as one')).toEqual([{ one: 1 }]);
  await server.stop();
  expect(deaths).toHaveLength(1);
});

test('the reason of an unexpected end includes what Postgres wrote last', async () => {
  const deaths: string[] = [];
  const server = await start(await directories.make(), {
    onDeath: (reason) => deaths.push(reason),
  });
  process.kill(server.pid, 'SIGTERM');
  const [reason] = await until('onDeath', () => (deaths.length > 0 ? deaths : undefined));
  expect(reason).toContain('exited with code 0');
  expect(reason).toContain('database system is shut down');
});

test('stop is not reported as an unexpected end, and a second stop changes nothing', async () => {
  const deaths: string[] = [];
  const server = await start(await directories.make(), {
    onDeath: (reason) => deaths.push(reason),
  });
  await Promise.all([server.stop(), server.stop()]);
  await server.stop();
  expect(deaths).toEqual([]);
});

test('an initdb that was killed halfway is redone by the next start', async () => {
  const dataDir = await directories.make();
  const owner = runOwner(dataDir);
  const unfinished = async () =>
    (await readdir(dataDir)).find((name) => name.startsWith('pg18.unfinished-'));
  await until('initdb to write files', async () => {
    const name = await unfinished();
    return name && existsSync(path.join(dataDir, name, 'data/global'));
  });
  await owner.kill();
  expect(existsSync(path.join(dataDir, 'pg18'))).toBe(false);
  expect(await unfinished()).toBeDefined();

  const server = await start(dataDir);
  expect(await query(server.config('postgres'), 'select 1 as one')).toEqual([{ one: 1 }]);
  expect(await unfinished()).toBeUndefined();
});

test('a directory in the place of the cluster that is not one is refused and never deleted', async () => {
  const dataDir = await directories.make();
  await chmod(dataDir, 0o711);
  await mkdir(path.join(dataDir, 'pg18'));
  await writeFile(path.join(dataDir, 'pg18/precious'), '');
  await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(
    'is not a Postgres data directory',
  );
  expect(existsSync(path.join(dataDir, 'pg18/precious'))).toBe(true);
});

test('a Postgres that cannot start says why, and leaves the directory free', async () => {
  const dataDir = await directories.make();
  await (await start(dataDir)).stop();
  const configuration = path.join(dataDir, 'pg18/postgresql.conf');
  const good = await readFile(configuration, 'utf8');
  await writeFile(configuration, `${good}\nno_such_setting = on\n`);
  await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow('no_such_setting');
  await writeFile(configuration, good);
  await start(dataDir);
});

test('attach finds a server only while one runs', async () => {
  const dataDir = await directories.make();
  expect(await attachEmbeddedPostgres(path.join(dataDir, 'missing'))).toBeUndefined();
  expect(await attachEmbeddedPostgres(dataDir)).toBeUndefined();
  const server = await start(dataDir);
  expect((await attachEmbeddedPostgres(dataDir))?.config('postgres')).toEqual(
    server.config('postgres'),
  );
  const note = path.join(dataDir, 'pg18/postmaster.pid');
  const text = await readFile(note, 'utf8');
  await server.stop();
  expect(await attachEmbeddedPostgres(dataDir)).toBeUndefined();
  await writeFile(note, text); // as kill -9 leaves it
  expect(await attachEmbeddedPostgres(dataDir)).toBeUndefined();
});
