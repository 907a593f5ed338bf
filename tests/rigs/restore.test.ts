import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Finding } from '../../apps/server/src/doctor/judgement.ts';
import { type Fleet, startFleet } from '../faults/support/fleet.ts';
import { expectKept } from '../faults/support/kept.ts';
import { startTraffic } from '../faults/support/traffic.ts';
import {
  createApiKey,
  createMember,
  createMerchant,
  createOrder,
  signedOrder,
  signInMember,
} from '../support/fixtures.ts';
import { completeOrder } from '../support/outcomes.ts';
import { databaseUrl } from '../support/process.ts';
import { startReceiver } from '../support/receiver.ts';
import { MASTER_KEY, type Service, startService } from '../support/service.ts';
import { bareEnvironment, listenTo } from '../support/spoken.ts';
import { ROOT } from '../tidy/sources.ts';
import { type ArchivedPostgres, startArchivedPostgres } from './support/archived-postgres.ts';

const BACKUP = path.join(ROOT, 'deploy/backup');
const PASSWORD = 'a long enough password';
const WITHDRAWAL = {
  orderType: 'Withdrawal',
  walletType: 'BankAccount',
  customerAccountNumber: '03001234567',
  amount: 10,
};

let postgres: ArchivedPostgres;
let service: Service;
let fleet: Fleet;
beforeAll(async () => {
  postgres = await startArchivedPostgres();
  await munshi('migrate');
  service = await startService({ ROLES: 'http' }, { target: postgres.superuser });
  fleet = await startFleet({ target: postgres.runtime, url: service.url }, 2);
});
afterAll(async () => {
  await fleet?.close();
  await service?.close();
  await postgres?.close();
});

/** A command on the database, as an operations engineer gives it; answers what it said. */
async function munshi(...args: readonly string[]): Promise<string> {
  const env = {
    ...bareEnvironment(),
    DATABASE_URL: databaseUrl(postgres.runtime),
    RETENTION_DATABASE_URL: databaseUrl(postgres.retention),
    MASTER_KEY,
    ...(args[0] === 'migrate' && { DATABASE_OWNER_URL: databaseUrl(postgres.owner) }),
  };
  const command = [path.join(ROOT, 'bin/munshi.ts'), ...args];
  const { exited, said } = listenTo(process.execPath, command, { cwd: ROOT, env });
  const code = await exited;
  if (args[0] !== 'doctor') expect(code, said()).toBe(0); // it finds much that is not for production
  return said();
}

/** What the doctor says of something. */
async function findingOf(wanted: string): Promise<Finding> {
  const said = await munshi('doctor', '--json');
  const { findings } = JSON.parse(said.slice(said.indexOf('{'))) as {
    readonly findings: readonly Finding[];
  };
  const finding = findings.find(({ check }) => check === wanted);
  if (finding === undefined) throw new Error(`the doctor says nothing of the ${wanted}`);
  return finding;
}

const pgbackrest = (...args: readonly string[]) =>
  postgres.run('pgbackrest', '--stanza=munshi', ...args);

/** Load with a backup in its middle, and one webhook that is on its way at the end. */
async function loadAndBackUp() {
  const member = await createMember(service, {
    methods: ['BankAccount'],
    password: PASSWORD,
    maxOpenOrders: 1_000,
  });
  const traffic = await startTraffic(service, fleet, { shoppers: 6, members: 3 });
  await traffic.progress(200);
  await pgbackrest('--type=full', 'backup');
  await traffic.progress(400);
  await traffic.stop();

  const merchant = await createMerchant(service, { balance: '100000' });
  const revoked = await createApiKey(service, merchant.merchantId);
  const answer = Promise.withResolvers<void>();
  const receiver = await startReceiver(async (_, response) => {
    await answer.promise;
    response.writeHead(200).end();
  });
  const order = await createOrder(merchant, { ...WITHDRAWAL, callbackUrl: receiver.url });
  await completeOrder(service, order, member);
  await receiver.arrived(1);
  const token = await signInMember(service, member, PASSWORD);
  return { traffic, merchant, member, token, revoked, held: { receiver, answer: answer.resolve } };
}

/** What a restore takes back: orders, outcomes that merchants were notified of, keys. */
async function goOn({ merchant, member, revoked, held, traffic }: Loaded) {
  held.answer();
  const receiver = await startReceiver();
  const [shop = merchant] = traffic.merchants;
  const lost = await Promise.all(
    Array.from({ length: 30 }, () =>
      createOrder(shop, { ...WITHDRAWAL, callbackUrl: receiver.url }),
    ),
  );
  for (const order of lost.slice(0, 10)) await completeOrder(service, order, member);
  await receiver.arrived(10);
  await receiver.close();
  const { rowCount } = await service.database.pool.query(
    `update api_keys set revoked_at = now() where key_id = $1`,
    [revoked.keyId],
  );
  expect(rowCount).toBe(1);
  return { lost, issued: await createApiKey(service, merchant.merchantId) };
}
type Loaded = Awaited<ReturnType<typeof loadAndBackUp>>;

const ask = (statement: string) =>
  postgres.run('psql', '--quiet', `--command=${statement}`, 'postgres');

/** As docs/operate/fail-over.md has it, of a standby that does not follow. Nobody waits here yet. */
async function awaitStandby() {
  await ask("select pg_create_physical_replication_slot('db2', true)");
  expect(await findingOf('replication slots')).toMatchObject({ state: 'wrong' });
  await ask("alter system set synchronous_standby_names = 'db2'"); // without pg_reload_conf()
}

/**
 * Otherwise a standby that is copied from it stops at the same moment, and leads; or commits wait
 * for a standby that cannot follow.
 */
async function expectMomentForgotten() {
  const settings = await readFile(path.join(postgres.data, 'postgresql.auto.conf'), 'utf8');
  expect(settings).not.toMatch(/^(recovery_target|restore_command|synchronous_standby_names)/m);
}

const read = async (at: string, headers: Record<string, string>) =>
  (await fetch(`${service.url}${at}`, { headers })).status;
const ofMember = (token: string) => read('/api/member/me', { Authorization: `Bearer ${token}` });
const ofKey = (apiKey: string) => read('/api/merchant/orders/balance', { 'SVC-API-Key': apiKey });

/** What was there before the restore, and the lists of what it took back. */
async function listLost(moment: string) {
  const names = await readdir(postgres.folder);
  const before = names.find((name) => name.startsWith('data.before-')) ?? '';
  const lists = path.join(postgres.data, '..', 'socket', 'lists');
  await postgres.run('sh', `${BACKUP}/lost.sh`, path.join(postgres.folder, before), moment, lists);
  return readFile(path.join(lists, 'orders.csv'), 'utf8');
}

test('the database is taken back to a moment: what was acknowledged by then is all there, what came later is gone, and the books hold', async () => {
  await pgbackrest('stanza-create');
  await pgbackrest('check');
  expect(await findingOf('archive of the log')).toMatchObject({ state: 'ok' });
  await awaitStandby();
  const loaded = await loadAndBackUp();
  const { traffic, merchant, token, revoked, held } = loaded;
  const moment = new Date().toISOString().replace('T', ' ').replace('Z', '+00');
  const { lost, issued } = await goOn(loaded);
  const key = randomUUID();
  const body = { orderType: 'Deposit', amount: 5, walletType: 'TillID', merchantOrderRef: key };
  const create = async () => {
    const at = { ...merchant, url: service.url };
    const answer = await signedOrder(at, body, { idempotencyKey: key });
    return ((await answer.json()) as { data: { orderId: string } }).data.orderId;
  };
  const repeated = await create();
  expect(await create()).toBe(repeated);
  expect([await ofKey(revoked.apiKey), await ofKey(issued.apiKey)]).toEqual([401, 200]);

  // Everybody stops, and the end of the log is archived.
  for (const number of [0, 1]) expect(await fleet.end(number, 'SIGTERM')).toBe(0);
  await service.close();
  await ask('select pg_switch_wal()');
  // The timeline is the default: it is named for its setting, which has to go as the others do.
  const restore = () =>
    postgres.run(
      ...['sh', `${BACKUP}/restore.sh`, postgres.data, moment, '--target-timeline=latest'],
    );
  await expect(restore()).rejects.toThrow(/stop it first/);
  await postgres.stop();
  expect(await restore()).toContain('Restored.');
  await postgres.start();
  await expectMomentForgotten();
  expect(await munshi('verify')).toContain('invariants hold');

  // Keys and sign-ins are as they were at the moment.
  service = await startService({ ROLES: 'http' }, { target: postgres.superuser });
  expect([await ofKey(revoked.apiKey), await ofKey(issued.apiKey)]).toEqual([200, 401]);
  expect(await ofMember(token)).toBe(200);
  expect(await munshi('end-sessions')).toMatch(/^\d+ sign-ins/m);
  expect(await ofMember(token)).toBe(401);

  const orders = await listLost(moment);
  for (const { orderId } of lost) expect(orders).toContain(orderId);
  expect(orders).toContain(repeated);
  expect(orders.match(/,gone,/g)?.length).toBe(lost.length + 1);
  expect(orders.match(/order\.completed/g)?.length).toBeGreaterThanOrEqual(10);

  // Processes go on: everything of before the moment is there and nothing of after it, requests
  // that are repeated find what was before and make again what came after, and a webhook that was
  // on its way comes once more, with the same id and bytes.
  for (const number of [0, 1]) await fleet.restart(number);
  await expectKept(service, traffic);
  const recreated = await create();
  expect(recreated).not.toBe(repeated);
  const rows = (await listLost(moment)).split('\n').filter((line) => line.includes(repeated));
  expect(rows).toEqual([expect.stringContaining(`,open,Idempotency-Key,${recreated},`)]);
  const copies = held.receiver.received.map(({ headers, body: bytes }) => [
    headers['x-svc-delivery-id'],
    bytes.toString(),
  ]);
  expect(copies.length).toBeGreaterThan(1);
  expect(new Set(copies.map(String)).size).toBe(1);

  await pgbackrest('--type=full', 'backup');
  expect(await findingOf('archive of the log')).toMatchObject({ state: 'ok' });
  await traffic.close();
  await held.receiver.close();
}, 600_000);
