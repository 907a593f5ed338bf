import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { inTransaction } from './db.ts';

const FOLDER = path.join(import.meta.dirname, 'migrations');
/** Any number, the same for every process: only one of them migrates at a time. */
const LOCK = 7_240_501;

const listMigrations = async () => (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).sort();

/** A migration waits this long for a table; whoever needs the table waits behind it. Then it lets them pass, and tries again. */
const LOCK_TIMEOUT_MS = 3_000;
const PAUSE_MS = 2_000;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Applies the numbered migrations that the database has not seen, in order, each in its own transaction. Answers their names. The lock
 * between processes is the transaction's, and ends with it whatever stands between here and the server.
 */
export async function migrate(pool: pg.Pool, progress: (text: string) => void = () => {}): Promise<readonly string[]> {
  const applied: string[] = [];
  for (;;) {
    try {
      const name = await applyNext(pool);
      if (name === undefined) return applied;
      applied.push(name);
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
      progress('Waiting to migrate the database: somebody else holds what the migration needs. Trying again…');
      await setTimeout(PAUSE_MS);
    }
  }
}

/** Undefined when there is none left. */
function applyNext(pool: pg.Pool): Promise<string | undefined> {
  return inTransaction(pool, async (client) => {
    await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await client.query('select pg_advisory_xact_lock($1)', [LOCK]);
    await client.query('create table if not exists schema_migrations (name text primary key, applied_at timestamptz not null default now())');
    const done = await appliedMigrations(client);
    const name = (await listMigrations()).find((each) => !done.has(each));
    if (name === undefined) return undefined;
    await client.query(await readFile(path.join(FOLDER, name), 'utf8'));
    await client.query('insert into schema_migrations (name) values ($1)', [name]);
    return name;
  });
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
