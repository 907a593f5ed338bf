import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  chown,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Account } from './account.ts';
import type { Programs } from './binaries.ts';
import { runSupervised } from './supervise.ts';

/**
 * What a client needs. Port and `ssl` are explicit because PGPORT and PGSSLMODE would otherwise
 * apply.
 */
export interface ConnectionConfig {
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
  ssl: false;
}

const USER = 'munshi';
export const PORT = 5432;

/**
 * The directory that Postgres owns. The major version is part of its name because another one
 * cannot read it.
 */
export const clusterDir = (home: string) => path.join(home, 'pg18');
const passwordFile = (home: string) => path.join(home, 'superuser-password');
const UNFINISHED = 'pg18.unfinished-';

export const connectionConfig = (socketDir: string, password: string) => (database: string) =>
  ({
    host: socketDir,
    port: PORT,
    user: USER,
    password,
    database,
    ssl: false,
  }) satisfies ConnectionConfig;

/**
 * The owner of the cluster; undefined if there is none yet or it cannot be read, which
 * `prepareHome` reports.
 */
export async function clusterOwner(dataDir: string): Promise<Account | undefined> {
  const found = await stat(clusterDir(path.resolve(dataDir))).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'EACCES') return undefined;
      throw error;
    },
  );
  return found && { uid: found.uid, gid: found.gid };
}

export interface ClusterOptions {
  home: string;
  account: Account | undefined;
  programs: Programs;
  ephemeral: boolean;
  progress?: ((step: string) => void) | undefined;
}

/**
 * Returns the superuser's password, after making the cluster if there is none. The cluster is built
 * beside its place and renamed when complete and flushed: under the final name it is finished and
 * never deleted. The caller holds the owner lock.
 */
export async function ensureCluster(options: ClusterOptions): Promise<string> {
  const { home } = options;
  await removeUnfinished(home);
  if (!existsSync(clusterDir(home))) return createCluster(options);

  if (!existsSync(path.join(clusterDir(home), 'PG_VERSION'))) {
    throw new Error(
      `${clusterDir(home)} exists but is not a Postgres data directory. Move it away, or set DATA_DIR to another directory.`,
    );
  }
  return readFile(passwordFile(home), 'utf8').catch((cause) => {
    throw new Error(
      `Cannot read ${passwordFile(home)}, without which the database beside it cannot be opened. Restore it from your backup.`,
      { cause },
    );
  });
}

async function createCluster({
  home,
  account,
  programs: { initdb, locale },
  ephemeral,
  progress,
}: ClusterOptions): Promise<string> {
  progress?.('Preparing the database (first start, a few seconds)…');
  const password = randomBytes(24).toString('base64url');
  await writeFile(passwordFile(home), password, { mode: 0o600, flush: !ephemeral });

  const unfinished = await mkdtemp(path.join(home, UNFINISHED));
  const data = path.join(unfinished, 'data');
  const passwordForInitdb = path.join(unfinished, 'password');
  await writeFile(passwordForInitdb, password, { mode: 0o600 });
  if (account)
    for (const it of [passwordForInitdb, unfinished]) await chown(it, account.uid, account.gid);
  const access = ['--username', USER, '--auth=scram-sha-256', `--pwfile=${passwordForInitdb}`];
  const command = [
    initdb,
    '-D',
    data,
    ...access,
    '--encoding=UTF8',
    ...locale,
    '--no-instructions',
    ...(ephemeral ? ['--no-sync'] : []),
  ];
  const ending = await runSupervised(command, { account }).ended;
  if (!ending.ok)
    throw new Error(`Preparing the database failed: initdb ${ending.how}.\n${ending.tail}`);

  await rename(data, clusterDir(home));
  if (!ephemeral) await flushDirectory(home);
  await removeUnfinished(home);
  return password;
}

/**
 * What an earlier start left when it was killed during initdb. Its initdb may still write until its
 * supervisor stops it.
 */
async function removeUnfinished(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    if (name.startsWith(UNFINISHED))
      await rm(path.join(home, name), { recursive: true, force: true, maxRetries: 5 });
  }
}

async function flushDirectory(directory: string): Promise<void> {
  const handle = await open(directory);
  await handle.sync().finally(() => handle.close());
}

/** What a running server writes about itself into postmaster.pid. */
export interface Postmaster {
  pid: number;
  /** the data directory as that server was given it */
  data: string;
  socketDir: string;
  ready: boolean;
}

/**
 * The server's postmaster.pid; undefined if there is none. It outlives a killed server, so it
 * proves nothing by itself.
 */
export async function readPostmaster(home: string): Promise<Postmaster | undefined> {
  const text = await readFile(path.join(clusterDir(home), 'postmaster.pid'), 'utf8').catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw error;
    },
  );
  const lines = text.split('\n');
  const pid = Math.abs(Number(lines[0]));
  return pid > 0
    ? { pid, data: lines[1] ?? '', socketDir: lines[4] ?? '', ready: lines[7]?.trim() === 'ready' }
    : undefined;
}

/**
 * Stops a server whose owner is gone; usually its supervisor already does. The caller holds the
 * owner lock, which proves that there is no owner. Returns the process id in a stale
 * postmaster.pid, for the next server to ignore.
 */
export async function stopOrphan(
  home: string,
  progress: ((step: string) => void) | undefined,
): Promise<number | undefined> {
  const note = await readPostmaster(home);
  if (!note) return undefined;
  if (await isRunning(note)) {
    progress?.('Stopping a database server that an earlier process left behind…');
    signalIfThere(note.pid, 'SIGINT');
    const deadline = performance.now() + 60_000;
    while (await isRunning(note)) {
      if (performance.now() > deadline)
        throw new Error(
          `An earlier database server (process ${note.pid}) does not stop. Stop it with: kill -QUIT ${note.pid}`,
        );
      await delay(20);
    }
  }
  return (await readPostmaster(home))?.pid;
}

function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/**
 * Whether that very server is alive. The process id may by now belong to anybody, especially in a
 * container, so the command line decides; a zombie has none.
 */
async function isRunning({ pid, data }: Postmaster): Promise<boolean> {
  const command =
    process.platform === 'linux'
      ? await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
      : await promisify(execFile)('ps', ['-ww', '-o', 'command=', '-p', String(pid)]).then(
          ({ stdout }) => stdout,
          () => '',
        );
  return data !== '' && command.includes('postgres') && command.includes(data);
}

/**
 * Connection details of a server that another live process runs on this data directory; undefined
 * when none runs. For command-line tools beside a running `npm start`. It asks the socket, because
 * a killed server leaves files behind. Throws when the data belongs to another user.
 */
export async function attachEmbeddedPostgres(
  dataDir: string,
): Promise<{ config(database: string): ConnectionConfig } | undefined> {
  const home = path.resolve(dataDir);
  try {
    const note = await readPostmaster(home);
    if (!note?.ready || !(await answers(note.socketDir))) return undefined;
    return { config: connectionConfig(note.socketDir, await readFile(passwordFile(home), 'utf8')) };
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EACCES') throw cause;
    throw new Error(
      `The database in ${home} belongs to another user. Run this as the user who started it.`,
      { cause },
    );
  }
}

function answers(socketDir: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path.join(socketDir, `.s.PGSQL.${PORT}`));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
