import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createCell, type NewCell } from '../../../apps/server/src/cells.ts';
import {
  type DatabaseTarget,
  readDatabaseUrl,
} from '../../../apps/server/src/platform/config/database-url.ts';
import { createChannel } from '../../../apps/server/src/platform/database/connection/channel.ts';
import { createJobLocks } from '../../../apps/server/src/platform/database/connection/job-locks.ts';
import { openDatabase } from '../../../apps/server/src/platform/database/db.ts';
import { isMigrated, migrate } from '../../../apps/server/src/platform/database/migrate.ts';
import { statements } from '../../../apps/server/src/platform/database/statement.ts';
import { onServer } from '../../support/database.ts';
import { openEventStream } from '../../support/event-stream.ts';
import {
  createMember,
  createMerchant,
  createOrder,
  orderStatus,
  type TestMerchant,
} from '../../support/fixtures.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { databaseUrl } from '../../support/process.ts';
import { scrape } from '../../support/scrape.ts';
import { OPERATOR_TOKEN, type Service, startService } from '../../support/service.ts';
import { bareEnvironment } from '../../support/spoken.ts';
import { expectSound } from '../../support/verify.ts';

const MUNSHI = path.join(import.meta.dirname, '../../../bin/munshi.ts');
const name = `cells_${process.pid}`;
const { host, port = 5432, user, password } = inject('postgres');
const server = { host, port, user, password, database: 'postgres' };
const onCitus = inject('postgres').port !== undefined;
/** The database that has both cells, as the superuser. */
const cluster: DatabaseTarget = {
  hosts: [{ host, port }],
  user,
  password,
  database: onCitus ? 'munshi' : name,
  ssl: false,
};
/**
 * Who makes the cell in the west: on Citus the superuser, elsewhere a role that may do that alone.
 */
const maker: DatabaseTarget = onCitus
  ? cluster
  : { ...cluster, user: `${name}_maker`, password: 'a-password' };
const [EAST, WEST] = [`${name}_east`, `${name}_west`];

/** A cell with a service that runs in it, and a merchant of its own. */
interface Running {
  readonly cell: NewCell;
  readonly service: Service;
  readonly merchant: TestMerchant;
}
let east: Running;
let west: Running;

async function run(schema: string, by: DatabaseTarget): Promise<Running> {
  const cell = await createCell(by, schema);
  const service = await startService({}, { target: cell.service });
  return { cell, service, merchant: await createMerchant(service, { balance: '1000' }) };
}

/** A command of `munshi` on the cells of this database. */
const munshi = (...args: readonly string[]) => munshiAs(cluster, ...args);
const munshiAs = (who: DatabaseTarget, ...args: readonly string[]) =>
  munshiIn(process.cwd(), who, ...args);
const munshiIn = (cwd: string, who: DatabaseTarget, ...args: readonly string[]) =>
  new Promise<{ readonly code: number; readonly out: string; readonly error: string }>(
    (resolve) => {
      const env = { ...bareEnvironment(), CELLS_DATABASE_URL: databaseUrl(who) };
      execFile(process.execPath, [MUNSHI, 'cell', ...args], { cwd, env }, (failure, out, error) =>
        resolve({ code: Number(failure?.code ?? 0), out, error }),
      );
    },
  );

beforeAll(async () => {
  if (!onCitus) await onServer(server, (admin) => admin.query(`create database ${name}`));
  if (!onCitus)
    await onServer(server, (admin) =>
      admin.query(
        `create role ${maker.user} login createrole password '${maker.password}';
         grant connect, create on database ${name} to ${maker.user} with grant option`,
      ),
    );
  // At once, as two people may make them.
  [east, west] = await Promise.all([run(EAST, cluster), run(WEST, maker)]);
});

afterAll(async () => {
  for (const { service } of [east, west]) {
    await expectSound(service);
    await service.close();
  }
  if (!onCitus) await onServer(server, (admin) => admin.query(`drop database ${name}`));
  await onServer({ ...server, database: onCitus ? 'munshi' : 'postgres' }, async (admin) => {
    for (const schema of [EAST, WEST]) {
      const roles = `${schema}, ${schema}_owner, ${schema}_retention`;
      // As operate/cells.md removes a cell.
      if (onCitus) await admin.query(`drop schema ${schema} cascade; drop owned by ${roles}`);
      await admin.query(`drop role ${roles}`);
    }
    if (!onCitus) await admin.query(`drop role ${maker.user}`);
  });
});

/** On a connection with the service's role of that cell. */
async function connected<T>({ cell }: Running, work: (client: pg.Client) => Promise<T>) {
  const { hosts, user, password, database } = cell.service;
  return onServer({ host: hosts[0]?.host, port: hosts[0]?.port, user, password, database }, work);
}

describe('two cells in one database', () => {
  test('who may make cells lists those too that are another one’s, and checks their own', async () => {
    const { out, code } = await munshiAs(maker, 'list');
    expect(code).toBe(0);
    const line = (cell: string) => out.split('\n').find((one) => one.startsWith(`${cell} `));
    expect(line(WEST)).toMatch(/\d+ migrations/);
    expect(line(EAST)).toMatch(onCitus ? /\d+ migrations/ : /not this role’s to read/);
    expect((await munshiAs(maker, 'verify', WEST)).out).toContain('invariants hold');
  });

  test('orders, keys, wallets and lists of one are not in the other', async () => {
    const { orderId } = await createOrder(east.merchant);
    expect((await orderStatus(east.merchant, orderId)).status).toBe('Awaiting');
    const elsewhere = { ...east.merchant, url: west.service.url };
    const asked = await fetch(`${elsewhere.url}/api/merchant/orders/${orderId}/status`, {
      headers: { 'SVC-API-Key': elsewhere.apiKey },
    });
    expect(asked.status).toBe(401);
    const operator = operatorClient(west.service);
    expect((await operator.get(`/orders/${orderId}`)).status).toBe(404);
    expect((await operator.get('/orders')).data).toEqual([]);
    expect((await operator.get('/merchants')).data).toMatchObject([
      { merchantId: west.merchant.merchantId },
    ]);
    expect((await operatorClient(east.service).get('/orders')).data).toMatchObject([{ orderId }]);
  });

  test('a member of one takes no order of the other, and its metrics count their own', async () => {
    const member = await createMember(west.service, { methods: ['TillID'] });
    const body = { walletType: 'TillID' };
    const [here, there] = await Promise.all([
      createOrder(west.merchant, body),
      createOrder(east.merchant, body),
    ]);
    await expect
      .poll(async () => (await operatorClient(west.service).get(`/orders/${here.orderId}`)).data)
      .toMatchObject({ memberId: member.memberId });
    expect((await operatorClient(east.service).get(`/orders/${there.orderId}`)).data).toMatchObject(
      { memberId: null },
    );
    const online = async ({ service }: Running) =>
      (await scrape(service)).value('munshi_members_able', { method: 'TillID' }) ?? 0;
    await expect.poll(() => online(west)).toBeGreaterThan(0);
    expect(await online(east)).toBe(0);
  });

  test('an event reaches those who listen in its cell', async () => {
    const headers = { Authorization: `Bearer ${OPERATOR_TOKEN}` };
    const listen = ({ service }: Running) =>
      openEventStream(`${service.url}/api/operator/events`, headers);
    const streams = await Promise.all([listen(east), listen(west)]);
    const { orderId } = await createOrder(east.merchant);
    await expect.poll(() => streams[0].text()).toContain(orderId);
    const later = await createOrder(west.merchant);
    await expect.poll(() => streams[1].text()).toContain(later.orderId);
    expect(streams[1].text()).not.toContain(orderId);
    for (const stream of streams) stream.close();
  });

  test('a message of one cell’s processes is received by its other processes alone', async () => {
    const received: Record<string, string[]> = { east: [], west: [] };
    const listening: Promise<void>[] = [];
    const open = (running: Running, by: string) => {
      const database = openDatabase(running.cell.service, { poolSize: 1 });
      const { promise, resolve } = Promise.withResolvers<void>();
      listening.push(promise);
      const channel = createChannel({
        database,
        name: 'told',
        log: { warn() {} },
        onMessage: (payload) => received[by]?.push(payload),
        onListening: resolve,
      });
      channel.listen();
      return { send: channel.send, close: () => channel.close().then(database.close) };
    };
    const channels = [open(east, 'east'), open(west, 'west')];
    await Promise.all(listening);
    channels[0]?.send('from the east');
    await expect.poll(() => received['east']).toEqual(['from the east']);
    channels[1]?.send('from the west');
    await expect.poll(() => received['west']).toEqual(['from the west']);
    expect(received['east']).toEqual(['from the east']);
    for (const channel of channels) await channel.close();
  });

  test('a job runs in both at once, and in one process of each', async () => {
    const databases = [east, east, west].map(({ cell }) =>
      openDatabase(cell.service, { poolSize: 1 }),
    );
    const locks = databases.map(createJobLocks);
    const ran: string[] = [];
    await locks[0]?.whileHeld('sweep', async () => {
      ran.push('east');
      await locks[1]?.whileHeld('sweep', async () => void ran.push('east again'));
      await locks[2]?.whileHeld('sweep', async () => void ran.push('west'));
    });
    expect(ran).toEqual(['east', 'west']);
    for (const lock of locks) await lock.close();
    for (const database of databases) await database.close();
  });

  test('every advisory lock of a transaction is another one in the other cell', async () => {
    const texts = [...statements].filter(([, text]) => text.includes('pg_advisory_xact_lock'));
    expect(texts.length).toBeGreaterThan(4);
    const id = randomUUID();
    const held = (running: Running) =>
      connected(running, async (client) => {
        await client.query('begin');
        for (const [, text] of texts) await client.query(text, text.includes('$1') ? [id] : []);
        const { rows } = await client.query(
          `select classid, objid from pg_locks
           where locktype = 'advisory' and pid = pg_backend_pid() order by 1, 2`,
        );
        return rows.map(({ classid, objid }) => `${classid} ${objid}`);
      });
    const [here, there] = [await held(east), await held(west)];
    expect(here.length).toBeGreaterThan(3);
    expect(here.filter((key) => there.includes(key))).toEqual([]);
  });

  test('the role of one reads, changes and makes nothing in the other', async () => {
    for (const sql of [
      `select * from ${WEST}.orders`,
      `update ${WEST}.settings set clock_offset_ms = 1`,
      `create table ${WEST}.mine (id integer primary key)`,
      `create table ${EAST}.mine (id integer primary key)`,
    ])
      await expect(connected(east, (client) => client.query(sql))).rejects.toMatchObject({
        code: '42501',
      });
  });

  test('migrations of one wait for nobody who migrates the other', async () => {
    const [here, there] = [east, west].map(({ cell }) => openDatabase(cell.owner, { poolSize: 1 }));
    const lock = 'select pg_advisory_lock(7240501, hashtext(current_schema()))';
    const held = await here?.pool.connect();
    await held?.query(lock);
    expect(await migrate(there?.pool as pg.Pool)).toEqual([]);
    held?.release(true);
    await here?.close();
    await there?.close();
  });

  test('an empty schema beside migrated ones lacks its migrations', async () => {
    const empty = `${name}_empty`;
    const admin = openDatabase(cluster, { poolSize: 1 });
    await admin.pool.query(`create schema ${empty}`);
    const beside = openDatabase(cluster, { poolSize: 1, schema: `${empty}` });
    expect(await isMigrated(beside.pool)).toBe(false);
    await beside.close();
    await admin.pool.query(`drop schema ${empty}`);
    await admin.close();
  });
});

describe('munshi cell', () => {
  test('lists every cell, and verifies one by one', async () => {
    const listed = await munshi('list');
    expect(listed).toMatchObject({ code: 0, error: '' });
    for (const cell of [EAST, WEST])
      expect(listed.out).toMatch(new RegExp(`^${cell} +[\\d.]+ MiB  \\d+ migrations`, 'm'));

    const { pool } = west.service.database;
    const spoil = (by: number) =>
      pool.query('update merchant_wallets set balance = balance + $1', [by]);
    await spoil(1);
    const broken = await munshi('verify', WEST);
    expect(broken.code).toBe(1);
    expect(broken.out).toContain(west.merchant.merchantId);
    expect(await munshi('verify', EAST)).toMatchObject({ code: 0 });
    await spoil(-1);
  });

  test('refuses what cannot be, and says what can', async () => {
    const TAKEN = `${name}_taken`;
    const roles = (sql: string) => onServer(server, (admin) => admin.query(`${sql} role ${TAKEN}`));
    await roles('create');
    const refusals = await Promise.all([
      munshi('create', EAST),
      munshi('create', 'East-1'),
      munshi('verify', 'nowhere'),
      munshi('move', EAST, 'node:5432'),
      munshi('create', TAKEN),
    ]);
    expect(refusals.map(({ code, out }) => ({ code, out }))).toEqual(
      refusals.map(() => ({ code: 1, out: '' })),
    );
    expect(refusals.map(({ error }) => error)).toEqual([
      `munshi: there is a cell "${EAST}" already\n`,
      expect.stringContaining('"East-1" cannot name a cell: it takes a letter'),
      'munshi: there is no cell "nowhere": see munshi cell list\n',
      expect.stringContaining(onCitus ? 'is no node for cells' : 'the database has no Citus'),
      expect.stringContaining(`there is a role "${TAKEN}" already`),
    ]);
    await roles('drop');
  });

  test('takes up a cell that was not made to its end, with new passwords', async () => {
    const admin = openDatabase(cluster, { poolSize: 1 });
    await admin.pool.query(`comment on schema ${EAST} is null`);
    await admin.close();
    const made = await createCell(cluster, EAST);
    expect(made.service.password).not.toBe(east.cell.service.password);
    const served = openDatabase(made.service, { poolSize: 1 });
    expect(await isMigrated(served.pool)).toBe(true);
    await served.close();
    Object.assign(east, { cell: made });
  });

  test('makes no role before its passwords are kept', async () => {
    const kept: string[] = [];
    const making = createCell(cluster, `${name}_lost`, undefined, async ({ service }) => {
      kept.push(service.user);
      throw new Error('killed');
    });
    await expect(making).rejects.toThrow('killed');
    expect(kept).toEqual([`${name}_lost`]);
    const { rowCount } = await onServer(server, (admin) =>
      admin.query(`select from pg_roles where rolname like '${name}_lost%'`),
    );
    expect(rowCount).toBe(0);
  });

  test('keeps the passwords of a new cell in a file of its maker, and makes other ones', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'munshi-cells-'));
    const NORTH = `${name}_north`;
    const file = path.join(folder, `${NORTH}.passwords`);
    const urls = async () => {
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      const lines = (await readFile(file, 'utf8')).trim().split('\n');
      expect(lines.map((line) => line.split('=')[0])).toEqual([
        ...['DATABASE_URL', 'DATABASE_OWNER_URL', 'RETENTION_DATABASE_URL'],
      ]);
      return lines.map((line) => readDatabaseUrl('DATABASE_URL', line.replace(/^\w+=/, ''), {}));
    };
    const connects = (targets: readonly DatabaseTarget[]) =>
      Promise.all(
        targets.map(({ hosts, user, password, database }) =>
          onServer({ ...hosts[0], user, password, database }, (client) =>
            client.query('select'),
          ).then(
            () => true,
            () => false,
          ),
        ),
      );
    const { code, out } = await munshiIn(folder, cluster, 'create', NORTH);
    expect(code).toBe(0);
    expect(out).toContain(file);
    expect(out).toContain(await readFile(file, 'utf8'));
    const first = await urls();
    expect(await connects(first)).toEqual([true, true, true]);
    await rm(file);
    expect((await munshiIn(folder, cluster, 'passwords', NORTH)).code).toBe(0);
    expect(await connects(first)).toEqual([false, false, false]);
    expect(await connects(await urls())).toEqual([true, true, true]);
    await onServer({ ...server, database: cluster.database }, (admin) =>
      admin.query(
        `drop schema ${NORTH} cascade; drop owned by ${NORTH}, ${NORTH}_owner, ${NORTH}_retention;
         drop role ${NORTH}, ${NORTH}_owner, ${NORTH}_retention`,
      ),
    );
    await rm(folder, { recursive: true });
  });
});
