import type pg from 'pg';
import type { Database } from '../db.ts';
import {
  isRefusal,
  OldServerError,
  PoolTooSmallError,
  SessionNotKeptError,
  UnavailableError,
} from '../errors.ts';
import { ASK_MS } from './connector.ts';
import { OLDEST_TESTED, readServerVersion, type ServerVersion } from './server-version.ts';
import { NEEDS_SESSION_MODE } from './session-settings.ts';

/** After each of which the wait says why it goes on, where it has not yet. */
const WAIT_STEP_MS = 2_000;
const PAUSE_MS = 200;
/** What its connections are opened as; all are closed when it is done. */
export const START_LANE = 'start';
/** What PgBouncer says of a transaction in statement mode. */
const PROTOCOL_VIOLATION = '08P01';

/**
 * Waits until the database answers, and looks whether its version and its sessions can be worked
 * with, and whether a pooler in between has `connections` of them. Answers the version. Throws the
 * last error when it has not answered by `patienceMs`. For the start, when the database may be
 * starting too, or failing over, and another process may just be leaving the pooler.
 */
export async function waitForDatabase(
  database: Database,
  patienceMs: number,
  onWait?: (error: Error) => void,
  connections = 2,
): Promise<ServerVersion> {
  const end = performance.now() + patienceMs;
  for (let said = ''; ; ) {
    const left = end - performance.now();
    try {
      await database.findPrimary(Math.min(left, WAIT_STEP_MS));
      await expectOwnSessions(database, connections);
      return await expectVersion(database);
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

async function expectVersion({ pool }: Database): Promise<ServerVersion> {
  const version = await readServerVersion(pool);
  if (version.standing === 'too-old')
    throw new OldServerError(
      `it is Postgres ${version.name}, and Munshi needs ${OLDEST_TESTED} or later`,
    );
  return version;
}

/**
 * Two connections have two sessions, each of which stays the same. A pooler in transaction mode
 * lends one to the connection that has something to run: the second gets that of the first, or
 * keeps it from the first. In statement mode it refuses the transaction.
 */
async function expectOwnSessions(database: Database, connections: number): Promise<void> {
  const lanes: pg.Client[] = [];
  const isPooled = () => lanes[0] !== undefined && standsBetween(lanes[0]);
  try {
    for (let count = 0; count < 2; count += 1)
      await openAnother(database, lanes, isPooled, connections);
    const [one, other] = lanes as [pg.Client, pg.Client];
    const before = await sessionOf(one);
    await other.query('begin').catch((error: pg.DatabaseError) => {
      throw error.code === PROTOCOL_VIOLATION ? new SessionNotKeptError(NEEDS_SESSION_MODE) : error;
    });
    const held = await sessionOf(other);
    const after = await sessionOf(one).catch(() => undefined);
    await other.query('rollback');
    if (before === held || before !== after) throw new SessionNotKeptError(NEEDS_SESSION_MODE);
    if (!(await isPooled())) return;
    while (lanes.length < connections) await openAnother(database, lanes, isPooled, connections);
  } finally {
    await Promise.all(lanes.map((lane) => lane.end().catch(() => {})));
  }
}

const sessionOf = async (lane: pg.Client) =>
  (await lane.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid;

/** A pooler gives out numbers of its own for sessions, by which they are cancelled. */
const standsBetween = async (lane: pg.Client) =>
  (await sessionOf(lane)) !== (lane as pg.Client & { readonly processID: number }).processID;

/**
 * A pooler lets everybody in, and lets a caller that comes when all is taken wait for minutes. How
 * large it is only its administrators may ask, so that it is tried.
 */
async function openAnother(
  database: Database,
  lanes: pg.Client[],
  isPooled: () => Promise<boolean> | boolean,
  connections: number,
): Promise<void> {
  try {
    lanes.push(await database.openLane(START_LANE, { timeoutMs: ASK_MS }));
  } catch (error) {
    // While the ones before answer, it is not the database that has gone.
    const isFull = await Promise.resolve(isPooled()).catch(() => false);
    if (!isFull) throw error;
    throw new PoolTooSmallError(
      `the pooler in between gives ${lanes.length} connections, and this process needs ${connections}: with PgBouncer, default_pool_size of at least ${connections} for each process, or a smaller DATABASE_POOL_SIZE`,
      { cause: error as Error },
    );
  }
}
