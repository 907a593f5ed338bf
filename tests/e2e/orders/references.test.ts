import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { createMerchant, createOrder } from '../../support/fixtures.ts';
import { expectMessage, postOrder } from '../../support/merchant-client.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { serviceTest } from '../../support/service-test.ts';

/**
 * A completed order keeps its reference for good, however it came to be completed (spec:
 * merchantOrderRef rules; decision 6).
 */
const { test, service } = await serviceTest();
const merchant = await createMerchant(service);

const act = async (orderId: string, action: 'cancel' | 'confirm') => {
  const reply = await operatorClient(service).post(`/orders/${orderId}/${action}`, {
    note: 'examined',
  });
  expect(reply).toMatchObject({ status: 200 });
};
const again = (merchantOrderRef: string) =>
  postOrder(merchant, {
    orderType: 'Deposit',
    amount: 8,
    walletType: 'ProviderA',
    merchantOrderRef,
    customerReference: randomUUID(),
  });
const taken = (reference: string, by: string) =>
  `merchantOrderRef '${reference}' is already used by order ${by}. Reuse the same Idempotency-Key to retry a request, or use a new reference for a new payment.`;

test('an order confirmed late beside a newer one holds the reference once the newer one has failed', async () => {
  const merchantOrderRef = randomUUID();
  const first = await createOrder(merchant, { merchantOrderRef, customerReference: randomUUID() });
  await act(first.orderId, 'cancel');
  const second = await createOrder(merchant, { merchantOrderRef, customerReference: randomUUID() });
  await act(first.orderId, 'confirm');
  expectMessage(await again(merchantOrderRef), 409, taken(merchantOrderRef, second.orderReference));

  await act(second.orderId, 'cancel');
  expectMessage(await again(merchantOrderRef), 409, taken(merchantOrderRef, first.orderReference));
});

test('so does the first of several that were confirmed late', async () => {
  const merchantOrderRef = randomUUID();
  const orders = [];
  for (let time = 0; time < 3; time += 1) {
    const order = await createOrder(merchant, {
      merchantOrderRef,
      customerReference: randomUUID(),
    });
    await act(order.orderId, 'cancel');
    orders.push(order);
  }
  for (const order of orders) await act(order.orderId, 'confirm');
  expectMessage(
    await again(merchantOrderRef),
    409,
    taken(merchantOrderRef, orders[0]?.orderReference ?? ''),
  );
});
