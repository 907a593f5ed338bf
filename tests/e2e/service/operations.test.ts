import { expect } from 'vitest';
import { createMember, createMerchant, createOrder } from '../../support/fixtures.ts';
import { startProcess } from '../../support/process.ts';
import { OPERATOR_TOKEN } from '../../support/service.ts';
import { serviceTest } from '../../support/service-test.ts';

const { test, service } = await serviceTest();

test('/healthz and /readyz answer 200 while the database is there', async () => {
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
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
