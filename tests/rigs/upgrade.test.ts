import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readlink, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import type { DatabaseTarget } from '../../apps/server/src/platform/config/database-url.ts';
import { openDatabase } from '../../apps/server/src/platform/database/db.ts';
import { prepareRoles, rolesOf } from '../../apps/server/src/platform/database/roles.ts';
import { type Fleet, startFleet } from '../faults/support/fleet.ts';
import { expectKept } from '../faults/support/kept.ts';
import { type Fixtures, startTraffic } from '../faults/support/traffic.ts';
import { breaches } from '../support/checked-fetch.ts';
import { onServer } from '../support/database.ts';
import { createOrder, type TestMerchant } from '../support/fixtures.ts';
import { operatorClient, secondOperator } from '../support/operator-client.ts';
import { openPage } from '../support/page-client.ts';
import { databaseUrl } from '../support/process.ts';
import { MASTER_KEY, type Service, startService } from '../support/service.ts';
import { bareEnvironment, listenTo } from '../support/spoken.ts';
import { ROOT } from '../tidy/sources.ts';

/** Wherever they have been: a move adds none. */
const MIGRATIONS = ':(glob)apps/server/src/**/migrations/*.sql';
const DATABASE = `upgrade_${process.pid}`;

const { host, user, password } = inject('postgres');
const server = { host, user, password, database: 'postgres' };
const superuser: DatabaseTarget = {
  hosts: [{ host, port: 5432 }],
  user,
  password,
  database: DATABASE,
  ssl: false,
};
const roles = rolesOf(superuser);
const { owner, runtime } = roles;

const git = (...args: readonly string[]) =>
  execFileSync('git', ['-C', ROOT, ...args], { encoding: 'utf8' }).trim();

/**
 * The version before: the commit before the newest one that added a migration, or what
 * UPGRADE_FROM names.
 */
let before: string;
/** Of the version before, until every process is of this one. */
let service: Service;
/** What a test does to a service of the version before in its own process. */
let fixtures: Fixtures;
let fleet: Fleet;
beforeAll(async () => {
  const newest = git('log', '-1', '-M', '--diff-filter=A', '--format=%H', '--', MIGRATIONS);
  before = await checkOut(process.env['UPGRADE_FROM'] ?? `${newest}^`);
  await onServer(server, (admin) => admin.query(`create database ${DATABASE}`));
  const supervisor = openDatabase(superuser, { poolSize: 1 });
  await prepareRoles(supervisor.pool, roles).finally(supervisor.close);
  await munshi(before, 'migrate');
  const support = (file: string) => import(path.join(before, 'tests/support', file));
  const old: { startService: typeof startService } = await support('service.ts');
  service = await old.startService({ ROLES: 'http' }, { target: superuser });
  fixtures = await support('fixtures.ts');
  fleet = await startFleet({ target: runtime, url: service.url }, 2, {}, before);
});
afterAll(async () => {
  await fleet?.close();
  await service?.close();
  await onServer(server, (admin) => admin.query(`drop database ${DATABASE} with (force)`));
  git('worktree', 'remove', '--force', before);
  await rm(path.dirname(before), { recursive: true, force: true });
});

// What the version before answers is by its own contract.
afterEach(async () => void (await breaches()));

/** A checkout with the packages that are installed here, and the workspaces of its own. */
async function checkOut(commit: string): Promise<string> {
  const folder = path.join(await mkdtemp(path.join(tmpdir(), 'munshi-before-')), 'checkout');
  git('worktree', 'add', '--detach', folder, commit);
  await linkPackages(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
  for (const workspace of git('-C', folder, 'ls-files', '*/package.json').split('\n')) {
    const own = path.join(path.dirname(workspace), 'node_modules');
    if (existsSync(path.join(ROOT, own)))
      await symlink(path.join(ROOT, own), path.join(folder, own));
  }
  return folder;
}

async function linkPackages(installed: string, folder: string): Promise<void> {
  const ours = '@munshi';
  await mkdir(path.join(folder, ours), { recursive: true });
  for (const name of await readdir(installed))
    if (name !== ours) await symlink(path.join(installed, name), path.join(folder, name));
  // npm's links to workspaces are relative: the same ones lead to those of the checkout.
  for (const name of await readdir(path.join(installed, ours)))
    await symlink(await readlink(path.join(installed, ours, name)), path.join(folder, ours, name));
}

/** Runs a command on the database, of that version, as the job before an upgrade does. */
async function munshi(checkout: string, command: string): Promise<string> {
  const { exited, said } = listenTo(
    process.execPath,
    [path.join(checkout, 'bin/munshi.ts'), command],
    {
      cwd: checkout,
      env: {
        ...bareEnvironment(),
        DATABASE_URL: databaseUrl(runtime),
        DATABASE_OWNER_URL: databaseUrl(owner),
        MASTER_KEY,
      },
    },
  );
  expect(await exited, said()).toBe(0);
  return said();
}

async function applied(): Promise<number> {
  const { rows } = await service.database.pool.query(
    'select count(*)::integer as count from schema_migrations',
  );
  return rows[0].count;
}

/** Operators of this version at work while processes of the version before settle. */
function startDesk(desk: Service, merchant: TestMerchant) {
  const counter = operatorClient(desk);
  const signer = secondOperator(desk);
  const done = { closings: 0, pauses: 0, claims: 0 };
  let working = true;

  async function closeShift() {
    const begun = await counter.post('/closings', {});
    expect(begun, begun.text).toMatchObject({ status: 200 });
    const path = `/closings/${begun.data.closingId}`;
    const members = await counter.get(`${path}/members?limit=200`);
    for (const { memberId, closing } of members.data)
      expect(await counter.post(`${path}/counts`, { memberId, counted: closing })).toMatchObject({
        status: 200,
      });
    const { countedAt } = (await counter.get(path)).data;
    const signed = await signer.post(`${path}/sign`, { countedAt });
    expect(signed, signed.text).toMatchObject({ status: 200 });
    done.closings += 1;
  }

  async function pauseAMember() {
    const { data } = await counter.get('/members?limit=50');
    const { memberId, maxOpenOrders } = data[done.pauses % data.length];
    for (const open of [0, maxOpenOrders])
      expect(await counter.patch(`/members/${memberId}`, { maxOpenOrders: open })).toMatchObject({
        status: 200,
      });
    done.pauses += 1;
  }

  /** What a customer claims of a process of the version before is found and completed here. */
  async function completeAClaim() {
    const order = await createOrder(merchant);
    const page = openPage(order);
    await page.data('open');
    const act = async (action: string) => {
      const answer = await counter.post(`/orders/${order.orderId}/${action}`, { note: 'a test' });
      expect(answer, answer.text).toMatchObject({ status: 200 });
    };
    await act('cancel');
    if ((await page.post('claim', { transactionDigits: '4711' })).status !== 200) return;
    await act('confirm');
    const { lateClaims } = (await counter.get(`/orders/${order.orderId}`)).data;
    expect(lateClaims).toMatchObject([{ status: 'closed', note: 'a test' }]);
    done.claims += 1;
  }

  async function work() {
    while (working) {
      await closeShift();
      await pauseAMember();
      await completeAClaim();
    }
  }
  const running = work();
  running.catch(() => {}); // thrown to the caller that awaits the stop
  return {
    async stop() {
      working = false;
      await running;
      return done;
    },
  };
}

test('a version is rolled out under load, back and out again, and nobody loses an answer', async () => {
  const atFirst = await applied();
  const traffic = await startTraffic(service, fleet, { fixtures });
  await traffic.progress(150);

  // Expand: the version before works on over the new schema.
  await munshi(ROOT, 'migrate');
  expect(await applied()).toBeGreaterThan(atFirst);
  await traffic.progress(150);
  const newer = await startService({ ROLES: 'http' }, { target: superuser });
  const desk = startDesk(newer, await fixtures.createMerchant(service));
  await traffic.progress(150);

  async function roll(number: number, checkout: string) {
    expect(await fleet.end(number, 'SIGTERM')).toBe(0);
    await traffic.progress(50);
    await fleet.restart(number, checkout);
    await expect.poll(async () => (await fetch(`${fleet.at(number).url}/readyz`)).status).toBe(200);
    await traffic.progress(150);
  }
  await roll(0, ROOT); // both versions side by side
  await roll(1, ROOT);
  await roll(0, before); // one is taken back, over the schema that stays
  await roll(1, before);
  await roll(0, ROOT);
  await roll(1, ROOT);

  await traffic.stop();
  expect(Math.min(...Object.values(await desk.stop()))).toBeGreaterThan(0);
  await newer.close();
  await service.close();
  service = await startService({ ROLES: 'http' }, { target: superuser });
  await expectKept(service, traffic);
  expect(await munshi(ROOT, 'verify')).toContain('invariants hold');
  await traffic.close();
}, 600_000);
