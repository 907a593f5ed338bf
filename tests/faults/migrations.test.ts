import { expect, test } from 'vitest';
import { migrate } from '../../apps/server/src/storage/migrate.ts';
import { cloneDatabase } from '../support/database.ts';

test.each([
  ['another process that migrates', 'select pg_advisory_xact_lock(7240501)'],
  ['a transaction that holds a table', 'lock table schema_migrations in access exclusive mode'],
])(
  'a migration that meets %s says so, lets others pass, and goes on when it can',
  async (_name, hold) => {
    const { database, drop } = await cloneDatabase();
    const holder = await database.pool.connect();
    await holder.query('begin');
    await holder.query('set local idle_in_transaction_session_timeout = 0');
    await holder.query(hold);
    const said: string[] = [];
    const migrated = migrate(database.pool, { progress: (text) => said.push(text) });
    await expect
      .poll(() => said, { timeout: 20_000 })
      .toContainEqual(expect.stringContaining('Waiting to migrate the database'));
    const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    expect((await database.pool.query(waiting)).rows).toEqual([]);
    await holder.query('rollback');
    holder.release();
    expect(await migrated).toEqual([]);
    await drop();
  },
);
