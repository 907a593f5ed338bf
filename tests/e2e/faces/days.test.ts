import { afterAll, beforeAll, describe, expect } from 'vitest';
import {
  advance,
  createMember,
  createMerchant,
  createOrder,
  signInMember,
  type TestMerchant,
} from '../../support/fixtures.ts';
import { type MemberClient, memberClient } from '../../support/member-client.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { completeOrder, deliveryWhen } from '../../support/outcomes.ts';
import { createPortalUser, portalClient } from '../../support/portal.ts';
import { startReceiver } from '../../support/receiver.ts';
import { serviceTest } from '../../support/service-test.ts';

/** A day is the same day in every list, export and statement of a face (apis.md). */

const { test, service } = await serviceTest();
const operator = operatorClient(service);
const receiver = await startReceiver();
afterAll(() => receiver.close());

const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000];
const PAKISTAN_MS = 5 * HOUR_MS;
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

let merchant: TestMerchant;
let admin: MemberClient;
let phone: MemberClient;
/** An order of 01:00 in Pakistan, where it is a day later than in UTC. */
let orderId: string;
let day: string;
let dayAfter: string;

beforeAll(async () => {
  const now = service.app.deps.clock.now();
  await advance(service, Math.ceil((DAY_MS - ((now - 20 * HOUR_MS) % DAY_MS)) / 1000));
  const url = `${receiver.url}/hook`;
  merchant = await createMerchant(service, { balance: '1000', defaultCallbackUrl: url });
  admin = portalClient(service, (await createPortalUser(service, merchant, 'admin')).token);
  const password = 'a long enough password';
  const member = await createMember(service, { methods: ['ProviderA'], password });
  phone = memberClient(service.url, await signInMember(service, member, password));
  const order = await createOrder(merchant, { amount: 250 });
  orderId = order.orderId;
  await completeOrder(service, order, member);
  await deliveryWhen(service, order, { status: 'delivered' });
  const here = service.app.deps.clock.now() + PAKISTAN_MS;
  [day, dayAfter] = [dayOf(here), dayOf(here + DAY_MS)];
  expect(dayOf(here - PAKISTAN_MS)).not.toBe(day);
});

const found = (text: string) => text.includes(orderId);
const ofPortal = async (path: string) => (await admin.call('GET', path)).text;

const MERCHANT_LISTS = ['orders', 'orders.csv', 'movements', 'movements.csv', 'deliveries'];

describe('of the portal, by the merchant’s clocks', () => {
  test.each(MERCHANT_LISTS)('/%s', async (list) => {
    expect(found(await ofPortal(`/${list}?from=${day}&to=${dayAfter}`))).toBe(true);
    expect(found(await ofPortal(`/${list}?to=${day}`))).toBe(false);
  });

  test('the statement, and a search by amount and day', async () => {
    const statement = await ofPortal(`/statements/${day.slice(0, 7)}/movements.csv`);
    const line = statement.split('\r\n').find((one) => found(one));
    expect(line).toContain(day);
    const search = (asked: string) => ofPortal(`/orders?search=${encodeURIComponent(asked)}`);
    expect(found(await search(`250 ${day}`))).toBe(true);
    expect(found(await search(`250 ${dayOf(Date.parse(day) - DAY_MS)}`))).toBe(false);
  });
});

describe('of operators, by the clocks of the merchant that is named, else of UTC', () => {
  test.each([
    ['orders?merchantId=ID&', true],
    ['orders.csv?merchantId=ID&', true],
    ['deliveries?merchantId=ID&', true],
    ['merchants/ID/movements?', true],
    ['merchants/ID/movements.csv?', true],
    ['orders?', false],
    ['orders.csv?', false],
    ['deliveries?', false],
  ])('/%s', async (list, isFound) => {
    const path = `/${list.replace('ID', merchant.merchantId)}`;
    const { text } = await operator.get(`${path}from=${day}`);
    expect(found(text)).toBe(isFound);
  });
});

test('of a member, by the clock of the phone', async () => {
  const ofMember = async (path: string) => (await phone.call('GET', path)).text;
  for (const [utcOffset, isFound] of [
    [300, true],
    [0, false],
  ] as const) {
    const query = `from=${day}&to=${dayAfter}&utcOffset=${utcOffset}`;
    expect(found(await ofMember(`/orders?state=closed&${query}`))).toBe(isFound);
    expect(found(await ofMember(`/movements?${query}`))).toBe(isFound);
    const { days } = (await phone.data('GET', `/days?${query}`)) as { days: object[] };
    expect(days).toHaveLength(isFound ? 1 : 0);
  }
});

describe('that is none is refused', () => {
  const wrong = ['2026-02-30', '2026-02-30T12:00:00Z', '2025-02-29', '2026-13-01', '2026-04-31'];
  test.each(wrong)('%s', async (text) => {
    const refused = { from: [expect.stringMatching(/^must be an ISO 8601 date/)] };
    for (const path of [
      ...['/orders', '/orders.csv', '/orders/count', '/audit-log', '/audit-log.csv', '/deliveries'],
      `/merchants/${merchant.merchantId}/movements`,
      `/merchants/${merchant.merchantId}/movements.csv`,
    ]) {
      const { status, errors } = await operator.get(`${path}?from=${text}`);
      expect([path, status, errors]).toEqual([path, 400, refused]);
    }
    for (const list of [...MERCHANT_LISTS, 'refused-requests/counts']) {
      const { status, json } = await admin.call('GET', `/${list}?from=${text}`);
      expect([list, status, json.errors]).toEqual([list, 400, refused]);
    }
    for (const list of ['orders?state=closed&', 'movements?', 'days?']) {
      const { status, json } = await phone.call('GET', `/${list}from=${text}`);
      expect([list, status, json.errors]).toEqual([list, 400, refused]);
    }
  });
});
