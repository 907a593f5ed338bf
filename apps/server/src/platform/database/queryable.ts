import type pg from 'pg';

/** What a one-statement function may be run on. */
export type Queryable = Pick<pg.Pool, 'query'> | pg.PoolClient;
