import type pg from 'pg';
import { inSnapshot } from './db.ts';
import { UnavailableError } from './errors.ts';

/** A search that was cut off after its time. */
export class TooSlowError extends Error {}

/** Long enough for what an index serves, short enough to keep connections for the others. */
const SEARCH_MS = 3_000;
const QUERY_CANCELED = '57014';

/**
 * Runs a search that somebody has put together, for at most three seconds. Throws TooSlowError
 * after them.
 */
export async function withinTime<T>(
  pool: pg.Pool,
  search: (client: pg.PoolClient) => Promise<T>,
  milliseconds = SEARCH_MS,
): Promise<T> {
  return inSnapshot(pool, async (client) => {
    await client.query(`set local statement_timeout = ${milliseconds}`);
    return await search(client).catch((error: Error) => {
      if (error instanceof UnavailableError && error.code === QUERY_CANCELED)
        throw new TooSlowError('the search took too long', { cause: error });
      throw error;
    });
  });
}
