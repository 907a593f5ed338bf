import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { createMember, createMerchant, createOrder } from '../../support/fixtures.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { completeOrder } from '../../support/outcomes.ts';
import { createPortalUser, portalClient } from '../../support/portal.ts';
import { serviceTest } from '../../support/service-test.ts';

/** How a merchant does, as operators see it first. */

// Nobody sends: deliveries stay as they are written.
const { test, service } = await serviceTest({ ROLES: 'http' });
const operator = operatorClient(service);

test('operators see the figures that the merchant’s own people see, and its receivers and keys', async () => {
  const merchant = await createMerchant(service, { balance: '5000' });
  const member = await createMember(service, { float: '100000' });
  const callbackUrl = 'https://shop.example/hook';
  await completeOrder(service, await createOrder(merchant, { amount: 900, callbackUrl }), member);
  const bank = { orderType: 'Withdrawal', amount: 700, accountNumber: '03001234567' };
  await createOrder(merchant, {
    ...bank,
    accountTitle: 'Ali Raza',
    merchantOrderRef: randomUUID(),
  });

  await service.database.pool.query(
    `insert into api_key_uses (key_id, last_used_at, address)
     values ($1, '2026-01-02T03:04:05Z', '203.0.113.7')`,
    [merchant.keyId],
  );

  const { data } = await operator.get(`/merchants/${merchant.merchantId}/overview`);
  expect(data).toMatchObject({
    merchantId: merchant.merchantId,
    balance: { walletBalance: 5900, reservedBalance: 700, availableBalance: 5200 },
    openWithdrawals: 1,
    today: {
      deposits: { created: 1, completed: 1, successRate: 1, sum: 900 },
      withdrawals: { created: 1, completed: 0, successRate: null },
    },
    receivers: [{ host: 'shop.example', status: 'healthy', pending: 1, failing: 0 }],
    keys: [{ lastUsedAt: '2026-01-02T03:04:05.000Z' }],
  });
  const viewer = portalClient(service, (await createPortalUser(service, merchant, 'viewer')).token);
  const { balance, today, yesterday, timeZone } = await viewer.data('GET', '/home');
  expect(data).toMatchObject({ balance, today, yesterday, timeZone });
  expect((await operator.get(`/merchants/${randomUUID()}/overview`)).status).toBe(404);
});
