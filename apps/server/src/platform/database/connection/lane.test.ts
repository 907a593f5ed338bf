import type pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { type Database, openDatabase } from '../db.ts';
import { createLane, type Lane, type Opening } from './lane.ts';

const { host, user, password } = inject('postgres');
let database: Database;
let lane: Lane;

beforeAll(() => {
  database = openDatabase(
    { user, password, database: 'postgres', ssl: false, hosts: [{ host, port: 5432 }] },
    { poolSize: 1 },
  );
});
afterEach(() => lane.close());
afterAll(() => database.close());

const open = (options: { lifetimeMs?: number } = {}) => {
  const openings: Opening[] = [];
  lane = createLane(database, {
    name: 'test',
    timeoutMs: 10_000,
    prepare: (_client, opening) => void openings.push(opening),
    ...options,
  });
  return openings;
};
const current = () => lane.run(async (client) => client);
const ended = (client: pg.Client) => new Promise((resolve) => client.once('end', resolve));

test('everybody works on one connection', async () => {
  const openings = open();
  const clients = await Promise.all([current(), current(), current()]);
  expect(new Set(clients).size).toBe(1);
  expect(openings).toEqual(['first']);
});

test('an old connection is replaced, and goes on until those who work on it are done', async () => {
  const openings = open({ lifetimeMs: 0 });
  const old = await lane.acquire();
  await old.query('begin');
  await expect.poll(current).not.toBe(old);
  expect(openings.slice(0, 2)).toEqual(['first', 'renewed']);
  expect((await old.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  await old.query('rollback');
  const end = ended(old);
  lane.release(old);
  await end;
});

test('a lost connection is opened again, for those who lose it and those who come after', async () => {
  const openings = open();
  const first = await lane.acquire();
  lane.drop();
  await expect(first.query('select 1')).rejects.toThrow();
  lane.release(first);
  const [second, third] = await Promise.all([current(), current()]);
  expect(second).not.toBe(first);
  expect(third).toBe(second);
  expect(openings).toEqual(['first', 'again']);
});

test('a connection that cannot be prepared is not used, and the next try is a new one', async () => {
  let tries = 0;
  lane = createLane(database, {
    name: 'test',
    timeoutMs: 10_000,
    async prepare(client) {
      tries += 1;
      await client.query(tries === 1 ? 'select 1 / 0' : 'select 1');
    },
  });
  await expect(current()).rejects.toThrow('division by zero');
  expect((await (await current()).query('select 1 as one')).rows).toEqual([{ one: 1 }]);
});
