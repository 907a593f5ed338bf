import type pg from 'pg';
import type { Database } from '../db.ts';
import { isRefusal, OldServerError, SessionNotKeptError, UnavailableError } from '../errors.ts';
import { ASK_MS } from './connector.ts';
import { OLDEST_TESTED, readServerVersion, type ServerVersion } from './server-version.ts';
import { NEEDS_SESSION_MODE } from './session-settings.ts';

/** After each of which the wait says why it goes on, where it has not yet. */
const WAIT_STEP_MS = 2_000;
const PAUSE_MS = 200;
/** What PgBouncer says of a transaction in statement mode. */
const PROTOCOL_VIOLATION = '08P01';

/**
 * Waits until the database answers, and looks whether its version and its sessions can be worked
 * with. Answers the version. Throws the last error when it has not answered by `patienceMs`. For the
 * start, when the database may be starting too, or failing over.
 */
export async function waitForDatabase(
  database: Database,
  patienceMs: number,
  onWait?: (error: Error) => void,
): Promise<ServerVersion> {
  const end = performance.now() + patienceMs;
  for (let said = ''; ; ) {
    const left = end - performance.now();
    try {
      await database.findPrimary(Math.min(left, WAIT_STEP_MS));
      await expectOwnSessions(database);
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
