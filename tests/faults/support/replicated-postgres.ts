import { chown, copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DatabaseTarget } from '../../../apps/server/src/platform/config/database-url.ts';
import { openDatabase } from '../../../apps/server/src/platform/database/db.ts';
import { migrate } from '../../../apps/server/src/platform/database/migrate.ts';
import {
  type Account,
  prepareHome,
  serverAccount,
} from '../../../packages/embedded-postgres/src/account.ts';
import { findPrograms } from '../../../packages/embedded-postgres/src/binaries.ts';
import { clusterDir, readPostmaster } from '../../../packages/embedded-postgres/src/cluster.ts';
import {
  runSupervised,
  type Supervised,
} from '../../../packages/embedded-postgres/src/supervise.ts';
import { onServer } from '../../support/database.ts';
import { pace } from '../../support/pace.ts';
import { PATIENCE_MS } from '../../support/patience.ts';
import { childrenOf, signalIfThere } from './own-postgres.ts';

/** One of two Postgres servers on a TCP port of the loopback. */
export interface PostgresNode {
  readonly name: string;
  /** This server alone. Its port stays the same. */
  readonly target: DatabaseTarget;
  /**
   * On what it has; resolves when it answers. A node that led before and was overtaken still
   * believes that it leads: see `rebuild`.
   */
  start(): Promise<void>;
  /** A clean shutdown, as an operator does it. */
  stop(): Promise<void>;
  /** Every process of the server at once. */
  kill(): Promise<void>;
  /**
   * Stops every process without ending it: connections stay open, the kernel accepts new ones,
   * nothing is answered.
   */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  /** Makes the standby the primary; resolves when it takes writes. */
  promote(): Promise<void>;
  /**
   * From now on each commit on this node waits for the other one, which has to follow it; with
   * false, no longer.
   */
  setSynchronous(on: boolean): Promise<void>;
  /** Throws away what it has, copies the other node, and follows it. */
  rebuild(): Promise<void>;
  /** Resolves when this standby has everything that the other node has committed by now. */
  caughtUp(): Promise<void>;
  /** As the superuser, on a connection of its own. */
  query<Row extends object>(sql: string, values?: readonly unknown[]): Promise<readonly Row[]>;
}

/** A primary and a standby that follows it by streaming replication. */
export interface ReplicatedPostgres {
  /** The first is the primary at the beginning. */
  readonly nodes: readonly [PostgresNode, PostgresNode];
  /** Both hosts, in the order given: a service reads them as it reads DATABASE_URL. */
  target(...order: readonly PostgresNode[]): DatabaseTarget;
  close(): Promise<void>;
}

const USER = 'munshi';
const PASSWORD = 'replicated';
const DATABASE = 'munshi';

/**
 * Without fsync: processes are killed here and never the machine. What a node remembers as its own
 * is on its command line, so that a copy of a node differs in nothing but its port.
 */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  logging_collector: 'off',
  log_min_messages: 'warning',
  max_connections: 100,
  shared_buffers: '64MB',
  fsync: 'off',
  wal_level: 'replica',
  max_wal_senders: 5,
  wal_keep_size: '512MB',
  hot_standby: 'on',
  wal_receiver_timeout: '5s',
  wal_sender_timeout: '5s',
  wal_retrieve_retry_interval: '200ms',
};

/**
 * What a copy of a data directory leaves behind: the server that runs there, and what it makes
 * again.
 */
const NOT_COPIED =
  /^(postmaster\.(pid|opts)|standby\.signal|(pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\/.*)$/;

/** Starts both with a migrated database. */
export async function startReplicatedPostgres(): Promise<ReplicatedPostgres> {
  const home = await mkdtemp(path.join(tmpdir(), 'munshi-replicated-'));
  const account = serverAccount(undefined);
  await prepareHome(home, account);
  const programs = await findPrograms({ account, home, bin: process.env['PG_BIN'] });
  const ports = [await freePort(), await freePort()] as const;

  function createNode(at: 0 | 1): PostgresNode & { begin(): Promise<void> } {
    const name = at === 0 ? 'a' : 'b';
    const folder = path.join(home, name);
    const data = clusterDir(folder);
    const target: DatabaseTarget = {
      hosts: [{ host: '127.0.0.1', port: ports[at] }],
      user: USER,
      password: PASSWORD,
      database: DATABASE,
      ssl: false,
    };
    const other = () => nodes[1 - at] as PostgresNode;
    let server: Supervised | undefined;

    const pids = async () => {
      const pid = server === undefined ? undefined : (await readPostmaster(folder))?.pid;
      return pid === undefined ? [] : [pid, ...(await childrenOf(pid))];
    };
    const signal = async (name: NodeJS.Signals) => {
      for (const pid of await pids()) signalIfThere(pid, name);
    };
    const kill = async () => {
      const killed = server;
      await signal('SIGKILL');
      await killed?.ended;
      await rm(path.join(data, 'postmaster.pid'), { force: true }); // its number may be another process's by the next start
    };
    const query = <Row extends object>(sql: string, values: readonly unknown[] = []) =>
      onServer(
        { host: '127.0.0.1', port: ports[at], user: USER, password: PASSWORD, database: DATABASE },
        async (admin) => (await admin.query<Row>(sql, [...values])).rows,
      );

    async function start() {
      const upstream = `host=127.0.0.1 port=${ports[1 - at]} user=${USER} password=${PASSWORD} application_name=${name}`;
      const parameters = Object.entries({
        ...SETTINGS,
        port: ports[at],
        primary_conninfo: upstream,
      }).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
      const started = runSupervised([programs.postgres, '-D', data, ...parameters], { account });
      server = started;
      const ended = started.ended.then(({ how, tail }) => {
        server = undefined;
        throw new Error(`node ${name} ${how}\n${tail}`);
      });
      ended.catch(() => {});
      await Promise.race([ended, until(answers, `node ${name} answers`)]);
    }

    /** Also before its database is there. */
    const answers = () =>
      onServer(
        {
          host: '127.0.0.1',
          port: ports[at],
          user: USER,
          password: PASSWORD,
          database: 'postgres',
        },
        (admin) => admin.query('select 1'),
      ).then(
        () => true,
        () => false,
      );

    return {
      name,
      target,
      query,
      start,
      async begin() {
        await mkdir(folder, { mode: 0o711 });
        const word = path.join(home, 'password');
        await writeFile(word, PASSWORD, { mode: 0o600 });
        await giveTo(account, folder, word);
        const command = [
          programs.initdb,
          '-D',
          data,
          '--username',
          USER,
          '--auth=scram-sha-256',
          `--pwfile=${word}`,
          '--encoding=UTF8',
          ...programs.locale,
          '--no-sync',
          '--no-instructions',
        ];
        const ending = await runSupervised(command, { account }).ended;
        if (!ending.ok) throw new Error(`initdb ${ending.how}\n${ending.tail}`);
        await start();
      },
      async stop() {
        const stopped = server;
        stopped?.release();
        await stopped?.ended;
      },
      kill,
      freeze: () => signal('SIGSTOP'),
      thaw: () => signal('SIGCONT'),
      async promote() {
        const [row] = await query<{ promoted: boolean }>('select pg_promote(true, 30) as promoted');
        if (row?.promoted !== true) throw new Error(`node ${name} was not promoted in time`);
      },
      async setSynchronous(on) {
        await query(`alter system set synchronous_standby_names = '${on ? '*' : ''}'`);
        await query('select pg_reload_conf()');
        if (on) {
          await until(async () => {
            const rows = await query<{ sync_state: string }>(
              'select sync_state from pg_stat_replication',
            );
            return rows.some(({ sync_state }) => sync_state === 'sync');
          }, 'the other node follows synchronously');
        }
      },
      async rebuild() {
        await kill();
        await rm(data, { recursive: true, force: true });
        await mkdir(folder, { recursive: true, mode: 0o711 });
        await copyOf(other(), clusterDir(path.join(home, other().name)), data);
        await writeFile(path.join(data, 'standby.signal'), '');
        await giveTo(
          account,
          folder,
          path.join(data, 'standby.signal'),
          path.join(data, 'backup_label'),
        );
        await start();
      },
      async caughtUp() {
        const [row] = await other().query<{ at: string }>(
          'select pg_current_wal_flush_lsn()::text as at',
        );
        await until(async () => {
          const [there] = await query<{ there: boolean }>(
            'select pg_last_wal_replay_lsn() >= $1::pg_lsn as there',
            [row?.at],
          );
          return there?.there === true;
        }, `node ${name} has caught up`);
      },
    };
  }

  /**
   * A base backup: a copy of the files as they change, made whole by the WAL that is written
   * meanwhile.
   */
  async function copyOf(source: PostgresNode, from: string, to: string) {
    const { port } = source.target.hosts[0] as { port: number };
    await onServer(
      { host: '127.0.0.1', port, user: USER, password: PASSWORD, database: DATABASE },
      async (admin) => {
        await admin.query(`select pg_backup_start('rebuild', true)`);
        await copyFolder(from, to, account);
        const { rows } = await admin.query<{ labelfile: string }>(
          'select labelfile from pg_backup_stop(false)',
        );
        await writeFile(path.join(to, 'backup_label'), rows[0]?.labelfile ?? '');
      },
    );
  }

  const nodes = [createNode(0), createNode(1)] as const;
  const close = async () => {
    for (const node of nodes) await node.kill();
    await rm(home, { recursive: true, force: true });
  };
  try {
    const [primary, standby] = nodes;
    await primary.begin();
    const { port } = primary.target.hosts[0] as { port: number };
    await onServer(
      { host: '127.0.0.1', port, user: USER, password: PASSWORD, database: 'postgres' },
      (admin) => admin.query(`create database ${DATABASE}`),
    );
    const database = openDatabase(primary.target, { poolSize: 1 });
    await migrate(database.pool);
    await database.close();
    await standby.rebuild();
    await standby.caughtUp();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    nodes,
    target: (...order) => ({
      ...nodes[0].target,
      hosts: order.flatMap(({ target }) => target.hosts),
    }),
    close,
  };
}

/** Outside of a test's body, where vitest does not poll. */
async function until(holds: () => Promise<boolean>, what: string) {
  for (const end = performance.now() + PATIENCE_MS; !(await holds()); await pace(20)) {
    if (performance.now() > end) throw new Error(`not within ${PATIENCE_MS / 1000} s: ${what}`);
  }
}

async function giveTo(account: Account | undefined, ...files: readonly string[]) {
  if (account !== undefined) for (const file of files) await chown(file, account.uid, account.gid);
}

/** Files may go while they are copied: what the WAL says of them counts. */
async function copyFolder(from: string, to: string, account: Account | undefined, below = '') {
  await mkdir(path.join(to, below), { recursive: true, mode: 0o700 });
  await giveTo(account, path.join(to, below));
  for (const entry of await readdir(path.join(from, below), { withFileTypes: true })) {
    const name = path.posix.join(below, entry.name);
    if (NOT_COPIED.test(name)) continue;
    if (entry.isDirectory()) await copyFolder(from, to, account, name);
    else {
      const gone = await copyFile(path.join(from, name), path.join(to, name)).then(
        () => false,
        (error: NodeJS.ErrnoException) => {
          if (error.code !== 'ENOENT') throw error;
          return true;
        },
      );
      if (!gone) await giveTo(account, path.join(to, name));
    }
  }
}

/**
 * Below those that the kernel gives to outgoing connections, so that a node finds its port free
 * when it starts again.
 */
async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    const server = createServer();
    const free = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
    });
    if (free) return port;
  }
}
