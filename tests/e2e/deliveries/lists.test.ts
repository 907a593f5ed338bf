import { createHmac } from 'node:crypto';
import { afterAll, describe, expect } from 'vitest';
import { createMerchant, createOrder } from '../../support/fixtures.ts';
import { createOperator, operatorClient } from '../../support/operator-client.ts';
import { deliveryWhen, failedOrder } from '../../support/outcomes.ts';
import { startReceiver } from '../../support/receiver.ts';
import { serviceTest } from '../../support/service-test.ts';

/** What operators see of webhooks, over all orders. */

const { test, service } = await serviceTest();
const operator = operatorClient(service);
const receiver = await startReceiver();
afterAll(() => receiver.close());
const merchant = await createMerchant(service, {
  name: 'Corner Shop',
  defaultCallbackUrl: `${receiver.url}/hook/orders`,
});
const deaf = await createMerchant(service, {
  defaultCallbackUrl: 'https://user:secret@deaf.invalid/notify',
});
const delivered = await failedOrder(service, merchant, { merchantOrderRef: 'INV-2026-a7' });
await receiver.arrived(1);
const undelivered = await failedOrder(service, deaf, {});

interface Listed {
  readonly deliveryId: string;
  readonly orderId: string;
  readonly attemptsMade: number;
}
const list = async (query = ''): Promise<readonly Listed[]> =>
  (await operator.get(`/deliveries?${query}`)).data;
const ordersOf = async (query: string) => (await list(query)).map(({ orderId }) => orderId);
for (const order of [delivered, undelivered]) await deliveryWhen(service, order, { attempts: 1 });

describe('the list', () => {
  test('has every delivery, the newest first, with its last attempt', async () => {
    expect(await list()).toMatchObject([
      {
        orderId: undelivered.orderId,
        host: 'deaf.invalid',
        status: 'pending',
        lastAttempt: { responseStatus: null, error: expect.any(String) },
      },
      {
        orderId: delivered.orderId,
        orderReference: delivered.orderReference,
        merchantName: 'Corner Shop',
        eventType: 'order.failed',
        status: 'delivered',
        attemptsMade: 1,
        nextAttemptAt: null,
        lastAttempt: { responseStatus: 200, error: null },
      },
    ]);
  });

  test('is filtered by merchant, outcome, event, receiver, answer, order and time', async () => {
    const { host } = new URL(receiver.url);
    const both = [undelivered.orderId, delivered.orderId];
    const later = new Date(service.app.deps.clock.now() + 60_000).toISOString();
    expect(await ordersOf(`merchantId=${merchant.merchantId}`)).toEqual([delivered.orderId]);
    expect(await ordersOf('status=pending')).toEqual([undelivered.orderId]);
    expect(await ordersOf('status=delivered')).toEqual([delivered.orderId]);
    expect(await ordersOf('status=abandoned')).toEqual([]);
    expect(await ordersOf('status=superseded')).toEqual([]);
    expect(await ordersOf('eventType=order.failed')).toEqual(both);
    expect(await ordersOf('eventType=order.completed')).toEqual([]);
    expect(await ordersOf(`host=${host}`)).toEqual([delivered.orderId]);
    expect(await ordersOf('responseStatus=200')).toEqual([delivered.orderId]);
    expect(await ordersOf('responseStatus=500')).toEqual([]);
    expect(await ordersOf(`orderId=${undelivered.orderId}`)).toEqual([undelivered.orderId]);
    expect(await ordersOf(`from=${later}`)).toEqual([]);
    expect(await ordersOf(`to=${later}`)).toEqual(both);
  });
});

describe('a search', () => {
  const found = (search: string, query = '') =>
    ordersOf(`${new URLSearchParams({ search })}${query}`);

  test.each<readonly [string, () => string | Promise<string>]>([
    ['our reference, in small letters', () => delivered.orderReference.toLowerCase()],
    ['its end', () => delivered.orderReference.slice(-6)],
    ['the merchant’s reference in another case', () => 'inv-2026-A7'],
    ['the end of it', () => '26-a7'],
    ['a part of it', () => 'nv-202'],
    ['the order’s id', () => delivered.orderId.toUpperCase()],
    ['the delivery’s id', async () => (await list())[1]?.deliveryId as string],
    ['the URL', () => `${receiver.url}/hook/Orders`],
    ['a part of its path', () => 'hook/ord'],
    ['a part of its host', () => receiver.url.slice(7, 16)],
  ])('finds by %s', async (_what, text) => {
    expect(await found(await text())).toEqual([delivered.orderId]);
  });

  test('is held to the filters, and not to what is hidden of a URL', async () => {
    expect(await found('inv-2026', '&status=pending')).toEqual([]);
    expect(await found('deaf.inv', '&status=pending')).toEqual([undelivered.orderId]);
    for (const text of ['secret', 'user:', 'no such thing']) expect(await found(text)).toEqual([]);
  });

  test('finds a URL as it is shown', async () => {
    expect(await found('https://***@deaf.invalid/notify')).toEqual([undelivered.orderId]);
  });

  test('finds the deliveries of all orders that fit, not only of the newest', async () => {
    for (let at = 0; at < 201; at += 1)
      await createOrder(merchant, { merchantOrderRef: `INV-2026-${at}` });
    expect(await found('inv-2026')).toEqual([delivered.orderId]);
  });

  test('says what it was looked for as', async () => {
    const { text } = await operator.get('/deliveries?search=hook');
    expect(JSON.parse(text).searched).toEqual({
      inAll: ['reference', 'merchantReferenceEnd'],
      inNewest: ['referencePart', 'url'],
      newestFrom: null,
    });
  });
});

describe('one delivery', () => {
  test('is shown as its receiver got it: the same bytes, headers and signature', async () => {
    const [delivery] = await list(`orderId=${delivered.orderId}`);
    const { data } = await operator.get(`/deliveries/${delivery?.deliveryId}`);
    const [sent] = receiver.received;
    expect(data.body).toBe(sent?.body.toString());
    const headers = Object.fromEntries(
      data.attempts[0].headers.map(({ name, value }: { name: string; value: string }) => [
        name,
        value,
      ]),
    );
    for (const [name, value] of Object.entries(headers))
      expect(sent?.headers[name], name).toBe(value);
    const signature = createHmac('sha256', merchant.signingSecret).update(data.body).digest('hex');
    expect(headers['x-svc-signature']).toBe(`sha256=${signature}`);
    expect(data).toMatchObject({ isLatest: true, allowedActions: ['resend'] });
  });

  test('says what may be done with it, and nothing to a viewer', async () => {
    const [delivery] = await list(`orderId=${undelivered.orderId}`);
    const path = `/deliveries/${delivery?.deliveryId}`;
    expect((await operator.get(path)).data.allowedActions).toEqual(['retry-now', 'resend']);
    const viewer = operatorClient(service, (await createOperator(service, 'viewer')).token);
    expect((await viewer.get(path)).data.allowedActions).toEqual([]);
  });
});

test('receivers have the figures of their last day', async () => {
  const { data } = await operator.get('/webhooks/endpoints');
  const of = (merchantId: string) =>
    data.find((one: { merchantId: string }) => one.merchantId === merchantId);
  expect(of(merchant.merchantId).lastDay).toMatchObject({
    attempts: 1,
    succeeded: 1,
    medianMs: expect.any(Number),
    p95Ms: expect.any(Number),
  });
  expect(of(deaf.merchantId)).toMatchObject({ pending: 1, lastDay: { attempts: 1, succeeded: 0 } });
});

test('a replay shows in advance how many orders it would resend', async () => {
  const count = async (query: string) => (await operator.get(`/webhooks/replay?${query}`)).data;
  const since = new Date(service.app.deps.clock.now() - 60_000).toISOString();
  expect(await count(`since=${since}`)).toEqual({ orders: 2, more: false });
  expect(await count(`since=${since}&merchantId=${deaf.merchantId}`)).toEqual({
    orders: 1,
    more: false,
  });
  expect((await operator.get('/webhooks/replay?since=soon')).status).toBe(400);
});
