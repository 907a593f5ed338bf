import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { inTransaction } from './db.ts';
import { grantTo } from './grants.ts';

const FOLDER = path.join(import.meta.dirname, 'migrations');
/** Any number, the same for every process: only one of them migrates at a time. */
const LOCK = 7_240_501;

const listMigrations = async () =>
  (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).sort();

/**
 * A migration waits this long for a table; whoever needs the table waits behind it. Then it lets
 * them pass, and tries again.
 */
const LOCK_TIMEOUT_MS = 3_000;
const PAUSE_MS = 2_000;
const LOCK_NOT_AVAILABLE = '55P03';

/** The role of the connection may not make the migrations that are waiting. */
export class NotMigratedError extends Error {}

interface MigrateOptions {
  /**
   * Gets its rights with the last migration. Undefined: the service runs as the role of this
   * connection.
   */
  readonly runtimeRole?: string | undefined;
  readonly progress?: (text: string) => void;
}

/**
 * Applies the numbered migrations that the database has not seen, in order, each in its own
 * transaction. Answers their names. The lock between processes is the transaction's, and ends with
 * it whatever stands between here and the server.
 */
export async function migrate(
  pool: pg.Pool,
  { runtimeRole, progress }: MigrateOptions = {},
): Promise<readonly string[]> {
  const applied: string[] = [];
  for (;;) {
    try {
      const name = await applyNext(pool, runtimeRole);
      if (name === undefined) return applied;
      applied.push(name);
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
      progress?.(
        'Waiting to migrate the database: somebody else holds what the migration needs. Trying again…',
      );
      await setTimeout(PAUSE_MS);
    }
  }
}

/** Undefined when there is none left. */
function applyNext(pool: pg.Pool, runtimeRole: string | undefined): Promise<string | undefined> {
  return inTransaction(pool, async (client) => {
    await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await client.query('select pg_advisory_xact_lock($1)', [LOCK]);
    const done = await appliedMigrations(client);
    const waiting = (await listMigrations()).filter((each) => !done.has(each));
    const [name] = waiting;
    if (name === undefined) {
      if (runtimeRole !== undefined) await grantTo(client, runtimeRole);
      return undefined;
    }
    await refuseWithoutRight(client, waiting.length);
    await client.query(
      'create table if not exists schema_migrations (name text primary key, applied_at timestamptz not null default now())',
    );
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

async function refuseWithoutRight(client: pg.PoolClient, waiting: number): Promise<void> {
  const { rows } = await client.query(
    "select current_user, has_schema_privilege(current_schema(), 'create') as may",
  );
  if (rows[0].may === true) return;
  throw new NotMigratedError(
    `The database lacks ${waiting} migrations, and the role ${rows[0].current_user} may not make them. Run \`npm run munshi -- migrate\` with DATABASE_OWNER_URL, the role that owns the tables.`,
  );
}

/** None in an empty database. */
async function appliedMigrations(
  client: Pick<pg.Pool, 'query'> | pg.PoolClient,
): Promise<ReadonlySet<string>> {
  const { rows: found } = await client.query(
    "select from pg_class where oid = to_regclass('schema_migrations')",
  );
  if (found.length === 0) return new Set();
  const { rows } = await client.query<{ name: string }>('select name from schema_migrations');
  return new Set(rows.map(({ name }) => name));
}
