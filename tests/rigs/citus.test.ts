import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCell, type NewCell } from '../../apps/server/src/cells.ts';
import {
  findLostTriggers,
  listCells,
  moveCell,
} from '../../apps/server/src/platform/database/cells.ts';
import { type Database, openDatabase } from '../../apps/server/src/platform/database/db.ts';
import { migrate } from '../../apps/server/src/platform/database/migrate.ts';
import { GUARD } from '../../apps/server/src/platform/database/statement.ts';
import { createMember, createMerchant, createOrder, signedOrder } from '../support/fixtures.ts';
import { type ServerProcess, startProcess } from '../support/process.ts';
import { MASTER_KEY, type Service, startService } from '../support/service.ts';
import { expectSound } from '../support/verify.ts';
import { ROOT } from '../tidy/sources.ts';
import { type CitusCluster, startCitus } from './citus/cluster.ts';

/** Full size with CITUS_MOVES=20; short without. */
const MOVES = Number(process.env['CITUS_MOVES'] ?? 4);
const CONNECTIONS = 16;
const PROCESSES = 2;
const CELL = 'pk';

let cluster: CitusCluster;
let cell: NewCell;
let service: Service;
let admin: Database;
const servers: ServerProcess[] = [];

beforeAll(async () => {
  cluster = await startCitus();
  cell = await createCell(cluster.coordinator, CELL);
  admin = openDatabase(cluster.coordinator, { poolSize: 2 });
  service = await startService({ ROLES: 'http', MASTER_KEY }, { target: cell.service });
  for (let at = 0; at < PROCESSES; at += 1)
    servers.push(await startProcess({ target: cell.service, url: service.url }));
}, 300_000);

afterAll(async () => {
  for (const server of servers) await server.stop();
  await service?.close();
  await admin?.close();
  await cluster?.close();
}, 60_000);

const nodeOfCell = async () => (await listCells(admin.pool))[0]?.node as string;
const otherNode = async () => {
  const node = await nodeOfCell();
  return cluster.nodes.slice(1).find((one) => one !== node) as string;
};

/** Orders as merchants ask for them: each until it is answered, under one Idempotency-Key. */
async function underLoad(faults: readonly (() => Promise<unknown>)[]) {
  const merchant = await createMerchant(service, { balance: '100000000' });
  for (let at = 0; at < 20; at += 1) await createMember(service, { float: '100000000' });
  const acknowledged: string[] = [];
  const other = new Map<string, number>();
  let [repeats, silenceMs, saidAt, over] = [0, 0, performance.now(), false];
  const ask = async (at: number) => {
    const url = servers[at % servers.length]?.url as string;
    for (let number = 0; !over; number += 1) {
      const kind =
        number % 3 === 0
          ? { orderType: 'Withdrawal', customerAccountNumber: '03001234567' }
          : { orderType: 'Deposit' };
      const body = {
        amount: 1500,
        walletType: 'ProviderA',
        merchantOrderRef: randomUUID(),
        ...kind,
      };
      const idempotencyKey = randomUUID();
      for (;;) {
        const response = await signedOrder({ ...merchant, url }, body, { idempotencyKey }).catch(
          () => undefined,
        );
        if (response?.status === 200) {
          acknowledged.push(
            ((await response.json()) as { data: { orderId: string } }).data.orderId,
          );
          silenceMs = Math.max(silenceMs, performance.now() - saidAt);
          saidAt = performance.now();
          break;
        }
        repeats += 1;
        const said = response === undefined ? 'no answer' : `${response.status}`;
        other.set(said, (other.get(said) ?? 0) + 1);
      }
    }
  };
  const asking = Array.from({ length: CONNECTIONS }, (_, at) => ask(at));
  const answeredSince = (count: number) =>
    expect.poll(() => acknowledged.length, { timeout: 120_000 }).toBeGreaterThan(count + 50);
  for (const fault of faults) {
    await answeredSince(acknowledged.length);
    await fault();
  }
  await answeredSince(acknowledged.length);
  over = true;
  await Promise.all(asking);
  const { rows } = await service.database.pool.query(
    'select order_id from orders where merchant_id = $1',
    [merchant.merchantId],
  );
  const stored = new Set(rows.map((row) => row.order_id));
  const lost = acknowledged.filter((id) => !stored.has(id)).length;
  const doubled = stored.size - new Set(acknowledged).size + lost;
  const said = { faults: faults.length, acknowledged: acknowledged.length, lost, doubled, repeats };
  console.log(JSON.stringify({ ...said, silenceMs: Math.round(silenceMs), answers: [...other] }));
  return { lost, doubled, unexpected: [...other.keys()].filter((said) => !/^(503|no)/.test(said)) };
}

const NOTHING_WRONG = { lost: 0, doubled: 0, unexpected: [] };

test('every trigger of a cell is on its node', async () => {
  expect(await findLostTriggers(admin.pool, CELL)).toEqual([]);
});

test('a cell does not move from under somebody who has locked its rows', async () => {
  await createMerchant(service);
  const { hosts, user, password, database } = cell.service;
  const holder = new pg.Client({ ...hosts[0], user, password, database });
  await holder.connect();
  await holder.query('begin');
  await holder.query(GUARD.text);
  await holder.query('select from merchant_wallets for update');
  const from = await nodeOfCell();
  const to = await otherNode();
  const moving = moveCell(admin.pool, CELL, to);
  const waiting = async () =>
    (
      await Promise.all(
        cluster.nodes.map((node) => cluster.sql(node, 'select from pg_locks where not granted')),
      )
    ).flat().length;
  await expect.poll(waiting, { timeout: 60_000 }).toBeGreaterThan(0);
  expect(await nodeOfCell()).toBe(from);
  await holder.query('commit');
  await holder.end();
  await moving;
  expect(await nodeOfCell()).toBe(to);
}, 120_000);

/** Later migrations, as they would be written: what tables, indexes and functions need. */
const LATER = {
  '9998_later.sql': `alter table orders add column later text;
alter table orders add constraint later_is_short check (length(later) < 10) not valid;
alter table orders validate constraint later_is_short;
create function later_of(said text) returns text language sql immutable as $$
  select upper(said)
$$;
create table later_things (order_id uuid primary key, said text not null);
`,
  '9999_later_index.sql': `-- no transaction
create index concurrently if not exists orders_later on orders (later) where later is not null;
`,
};

test('a later migration runs while the cell lies on a worker and is used', async () => {
  const merchant = await createMerchant(service, { balance: '1000' });
  const folder = await mkdtemp(path.join(tmpdir(), 'munshi-later-'));
  const migrations = path.join(ROOT, 'apps/server/src/platform/database/migrations');
  await cp(migrations, folder, { recursive: true });
  for (const [name, sql] of Object.entries(LATER)) await writeFile(path.join(folder, name), sql);
  const owner = openDatabase(cell.owner, { poolSize: 1 });
  const roles = { runtimeRole: cell.service.user, retentionRole: cell.retention.user };
  expect(await migrate(owner.pool, { ...roles, folder })).toEqual(Object.keys(LATER));

  const { orderId } = await createOrder(merchant);
  const there = openDatabase(
    { ...cluster.coordinator, hosts: cell.service.hosts },
    {
      poolSize: 1,
      schema: CELL,
    },
  );
  const { rows } = await there.pool.query(
    "update orders set later = later_of('said') where order_id = $1 returning later",
    [orderId],
  );
  expect(rows).toEqual([{ later: 'SAID' }]);
  const shards = await cluster.sql(
    cluster.nodes[0] as string,
    `select result from run_command_on_shards('${CELL}.orders', $$
       select count(*) from pg_index where indrelid = '%s'::regclass and indexrelid::regclass::text ~ 'orders_later'
     $$)`,
  );
  expect(shards).toEqual([{ result: '1' }]);
  const nodes = await cluster.sql(
    cluster.nodes[0] as string,
    `select nodename || ':' || nodeport as node from citus_shards where table_name = '${CELL}.later_things'::regclass`,
  );
  expect(nodes).toEqual([{ node: await nodeOfCell() }]);
  expect(await findLostTriggers(admin.pool, CELL)).toEqual([]);
  await moveCell(admin.pool, CELL, await otherNode());
  await expectSound(service);
  for (const sql of [
    'drop table later_things',
    'drop index orders_later',
    'drop function later_of',
    'alter table orders drop column later',
  ])
    await owner.pool.query(sql);
  await Promise.all([owner.close(), there.close(), rm(folder, { recursive: true })]);
}, 300_000);

test('moves under load lose nothing and double nothing', async () => {
  const move = async () => moveCell(admin.pool, CELL, await otherNode());
  expect(await underLoad(Array.from({ length: MOVES }, () => move))).toEqual(NOTHING_WRONG);
  expect(await findLostTriggers(admin.pool, CELL)).toEqual([]);
  await expectSound(service);
}, 900_000);

test('crashes of each node under load lose nothing and double nothing', async () => {
  const [coordinator = '', ...workers] = cluster.nodes;
  const crashes = [...workers, coordinator, ...workers].map((node) => () => cluster.crash(node));
  expect(await underLoad(crashes)).toEqual(NOTHING_WRONG);
  await expectSound(service);
}, 900_000);
