import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { createMember, createMerchant, createOrder, signInMember } from '../../support/fixtures.ts';
import { createOperator } from '../../support/operator-client.ts';
import { databaseUrl, startProcess } from '../../support/process.ts';
import { MASTER_KEY, OPERATOR_TOKEN } from '../../support/service.ts';
import { serviceTest } from '../../support/service-test.ts';
import { bareEnvironment } from '../../support/spoken.ts';

const { test, service } = await serviceTest();

test('/healthz and /readyz answer 200 while the database is there', async () => {
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
  await expect.poll(async () => (await fetch(`${service.url}/readyz`)).status).toBe(200);
});

test('/metrics counts what the engine decided and how long answers took', async () => {
  const merchant = await createMerchant(service);
  await createMember(service, { methods: ['ProviderA'] });
  await createOrder(merchant);
  const text = await (await fetch(`${service.url}/metrics`)).text();
  expect(text).toMatch(/^munshi_engine_commands_total [1-9]/m);
  expect(text).toContain(
    'munshi_http_request_seconds_count{method="POST",route="/api/merchant/orders",status="200"} 1',
  );
});

test('/metrics in production needs its token', async () => {
  const closed = await startProcess(service, { NODE_ENV: 'production', CLOCK: '' });
  expect((await fetch(`${closed.url}/metrics`)).status).toBe(404);
  await closed.stop();
  const guarded = await startProcess(service, {
    NODE_ENV: 'production',
    CLOCK: '',
    METRICS_TOKEN: 'prometheus-token',
  });
  expect((await fetch(`${guarded.url}/metrics`)).status).toBe(401);
  expect(
    (
      await fetch(`${guarded.url}/metrics`, {
        headers: { authorization: 'Bearer prometheus-token' },
      })
    ).status,
  ).toBe(200);
  expect(await guarded.stop()).toBe(0);
});

test('an advance of the sandbox clock reaches every process on the database', async () => {
  const other = await startProcess(service);
  const merchant = await createMerchant(service);
  await service.app.deps.advanceClock?.(3_600);
  const minutesAhead = (time: string) => Math.round((Date.parse(time) - Date.now()) / 60_000);
  const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` };
  const clockThere = async () =>
    (await fetch(`${other.url}/api/operator/merchants`, { headers })).headers.get('x-server-time');
  // Before orders are made there: one by the clock of before would be due long ago.
  await expect.poll(async () => minutesAhead((await clockThere()) ?? '')).toBe(60);
  const { expiresAt } = await createOrder({ ...merchant, url: other.url });
  expect(minutesAhead(expiresAt)).toBe(75);
  expect(await other.stop()).toBe(0);
});

/** Runs a command on the service's database. */
async function munshi(command: string): Promise<string> {
  const args = [path.join(import.meta.dirname, '../../../bin/munshi.ts'), command];
  const env = { ...bareEnvironment(), DATABASE_URL: databaseUrl(service.target), MASTER_KEY };
  return (await promisify(execFile)(process.execPath, args, { env })).stdout;
}

test('munshi renew-push-keys forgets the key of pushes and its phones, and the next start makes another', async () => {
  const { pool } = service.database;
  const password = 'a long enough password';
  const member = await createMember(service, { password });
  const token = await signInMember(service, member, password);
  const keyAt = async (url: string) => {
    const headers = { Authorization: `Bearer ${token}` };
    const answer = await fetch(`${url}/api/member/push`, { headers });
    return ((await answer.json()) as { data: { publicKey: string } }).data.publicKey;
  };
  const before = await keyAt(service.url);
  await pool.query(
    `insert into push_subscriptions (
       subscription_id, member_id, session_id, endpoint, p256dh, auth, created_at
     )
     select gen_random_uuid(), principal_id, session_id, 'https://push.example/1', 'p', 'a', now()
     from sessions where principal_id = $1`,
    [member.memberId],
  );
  expect(await munshi('renew-push-keys')).toContain('and 1 phones with it');
  const { rows } = await pool.query(
    `select (select count(*)::integer from push_keys) as keys, detail
     from audit_log where action = 'renew-push-keys'`,
  );
  expect(rows).toEqual([{ keys: 0, detail: { phones: 1 } }]);
  const other = await startProcess(service);
  expect(await keyAt(other.url)).not.toBe(before);
  expect(await other.stop()).toBe(0);
});

test('munshi end-sessions ends every sign-in and script token, and the audit log has it', async () => {
  const password = 'a long enough password';
  const member = await createMember(service, { password });
  const tokens = {
    '/api/member/me': await signInMember(service, member, password),
    '/api/operator/settings': (await createOperator(service, 'admin')).token,
  };
  const statuses = () =>
    Promise.all(
      Object.entries(tokens).map(async ([at, token]) => {
        const headers = { Authorization: `Bearer ${token}` };
        return (await fetch(`${service.url}${at}`, { headers })).status;
      }),
    );
  expect(await statuses()).toEqual([200, 200]);
  const stdout = await munshi('end-sessions');
  expect(stdout).toMatch(/^\d+ sign-ins and script tokens have ended/);
  expect(await statuses()).toEqual([401, 401]);
  const { rows } = await service.database.pool.query(
    `select detail from audit_log where action = 'end-sessions'`,
  );
  expect(rows).toEqual([{ detail: { ended: Number.parseInt(stdout, 10) } }]);
});
