import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { beginCheck, readLatestChecks } from '../../apps/server/src/books/checks.store.ts';
import { createBooksChecks } from '../../apps/server/src/books/service.ts';
import {
  onStandby,
  readLagMs,
} from '../../apps/server/src/platform/database/connection/standby.ts';
import { type Service, startService } from '../support/service.ts';
import {
  type PostgresNode,
  type ReplicatedPostgres,
  startReplicatedPostgres,
} from './support/replicated-postgres.ts';

let postgres: ReplicatedPostgres;
let service: Service;
beforeAll(async () => {
  postgres = await startReplicatedPostgres();
  service = await startService({ ROLES: 'http' }, { target: postgres.nodes[0].target });
  const { pool } = service.database;
  await beginCheck(pool, randomUUID(), service.app.deps.clock.now());
});
afterAll(async () => {
  await service?.close();
  await postgres?.close();
});

/** Goes on with the check that has begun, by a rule, on this node. */
function checkOn({ target: standby }: PostgresNode, behindMaxMs?: number): Promise<boolean> {
  const { clock, ids, log } = service.app.deps;
  const schedule = { minuteOfDay: null, standby };
  const limit = behindMaxMs === undefined ? {} : { behindMaxMs };
  return createBooksChecks({
    database: service.database,
    clock,
    ids,
    log,
    schedule,
    ...limit,
  }).run();
}

async function rulesChecked() {
  const { database, app } = service;
  return (await readLatestChecks(database.pool, app.deps.clock.now())).latest?.rulesChecked;
}

test('the nightly check reads a standby that replays, and fails where it is too far behind', async () => {
  const [, standby] = postgres.nodes;
  await standby.caughtUp();
  expect(await checkOn(standby)).toBe(true);
  expect(await rulesChecked()).toBe(1);
  await standby.query('select pg_wal_replay_pause()');
  const isLate = `select clock_timestamp() - pg_last_xact_replay_timestamp() > interval '1 second' as late`;
  await expect.poll(() => standby.query(isLate)).toEqual([{ late: true }]);
  await expect(checkOn(standby, 1_000)).rejects.toThrow('s behind its primary');
  expect(await rulesChecked()).toBe(1);
  // A quarter of an hour is no reason to fail.
  expect(await checkOn(standby)).toBe(true);
  expect(await rulesChecked()).toBe(2);
  await standby.query('select pg_wal_replay_resume()');
  await standby.caughtUp();
});

test('of a standby that has replayed nothing since it started nobody knows how late it is', async () => {
  const [primary, standby] = postgres.nodes;
  // Where the primary ends is where the standby begins: no commit follows.
  await primary.stop();
  const allReplayed = 'select pg_last_wal_replay_lsn() = pg_last_wal_receive_lsn() as replayed';
  await expect.poll(() => standby.query(allReplayed)).toEqual([{ replayed: true }]);
  await standby.stop();
  await standby.start();
  const lag = onStandby(standby.target, (client) =>
    readLagMs(client, service.database.pool, Number.POSITIVE_INFINITY),
  );
  await expect(lag).rejects.toThrow('has replayed no transaction since it started');
  await primary.start();
  await expect.poll(() => rulesChecked().catch(() => 'away')).toBe(2);
});

test('the nightly check fails on a standby that was promoted by mistake, and reads the primary where that is named', async () => {
  const [primary, standby] = postgres.nodes;
  await standby.promote();
  await expect(checkOn(standby)).rejects.toThrow('is no standby any more');
  expect(await rulesChecked()).toBe(2);
  expect(await checkOn(primary)).toBe(true);
  expect(await rulesChecked()).toBe(3);
});
