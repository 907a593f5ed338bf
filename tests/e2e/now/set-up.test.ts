import { expect } from 'vitest';
import { createMember, createMerchant, everybodyOffline } from '../../support/fixtures.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { serviceTest } from '../../support/service-test.ts';

const { test, service } = await serviceTest();
const operator = operatorClient(service);
const testOrder = (merchantId: string) => operator.post('/sandbox/orders', { merchantId });

async function done(): Promise<readonly string[]> {
  const { data } = await operator.get('/set-up');
  return data.steps.flatMap((one: { step: string; done: boolean }) => (one.done ? [one.step] : []));
}

test('each step ticks itself by what there is; a test order settles once a member is online', async () => {
  const { merchantId } = await createMerchant(service);
  await everybodyOffline(service);
  expect(await testOrder(merchantId)).toMatchObject({
    status: 409,
    error: expect.stringContaining('No member with an approved account is online'),
  });
  await createMember(service);
  expect(await done()).not.toContain('order');
  const { data } = await testOrder(merchantId);
  expect((await operator.get(`/orders/${data.orderId}`)).data).toMatchObject({
    status: 'Completed',
    amount: 100,
    merchantId,
  });
  expect(await done()).toEqual(
    expect.arrayContaining(['merchant', 'key', 'member', 'account', 'float', 'order']),
  );
  const { data: log } = await operator.get(`/audit-log?target=${data.orderId}`);
  expect(log).toMatchObject([{ action: 'sandbox.move', detail: { to: 'Completed' } }]);
});

test('a repeated request makes one test order', async () => {
  const { merchantId } = await createMerchant(service);
  await createMember(service);
  const ask = () => operator.post('/sandbox/orders', { merchantId }, 'a test order');
  const first = await ask();
  expect(await ask()).toMatchObject({ status: 200, data: first.data });
});
