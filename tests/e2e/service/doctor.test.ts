import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, expect } from 'vitest';
import type { Finding } from '../../../apps/server/src/doctor/judgement.ts';
import { askedText } from '../../../apps/server/src/platform/http/reach.ts';
import { createVault } from '../../../apps/server/src/platform/vault.ts';
import { databaseUrl } from '../../support/process.ts';
import { MASTER_KEY } from '../../support/service.ts';
import { serviceTest } from '../../support/service-test.ts';
import { bareEnvironment, listenTo } from '../../support/spoken.ts';

const ROOT = path.join(import.meta.dirname, '../../..');

const isBuilt = existsSync(path.join(ROOT, 'apps/portal/dist/index.html'));

const { test, service } = await serviceTest({ TRUSTED_PROXIES: '127.0.0.1' });

/** In front of the service, as a proxy that has a customer's network on its other side. */
const proxy = createServer((incoming, outgoing) => {
  const { 'x-forwarded-for': before } = incoming.headers;
  const headers = {
    ...incoming.headers,
    'x-forwarded-for': [before, '198.51.100.9'].flat().filter(Boolean).join(', '),
  };
  const asked = request(service.url + incoming.url, { headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
  });
  incoming.pipe(asked);
}).listen(0, '127.0.0.1');
await once(proxy, 'listening');
const behindProxy = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
afterAll(() => {
  proxy.close();
});

async function doctor(env: Record<string, string> = {}) {
  const settings = {
    DATABASE_URL: databaseUrl(service.target),
    MASTER_KEY,
    NODE_ENV: 'production',
    PUBLIC_URL: behindProxy,
    ...env,
  };
  const args = [path.join(ROOT, 'bin/munshi.ts'), 'doctor', '--json'];
  const { exited, said } = listenTo(process.execPath, args, {
    cwd: ROOT,
    env: { ...bareEnvironment(), ...settings },
  });
  const code = await exited;
  const { ok, findings } = JSON.parse(said()) as { ok: boolean; findings: Finding[] };
  expect(ok).toBe(code === 0);
  const stateOf = Object.fromEntries(findings.map(({ check, state }) => [check, state]));
  return { code, findings, stateOf, said };
}

const counted = async () => {
  const { rows } = await service.database.pool.query(
    `select (select count(*) from master_key_checks)::integer as keys,
       (select count(*) from audit_log)::integer as entries`,
  );
  return rows[0];
};

test('the doctor looks at a running service over its proxy, and changes nothing', async () => {
  const before = await counted();
  const { code, findings, stateOf, said } = await doctor({
    VERIFY_DATABASE_URL: databaseUrl(service.target),
  });
  expect(findings.filter(({ mend, state }) => (mend === undefined) !== (state === 'ok'))).toEqual(
    [],
  );
  expect(stateOf).toMatchObject({
    mode: 'ok',
    'database version': 'ok',
    roles: 'ok',
    'connection to the database': 'ok',
    durability: 'wrong', // the tests' Postgres does without fsync
    clock: 'ok',
    'four eyes': 'wrong',
    'public address': 'ok',
    'web apps': isBuilt ? 'ok' : 'wrong',
    proxies: 'ok',
    'nightly check': 'ok',
  });
  expect(code).toBe(1);
  expect(said()).not.toContain(service.target.password);
  expect(await counted()).toEqual(before);
});

test('another master key, or an old password of the verify role, is found, and no key is adopted', async () => {
  const pool = service.database.pool;
  const [known] = createVault(MASTER_KEY).checkValues;
  await pool.query('insert into master_key_checks values ($1)', [known]);
  const { stateOf } = await doctor({
    MASTER_KEY: '7e'.repeat(32),
    VERIFY_DATABASE_URL: databaseUrl({ ...service.target, password: 'the-one-before' }),
  });
  expect(stateOf).toMatchObject({
    'master key': 'wrong',
    'public address': 'wrong',
    'nightly check': 'wrong',
  });
  expect((await counted()).keys).toBe(1);
});

test('settings that stop a start are the first thing that is said', async () => {
  const { code, findings } = await doctor({ PUBLIC_URL: 'http://pay.example.com' });
  expect(code).toBe(1);
  expect(findings).toEqual([
    expect.objectContaining({
      check: 'settings',
      found: expect.stringContaining('PUBLIC_URL must be https'),
    }),
  ]);
});

test('how a request came is answered to a caller with the master key, freshly, and to nobody else', async () => {
  const ask = async (at: string, key = MASTER_KEY) => {
    const nonce = randomBytes(16).toString('hex');
    const [proof = ''] = createVault(key).proofs(askedText(at, nonce));
    const query = new URLSearchParams({ at, nonce, proof });
    return (await fetch(`${service.url}/reach?${query}`)).status;
  };
  const now = service.app.deps.clock.now();
  expect(await ask(String(now))).toBe(200);
  expect(await ask(String(now - 400_000))).toBe(404);
  expect(await ask('soon')).toBe(404);
  expect(await ask(String(now), '7e'.repeat(32))).toBe(404);
  expect((await fetch(`${service.url}/reach`)).status).toBe(404);
  expect((await fetch(`${service.url}/reach?at=1&at=2&nonce=a&proof=b`)).status).toBe(404);
});
