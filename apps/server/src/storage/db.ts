import type { checkServerIdentity } from 'node:tls';
import pg from 'pg';

const { types } = pg;

/** Where the database is: one or more hosts of which exactly one is the primary, or a Unix socket. */
export interface DatabaseTarget {
  readonly hosts: readonly { readonly host: string; readonly port: number }[];
  readonly user: string;
  readonly password: string;
  readonly database: string;
  readonly ssl: boolean | { readonly rejectUnauthorized: boolean; readonly ca?: string; readonly checkServerIdentity?: typeof checkServerIdentity };
}

export interface Database {
  /** Short statements of faces and workers. */
  readonly pool: pg.Pool;
  /** A connection of its own that pipelines what it is given: the engine's and the readers' lanes. */
  openLane(name: string, options?: { readonly timeoutMs?: number }): Promise<pg.Client>;
  close(): Promise<void>;
}

// Timestamps are milliseconds since the epoch everywhere in the service; sessions run in UTC.
const parseInstant = (text: string) => Date.parse(`${text.slice(0, 10)}T${text.slice(11)}:00`);
const typeParsers = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === 1184 ? parseInstant : types.getTypeParser(oid, format as 'text')) as typeof types.getTypeParser,
};

/**
 * What a session holds is freed soon after its process has stopped to answer, whatever became of it. A process that has gone or given up is
 * noticed within a second even while its session waits for a lock; one that stands still (SIGSTOP, a machine that swaps) loses a
 * transaction in which it says nothing for five seconds (D87); one whose network is cut loses its connection.
 */
const FREEING_OPTIONS =
  '-c client_connection_check_interval=1s -c idle_in_transaction_session_timeout=5s -c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3 -c tcp_user_timeout=10s';
const COMMON_OPTIONS = `-c timezone=UTC -c jit=off ${FREEING_OPTIONS}`;
/** Index plans even while the tables are empty: a plan made then is kept, and reads all of a table that has grown since. */
const INDEX_PLANS = '-c enable_seqscan=off';
const POOL_OPTIONS = `${COMMON_OPTIONS} ${INDEX_PLANS}`;
const LANE_OPTIONS = `${COMMON_OPTIONS} ${INDEX_PLANS} -c plan_cache_mode=force_generic_plan -c enable_hashjoin=off -c enable_mergejoin=off`;

interface DatabaseOptions {
  readonly poolSize: number;
  /** A pooled statement that takes longer fails, and its connection is given up: the network may be cut. Undefined: no limit. */
  readonly timeoutMs?: number;
  readonly log?: (error: Error) => void;
}

/**
 * A process may stand still while it sends a flight, and the server waits for the rest of it: that is not idle. The engine gives up
 * earlier by itself. Postgres before 17 does not have it.
 */
const LIMIT_TRANSACTIONS = `select set_config(name, '10s', false) from pg_settings where name = 'transaction_timeout'`;

/** How long the server may take to say goodbye before its connection is dropped: the network may be cut. */
const GOODBYE_MS = 1_000;

class Client extends pg.Client {
  override end(): Promise<void>;
  override end(done: (error: Error) => void): void;
  override end(done?: (error: Error) => void): Promise<void> | undefined {
    const timer = setTimeout(() => this.connection.stream.destroy(), GOODBYE_MS).unref();
    this.once('end', () => clearTimeout(timer));
    return done === undefined ? super.end() : (super.end(done) as undefined);
  }
}

/**
 * Opens the database. With several hosts, connections go to the one that is no standby (`pg_is_in_recovery()`); when one
 * fails, the next host is tried. Connecting errors are thrown to whoever needed the connection, who tries again.
 */
export function openDatabase(target: DatabaseTarget, { poolSize, timeoutMs, log }: DatabaseOptions): Database {
  let current = 0;
  const address = () => target.hosts[current % target.hosts.length] as { host: string; port: number };
  const tryNextHost = () => {
    current += 1;
  };
  const settings = {
    user: target.user,
    password: target.password,
    database: target.database,
    ssl: target.ssl, // false too: undefined would leave it to PGSSLMODE
    types: typeParsers,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
    application_name: 'munshi',
  };

  class PrimaryClient extends Client {
    constructor(config?: pg.ClientConfig) {
      super({ ...config, ...address(), password: target.password }); // the pool hides the password from copies
      // The pool listens to its idle clients only. A connection that breaks while somebody has it must not end the process:
      // their next statement fails.
      this.on('error', () => {});
      const connect = super.connect.bind(this) as (done: (error?: Error) => void) => void;
      const connectOrMoveOn: typeof connect = (done) =>
        connect((error) => {
          if (error) tryNextHost();
          done(error);
        });
      Object.assign(this, { connect: connectOrMoveOn });
    }
  }

  const isPrimary = async (client: pg.ClientBase) => {
    const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby');
    if (rows[0]?.standby !== false) throw new Error('this database host is a standby; looking for the primary');
  };

  const pool = new pg.Pool({
    ...settings,
    max: poolSize,
    options: POOL_OPTIONS,
    ...(timeoutMs !== undefined && { query_timeout: timeoutMs }),
    Client: PrimaryClient as never,
    verify: (client: pg.ClientBase, done: (error?: Error) => void) =>
      isPrimary(client).then(
        () => done(),
        (error) => {
          tryNextHost();
          done(error);
        },
      ),
  } as pg.PoolConfig);
  let closing = false;
  pool.on('error', (error: Error & { client?: unknown }) => {
    delete error.client; // the pool hangs the whole connection on it, and a log would print it
    if (!closing) log?.(error);
  });

  return {
    pool,
    async openLane(name, { timeoutMs: laneTimeoutMs } = {}) {
      const client = new Client({
        ...settings,
        ...address(),
        application_name: `munshi-${name}`,
        options: LANE_OPTIONS,
        pipeline: true,
        ...(laneTimeoutMs !== undefined && { query_timeout: laneTimeoutMs }),
      } as pg.ClientConfig);
      // The queries in flight fail with it. One that comes while nothing is in flight says that the server ends the session.
      client.on('error', () => client.connection.stream.destroy());
      try {
        await client.connect();
        await isPrimary(client);
        await client.query(LIMIT_TRANSACTIONS);
        return client;
      } catch (error) {
        tryNextHost();
        await client.end().catch(() => {});
        throw error;
      }
    },
    close() {
      closing = true;
      return pool.end();
    },
  };
}

/**
 * Waits until the database answers, trying its hosts in turn with growing pauses. Throws the last error when it has not by
 * `patienceMs`. For the start, when the database may be starting too.
 */
export async function waitForDatabase({ pool }: Database, patienceMs: number, onWait?: (error: Error) => void): Promise<void> {
  const end = performance.now() + patienceMs;
  for (let pauseMs = 50; ; pauseMs = Math.min(2_000, pauseMs * 2)) {
    try {
      await pool.query('select 1');
      return;
    } catch (error) {
      if (performance.now() + pauseMs > end || isRefusal(error)) throw error;
      if (pauseMs > 500) onWait?.(error as Error);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

/** The server is there and refuses: a wrong user, password, database or certificate, or no TLS, does not get right by waiting. */
const isRefusal = (error: unknown) => {
  const { code = '', message } = error as Error & { code?: string };
  return /^(28|3D)/.test(code) || isTlsRefusal(code, message);
};

const isTlsRefusal = (code: string, message: string) => message === NO_TLS || /CERT|^ERR_(TLS|SSL)_/.test(code);

/** What the driver says when the server has answered that it has no TLS. */
export const NO_TLS = 'The server does not support SSL connections';

/** Runs `work` in one transaction on a pooled connection. */
export async function inTransaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    client.release();
    return result;
  } catch (error) {
    const broken = await client.query('rollback').then(
      () => false,
      () => true,
    );
    client.release(broken);
    throw error;
  }
}

/** What a one-statement function may be run on. */
export type Queryable = Pick<pg.Pool, 'query'> | pg.PoolClient;
