import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { grantTo, mayChangeSchema, RETENTION, SERVICE } from './grants.ts';

const FOLDER = path.join(import.meta.dirname, 'migrations');
/** Any number, with the schema's: only one process migrates a schema at a time. */
const LOCK = 7_240_501;
/**
 * A migration waits this long for its turn and for each table. Others wait for the table behind
 * it, so it then lets them pass and tries again.
 */
const PATIENCE_MS = 3_000;
const PAUSE_MS = 2_000;
const POLL_MS = 100;
/** First line of a migration whose statements run one by one, outside of a transaction. */
const NO_TRANSACTION = '-- no transaction';

/** The database cannot be brought up to date. The message is one line for people. */
export class MigrationError extends Error {}

/** The database was created before the first release and has to be recreated. */
export class OldSchemaError extends Error {}

/** Another process holds what the migration needs. */
class BusyError extends Error {
  readonly code = LOCK_NOT_AVAILABLE;
}
const LOCK_NOT_AVAILABLE = '55P03';

interface Migration {
  readonly name: string;
  readonly sql: string;
  /** SHA-256 of the file, in hex. */
  readonly checksum: string;
}

interface MigrateOptions {
  /**
   * Gets its rights after the last migration. Undefined: the service runs as the role of this
   * connection.
   */
  readonly runtimeRole?: string | undefined;
  /** Gets its rights too, where this connection's role owns the tables. */
  readonly retentionRole?: string | undefined;
  readonly progress?: (text: string) => void;
  /** Where the migrations are. */
  readonly folder?: string;
}

/**
 * Applies the migrations that the database has not seen, in the order of their names, and answers
 * these. Each runs in a transaction of its own, unless it asks for none. Throws MigrationError or
 * OldSchemaError where it must not.
 */
export async function migrate(
  pool: pg.Pool,
  { runtimeRole, retentionRole, progress, folder = FOLDER }: MigrateOptions = {},
): Promise<readonly string[]> {
  const migrations = await readMigrations(folder);
  const applied: string[] = [];
  for (;;) {
    try {
      await inTurn(pool, async (client) => {
        for (;;) {
          const next = await findNext(client, migrations);
          if (next === undefined) break;
          await apply(client, next);
          applied.push(next.name);
        }
        if (applied.length > 0) await analyze(client);
        const given = { keepsMore: await isOfNewerVersion(client, migrations) };
        if (runtimeRole !== undefined)
          await together(client, () => grantTo(client, runtimeRole, SERVICE, given));
        if (retentionRole !== undefined && (await mayChangeSchema(client))) {
          await refuseWithoutRole(client, retentionRole);
          await together(client, () => grantTo(client, retentionRole, RETENTION, given));
        }
      });
      return applied;
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
      progress?.(
        'Waiting to migrate the database: somebody else holds what the migration needs. Trying again…',
      );
      await setTimeout(PAUSE_MS);
    }
  }
}

/** Whether the database has every migration of this version. */
export async function isMigrated(pool: pg.Pool): Promise<boolean> {
  const done = await readApplied(pool);
  return (await listFiles(FOLDER)).every((name) => done.has(name));
}

/**
 * Whether the database has migrations that this version does not know. Then no right is taken away:
 * the newer version has given rights on tables of which this one does not know.
 */
async function isOfNewerVersion(
  client: pg.PoolClient,
  migrations: readonly Migration[],
): Promise<boolean> {
  const known = new Set(migrations.map(({ name }) => name));
  return [...(await readApplied(client)).keys()].some((name) => !known.has(name));
}

const listFiles = async (folder: string) =>
  (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();

async function readMigrations(folder: string): Promise<readonly Migration[]> {
  const names = await listFiles(folder);
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(path.join(folder, name), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

/**
 * Runs `work` while no other process migrates. The lock is the session's, which ends with `work`,
 * or when this process stands still (operate/run.md#health). It is polled for: a session that waits
 * for a lock has a snapshot, for which an index that is created concurrently would wait in turn.
 */
async function inTurn(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<void>) {
  const client = await pool.connect();
  try {
    await client.query(`set idle_session_timeout = '5s'`);
    await client.query(`set lock_timeout = ${PATIENCE_MS}`);
    for (let left = PATIENCE_MS; !(await tryLock(client)); left -= POLL_MS) {
      if (left <= 0) throw new BusyError('another process migrates the database');
      await setTimeout(POLL_MS);
    }
    await work(client);
  } finally {
    client.release(true);
  }
}

async function tryLock(client: pg.PoolClient): Promise<boolean> {
  const { rows } = await client.query(
    'select pg_try_advisory_lock($1, hashtext(current_schema())) as locked',
    [LOCK],
  );
  return rows[0].locked;
}

async function findNext(
  client: pg.PoolClient,
  migrations: readonly Migration[],
): Promise<Migration | undefined> {
  const done = await readApplied(client);
  const [first] = migrations;
  if (done.size > 0 && first !== undefined && !done.has(first.name)) throw new OldSchemaError();
  const changed = migrations.find(
    ({ name, checksum }) => done.has(name) && done.get(name) !== checksum,
  );
  if (changed !== undefined)
    throw new MigrationError(
      `The migration ${changed.name} was changed after this database had it: put it back as it was, and make the change in a new one.`,
    );
  const next = migrations.find(({ name }) => !done.has(name));
  if (next !== undefined) await refuseWithoutRight(client);
  return next;
}

/** Names and checksums; none in an empty database. */
async function readApplied(
  db: Pick<pg.Pool, 'query'> | pg.PoolClient,
): Promise<ReadonlyMap<string, string | null>> {
  const { rows: found } = await db.query(
    "select from pg_class where relname = 'schema_migrations' and relnamespace = current_schema()::regnamespace",
  );
  if (found.length === 0) return new Map();
  // As JSON, because the table had no checksums before the first release.
  const { rows } = await db.query<{ name: string; checksum: string | null }>(
    `select name, to_jsonb(m) ->> 'checksum' as checksum from schema_migrations m`,
  );
  return new Map(rows.map(({ name, checksum }) => [name, checksum]));
}

async function refuseWithoutRight(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query(
    "select current_user, has_schema_privilege(current_schema(), 'create') as may",
  );
  if (rows[0].may === true) return;
  throw new MigrationError(
    `The database lacks migrations, and the role ${rows[0].current_user} may not make them. Run \`npm run munshi -- migrate\` with DATABASE_OWNER_URL, the role that owns the tables.`,
  );
}

async function refuseWithoutRole(client: pg.PoolClient, role: string): Promise<void> {
  const { rows } = await client.query('select from pg_roles where rolname = $1', [role]);
  if (rows.length > 0) return;
  throw new MigrationError(
    `There is no role ${role}, which RETENTION_DATABASE_URL names: make it as docs/operate/retention.md says under "The role of retention".`,
  );
}

const CREATE_TABLE = `create table if not exists schema_migrations (
  name text primary key,
  checksum text not null,
  applied_at timestamptz not null default now()
)`;

async function apply(client: pg.PoolClient, { name, sql, checksum }: Migration): Promise<void> {
  const record = async () => {
    await client.query(CREATE_TABLE);
    await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [
      name,
      checksum,
    ]);
  };
  if (sql.startsWith(NO_TRANSACTION)) {
    // These wait for transactions that are older than they, and hold up nobody meanwhile.
    await client.query('set lock_timeout = 0');
    for (const statement of statementsIn(sql)) await runAlone(client, statement);
    await client.query(`set lock_timeout = ${PATIENCE_MS}`);
    await record();
    return;
  }
  await together(client, async () => {
    for (const statement of statementsIn(sql)) await client.query(statement);
    await record();
  });
}

/** In one transaction. Where it fails, the session ends with it. */
async function together(client: pg.PoolClient, work: () => Promise<void>): Promise<void> {
  await client.query('begin');
  await work();
  await client.query('commit');
}

/**
 * The statements of a migration, each of which ends with `;` at the end of a line; a body in dollar
 * quotes is kept whole. They are sent one by one, as Citus needs them.
 */
export function statementsIn(sql: string): readonly string[] {
  const statements: string[] = [];
  let open = '';
  for (const line of sql.split('\n')) {
    const isQuoted = () => open.split('$$').length % 2 === 0;
    if (!isQuoted() && /^\s*(--.*)?$/.test(line)) continue;
    open += `${line}\n`;
    if (isQuoted() || !/;\s*(--.*)?$/.test(line)) continue;
    statements.push(open);
    open = '';
  }
  return open === '' ? statements : [...statements, open];
}

const CONCURRENT_INDEX =
  /^create\s+(?:unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?(\w+)/i;

/**
 * Runs a statement that may have run before, where the process had died before the migration was
 * recorded. An index that was being made then is invalid, and made again.
 */
async function runAlone(client: pg.PoolClient, statement: string): Promise<void> {
  const index = CONCURRENT_INDEX.exec(statement)?.[1];
  if (index !== undefined) {
    const { rows } = await client.query(
      'select indisvalid as valid from pg_index where indexrelid = to_regclass($1)',
      [index],
    );
    if (rows[0]?.valid === true) return;
    if (rows[0]?.valid === false) await client.query(`drop index concurrently ${index}`);
  }
  await client.query(statement);
}

/**
 * Has the next plans know the tables. Not those without rows: where nothing is known of a table,
 * Postgres plans for a few pages, and where it is known to be empty, for none.
 */
async function analyze(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class
     where relnamespace = current_schema()::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0`,
  );
  for (const { name } of rows) await client.query(`analyze ${name}`);
}
