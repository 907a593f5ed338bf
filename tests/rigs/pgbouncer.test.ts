import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DatabaseTarget } from '../../apps/server/src/platform/config/database-url.ts';
import { onServer } from '../support/database.ts';
import { createMerchant } from '../support/fixtures.ts';
import { freePort } from '../support/free-port.ts';
import { postOrder } from '../support/merchant-client.ts';
import { startProcess } from '../support/process.ts';
import { type Service, startService } from '../support/service.ts';
import { expectSound } from '../support/verify.ts';

/** Debian installs it where only root looks. */
const PATH = `${process.env['PATH'] ?? ''}:/usr/sbin`;

let service: Service;
beforeAll(async () => {
  if (spawnSync('pgbouncer', ['--version'], { env: { PATH } }).error)
    throw new Error('PgBouncer is missing: apt-get install pgbouncer');
  service = await startService({ ROLES: 'http' });
});
afterAll(() => service?.close());

interface Pooler {
  readonly target: DatabaseTarget;
  close(): Promise<void>;
}

async function startPooler(
  mode: 'session' | 'transaction' | 'statement',
  settings: readonly string[] = [],
): Promise<Pooler> {
  const { hosts, user, password } = service.target;
  const socket = hosts[0]?.host ?? '';
  const folder = await mkdtemp(path.join(tmpdir(), 'munshi-pgbouncer-'));
  await chmod(folder, 0o755);
  const port = await freePort();
  await writeFile(path.join(folder, 'users.txt'), `"${user}" "${password}"\n`);
  const pooler = [
    `listen_addr = 127.0.0.1`,
    `listen_port = ${port}`,
    `unix_socket_dir =`,
    `auth_type = plain`,
    `auth_file = ${folder}/users.txt`,
  ];
  const ini = [
    '[databases]',
    `* = host=${socket} port=5432`,
    '[pgbouncer]',
    ...pooler,
    `pool_mode = ${mode}`,
    ...settings,
  ];
  await writeFile(path.join(folder, 'pgbouncer.ini'), ini.join('\n'));
  // Neither it nor Postgres runs as root, and the socket is its owner's.
  const { uid, gid } = await stat(socket);
  const child: ChildProcess = spawn('pgbouncer', [path.join(folder, 'pgbouncer.ini')], {
    env: { PATH },
    uid,
    gid,
    stdio: 'ignore',
  });
  const target: DatabaseTarget = { ...service.target, hosts: [{ host: '127.0.0.1', port }] };
  const answers = () =>
    onServer({ host: '127.0.0.1', port, user, password, database: target.database }, (client) =>
      client.query('select 1'),
    ).then(
      () => true,
      () => false,
    );
  await expect.poll(answers, { timeout: 20_000 }).toBe(true);
  return {
    target,
    async close() {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
      await rm(folder, { recursive: true });
    },
  };
}

test('behind PgBouncer in session mode a server starts, decides orders, and reads times as they were written', async () => {
  const pooler = await startPooler('session', ['default_pool_size = 40']);
  const server = await startProcess({ ...service, target: pooler.target });
  const merchant = { ...(await createMerchant(service)), url: server.url };
  const { status, json } = await postOrder(merchant, {
    orderType: 'Deposit',
    amount: 100,
    walletType: 'ProviderA',
  });
  expect(status).toBe(200);
  const look = await fetch(`${server.url}/api/merchant/orders/${json.data.orderId}/status`, {
    headers: { 'SVC-API-Key': merchant.apiKey },
  });
  expect(((await look.json()) as typeof json).data.createdAt).toBe(json.data.createdAt);
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  expect(await server.stop()).toBe(0);
  await pooler.close();
  await expectSound(service);
});

test('behind a PgBouncer that is too small for it the start says how many connections it needs', async () => {
  for (const size of [1, 5, 14]) {
    const pooler = await startPooler('session', [`default_pool_size = ${size}`]);
    const start = startProcess({ ...service, target: pooler.target });
    const said = new RegExp(
      `exited with 1: [^]*gives ${size} connections, and this process needs 15: .*default_pool_size`,
    );
    await expect(start).rejects.toThrow(said);
    await pooler.close();
  }
});

test('behind a PgBouncer of exactly that size it starts, with all that it does at once', async () => {
  const pooler = await startPooler('session', ['default_pool_size = 15']);
  const server = await startProcess({ ...service, target: pooler.target });
  const merchant = { ...(await createMerchant(service)), url: server.url };
  const body = { orderType: 'Deposit', amount: 100, walletType: 'ProviderA' };
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, n) => postOrder(merchant, { ...body, amount: 100 + n })),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  expect(await server.stop()).toBe(0);
  await pooler.close();
  await expectSound(service);
});

test.each(['transaction', 'statement'] as const)(
  'behind PgBouncer in %s mode the start says in one line that session mode is needed',
  async (mode) => {
    for (const settings of [[], ['server_round_robin = 1'], ['default_pool_size = 1']]) {
      const pooler = await startPooler(mode, settings);
      const start = startProcess({ ...service, target: pooler.target });
      await expect(start).rejects.toThrow(
        /exited with 1: (Waiting for the database: .*\n)*munshi: .*pool_mode = session\.\n$/,
      );
      await pooler.close();
    }
  },
);
