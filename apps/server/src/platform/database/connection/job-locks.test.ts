import type pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Database, openDatabase } from '../db.ts';
import { createJobLocks } from './job-locks.ts';

const { host, user, password } = inject('postgres');
let database: Database;

beforeAll(() => {
  database = openDatabase(
    { user, password, database: 'postgres', ssl: false, hosts: [{ host, port: 5432 }] },
    { poolSize: 1 },
  );
});
afterAll(() => database.close());

test('a job that fails with its lost session leaves the newer session to the jobs that it holds', async () => {
  const sessions: pg.Client[] = [];
  const locks = createJobLocks({
    ...database,
    async openLane(...args) {
      const session = await database.openLane(...args);
      sessions.push(session);
      return session;
    },
  });
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  const failing = locks.whileHeld('first job', () => {
    begin();
    return over;
  });
  await begun;
  sessions[0]?.connection.stream.destroy();
  await locks.whileHeld('second job', async (stillHeld) => {
    end();
    await expect(failing).rejects.toThrow();
    expect(await stillHeld()).toBe(true);
    await locks.whileHeld('third job', async () => {});
  });
  expect(sessions).toHaveLength(2);
  await locks.close();
});
