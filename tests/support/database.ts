import pg from 'pg';
import { inject } from 'vitest';
import { type Database, type DatabaseTarget, openDatabase } from '../../apps/server/src/storage/db.ts';

let clones = 0;

/** A database of its own for a test file, cloned from the migrated template in a few tens of milliseconds. */
export async function cloneDatabase(): Promise<{ readonly target: DatabaseTarget; readonly database: Database; drop(): Promise<void> }> {
  const { host, user, password } = inject('postgres');
  clones += 1;
  const name = `test_${process.pid}_${process.env['VITEST_POOL_ID'] ?? '0'}_${clones}`;
  const server = { host, user, password, database: 'postgres' };
  await onServer(server, (admin) => admin.query(`create database ${name} template template_munshi strategy file_copy`));
  const target: DatabaseTarget = { hosts: [{ host, port: 5432 }], user, password, database: name, ssl: false };
  const database = openDatabase(target, { poolSize: 6 });
  return {
    target,
    database,
    async drop() {
      await database.close();
      await onServer(server, (admin) => admin.query(`drop database ${name} with (force)`));
    },
  };
}

/** On a connection of its own, which is closed whatever happens. */
export async function onServer<T>(server: pg.ClientConfig, work: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client(server);
  admin.on('error', () => {}); // the work fails with it
  try {
    await admin.connect();
    return await work(admin);
  } finally {
    await admin.end().catch(() => {});
  }
}
