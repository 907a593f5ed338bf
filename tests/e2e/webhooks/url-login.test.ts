import { afterAll, expect } from 'vitest';
import { createMember, createMerchant, createOrder } from '../../support/fixtures.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { completeOrder, deliveryWhen } from '../../support/outcomes.ts';
import { createPortalUser, portalClient } from '../../support/portal.ts';
import { type Received, startReceiver } from '../../support/receiver.ts';
import { serviceTest } from '../../support/service-test.ts';

/** A user name and password in a URL that is called (webhooks.md#headers). */

const { test, service } = await serviceTest();
const operator = operatorClient(service);
const receiver = await startReceiver();
afterAll(() => receiver.close());

const withLogin = (login: string, path: string) =>
  `${receiver.url.replace('//', `//${login}@`)}${path}`;
const masked = (path: string) => withLogin('***', path);
const sentWith = (login: string) => `Basic ${Buffer.from(login).toString('base64')}`;
const SECRET = 's3cret';

async function shop() {
  const merchant = await createMerchant(service, { balance: '1000' });
  const admin = portalClient(service, (await createPortalUser(service, merchant, 'admin')).token);
  return { merchant, path: `/merchants/${merchant.merchantId}`, admin };
}

test('is sent as Basic authentication, and no answer of a face shows it', async () => {
  const { merchant, path, admin } = await shop();
  const answers: string[] = [];
  const operators = async (url: string) => {
    const { text, data } = await operator.get(url);
    answers.push(text);
    return data;
  };
  const merchants = async (url: string) => {
    const { json } = await admin.call('GET', url);
    answers.push(JSON.stringify(json));
    return json.data;
  };
  const login = `shop:${SECRET}`;
  const changed = await operator.patch(path, { defaultCallbackUrl: withLogin(login, '/all') });
  answers.push(changed.text);
  expect(changed.data.defaultCallbackUrl).toBe(masked('/all'));

  const member = await createMember(service, { methods: ['ProviderA'] });
  const order = await createOrder(merchant, { callbackUrl: withLogin(login, '/own') });
  await completeOrder(service, order, member);
  const { deliveryId } = await deliveryWhen(service, order, { status: 'delivered' });
  await admin.data('POST', '/webhooks/test');
  const received = await receiver.arrived(2);
  expect(received.map(({ url }) => url).sort()).toEqual(['/all', '/own']);
  for (const { headers } of received)
    expect(headers).toMatchObject({ accept: '*/*', authorization: sentWith(login) });

  expect((await operators(path)).defaultCallbackUrl).toBe(masked('/all'));
  expect((await merchants('/settings')).defaultCallbackUrl).toBe(masked('/all'));
  expect((await operators(`/orders/${order.orderId}`)).callbackUrl).toBe(masked('/own'));
  expect((await merchants(`/orders/${order.orderId}`)).callbackUrl).toBe(masked('/own'));
  for (const read of [operators, merchants]) {
    expect((await read(`/deliveries/${deliveryId}`)).url).toBe(masked('/own'));
    await read('/deliveries');
    await read(`/orders/${order.orderId}/deliveries`);
  }
  const { attempts } = await merchants(`/deliveries/${deliveryId}`);
  expect(attempts[0].headers).toContainEqual({ name: 'authorization', value: 'Basic ***' });
  await operators('/webhooks/health');
  const [entry] = await operators('/audit-log?action=merchant.update');
  expect(entry.detail.defaultCallbackUrl).toBe(masked('/all'));
  await operators('/audit-log');
  answers.push((await operator.get('/audit-log.csv')).text);
  for (const answer of answers) {
    expect(answer).not.toContain(SECRET);
    expect(answer).not.toContain(sentWith(login));
  }
});

test('a form that sends the mask back keeps it, for the same host alone', async () => {
  const { path, admin } = await shop();
  await operator.patch(path, { defaultCallbackUrl: withLogin('shop:first', '/all') });
  const sent = async (change: object) => {
    const before = receiver.received.length;
    await admin.data('PATCH', '/settings', change);
    await admin.data('POST', '/webhooks/test');
    return (await receiver.arrived(before + 1))[before] as Received;
  };
  expect(await sent({ defaultCallbackUrl: masked('/other') })).toMatchObject({
    url: '/other',
    headers: { authorization: sentWith('shop:first') },
  });
  const next = withLogin('shop:second', '/other');
  expect((await sent({ defaultCallbackUrl: next })).headers.authorization).toBe(
    sentWith('shop:second'),
  );
  const { data } = await operator.get('/audit-log?action=merchant.update');
  expect(data[0].detail).toMatchObject({
    defaultCallbackUrl: masked('/other'),
    defaultCallbackUrlBefore: masked('/other'),
  });
  const elsewhere = 'https://***@thief.example/other';
  for (const { errors } of [
    await operator.patch(path, { defaultCallbackUrl: elsewhere }),
    await operator.patch(`${path}?preview=true`, { defaultCallbackUrl: elsewhere }),
    await operator.post('/merchants', { name: 'New', defaultCallbackUrl: elsewhere }),
  ])
    expect(Object.values(errors ?? {})).toEqual([
      ['must have its user name and password again, which are kept for one host.'],
    ]);
});
