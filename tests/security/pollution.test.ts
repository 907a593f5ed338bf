import { expect } from 'vitest';
import { createMember, createMerchant, createOrder, signInMember } from '../support/fixtures.ts';
import { memberClient } from '../support/member-client.ts';
import { operatorClient } from '../support/operator-client.ts';
import { openPage } from '../support/page-client.ts';
import { rawRequest } from '../support/raw-http.ts';
import { serviceTest } from '../support/service-test.ts';

/**
 * Keys that mean something to JavaScript, sent to every face: nothing of it sticks to other objects
 * of the process.
 */
const { test, service } = await serviceTest();
const merchant = await createMerchant(service);
await createMember(service);

const BODIES = [
  '{"__proto__": {"polluted": "yes", "role": "admin"}}',
  '{"constructor": {"prototype": {"polluted": "yes"}}}',
  '{"__proto__": null}',
  '{"__proto__.polluted": "yes", "constructor.prototype.polluted": "yes"}',
  '{"displayNames": {"__proto__": {"polluted": "yes"}, "methods": {"__proto__": "yes", "constructor": "yes"}}}',
  '{"ipWhitelist": {"__proto__": {"polluted": "yes"}, "enabled": false, "entries": [{"__proto__": {"polluted": "yes"}}]}}',
];

const untouched = () => {
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(Object.getOwnPropertyNames(Object.prototype).sort()).toEqual(OWN);
  expect(({} as { polluted?: string }).polluted).toBeUndefined();
  expect(([] as { polluted?: string }).polluted).toBeUndefined();
};
const OWN = Object.getOwnPropertyNames(Object.prototype).sort();

test.each(BODIES)('%s changes no other object, on any face', async (body) => {
  const operator = operatorClient(service);
  for (const path of [
    '/merchants',
    '/fee-rules',
    '/session',
    `/merchants/${merchant.merchantId}/adjustments`,
  ])
    expect((await operator.post(path, body)).status).toBe(400);
  for (const path of ['/settings', `/merchants/${merchant.merchantId}`])
    expect((await operator.patch(path, body)).status).toBe(400);
  const member = memberClient(
    service.url,
    await signInMember(
      service,
      await createMember(service, { password: 'correct horse', online: false }),
      'correct horse',
    ),
  );
  for (const path of ['/presence', '/accounts', '/session'])
    expect((await member.raw('POST', path, body)).status).toBe(400);
  expect(
    (
      await rawRequest(service.url, {
        method: 'POST',
        path: '/api/merchant/orders',
        headers: [['SVC-API-Key', merchant.apiKey]],
        body,
      })
    ).status,
  ).toBe(401);
  const page = openPage(await createOrder(merchant));
  for (const action of ['open', 'cancel'])
    expect((await page.post(action, JSON.parse(body))).status).toBe(200);
  untouched();
});

test('nor do queries, forms and cookies', async () => {
  const names = [
    '__proto__',
    '__proto__[polluted]',
    'constructor[prototype][polluted]',
    'constructor.prototype.polluted',
    'hasOwnProperty',
    'toString',
  ];
  const order = await createOrder(merchant);
  for (const name of names) {
    await openPage(order).form('check', { [name]: 'yes', transactionDigits: '1' });
    await fetch(`${order.paymentPageUrl}&${encodeURIComponent(name)}=yes&lang=__proto__`, {
      headers: { Cookie: `${encodeURIComponent(name)}=yes; language=constructor` },
    });
    await fetch(`${service.url}/api/merchant/orders/status?${encodeURIComponent(name)}=yes`, {
      headers: { 'SVC-API-Key': merchant.apiKey },
    });
    expect(
      (await operatorClient(service).get(`/orders?${encodeURIComponent(name)}=yes`)).status,
    ).toBe(400);
  }
  untouched();
});

test('a signed body may carry such keys: they are signed like any other and mean nothing', async () => {
  const body: Record<string, unknown> = JSON.parse(
    '{"orderType": "Deposit", "amount": 4, "walletType": "ProviderA", "merchantOrderRef": "odd keys", "__proto__": "a", "constructor": "b"}',
  );
  expect((await createOrder(merchant, body)).merchantOrderRef).toBe('odd keys');
  untouched();
});
