import type pg from 'pg';
import { inSnapshot } from './db.ts';
import { UnavailableError } from './errors.ts';
import type { Queryable } from './queryable.ts';

/** A search that was cut off after its time. */
export class TooSlowError extends Error {}

/** Long enough for what an index serves, short enough to keep connections for the others. */
const SEARCH_MS = 3_000;
const QUERY_CANCELED = '57014';

/** Postgres cuts a statement off; only where it does not even do that, the connection is abandoned. */
const CUTTING_OFF_MS = 1_000;

/**
 * Runs a search that somebody has put together on what is committed at one moment, each statement
 * for at most three seconds. Throws TooSlowError after them.
 */
export async function withinTime<T>(
  pool: pg.Pool,
  search: (db: Queryable) => Promise<T>,
  milliseconds = SEARCH_MS,
): Promise<T> {
  return inSnapshot(pool, async (client) => {
    await client.query(`set local statement_timeout = ${milliseconds}`);
    // The pool's own patience with a statement may be shorter.
    const patience = { query_timeout: milliseconds + CUTTING_OFF_MS };
    const query = (asked: string | pg.QueryConfig) =>
      client.query({ ...(typeof asked === 'string' ? { text: asked } : asked), ...patience });
    return await search({ query } as Queryable).catch((error: Error) => {
      if (error instanceof UnavailableError && error.code === QUERY_CANCELED)
        throw new TooSlowError('the search took too long', { cause: error });
      throw error;
    });
  });
}
