import { expect } from 'vitest';
import { copyRows } from '../../../apps/server/src/platform/database/copy-rows.ts';
import { inTransaction } from '../../../apps/server/src/platform/database/db.ts';
import { createMember, createMerchant, createOrder } from '../../support/fixtures.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { completeOrder } from '../../support/outcomes.ts';
import { startService } from '../../support/service.ts';
import { serviceTest } from '../../support/service-test.ts';
import { expectSound } from '../../support/verify.ts';

const { test, service } = await serviceTest();

test('what happened beside one service is copied into another that has started too', async () => {
  const beside = await startService({ ROLES: 'http' });
  try {
    const merchant = await createMerchant(beside, { balance: '1000' });
    const member = await createMember(beside);
    const order = await createOrder(merchant, { amount: 500 });
    await completeOrder(beside, order, member);
    await inTransaction(service.database.pool, (client) => copyRows(beside.database.pool, client));
    const { data } = await operatorClient(service).get(`/orders/${order.orderId}`);
    expect(data).toMatchObject({ status: 'Completed', merchantId: merchant.merchantId });
    await expectSound(service);
  } finally {
    await beside.close();
  }
});
