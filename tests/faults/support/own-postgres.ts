import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startEmbeddedPostgres } from '@munshi/embedded-postgres';
import type { DatabaseTarget } from '../../../apps/server/src/platform/config/database-url.ts';
import { openDatabase } from '../../../apps/server/src/platform/database/db.ts';
import { migrate } from '../../../apps/server/src/platform/database/migrate.ts';

/**
 * A Postgres of a test's own, with the durability that the product runs with, to be killed and
 * filled.
 */
export interface OwnPostgres {
  /** Stays the same when the server is started again. */
  readonly target: DatabaseTarget;
  /** Of the server itself. */
  readonly pid: number;
  /** How often it has died without being stopped. */
  readonly deaths: number;
  /**
   * Kills every process of the server at once, which is what a power cut looks like to its files.
   * Resolves when they are gone.
   */
  kill(): Promise<void>;
  /** Resolves when the server has died by itself or was killed; at once when it is down. */
  died(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a Postgres with a migrated database in `dataDir`, or in a folder that goes with it. */
export async function startOwnPostgres(dataDir?: string): Promise<OwnPostgres> {
  const home = await mkdtemp(path.join(tmpdir(), 'munshi-faults-'));
  const socket = path.join(home, 'socket');
  const own =
    dataDir === undefined ? await mkdtemp(path.join(tmpdir(), 'munshi-faults-data-')) : undefined;
  const where = dataDir ?? (own as string);
  let deaths = 0;

  async function start() {
    const { promise: gone, resolve } = Promise.withResolvers<void>();
    const onDeath = () => {
      deaths += 1;
      resolve();
    };
    const bin = process.env['PG_BIN'];
    const server = await startEmbeddedPostgres({ dataDir: where, bin, onDeath });
    // Its socket has a new folder at every start; clients know it by this one.
    await rm(socket, { force: true });
    await symlink(server.socketDir, socket);
    return { server, gone };
  }

  let running = await start();
  const { user, password, database: name } = running.server.config('postgres');
  const target: DatabaseTarget = {
    hosts: [{ host: socket, port: 5432 }],
    user,
    password,
    database: name,
    ssl: false,
  };
  const database = openDatabase(target, { poolSize: 1 });
  await migrate(database.pool);
  await database.close();
  return {
    target,
    get pid() {
      return running.server.pid;
    },
    get deaths() {
      return deaths;
    },
    async kill() {
      const { server, gone } = running;
      const processes = [server.pid, ...(await childrenOf(server.pid))];
      for (const pid of processes) signalIfThere(pid, 'SIGKILL');
      await gone;
    },
    died: () => running.gone,
    async start() {
      running = await start();
    },
    async close() {
      await running.server.stop();
      for (const folder of [home, ...(own === undefined ? [] : [own])])
        await rm(folder, { recursive: true, force: true });
    },
  };
}

/** On Linux; elsewhere the children of a dead server end by themselves. */
export async function childrenOf(pid: number): Promise<readonly number[]> {
  const list = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return list.split(' ').filter(Boolean).map(Number);
}

export function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
