import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { startDatabaseProxy } from '../support/database-proxy.ts';
import { createMerchant } from '../support/fixtures.ts';
import { postOrder } from '../support/merchant-client.ts';
import { operatorClient } from '../support/operator-client.ts';
import { startService } from '../support/service.ts';
import { serviceTest } from '../support/service-test.ts';

const { test, service } = await serviceTest();

const order = () => ({
  orderType: 'Deposit',
  amount: 100,
  walletType: 'ProviderA',
  merchantOrderRef: randomUUID(),
});

test('a request that waits for ever is answered 503 with Retry-After before its client times out', async () => {
  const holder = await service.database.pool.connect();
  await holder.query('begin');
  await holder.query('lock table settings');
  const answer = await operatorClient(service).patch('/settings', {
    displayNames: { methods: { ProviderA: 'Another name' } },
  });
  await holder.query('rollback');
  holder.release();
  expect(answer.status).toBe(503);
  expect(answer.headers.get('content-type')).toContain('application/problem+json');
  expect(answer.headers.get('retry-after')).toBe('2');
});

test('a line that falls silent while the primary is asked for wedges nothing: it is not ready, answers 503, and serves again', async () => {
  const proxy = await startDatabaseProxy(service.target);
  const behind = await startService({ ROLES: 'http' }, { target: proxy.target });
  const merchant = { ...(await createMerchant(service)), url: behind.url };
  await expect.poll(async () => (await fetch(`${behind.url}/readyz`)).status).toBe(200);
  proxy.set('reset');
  await expect.poll(async () => (await fetch(`${behind.url}/readyz`)).status).toBe(503);
  const silent = proxy.silenceAt('pg_is_in_recovery');
  proxy.set('open');
  const orders = [postOrder(merchant, order()), postOrder(merchant, order())];
  expect((await fetch(`${behind.url}/readyz`)).status).toBe(503);
  expect((await Promise.all(orders)).map(({ status }) => status)).toEqual([503, 503]);
  await silent;
  proxy.set('open');
  await expect.poll(async () => (await postOrder(merchant, order())).status).toBe(200);
  await expect.poll(async () => (await fetch(`${behind.url}/readyz`)).status).toBe(200);
  await behind.close();
  await proxy.close();
});

test('a statement whose plan or table has changed under the engine and the readers is prepared again, and no caller notices', async () => {
  const merchant = await createMerchant(service);
  const { orderId } = (await postOrder(merchant, order())).json.data;
  const look = async () =>
    (
      await fetch(`${service.url}/api/merchant/orders/${orderId}/status`, {
        headers: { 'SVC-API-Key': merchant.apiKey },
      })
    ).status;
  expect(await look()).toBe(200);
  const { pool } = service.database;
  // What a migration beside a running version does: a result has another type from here on, and
  // prepared statements are gone.
  await pool.query('alter table orders alter column merchant_order_ref type varchar(500)');
  expect(await look()).toBe(200);
  expect((await postOrder(merchant, order())).status).toBe(200);
  await pool.query('alter table orders alter column merchant_order_ref type text');
  expect((await postOrder(merchant, order())).status).toBe(200);
  expect(await look()).toBe(200);
});
