import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { createMerchant } from '../support/fixtures.ts';
import { postOrder } from '../support/merchant-client.ts';
import { startProcess } from '../support/process.ts';
import { serviceTest } from '../support/service-test.ts';

const { test, service } = await serviceTest({ ROLES: 'http' });

test('an error of the database is logged with its place and its code, and nothing of the row', async () => {
  const planted = {
    merchantOrderRef: `planted-${randomUUID()}`,
    customerAccountNumber: '03217654321',
  };
  let log = '';
  const server = await startProcess(service, { LOG_LEVEL: 'info' }, (text) => {
    log += text;
  });
  const merchant = { ...(await createMerchant(service, { balance: '1000' })), url: server.url };
  await service.database.pool.query(
    `alter table orders add constraint never_this check (merchant_order_ref <> '${planted.merchantOrderRef}')`,
  );
  const { status } = await postOrder(merchant, {
    orderType: 'Withdrawal',
    amount: 123,
    walletType: 'ProviderA',
    ...planted,
  });
  expect(status).toBe(500);
  await service.database.pool.query('alter table orders drop constraint never_this');
  // One whose message itself quotes the value.
  await service.database.pool.query(
    `alter table orders add constraint never_this check (merchant_order_ref::int > 0) not valid`,
  );
  expect(
    (
      await postOrder(merchant, {
        orderType: 'Deposit',
        amount: 321,
        walletType: 'ProviderA',
        merchantOrderRef: `${planted.merchantOrderRef}-b`,
      })
    ).status,
  ).toBe(500);
  expect(await server.stop()).toBe(0);
  expect(log).toContain('"code":"23514"');
  expect(log).toContain('"constraint":"never_this"');
  expect(log).toContain('"code":"22P02"');
  for (const value of Object.values(planted)) expect(log).not.toContain(value);
  expect(log).not.toMatch(/Failing row|"detail"|"where"|"parameters"|"internalQuery"/);
});
