import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Account, canReach, prepareHome, serverAccount } from './account.ts';
import { findPrograms } from './binaries.ts';
import {
  type ConnectionConfig,
  clusterDir,
  clusterOwner,
  connectionConfig,
  ensureCluster,
  PORT,
  readPostmaster,
  stopOrphan,
} from './cluster.ts';
import { takeOwnerLock } from './owner-lock.ts';
import { runSupervised, type Supervised } from './supervise.ts';

export interface EmbeddedOptions {
  /** made when missing; relative to the working directory */
  dataDir: string;
  /** trades durability for speed: only for tests */
  ephemeral?: boolean;
  /** the folder of another Postgres's programs: only for tests */
  bin?: string | undefined;
  /** one line of Postgres' log */
  log?: (line: string) => void;
  /** progress, as text for people */
  progress?: (step: string) => void;
  /**
   * Called once if Postgres ends by itself, never on stop(). The data directory is then free for a
   * new start.
   */
  onDeath?: (reason: string) => void;
}

export interface EmbeddedPostgres {
  readonly socketDir: string;
  /** process id of the server itself, not of its shell */
  readonly pid: number;
  config(database: string): ConnectionConfig;
  /**
   * Ends all connections and waits until Postgres has written everything down. Resolves at once if
   * it has ended already.
   */
  stop(): Promise<void>;
}

/** 18.4.0-beta.17 is built without LZ4, hence no wal_compression. */
const DURABLE = {
  shared_buffers: '128MB',
  max_wal_size: '4GB',
  min_wal_size: '512MB',
  checkpoint_timeout: '15min',
};

const EPHEMERAL = {
  shared_buffers: '64MB',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  autovacuum: 'off',
  max_connections: '300', // several files of tests, with server processes of their own, at once
};

/**
 * Starts Postgres on `dataDir` and resolves when it accepts connections. It listens on a Unix
 * socket only, asks for a random password (SCRAM), and stops when this process ends in any way,
 * kill -9 included. After a crash it may take as long as recovery takes: there is no time limit.
 *
 * Throws DataDirInUseError if another live process serves this data, and leaves it undisturbed.
 * Every other failure is an Error whose message says what to do, and frees the directory.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { dataDir, ephemeral = false, bin, progress } = options;
  const account = serverAccount(await clusterOwner(dataDir));
  const home = await prepareHome(dataDir, account);
  const lock = takeOwnerLock(home);
  try {
    const programs = await findPrograms({ account, home, bin, progress });
    const password = await ensureCluster({ home, account, programs, ephemeral, progress });
    const stalePid = await stopOrphan(home, progress);
    progress?.('Starting the database…');
    const started = await startServer({
      ...options,
      home,
      account,
      postgres: programs.postgres,
      stalePid,
    });
    return supervise(started, {
      config: connectionConfig(started.socketDir, password),
      free: lock.release,
      onDeath: options.onDeath,
    });
  } catch (error) {
    lock.release();
    throw error;
  }
}

interface ServerOptions extends EmbeddedOptions {
  home: string;
  account: Account | undefined;
  postgres: string;
  stalePid: number | undefined;
}

interface StartedServer {
  server: Supervised;
  socketDir: string;
  pid: number;
}

async function startServer(options: ServerOptions): Promise<StartedServer> {
  const { home, account, postgres, stalePid, log, ephemeral } = options;
  const deadline = performance.now() + 30_000;
  let recoveries = 0;
  for (;;) {
    const socketDir = await makeSocketDir(account);
    const settings = {
      listen_addresses: '',
      port: PORT,
      unix_socket_directories: socketDir,
      logging_collector: 'off',
      log_min_messages: 'warning',
      jit: 'off',
      max_connections: 100,
    };
    const parameters = Object.entries({
      ...settings,
      ...(ephemeral ? EPHEMERAL : DURABLE),
    }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    // Postgres refuses to start while the number in a stale postmaster.pid is alive, in any process
    // now, unless it is its grandparent's. Removing the file instead would also remove what it
    // checks next: whether children of the dead server still use its memory.
    const env: Record<string, string> = stalePid ? { PG_GRANDPARENT_PID: String(stalePid) } : {};
    const server = runSupervised([postgres, '-D', clusterDir(home), ...parameters], {
      account,
      log,
      env,
      scratchDir: socketDir,
    });

    const outcome = await untilReady(server, home, socketDir);
    if (typeof outcome === 'number') return { server, socketDir, pid: outcome };
    await rm(socketDir, { recursive: true, force: true });
    // The children of a killed server need a moment to notice.
    const isLeftBehind =
      outcome.tail.includes('pre-existing shared memory block') && performance.now() < deadline;
    // A server that dies while an unlogged sequence is being created fails its first recovery
    // (Postgres 18.4). The second one begins without that file.
    const isHalfRecovered = /could not create file .+: File exists/.test(outcome.tail);
    if (isHalfRecovered) recoveries += 1;
    if (!isLeftBehind && !(isHalfRecovered && recoveries === 1))
      throw new Error(`The database did not start: Postgres ${outcome.how}.\n${outcome.tail}`);
    await delay(100);
  }
}

/**
 * Resolves to the server's process number once it accepts connections, or to how it ended before.
 */
async function untilReady(server: Supervised, home: string, socketDir: string) {
  for (;;) {
    const ending = await Promise.race([server.ended, delay(10)]);
    if (ending) return ending;
    const note = await readPostmaster(home);
    if (note?.ready && note.socketDir === socketDir) return note.pid;
  }
}

/**
 * A fresh directory for the socket: short, because a socket's path holds 103 bytes on macOS, and
 * not on a mounted volume, which may not take sockets.
 */
async function makeSocketDir(account: Account | undefined): Promise<string> {
  for (const parent of [tmpdir(), '/tmp']) {
    const fits = Buffer.byteLength(path.join(parent, `munshi-pg-XXXXXX/.s.PGSQL.${PORT}`)) <= 103;
    if (!fits || (account && !(await canReach(parent, account)))) continue;
    const socketDir = await mkdtemp(path.join(parent, 'munshi-pg-'));
    if (account) await chown(socketDir, account.uid, account.gid);
    return socketDir;
  }
  throw new Error(
    'There is no directory for the database socket: TMPDIR is too long or closed to the account of Postgres. Set TMPDIR=/tmp.',
  );
}

interface SuperviseOptions {
  config: (database: string) => ConnectionConfig;
  /** releases the data directory */
  free: () => void;
  onDeath: ((reason: string) => void) | undefined;
}

function supervise(
  { server, socketDir, pid }: StartedServer,
  { config, free, onDeath }: SuperviseOptions,
): EmbeddedPostgres {
  let stopping = false;
  const gone = server.ended.then(async (ending) => {
    await rm(socketDir, { recursive: true, force: true }).catch(() => {}); // an empty directory in /tmp must not keep the data locked
    free();
    if (!stopping)
      onDeath?.(
        `The database server (Postgres, process ${pid}) ${ending.how} while it was serving. Its last lines:\n${ending.tail}`,
      );
  });
  return {
    socketDir,
    pid,
    config,
    stop() {
      stopping = true;
      server.release();
      return gone;
    },
  };
}
