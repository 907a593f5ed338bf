import pg from 'pg';
import type { DatabaseTarget } from '../config/database-url.ts';
import { type Call, Client, throwTyped, withTypedErrors } from './connection/client.ts';
import { type ConnectionStats, createConnector } from './connection/connector.ts';
import type { PrimaryWatch } from './connection/primary.ts';
import { LANE_SETTINGS, POOL_SETTINGS } from './connection/session-settings.ts';
import { isLostRace, isStaleStatement, UnavailableError } from './errors.ts';
import { GUARD, quoteName } from './statement.ts';

const { types } = pg;

export interface Database {
  /** Short statements of faces and workers. */
  readonly pool: pg.Pool;
  /**
   * Whose long reads these are: at most two run at once (`withinTime`). Undefined: of operators and
   * the service itself.
   */
  readonly reader?: string;
  /**
   * A connection of its own that pipelines what it is given: the engine's and the readers' lanes.
   */
  openLane(name: string, options?: { readonly timeoutMs?: number }): Promise<pg.Client>;
  readonly stats: ConnectionStats;
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
  /** What Postgres lists the connections as; `munshi` by default. */
  readonly name?: string;
  readonly poolSize: number;
  /**
   * A pooled statement that takes longer fails, and its connection is abandoned: the network may be
   * cut. Undefined: no limit.
   */
  readonly timeoutMs?: number;
  /** From asking for a connection to having one. */
  readonly connectMs?: number;
  readonly watch?: PrimaryWatch;
  /** What the sessions work in; by default the schema that their role's `search_path` names. */
  readonly schema?: string | undefined;
}

/** With the wait for a free connection. */
const POOL_WAIT_MS = 5_000;

/**
 * Opens the database. Connecting errors are thrown to the caller that needed the connection, which
 * tries again.
 */
export function openDatabase(
  target: DatabaseTarget,
  { name = 'munshi', poolSize, timeoutMs, connectMs, watch, schema }: DatabaseOptions,
): Database {
  const { hosts, user, password, database, ssl } = target;
  const config = {
    user,
    password,
    database,
    ssl, // false too: undefined would leave it to PGSSLMODE
    types: typeParsers,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
    application_name: name,
  };
  const path = schema === undefined ? {} : { search_path: quoteName(schema) };
  const createClient = (applicationName: string, options: object = {}) =>
    new Client({ ...config, application_name: applicationName, ...options } as pg.ClientConfig);
  const { connect, suspect, findPrimary, stats, close } = createConnector(
    hosts,
    createClient,
    watch,
    connectMs,
  );

  class PooledClient extends Client {
    constructor(options?: pg.ClientConfig) {
      super({ ...options, password }); // the pool hides the password from copies
      const connectToPrimary = (done: (error?: Error) => void) =>
        connect(this, { ...POOL_SETTINGS, ...path }).then(() => done(), done);
      Object.assign(this, { connect: connectToPrimary });
    }
  }

  const pool = new pg.Pool({
    ...config,
    max: poolSize,
    maxLifetimeSeconds: 60, // plans are made again, as on lanes
    connectionTimeoutMillis: POOL_WAIT_MS,
    ...(timeoutMs !== undefined && { query_timeout: timeoutMs }),
    Client: PooledClient as never,
  } as pg.PoolConfig);
  pool.on('error', () => {}); // an idle connection: the search that it begins reports it
  pool.on('release', (error: unknown, client: unknown) => {
    if (error instanceof Error) suspect(client as Client, error);
  });
  const connectPooled = pool.connect.bind(pool) as Call;
  const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<unknown>;
  Object.assign(pool, {
    connect: (...args: unknown[]) => withTypedErrors(connectPooled, args),
    // By itself the pool passes on what happens to a connection as it came.
    query: (...args: unknown[]) => repeating(pool, () => query(...args).catch(throwTyped)),
  });

  return {
    pool,
    stats,
    async openLane(name, { timeoutMs: laneTimeoutMs } = {}) {
      const client = createClient(`munshi-${name}`, {
        pipeline: true,
        ...(laneTimeoutMs !== undefined && { query_timeout: laneTimeoutMs }),
      });
      await connect(client, { ...LANE_SETTINGS, ...path });
      return client;
    },
    findPrimary,
    close() {
      close();
      return pool.end();
    },
  };
}

/** How often a transaction that another one came before is run again. */
const LOST_RACES_MAX = 5;

/**
 * Runs a transaction again where nothing of it stays: its connection's prepared statements were
 * stale, and that connection is closed (others of the pool may be as old), or another transaction
 * came first.
 */
async function repeating<T>(pool: pg.Pool, transaction: () => Promise<T>): Promise<T> {
  let [stale, lost] = [0, 0];
  for (;;) {
    try {
      return await transaction();
    } catch (error) {
      if (isStaleStatement(error as Error)) stale += 1;
      else if (isLostRace(error)) lost += 1;
      else throw error;
      if (stale > pool.options.max || lost > LOST_RACES_MAX) throw error;
    }
  }
}

type Work<T> = (client: pg.PoolClient) => Promise<T>;

/**
 * Runs `work` in one transaction on a pooled connection; `work` again where nothing of it stays, so
 * what it does elsewhere must bear that.
 */
export const inTransaction = <T>(pool: pg.Pool, work: Work<T>): Promise<T> =>
  transact(pool, work, async (client) => {
    await client.query('begin');
    await client.query(GUARD);
  });

/** Begins a transaction that sees one moment, and can neither write nor lock rows. */
export const BEGIN_SNAPSHOT = 'begin isolation level repeatable read, read only';

/** Runs `work` on what is committed at one moment. */
export const inSnapshot = <T>(pool: pg.Pool, work: Work<T>): Promise<T> =>
  transact(pool, work, async (client) => {
    await client.query(BEGIN_SNAPSHOT);
  });

/** As `inTransaction`, without its guard: for work that locks no rows, before tables exist. */
export function transact<T>(
  pool: pg.Pool,
  work: Work<T>,
  begin = async (client: pg.PoolClient): Promise<void> => {
    await client.query('begin');
  },
): Promise<T> {
  return repeating(pool, async () => {
    const client = await pool.connect();
    try {
      await begin(client);
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

/** Runs `work` in a transaction of which nothing stays. */
export async function takenBack<T>(pool: pg.Pool, work: Work<T>): Promise<T> {
  const undone: { result?: T } = {};
  const undo = async (client: pg.PoolClient) => {
    undone.result = await work(client);
    throw undone;
  };
  await inTransaction(pool, undo).catch((error) => {
    if (error !== undone) throw error;
  });
  return undone.result as T;
}
