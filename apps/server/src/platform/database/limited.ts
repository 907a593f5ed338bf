import type pg from 'pg';
import { type Database, inSnapshot } from './db.ts';
import { UnavailableError } from './errors.ts';
import { longReadsOf } from './long-reads.ts';
import type { Queryable } from './queryable.ts';

/** A search that was cut off after its time, or had to wait for that long. */
export class TooSlowError extends Error {}

/** It was never begun: others took all places. */
export class CrowdedError extends TooSlowError {}

/** Long enough for what an index serves, short enough to keep connections for the others. */
const SEARCH_MS = 3_000;
const QUERY_CANCELED = '57014';

/** Postgres cuts a statement off; only where it does not even do that, the connection is abandoned. */
const CUTTING_OFF_MS = 1_000;

/** The same for the long reads of one reader: a merchant's people together, or a member. */
export const readingAs = <Deps extends { readonly database: Database }>(
  deps: Deps,
  reader: string,
): Deps => ({ ...deps, database: { ...deps.database, reader } });

/**
 * Runs a search that somebody has put together on what is committed at one moment, each statement
 * for at most three seconds with the wait for a place. Throws TooSlowError after them.
 */
export async function withinTime<T>(
  { pool, reader }: Pick<Database, 'pool' | 'reader'>,
  search: (db: Queryable) => Promise<T>,
  milliseconds = SEARCH_MS,
): Promise<T> {
  const places = longReadsOf(pool);
  const askedAt = performance.now();
  if (!(await places.take(reader, milliseconds)))
    throw new CrowdedError('other searches took all places');
  const left = Math.ceil(Math.max(1, milliseconds - (performance.now() - askedAt)));
  return searchFor(left, pool, search).finally(() => places.leave(reader));
}

function searchFor<T>(
  milliseconds: number,
  pool: pg.Pool,
  search: (db: Queryable) => Promise<T>,
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
