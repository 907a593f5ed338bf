import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ReplicatedPostgres, startReplicatedPostgres } from './support/replicated-postgres.ts';

let postgres: ReplicatedPostgres;
beforeAll(async () => {
  postgres = await startReplicatedPostgres();
});
afterAll(() => postgres.close());

test('a standby follows its primary, is promoted, and the node that was overtaken follows in its turn', async () => {
  const [a, b] = postgres.nodes;
  await a.setSynchronous(true);
  await a.query('create table things (name text)');
  await a.query(`insert into things values ('of a')`);
  await b.caughtUp();
  expect(await b.query('select name from things')).toEqual([{ name: 'of a' }]);
  await a.kill();
  await b.promote();
  await b.query(`insert into things values ('of b')`);
  await a.rebuild();
  await a.caughtUp();
  expect(await a.query('select name from things')).toEqual([{ name: 'of a' }, { name: 'of b' }]);
  await a.freeze();
  await a.thaw();
  expect(await a.query('select pg_is_in_recovery() as standby')).toEqual([{ standby: true }]);
  await a.stop();
  await a.start();
  await b.query(`insert into things values ('later')`);
  await a.caughtUp();
});
