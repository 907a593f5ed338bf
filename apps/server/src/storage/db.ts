import type { checkServerIdentity } from 'node:tls';
import pg from 'pg';
import {
  isHostTrouble,
  isRefusal,
  isStaleStatement,
  SessionNotKeptError,
  typed,
  UnavailableError,
  UnknownCommitError,
} from './errors.ts';
import { type Claim, createPrimaryFinder, type Host, type PrimaryWatch } from './primary.ts';
import {
  LANE_SETTINGS,
  NEEDS_SESSION_MODE,
  POOL_SETTINGS,
  prepareSession,
  type Settings,
} from './session-settings.ts';

const { types } = pg;

/**
 * Where the database is: one or more hosts of which exactly one is the primary, or a Unix socket.
 */
export interface DatabaseTarget {
  readonly hosts: readonly Host[];
  readonly user: string;
  readonly password: string;
  readonly database: string;
  readonly ssl:
    | boolean
    | {
        readonly rejectUnauthorized: boolean;
        readonly ca?: string;
        readonly checkServerIdentity?: typeof checkServerIdentity;
      };
}

export interface Database {
  /** Short statements of faces and workers. */
  readonly pool: pg.Pool;
  /**
   * A connection of its own that pipelines what it is given: the engine's and the readers' lanes.
   */
  openLane(name: string, options?: { readonly timeoutMs?: number }): Promise<pg.Client>;
  /**
   * Since the start; a failover is a primary that was lost and found, on another host or the same.
   */
  readonly stats: { readonly failovers: number };
  /**
   * Resolves when the primary is known; throws what is wrong with the hosts where it is not by
   * then.
   */
  findPrimary(patienceMs: number): Promise<void>;
  close(): Promise<void>;
}

// Timestamps are milliseconds since the epoch everywhere in the service; sessions run in UTC.
const parseInstant = (text: string) => Date.parse(`${text.slice(0, 10)}T${text.slice(11)}:00`);
const typeParsers = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === 1184
      ? parseInstant
      : types.getTypeParser(oid, format as 'text')) as typeof types.getTypeParser,
};

interface DatabaseOptions {
  readonly poolSize: number;
  /**
   * A pooled statement that takes longer fails, and its connection is given up: the network may be
   * cut. Undefined: no limit.
   */
  readonly timeoutMs?: number;
  readonly watch?: PrimaryWatch;
}

/**
 * From asking for a connection to having one that is ready, the search for the primary included.
 */
const CONNECT_MS = 4_500;
/** Of that, for the search. */
const FIND_MS = 3_000;
/** For one host to say whether it is the primary. */
const ASK_MS = 2_000;
/** With the wait for a free connection. */
const POOL_WAIT_MS = 5_000;
/**
 * How long the server may take to say goodbye before its connection is dropped: the network may be
 * cut.
 */
const GOODBYE_MS = 1_000;

const UNWATCHED: PrimaryWatch = { suspected() {}, lost() {}, found() {} };

/** A connection that knows its host, and when it is of no use any more. */
class Client extends pg.Client {
  /** The primary's, while the connection can be used. */
  at: Host | undefined;
  /** Told when the host may be in trouble. */
  onTrouble: ((error: Error) => void) | undefined;

  constructor(config: pg.ClientConfig) {
    super(config);
    const query = this.query.bind(this) as Call;
    Object.assign(this, { query: (...args: unknown[]) => withTypedErrors(query, args) });
    // A connection that breaks while somebody has it must not end the process: their next statement
    // fails. An error that comes while nothing is in flight says that the server ends the session.
    this.on('error', (error: Error) => this.drop(error));
    // Before the driver passes it on, so that whoever is told of the error finds the connection
    // closed.
    this.connection.on('errorMessage', (error: pg.DatabaseError) => {
      if (this.at === undefined) return;
      if (isHostTrouble(error)) this.drop(error);
      else if (isStaleStatement(error)) this.drop();
    });
    this.connection.on(
      'notice',
      (notice: { readonly routine?: string; readonly message?: string }) => {
        if (notice.routine !== CANCELLED_WAIT) return;
        this.drop();
        // To the driver it looks like a success: whatever waits on this connection fails instead.
        this.connection.emit('error', new UnknownCommitError(notice.message ?? ''));
      },
    );
  }

  /** With what has happened to it, where the host may be why. */
  drop(trouble?: Error) {
    if (trouble !== undefined && this.at !== undefined) this.onTrouble?.(trouble);
    this.at = undefined;
    this.connection.stream.destroy();
  }

  override end(): Promise<void>;
  override end(done: (error: Error) => void): void;
  override end(done?: (error: Error) => void): Promise<void> | undefined {
    const timer = setTimeout(() => this.drop(), GOODBYE_MS).unref();
    this.once('end', () => clearTimeout(timer));
    return done === undefined ? super.end() : (super.end(done) as undefined);
  }
}

type Call = (...args: unknown[]) => unknown;

/** Calls the driver, which answers by a promise or a callback. A pipeline has a callback inside. */
function withTypedErrors(call: Call, args: readonly unknown[]): unknown {
  const done = args.at(-1);
  if (typeof done === 'function')
    return call(...args.slice(0, -1), (error: Error | undefined, ...rest: unknown[]) =>
      done(error && typed(error), ...rest),
    );
  const answer = call(...args);
  return answer instanceof Promise ? answer.catch(throwTyped) : answer;
}

function throwTyped(error: Error): never {
  throw typed(error);
}

/**
 * The place in Postgres that warns when the wait of a commit for its standby was cancelled: done
 * here, and perhaps nowhere else.
 */
const CANCELLED_WAIT = 'SyncRepWaitForLSN';

/**
 * Opens the database. With several hosts, connections go to the primary, which is searched for when
 * it is not known or does not answer. Connecting errors are thrown to whoever needed the
 * connection, who tries again.
 */
export function openDatabase(
  target: DatabaseTarget,
  { poolSize, timeoutMs, watch = UNWATCHED }: DatabaseOptions,
): Database {
  const settings = {
    user: target.user,
    password: target.password,
    database: target.database,
    ssl: target.ssl, // false too: undefined would leave it to PGSSLMODE
    types: typeParsers,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
    application_name: 'munshi',
  };
  const open = new Set<Client>();
  const stats = { failovers: 0 };
  const withTimeline = target.hosts.length > 1;
  const finder = createPrimaryFinder({
    hosts: target.hosts,
    watch: {
      ...watch,
      found(host, lostMs, reason) {
        if (lostMs !== undefined) stats.failovers += 1;
        watch.found(host, lostMs, reason);
      },
    },
    async ask(host) {
      const client = new Client({
        ...settings,
        application_name: 'munshi-search',
      } as pg.ClientConfig);
      try {
        return await within(ASK_MS, client, () => begin(client, host, POOL_SETTINGS));
      } catch (error) {
        return throwTyped(error as Error);
      } finally {
        client.end().catch(() => {});
      }
    },
    onFound(host) {
      for (const client of open) if (client.at !== undefined && client.at !== host) client.drop();
    },
  });

  /** Connects to this host, and answers what it is. */
  async function begin(client: Client, host: Host, wanted: Settings): Promise<Claim> {
    Object.assign(client, host);
    await new Promise<void>((resolve, reject) => {
      pg.Client.prototype.connect.call(client, (error: Error | null | undefined) =>
        error ? reject(error) : resolve(),
      );
    });
    return prepareSession(client, wanted, ASK_MS, withTimeline);
  }

  /** Connects to the primary. */
  async function connect(client: Client, wanted: Settings): Promise<void> {
    const started = performance.now();
    const host = await finder.find(FIND_MS);
    try {
      const claim = await within(CONNECT_MS - (performance.now() - started), client, () =>
        begin(client, host, wanted),
      );
      finder.confirm(claim);
    } catch (error) {
      client.drop();
      if (isHostTrouble(error as Error)) finder.suspect(host, error as Error);
      throw typed(error as Error);
    }
    client.at = host;
    open.add(client);
    client.once('end', () => open.delete(client));
    client.onTrouble = (error) => finder.suspect(host, error);
  }

  class PooledClient extends Client {
    constructor(config?: pg.ClientConfig) {
      super({ ...config, password: target.password }); // the pool hides the password from copies
      const connectToPrimary = (done: (error?: Error) => void) =>
        connect(this, POOL_SETTINGS).then(() => done(), done);
      Object.assign(this, { connect: connectToPrimary });
    }
  }

  const pool = new pg.Pool({
    ...settings,
    max: poolSize,
    maxLifetimeSeconds: 60, // plans are made anew, as on lanes
    connectionTimeoutMillis: POOL_WAIT_MS,
    ...(timeoutMs !== undefined && { query_timeout: timeoutMs }),
    Client: PooledClient as never,
  } as pg.PoolConfig);
  pool.on('error', () => {}); // an idle connection: the search that it begins tells of it
  pool.on('release', (error: unknown, client: unknown) => {
    const { at } = client as Client;
    if (error instanceof Error && at !== undefined && isHostTrouble(error))
      finder.suspect(at, error);
  });
  const connectPooled = pool.connect.bind(pool) as Call;
  const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<unknown>;
  Object.assign(pool, {
    connect: (...args: unknown[]) => withTypedErrors(connectPooled, args),
    // By itself the pool passes on what happens to a connection as it came.
    query: (...args: unknown[]) => preparingAnew(pool, () => query(...args).catch(throwTyped)),
  });

  return {
    pool,
    stats,
    async openLane(name, { timeoutMs: laneTimeoutMs } = {}) {
      const client = new Client({
        ...settings,
        application_name: `munshi-${name}`,
        pipeline: true,
        ...(laneTimeoutMs !== undefined && { query_timeout: laneTimeoutMs }),
      } as pg.ClientConfig);
      await connect(client, LANE_SETTINGS);
      return client;
    },
    findPrimary: async (patienceMs) => {
      await finder.find(patienceMs);
    },
    close() {
      finder.close();
      return pool.end();
    },
  };
}

/**
 * Whatever the client waits for, it is dropped when the time is over, and with it the work fails.
 */
async function within<T>(ms: number, client: Client, work: () => Promise<T>): Promise<T> {
  const late = new UnavailableError('the database host did not answer in time', {
    code: 'ETIMEDOUT',
  });
  const { promise: expired, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    client.drop();
    reject(late);
  }, ms);
  try {
    return await Promise.race([work(), expired]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Runs `work` again where a connection's prepared statements were stale: nothing was run, and that
 * connection is closed. Others of the pool may be as old.
 */
async function preparingAnew<T>(pool: pg.Pool, work: () => Promise<T>): Promise<T> {
  for (let left = pool.options.max; ; left -= 1) {
    try {
      return await work();
    } catch (error) {
      if (left <= 0 || !isStaleStatement(error as Error)) throw error;
    }
  }
}

/**
 * Waits until the database answers, and looks whether its sessions can be worked with. Throws the
 * last error when it has not answered by `patienceMs`. For the start, when the database may be
 * starting too, or failing over.
 */
export async function waitForDatabase(
  database: Database,
  patienceMs: number,
  onWait?: (error: Error) => void,
): Promise<void> {
  const end = performance.now() + patienceMs;
  for (let said = ''; ; ) {
    const left = end - performance.now();
    try {
      await database.findPrimary(Math.min(left, WAIT_STEP_MS));
      return await expectOwnSessions(database);
    } catch (error) {
      const hopeless = isRefusal(error as Error) || !(error instanceof UnavailableError);
      if (hopeless || performance.now() + PAUSE_MS > end) throw error;
      const { message } = error as Error;
      if (message !== said) onWait?.(error as Error);
      said = message;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}

/** After each of which the wait says why it goes on, where it has not yet. */
const WAIT_STEP_MS = 2_000;
const PAUSE_MS = 200;
/** What PgBouncer says of a transaction in statement mode. */
const PROTOCOL_VIOLATION = '08P01';

/**
 * Two connections have two sessions, each of which stays the same. A pooler in transaction mode
 * lends one to whoever has something to run: the second gets that of the first, or keeps it from
 * the first. In statement mode it refuses the transaction.
 */
async function expectOwnSessions(database: Database): Promise<void> {
  const lanes: pg.Client[] = [];
  const sessionOf = async (lane: pg.Client) =>
    (await lane.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid;
  try {
    for (let count = 0; count < 2; count += 1)
      lanes.push(await database.openLane('start', { timeoutMs: ASK_MS }));
    const [one, other] = lanes as [pg.Client, pg.Client];
    const before = await sessionOf(one);
    await other.query('begin').catch((error: pg.DatabaseError) => {
      throw error.code === PROTOCOL_VIOLATION ? new SessionNotKeptError(NEEDS_SESSION_MODE) : error;
    });
    const held = await sessionOf(other);
    const after = await sessionOf(one).catch(() => undefined);
    await other.query('rollback');
    if (before === held || before !== after) throw new SessionNotKeptError(NEEDS_SESSION_MODE);
  } finally {
    await Promise.all(lanes.map((lane) => lane.end().catch(() => {})));
  }
}

/**
 * Runs `work` in one transaction on a pooled connection; `work` again where nothing of it was run.
 */
export function inTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  return preparingAnew(pool, async () => {
    const client = await pool.connect();
    try {
      await client.query('begin');
      const result = await work(client);
      const { command } = await client.query('commit');
      if (command !== 'COMMIT')
        throw new Error('a statement of the transaction had failed, and it was rolled back');
      client.release();
      return result;
    } catch (error) {
      // A connection that is silent would take as long again to say nothing.
      if (error instanceof UnavailableError) client.release(error);
      else {
        client.release(
          await client.query('rollback').then(
            () => undefined,
            (failure: Error) => failure,
          ),
        );
      }
      throw error;
    }
  });
}

/** What a one-statement function may be run on. */
export type Queryable = Pick<pg.Pool, 'query'> | pg.PoolClient;
