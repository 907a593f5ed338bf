import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';

const FOLDER = path.join(import.meta.dirname, 'migrations');
/** Any number, the same for every process: only one of them migrates at a time. */
const LOCK = 7_240_501;

const listMigrations = async () => (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).sort();

/** Applies the numbered migrations that the database has not seen, in order, each in its own transaction. Answers their names. */
export async function migrate(pool: pg.Pool): Promise<readonly string[]> {
  const client = await pool.connect();
  try {
    // Whoever stands still loses the lock, as a job (D87).
    await client.query(`set idle_session_timeout = '5s'`);
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    await client.query('create table if not exists schema_migrations (name text primary key, applied_at timestamptz not null default now())');
    const done = await appliedMigrations(client);
    const waiting = (await listMigrations()).filter((name) => !done.has(name));
    for (const name of waiting) {
      const sql = await readFile(path.join(FOLDER, name), 'utf8');
      await client.query('begin');
      await client.query(sql);
      await client.query('insert into schema_migrations (name) values ($1)', [name]);
      await client.query('commit');
    }
    return waiting;
  } finally {
    client.release(true); // the session's end frees the lock, whatever happened
  }
}

/** Whether the database has every migration of this version. */
export async function isMigrated(pool: pg.Pool): Promise<boolean> {
  const done = await appliedMigrations(pool);
  return (await listMigrations()).every((name) => done.has(name));
}

async function appliedMigrations(client: Pick<pg.Pool, 'query'> | pg.PoolClient): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ name: string }>('select name from schema_migrations');
  return new Set(rows.map(({ name }) => name));
}
