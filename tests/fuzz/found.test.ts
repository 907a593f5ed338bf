import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { createMember, createMerchant, createOrder, signInMember } from '../support/fixtures.ts';
import { memberClient } from '../support/member-client.ts';
import { operatorClient } from '../support/operator-client.ts';
import { rawRequest } from '../support/raw-http.ts';
import { serviceTest } from '../support/service-test.ts';

/** The smallest case of everything that the fuzzer has found. */
const { test, service } = await serviceTest();
const operator = operatorClient(service);
const token = await signInMember(
  service,
  await createMember(service, { password: 'correct horse' }),
  'correct horse',
);

const inArrays = (levels: number, inner: string) => '['.repeat(levels) + inner + ']'.repeat(levels);
const inObjects = (levels: number, inner: string) =>
  '{"a":'.repeat(levels) + inner + '}'.repeat(levels);

test.each([
  ['objects around a null character', `{"name": "x", "y": ${inObjects(5_000, '"\\u0000"')}}`],
  ['30,000 arrays', `{"name": "x", "y": ${inArrays(30_000, '"\\u0000"')}}`],
  [
    'items that are compared with each other',
    `{"name": "x", "depositMethods": [${inObjects(5_000, '1')}, ${inObjects(5_000, '1')}]}`,
  ],
  ['one level too many', `{"name": "x", "y": ${inArrays(32, '')}}`],
])('a body of many levels is refused by itself: %s', async (_name, body) => {
  const refusal = { status: 400, errors: { $: ['The body is nested more than 32 levels deep.'] } };
  expect(await operator.post('/merchants', body)).toMatchObject(refusal);
  const answer = await memberClient(service.url, token).raw('POST', '/presence', body);
  expect([answer.status, answer.json.errors]).toEqual([refusal.status, refusal.errors]);
});

test('brackets in texts are no levels', async () => {
  const name = '[{'.repeat(50);
  expect((await operator.post('/merchants', { name: `\\" ${name}` })).data.name).toBe(
    `\\" ${name}`,
  );
});

test.each(['__proto__', 'constructor', 'toString'])(
  'a query parameter called %s is one that there is not',
  async (name) => {
    for (const path of ['/audit-log', '/late-claims', '/webhooks/alerts']) {
      const { status, errors } = await operator.get(`${path}?${name}=x`);
      expect([status, JSON.stringify(errors)]).toEqual([
        400,
        `{"${name}":["There is no such field."]}`,
      ]);
    }
    expect((await memberClient(service.url, token).call('GET', `/orders?${name}=x`)).status).toBe(
      400,
    );
    expect(Object.keys(Object.prototype)).toEqual([]);
  },
);

test.each([
  ['/audit-log', 'actorId'],
  ['/audit-log', 'action'],
  ['/audit-log', 'target'],
  ['/merchants', 'search'],
  ['/members', 'search'],
  ['/orders', 'search'],
])('GET %s with a null character in %s: 400 that names it', async (path, name) => {
  expect(await operator.get(`${path}?${name}=a%00b`)).toMatchObject({
    status: 400,
    errors: { [name]: ['must not contain a null character.'] },
  });
});

test.each([
  '0000-01-01',
  '0000-12-31T23:59:59Z',
  '0001-01-01T00:00:00%2B14:00',
  '9999-12-31T23:59:59-14:00',
  '2016-12-31T23:59:60Z',
  '2026-02-30T24:00:01Z',
])('orders from or to %s: 400', async (time) => {
  for (const name of ['from', 'to'])
    expect(Object.keys((await operator.get(`/orders?${name}=${time}`)).errors ?? {})).toEqual([
      name,
    ]);
});

test.each(['0000-01-01T00:00:00Z', '2016-12-31T23:59:60Z', '9999-12-31T23:59:59-23:59'])(
  'webhooks since %s: 400, and nothing is recorded',
  async (since) => {
    expect(Object.keys((await operator.post('/webhooks/replay', { since })).errors ?? {})).toEqual([
      '$.since',
    ]);
    expect((await operator.get('/audit-log?action=webhooks.replay')).data).toEqual([]);
  },
);

test('HEAD of the event stream is answered', async () => {
  const headers: [string, string][] = [['Authorization', `Bearer ${token}`]];
  expect(
    await rawRequest(service.url, { method: 'HEAD', path: '/api/member/events', headers }),
  ).toMatchObject({ status: 200, text: '' });
  expect(
    (
      await rawRequest(service.url, {
        method: 'HEAD',
        path: `/api/member/orders/${randomUUID()}`,
        headers,
      })
    ).status,
  ).toBe(404);
});

test('an id in capitals is the same id, in the address, the query and the body', async () => {
  const merchant = await createMerchant(service);
  const member = await createMember(service, { float: '1000', online: false });
  const order = await createOrder(merchant, { amount: 7 });
  const capitals = ({ merchantId }: { merchantId: string }) => merchantId.toUpperCase();
  expect(
    (
      await operator.post(`/merchants/${capitals(merchant)}/adjustments`, {
        kind: 'credit',
        amount: 5,
        reason: 'r',
      })
    ).data.merchantId,
  ).toBe(merchant.merchantId);
  expect((await operator.get(`/orders?merchantId=${capitals(merchant)}`)).data).toMatchObject([
    { orderId: order.orderId },
  ]);
  await operator.post(`/orders/${order.orderId.toUpperCase()}/cancel`, { note: 'n' });
  const confirmed = await operator.post(`/orders/${order.orderId.toUpperCase()}/confirm`, {
    note: 'n',
    memberId: member.memberId.toUpperCase(),
  });
  expect(confirmed.data).toMatchObject({
    orderId: order.orderId,
    status: 'Completed',
    memberId: member.memberId,
  });
});
