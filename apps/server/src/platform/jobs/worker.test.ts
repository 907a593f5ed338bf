import type pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { ClockCheck, ClockDoubt } from '../clock-check.ts';
import { createJobLocks } from '../database/connection/job-locks.ts';
import { type Database, openDatabase } from '../database/db.ts';
import { type Job, startWorker } from './worker.ts';

const BELIEVED: ClockCheck = { doubt: async () => undefined };

const { host, user, password } = inject('postgres');
let database: Database;
let elsewhere: pg.Client;

beforeAll(async () => {
  database = openDatabase(
    { user, password, database: 'postgres', ssl: false, hosts: [{ host, port: 5432 }] },
    { poolSize: 2 },
  );
  elsewhere = await database.openLane('test');
});
afterAll(async () => {
  await elsewhere.end();
  await database.close();
});

test('a job that is woken as its time comes, while another process holds its lock, still does what it was woken for', async () => {
  await elsewhere.query(
    "select pg_advisory_lock(hashtext('munshi job held elsewhere'), hashtext(current_schema()))",
  );
  let wholes = 0;
  let parts = 0;
  const { promise: timePassed, resolve: passTime } = Promise.withResolvers<void>();
  const job: Job = {
    name: 'held elsewhere',
    everyMs: 1,
    async run() {
      wholes += 1;
      return false;
    },
    async runWoken() {
      parts += 1;
      await timePassed;
    },
  };
  const tick: Job = {
    name: 'tick',
    everyMs: 5,
    async run() {
      passTime();
      return false;
    },
  };
  const locks = createJobLocks(database);
  const worker = startWorker({
    locks,
    jobs: [job, tick],
    clockCheck: BELIEVED,
    log: { warn: (detail) => expect.unreachable(JSON.stringify(detail)) },
  });
  worker.wake(job.name);
  await expect.poll(() => parts).toBe(1);
  worker.wake(job.name);
  await expect.poll(() => parts).toBe(2);
  expect(wholes).toBe(0);
  await worker.stop();
  await locks.close();
});

test('`runAll` waits for a run that began before', async () => {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let [begun, over] = [0, false];
  const job: Job = {
    name: 'slow',
    everyMs: 1_000_000,
    async run() {
      begun += 1;
      if (begun > 1) end();
      else {
        await ended;
        await database.pool.query('select 1');
        over = true;
      }
      return false;
    },
  };
  const locks = createJobLocks(database);
  const worker = startWorker({ locks, jobs: [job], clockCheck: BELIEVED, log: { warn() {} } });
  worker.wake(job.name);
  await expect.poll(() => begun).toBe(1);
  await worker.runAll();
  expect(over).toBe(true);
  await worker.stop();
  await locks.close();
});

test('what time alone does and cannot be undone waits for a clock in doubt, and leaves its lock to others; the rest goes on', async () => {
  let doubt: ClockDoubt | undefined = 'differs';
  const runs = { irrevocable: 0, other: 0 };
  const counted: string[] = [];
  const irrevocable: Job = {
    name: 'irrevocable',
    everyMs: 5,
    irrevocable: true,
    async run() {
      runs.irrevocable += 1;
      if (runs.irrevocable === 3) doubt = 'jumped'; // with more of it to do
      return true;
    },
  };
  const other: Job = {
    name: 'other',
    everyMs: 5,
    async run() {
      runs.other += 1;
      return false;
    },
  };
  const locks = createJobLocks(database);
  const taken: string[] = [];
  const worker = startWorker({
    locks: {
      ...locks,
      whileHeld(job, work) {
        taken.push(job);
        return locks.whileHeld(job, work);
      },
    },
    jobs: [irrevocable, other],
    clockCheck: { doubt: async () => doubt },
    log: { warn: (detail) => expect.unreachable(JSON.stringify(detail)) },
    onRun: (job) => counted.push(job),
  });
  await expect.poll(() => runs.other).toBeGreaterThan(3);
  expect([runs.irrevocable, taken.includes('irrevocable')]).toEqual([0, false]);
  doubt = undefined;
  await expect.poll(() => runs.irrevocable).toBe(3);
  const before = runs.other;
  await expect.poll(() => runs.other).toBeGreaterThan(before + 3);
  expect(runs.irrevocable).toBe(3);
  expect(counted).not.toContain('irrevocable');
  await worker.stop();
  await locks.close();
});
