import { afterAll, beforeAll, beforeEach, describe, expect } from 'vitest';
import {
  advance,
  type CreatedOrder,
  createMember,
  createMerchant,
  createOrder,
  everybodyOffline,
  setPresence,
  signInMember,
  type TestMember,
} from '../../support/fixtures.ts';
import { type MemberClient, memberClient } from '../../support/member-client.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { openPage } from '../../support/page-client.ts';
import { type PushService, startPushService } from '../../support/push-service.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { serviceTest } from '../../support/service-test.ts';

/** Members who do not look at their app: by push, then by the channels of the operators. */

const PASSWORD = 'correct horse';

interface SignedIn extends TestMember {
  readonly client: MemberClient;
}
let member: SignedIn;
let phones: PushService;
let gateway: Receiver;

const { test, service } = await serviceTest({ ALLOW_PRIVATE_CALLBACKS: '1' });
const operator = operatorClient(service);
const merchant = await createMerchant(service, { balance: '100000' });

async function signedIn(): Promise<SignedIn> {
  const created = await createMember(service, {
    name: 'Aisha "the fast" Khan',
    password: PASSWORD,
    online: false,
    float: '100000',
    maxOpenOrders: 100,
  });
  const token = await signInMember(service, created, PASSWORD);
  return { ...created, client: memberClient(service.url, token) };
}

beforeAll(async () => {
  gateway = await startReceiver();
  const { publicKey } = await (await signedIn()).client.data('GET', '/push');
  phones = await startPushService(publicKey);
});
afterAll(async () => {
  await gateway.close();
  await phones.close();
});
beforeEach(async () => {
  await everybodyOffline(service);
  member = await signedIn();
  await setPresence(service, member.memberId, true);
});

const withdraw = () =>
  createOrder(merchant, {
    orderType: 'Withdrawal',
    amount: 700.0047, // 700 can be sent
    customerAccountNumber: '03001112223',
    maxRetryCount: 0, // it does not come to the member of a later test
  });
async function paidDeposit(): Promise<CreatedOrder> {
  const order = await createOrder(merchant, { amount: 2500.4947 }); // 2500.5 can be sent
  await openPage(order).data('open');
  await openPage(order).data('confirm', { transactionDigits: '4821' });
  return order;
}
const subscribe = async ({ client }: SignedIn = member) => {
  const { subscription } = phones.phone();
  return client.data('POST', '/push/subscriptions', subscription);
};
const pushesOf = (order: CreatedOrder) =>
  phones.pushed.filter(({ payload }) => payload.orderId === order.orderId);
const alertsOf = async ({ orderId }: CreatedOrder) =>
  (await operator.get(`/orders/${orderId}`)).data.alerts;
const seen = (order: CreatedOrder) => member.client.data('POST', `/orders/${order.orderId}/seen`);

/** A withdrawal that this was done with before a round of alerts: one may come between. */
async function atOnce(act: (order: CreatedOrder) => Promise<unknown>): Promise<CreatedOrder> {
  for (;;) {
    const order = await withdraw();
    await act(order);
    const alerts: readonly { readonly pushedAt: string | null }[] = await alertsOf(order);
    if (pushesOf(order).length === 0 && alerts.every(({ pushedAt }) => pushedAt === null))
      return order;
  }
}

describe('a push', () => {
  test('comes to every phone of the member, with no name or number in it, and is recorded', async () => {
    await subscribe();
    await subscribe(await signedIn());
    await subscribe();
    const order = await withdraw();
    await advance(service, 1);
    expect(pushesOf(order).map(({ payload }) => payload)).toEqual(
      [1, 2].map(() => ({
        orderId: order.orderId,
        kind: 'assigned',
        amount: '700',
        currency: 'PKR',
      })),
    );
    const [{ headers } = { headers: {} }] = pushesOf(order);
    expect(headers).toMatchObject({ urgency: 'high', ttl: expect.stringMatching(/^3[56]\d\d$/) });
    expect(await alertsOf(order)).toMatchObject([
      { memberId: member.memberId, kind: 'assigned', pushedAt: expect.any(String), seenAt: null },
    ]);
    await advance(service, 300);
    expect(pushesOf(order)).toHaveLength(2);
  });

  test('of a payout that comes back comes again, though the first was seen', async () => {
    const other = await signedIn();
    await subscribe();
    const order = await createOrder(merchant, {
      orderType: 'Withdrawal',
      amount: 700,
      customerAccountNumber: '03001112223',
      maxRetryCount: 2,
    });
    await advance(service, 1);
    await seen(order);
    await setPresence(service, other.memberId, true);
    const before = pushesOf(order).length;
    await advance(service, 3_600);
    await advance(service, 3_600);
    expect(await member.client.data('GET', `/orders/${order.orderId}`)).toMatchObject({
      heldBefore: true,
      seenAt: null,
    });
    await advance(service, 1);
    expect([before, pushesOf(order).length]).toEqual([1, 2]);
    expect((await seen(order)).seenAfterMs).toBeLessThan(60_000);
    await advance(service, 3_600);
  });

  test('of a deposit comes when its customer has confirmed, and not before', async () => {
    await subscribe();
    const waiting = await createOrder(merchant);
    const order = await paidDeposit();
    await advance(service, 1);
    expect(pushesOf(waiting)).toEqual([]);
    expect(pushesOf(order)).toMatchObject([
      { payload: { kind: 'customer-confirmed', amount: '2500.5' } },
    ]);
  });

  test('is not sent for what was seen or ended at once, nor without a phone', async () => {
    const unheard = await withdraw();
    await advance(service, 1);
    expect(await alertsOf(unheard)).toEqual([]);
    await subscribe();
    const looked = await atOnce(seen);
    const ended = await atOnce(({ orderId }) =>
      member.client.data('POST', `/orders/${orderId}/confirm`, {}),
    );
    await advance(service, 60);
    expect([...pushesOf(looked), ...pushesOf(ended)]).toEqual([]);
  });

  test.each([404, 410])('that is answered %i forgets the phone', async (status) => {
    await subscribe();
    phones.answer(status);
    await withdraw();
    await advance(service, 1);
    phones.answer(201);
    expect((await member.client.data('GET', '/push')).phones).toEqual([]);
  });

  test('that fails keeps the phone, and says why', async () => {
    const { subscriptionId } = await subscribe();
    phones.answer(500);
    await withdraw();
    await advance(service, 1);
    phones.answer(201);
    expect((await member.client.data('GET', '/push')).phones).toMatchObject([
      { subscriptionId, lastError: 'The receiver answered 500.' },
    ]);
  });

  test('that no push service takes is tried again until one does, and not when it never will', async () => {
    await subscribe();
    phones.answer(503);
    const order = await withdraw();
    await advance(service, 1);
    phones.answer(201);
    await advance(service, 11);
    expect(pushesOf(order)).toHaveLength(1);
    await advance(service, 60);
    expect(pushesOf(order)).toHaveLength(1);
    phones.answer(413);
    const refused = await withdraw();
    await advance(service, 1);
    phones.answer(201);
    await advance(service, 60);
    expect(pushesOf(refused)).toEqual([]);
  });

  test('to an address that is not public shows its member nothing of it', async () => {
    const { subscription } = phones.phone();
    const endpoint = 'https://169.254.169.254/latest';
    const { subscriptionId } = await member.client.data('POST', '/push/subscriptions', {
      ...subscription,
      endpoint,
    });
    expect(
      await member.client.data('POST', `/push/subscriptions/${subscriptionId}/test`),
    ).toMatchObject({ taken: false, error: 'This is not the address of a push service.' });
  });

  test('comes no more once the phone is unsubscribed or signed out', async () => {
    const first = await subscribe();
    const token = await signInMember(service, member, PASSWORD);
    const other = { ...member, client: memberClient(service.url, token) };
    await subscribe(other);
    const stranger = await signedIn();
    const path = `/push/subscriptions/${first.subscriptionId}`;
    expect((await stranger.client.call('DELETE', path)).status).toBe(404);
    expect(await member.client.data('DELETE', path)).toEqual({ deleted: true });
    await other.client.data('DELETE', '/session');
    const order = await withdraw();
    await advance(service, 1);
    expect(pushesOf(order)).toEqual([]);
    expect((await member.client.data('GET', '/push')).phones).toEqual([]);
  });

  test('that is a test is seen with how long it took, once', async () => {
    const { subscriptionId } = await subscribe();
    const test = await member.client.data('POST', `/push/subscriptions/${subscriptionId}/test`);
    expect(test).toMatchObject({ taken: true, error: null });
    const { payload } = phones.pushed.at(-1) ?? {};
    expect(payload).toEqual({ orderId: test.testId, kind: 'test', amount: '0', currency: 'PKR' });
    await advance(service, 2);
    const path = `/push/tests/${test.testId}/seen`;
    expect((await (await signedIn()).client.call('POST', path)).status).toBe(404);
    const { latencyMs } = await member.client.data('POST', path);
    expect(latencyMs).toBeGreaterThanOrEqual(2_000);
    await advance(service, 2);
    expect(await member.client.data('POST', path)).toEqual({ latencyMs });
    expect((await member.client.data('GET', '/push')).phones).toMatchObject([
      {
        subscriptionId,
        testSeenAfterMs: latencyMs,
        current: true,
        service: new URL(phones.phone().subscription.endpoint).host,
      },
    ]);
  });

  test('is a test five times a minute at most, however many phones there are and at once', async () => {
    const phonesOfMember = [await subscribe(), await subscribe()];
    const tests = Array.from({ length: 8 }, (_, at) => {
      const path = `/push/subscriptions/${phonesOfMember[at % 2]?.subscriptionId}/test`;
      return member.client.call('POST', path);
    });
    const statuses = (await Promise.all(tests)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 200, 200, 200, 200, 409, 409, 409]);
    await advance(service, 60);
    const path = `/push/subscriptions/${phonesOfMember[0]?.subscriptionId}/test`;
    expect((await member.client.call('POST', path)).status).toBe(200);
  });

  test.each<[string, object]>([
    ['endpoint', { endpoint: 'ftp://push.example/1' }],
    ['endpoint', { endpoint: 'not a url' }],
    ['keys.p256dh', { keys: { p256dh: 'A'.repeat(40), auth: 'A'.repeat(22) } }],
    ['keys.p256dh', { keys: { p256dh: 'A'.repeat(87), auth: 'A'.repeat(22) } }],
    ['keys.auth', { keys: { auth: 'A'.repeat(30) } }],
  ])('to a %s that is none is refused', async (field, change: { keys?: object }) => {
    const { subscription } = phones.phone();
    const keys = { ...subscription.keys, ...change.keys };
    const body = { ...subscription, ...change, keys };
    const { status, json } = await member.client.call('POST', '/push/subscriptions', body);
    expect([status, Object.keys(json.errors ?? {})]).toEqual([400, [`$.${field}`]]);
  });
});

describe('the channels of the operators', () => {
  const set = (body: object) => operator.post('/alert-channels', body);
  const remove = (position: string) => operator.post('/alert-channels/remove', { position });
  const callsAbout = ({ orderId }: CreatedOrder) =>
    gateway.received.filter(({ json }) => json.order === orderId).map(({ url }) => url);

  const TEMPLATE = '{"order":"{orderId}","say":"{kind} {amount} {currency} for {member}"}';
  async function setUp() {
    for (const position of ['second', 'third'])
      await set({
        position,
        url: `${gateway.url}/${position}?token=secret`,
        headers: { Authorization: 'Bearer hidden' },
        bodyTemplate: TEMPLATE,
      });
  }

  test('are called 20 and 60 seconds after an alert that nobody has seen', async () => {
    await setUp();
    const [unseen, looked] = [await withdraw(), await withdraw()];
    await advance(service, 10);
    await seen(looked);
    expect(callsAbout(unseen)).toEqual([]);
    await advance(service, 12);
    expect(callsAbout(unseen)).toEqual(['/second?token=secret']);
    await advance(service, 3_000);
    expect(callsAbout(unseen)).toEqual(['/second?token=secret', '/third?token=secret']);
    expect(callsAbout(looked)).toEqual([]);
    const call = gateway.received.find(({ json }) => json.order === unseen.orderId);
    expect(call?.headers).toMatchObject({
      authorization: 'Bearer hidden',
      'content-type': 'application/json',
    });
    expect(call?.json.say).toBe('assigned 700 PKR for Aisha "the fast" Khan');
    const [alert] = await alertsOf(unseen);
    expect(Date.parse(alert.secondAt) - Date.parse(alert.alertedAt)).toBeGreaterThanOrEqual(20_000);
    expect(Date.parse(alert.thirdAt) - Date.parse(alert.alertedAt)).toBeGreaterThanOrEqual(60_000);
    expect(alert).toMatchObject({ secondError: null, thirdError: null, missedAt: null });
    expect((await operator.get(`/members/${member.memberId}/alerts`)).data.alerts).toMatchObject([
      { orderId: looked.orderId, secondAt: null },
      { orderId: unseen.orderId, orderReference: unseen.orderReference, missed: false },
    ]);
  });

  test('say on the order what went wrong', async () => {
    await setUp();
    gateway.behave(503);
    const order = await withdraw();
    await advance(service, 25);
    gateway.behave(200);
    expect(await alertsOf(order)).toMatchObject([{ secondError: 'The receiver answered 503.' }]);
  });

  test('show neither address nor headers, and keep what is left out', async () => {
    await setUp();
    const shown = {
      position: 'second',
      afterSeconds: 20,
      origin: gateway.url,
      headerNames: ['Authorization'],
      bodyTemplate: TEMPLATE,
      changedAt: expect.any(String),
    };
    expect((await operator.get('/alert-channels')).data.channels[0]).toEqual(shown);
    const changed = await set({ position: 'second', afterSeconds: 30 });
    expect(changed.data).toEqual({ ...shown, afterSeconds: 30 });
    expect(await set({ position: 'second', url: 'http://elsewhere.example/' })).toMatchObject({
      status: 400,
      errors: { '$.headers': ['must be given again with another host.'] },
    });
    const { rows } = await service.database.pool.query(
      'select alert_channels::text as row from alert_channels',
    );
    const log = await operator.get('/audit-log?target=settings');
    expect(JSON.stringify([rows, log.data])).not.toMatch(/hidden|token=secret/);
    await set({ position: 'second', afterSeconds: 20 });
  });

  test('are tested before they are needed, and turned off', async () => {
    await setUp();
    const before = gateway.received.length;
    const { data } = await operator.post('/alert-channels/test', { position: 'third' });
    expect(data).toMatchObject({ delivered: true, responseStatus: 200, error: null });
    expect(gateway.received[before]?.json.say).toMatch(/^test 1234\.5 PKR for /);
    gateway.behave(401);
    expect((await operator.post('/alert-channels/test', { position: 'third' })).data).toMatchObject(
      {
        delivered: false,
        responseStatus: 401,
        error: 'The receiver answered 401.',
      },
    );
    gateway.behave(200);
    for (const position of ['second', 'third']) expect((await remove(position)).status).toBe(200);
    expect((await remove('second')).status).toBe(404);
    expect((await operator.post('/alert-channels/test', { position: 'second' })).status).toBe(404);
    const order = await withdraw();
    await advance(service, 120);
    expect(callsAbout(order)).toEqual([]);
  });

  test.each<[string, object]>([
    ['url', {}],
    ['url', { url: 'ftp://a.example/' }],
    ['url', { url: 'https://user:pass@a.example/' }],
    ['headers', { url: 'https://a.example/', headers: { Host: 'b.example' } }],
    ['headers', { url: 'https://a.example/', headers: { 'X-A': 'a\r\nB: c' } }],
    ['bodyTemplate', { url: 'https://a.example/', bodyTemplate: '{"a": {member}}' }],
  ])('with a wrong %s are refused: %j', async (field, change) => {
    await remove('third');
    const { status, errors } = await set({ position: 'third', ...change });
    expect([status, Object.keys(errors ?? {})]).toEqual([400, [`$.${field}`]]);
  });
});

describe('alerts that are missed in a row', () => {
  test('take the member offline once there are as many as the setting says, and both are notified', async () => {
    await operator.patch('/settings', { missedAlertsMax: 2 });
    const missed = async () => {
      const order = await withdraw();
      await advance(service, 130);
      return order;
    };
    const online = async () => (await member.client.data('GET', '/me')).online;
    await missed();
    await seen(await withdraw());
    await advance(service, 130);
    const last = await missed();
    expect(await alertsOf(last)).toMatchObject([{ missedAt: expect.any(String) }]);
    expect(await online()).toBe(true);
    await missed();
    expect(await member.client.data('GET', '/me')).toMatchObject({
      online: false,
      takenOffline: { missed: 2, at: expect.any(String) },
    });
    const path = `/members/${member.memberId}/alerts`;
    expect((await operator.get(path)).data.takenOffline).toMatchObject({ missed: 2 });
    const log = await operator.get(
      `/audit-log?target=${member.memberId}&action=member.missed-alerts`,
    );
    expect(log.data).toMatchObject([{ actor: { kind: 'clock' }, detail: { missed: 2 } }]);
    await member.client.data('POST', '/presence', { online: true });
    expect(await member.client.data('GET', '/me')).toMatchObject({
      online: true,
      takenOffline: null,
    });
    await missed();
    expect(await online()).toBe(true);
    await missed();
    expect(await online()).toBe(false);
    await operator.patch('/settings', { missedAlertsMax: null });
  });
});
