import pg from 'pg';
import { inject } from 'vitest';
import { createCell } from '../../apps/server/src/cells.ts';
import type { DatabaseTarget } from '../../apps/server/src/platform/config/database-url.ts';
import { type Database, openDatabase } from '../../apps/server/src/platform/database/db.ts';
import { rolesOf } from '../../apps/server/src/platform/database/roles.ts';
import { PATIENCE_MS } from './patience.ts';

let clones = 0;

/** A database of its own for a test file. */
export interface Clone {
  /** As the service's own role, which may do what the service needs and no more. */
  readonly target: DatabaseTarget;
  /** As the role that owns the tables. */
  readonly owner: DatabaseTarget;
  /** As the role that removes what is kept no longer. */
  readonly retention: DatabaseTarget;
  /** As the superuser, for what only tests do. */
  readonly database: Database;
  /** Changes tables, functions and triggers: of a cell the coordinator alone takes that. */
  alter(text: string): Promise<void>;
  drop(): Promise<void>;
}

/**
 * Clones the migrated template in a few tens of milliseconds, or another clone as it is at this
 * moment, to which nobody may be connected.
 */
export async function cloneDatabase(of?: Pick<Clone, 'target'>): Promise<Clone> {
  const { host, port, user, password } = inject('postgres');
  clones += 1;
  if (port !== undefined)
    return cloneCell({ hosts: [{ host, port }], user, password, database: 'munshi', ssl: false });
  const name = `test_${process.pid}_${process.env['VITEST_POOL_ID'] ?? '0'}_${clones}`;
  const server = { host, user, password, database: 'postgres' };
  const template = of?.target.database ?? 'template_munshi';
  await onServer(server, (admin) => copyTemplate(admin, template, name));
  const superuser: DatabaseTarget = {
    hosts: [{ host, port: 5432 }],
    user,
    password,
    database: name,
    ssl: false,
  };
  const database = openPatiently(superuser, { poolSize: 6 });
  const { owner, runtime, retention } = rolesOf(superuser);
  return {
    target: runtime,
    owner,
    retention,
    database,
    async alter(text) {
      await database.pool.query(text);
    },
    async drop() {
      // A test that still holds a connection of the pool would be waited for without end.
      void database.close();
      await onServer(server, (admin) => admin.query(`drop database ${name} with (force)`));
    },
  };
}

/**
 * The connections of tests. They are waited for like everything else, and keep a transaction for as
 * long as the test does, while the service's own lose it after five seconds of silence.
 */
function openPatiently(...[target, options]: Parameters<typeof openDatabase>): Database {
  const database = openDatabase(target, { connectMs: PATIENCE_MS, ...options });
  Object.assign(database.pool.options, {
    connectionTimeoutMillis: PATIENCE_MS,
    onConnect: (client: pg.ClientBase) =>
      client.query('set idle_in_transaction_session_timeout = 0'),
  });
  return database;
}

/** On Citus a cell takes the place of a database; the service connects to the node that has it. */
async function cloneCell(coordinator: DatabaseTarget): Promise<Clone> {
  const pool = process.env['VITEST_POOL_ID'] ?? '0';
  // Roles are left behind, and processes of a later run may have the same numbers.
  const name = `test_${process.pid}_${pool}_${Date.now()}_${clones}`;
  const { service, owner, retention } = await createCell(coordinator, name);
  const { hosts } = service;
  const database = openPatiently({ ...coordinator, hosts }, { poolSize: 6, schema: name });
  return {
    target: service,
    owner,
    retention,
    database,
    async alter(text) {
      const admin = openDatabase(coordinator, { poolSize: 1, schema: name });
      await admin.pool.query(text).finally(admin.close);
    },
    async drop() {
      await database.close();
      const admin = openDatabase(coordinator, { poolSize: 1 });
      await admin.pool.query(`drop schema ${name} cascade`).finally(admin.close);
    },
  };
}

const IN_USE = '55006';

/** Postgres copies no database that autovacuum is just working on: then it is tried again. */
async function copyTemplate(admin: pg.Client, template: string, name: string): Promise<void> {
  const copy = `create database ${name} template ${template} strategy file_copy`;
  for (let tries = 5; ; tries -= 1) {
    try {
      await admin.query(copy);
      return;
    } catch (error) {
      if (tries === 0 || (error as { code?: string }).code !== IN_USE) throw error;
    }
  }
}

/** On a connection of its own, which is closed in every case. */
export async function onServer<T>(
  server: pg.ClientConfig,
  work: (admin: pg.Client) => Promise<T>,
): Promise<T> {
  const admin = new pg.Client(server);
  admin.on('error', () => {}); // the work fails with it
  try {
    await admin.connect();
    return await work(admin);
  } finally {
    await admin.end().catch(() => {});
  }
}
