import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findViolations } from '../../apps/server/src/books/invariants.ts';
import { waitForDatabase } from '../../apps/server/src/platform/database/connection/wait-for-database.ts';
import { openDatabase } from '../../apps/server/src/platform/database/db.ts';
import { migrate } from '../../apps/server/src/platform/database/migrate.ts';
import { expectKept } from '../faults/support/kept.ts';
import { startTraffic, type Traffic } from '../faults/support/traffic.ts';
import { onServer } from '../support/database.ts';
import { type Service, startService } from '../support/service.ts';
import { ROOT } from '../tidy/sources.ts';
import { addressOf } from './ha/network.ts';
import { NODES, type Patroni, startPatroni } from './ha/patroni.ts';
import { type SupervisedFleet, startSupervisedFleet } from './ha/supervised-fleet.ts';

let patroni: Patroni;
let service: Service;
let fleet: SupervisedFleet;
let traffic: Traffic;
beforeAll(async () => {
  patroni = await startPatroni({ archived: true });
  const owner = openDatabase(patroni.owner, { poolSize: 1 });
  await waitForDatabase(owner, 30_000);
  await migrate(owner.pool, { runtimeRole: patroni.runtime.user }).finally(owner.close);
  service = await startService({ ROLES: 'http' }, { target: patroni.owner });
  fleet = await startSupervisedFleet(patroni, service.url, 2);
  traffic = await startTraffic(service, fleet, { shoppers: 4, members: 3 });
}, 300_000);
afterAll(async () => {
  await traffic?.close();
  await fleet?.close();
  await service?.close();
  await patroni?.close();
}, 300_000);

const leader = async () => (await patroni.leader()) as number;
const psql = async (sql: string) =>
  (await patroni.run(await leader(), 'psql', '--tuples-only', `--command=${sql}`, 'munshi')).trim();
const pgbackrest = async (...args: readonly string[]) =>
  patroni.run(await leader(), 'pgbackrest', '--stanza=munshi', ...args);
/** Standbys first, and the leader as the last one. */
const leaderLast = async () => {
  const last = await leader();
  return [...NODES.filter((node) => node !== last), last];
};
const signsIn = (user: string, password: string) =>
  onServer({ host: addressOf(1), user, password, database: 'postgres' }, async () => true).catch(
    ({ code }: { code: string }) => code,
  );

test('the API of Patroni and etcd let in the nodes alone, and the API changes nothing without its password', async () => {
  const node = await leader();
  const [api, store] = [8008, 2379] as const;
  for (const [port, at] of [
    [api, '/cluster'],
    [store, '/v2/keys/service/munshi'],
  ] as const) {
    expect((await patroni.ask(node, port, at)).status).toBe(200);
    await expect(patroni.ask(node, port, at, { certificate: false })).rejects.toThrow();
  }
  const restart = { method: 'POST', body: { role: 'replica' } } as const;
  const { status } = await patroni.ask(node, api, '/restart', { ...restart, password: 'another' });
  expect([status, (await patroni.ask(node, api, '/restart', restart)).status]).toEqual([401, 401]);
  await patroni.switchOver();
  await patroni.healthy();
  expect(await leader()).not.toBe(node);
}, 200_000);

test('the passwords of Patroni are changed under load: nothing is lost, every node follows, and the old one is refused', async () => {
  await traffic.progress(50);
  const before = { ...patroni.passwords };
  Object.assign(patroni.passwords, { superuser: 'another one', replication: 'one more' });
  await psql(`alter role postgres password '${patroni.passwords.superuser}'`);
  await psql(`alter role replicator password '${patroni.passwords.replication}'`);
  for (const node of await leaderLast()) {
    await patroni.stop(node);
    patroni.start();
    await patroni.healthy();
    await traffic.progress(50);
  }
  expect(await signsIn('postgres', before.superuser)).toBe('28P01');
  expect(await signsIn('postgres', patroni.passwords.superuser)).toBe(true);
  // A node that has to be rewound, or copied, signs in as both.
  const lost = await leader();
  await patroni.signal(lost, 'node', 'SIGKILL');
  const another = async () => ![undefined, lost].includes(await patroni.leader());
  await expect.poll(another, { timeout: 60_000 }).toBe(true);
  patroni.start();
  await patroni.healthy();
  await traffic.progress(50);
}, 400_000);

test('the cluster is taken back to a moment: what was acknowledged by then is there, what came later is gone, and the standbys follow again', async () => {
  await pgbackrest('stanza-create');
  const settings = Array.from(
    readFileSync(path.join(ROOT, 'deploy/backup/archive.conf'), 'utf8').matchAll(
      /^(\w+) = '?(.*?)'?$/gm,
    ),
    ([, name, value]) => `--pg=${name}=${value}`,
  );
  await patroni.control(await leader(), 'edit-config', 'munshi', '--force', ...settings);
  await patroni.control(await leader(), 'restart', 'munshi', '--force');
  await patroni.healthy();
  await pgbackrest('--type=full', 'backup');
  await traffic.progress(200);
  await traffic.stop();
  const count = () => psql('select count(*) from orders').then(Number);
  const kept = await count();
  const moment = new Date().toISOString().replace('T', ' ').replace('Z', '+00');
  await psql('create table later (number int)');
  for (const number of [0, 1]) await fleet.end(number, 'SIGTERM');
  await service.close();
  await psql('select pg_switch_wal()');

  const nodes = await leaderLast();
  for (const node of nodes) await patroni.stop(node);
  await patroni.forgetCluster();
  const script = path.join(ROOT, 'deploy/backup/restore.sh');
  const [first = 1, ...others] = nodes;
  await patroni.run(first, 'sh', script, patroni.dataOf(first), moment);
  patroni.start(first);
  await expect.poll(() => patroni.leader(), { timeout: 60_000 }).toBe(first);
  for (const node of others) await rm(patroni.dataOf(node), { recursive: true });
  patroni.start();
  await patroni.healthy();

  expect(await count()).toBe(kept);
  expect(await psql("select to_regclass('later') is null")).toBe('t');
  service = await startService({ ROLES: 'http' }, { target: patroni.owner });
  for (const number of [0, 1]) await fleet.restart(number);
  await expectKept(service, traffic);
  expect(await findViolations(service.database.pool, service.app.deps.clock.now())).toEqual([]);
  await pgbackrest('--type=full', 'backup');
}, 400_000);
