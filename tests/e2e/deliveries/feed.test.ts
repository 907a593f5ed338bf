import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeEach, describe, expect, onTestFinished, vi } from 'vitest';
import { resendOutcome } from '../../../apps/server/src/deliveries/service.ts';
import { inTransaction } from '../../../apps/server/src/platform/database/db.ts';
import {
  advance,
  createApiKey,
  createMember,
  createMerchant,
  createOrder,
  type TestMerchant,
} from '../../support/fixtures.ts';
import { get as getOf, type Reply } from '../../support/merchant-client.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { cancelOrder, completeOrder, confirmLate, failedOrder } from '../../support/outcomes.ts';
import { PATIENCE_MS } from '../../support/patience.ts';
import { createPortalUser, portalClient } from '../../support/portal.ts';
import { startReceiver } from '../../support/receiver.ts';
import { startService } from '../../support/service.ts';
import { serviceTest } from '../../support/service-test.ts';
import { SEED, size } from '../../support/size.ts';
import { expectSound } from '../../support/verify.ts';

const { test, service } = await serviceTest();
/** Like another process. */
const other = await startService({}, service);
afterAll(() => other.close());
const stopping = await startService({ ROLES: 'http' }, service);
const down = await startReceiver(503);
afterAll(() => down.close());
afterEach(() => expectSound(service));

interface Event {
  readonly deliveryId: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const get = (merchant: TestMerchant, query = ''): Promise<Reply> =>
  getOf(merchant, `/events${query}`);
async function read(merchant: TestMerchant, query = ''): Promise<{ data: Event[]; next: string }> {
  const { status, json } = await get(merchant, query);
  expect(status).toBe(200);
  return json;
}

/** Reads until there is no more. */
async function pass(merchant: TestMerchant, from = '', limit = 100) {
  const events: Event[] = [];
  for (let after = from; ; ) {
    const { data, next } = await read(merchant, `?limit=${limit}&after=${after}`);
    if (data.length === 0) return { events, next };
    events.push(...data);
    after = next;
  }
}

const outcomesOf = (events: readonly Event[]) =>
  events.map(({ body }) => {
    const { orderId, eventType } = JSON.parse(body);
    return `${orderId} ${eventType}`;
  });

/** Sends the outcome of an order again, by a transaction that lasts until it is let go. */
async function holdResend(at: typeof service, { orderId }: { readonly orderId: string }) {
  const { deps } = at.app;
  const written = Promise.withResolvers<void>();
  const letGo = Promise.withResolvers<void>();
  onTestFinished(() => letGo.resolve());
  const done = inTransaction(deps.database.pool, async (client) => {
    await client.query('set local idle_in_transaction_session_timeout = 0');
    await resendOutcome(deps, orderId)(client, deps.clock.now(), deps.ids);
    written.resolve();
    await letGo.promise;
  });
  await written.promise;
  return () => {
    letGo.resolve();
    return done;
  };
}

describe('the feed of outcomes', () => {
  test('has each outcome as its webhook has it, with headers that verify', async () => {
    const receiver = await startReceiver();
    const merchant = await createMerchant(service, { defaultCallbackUrl: receiver.url });
    const order = await failedOrder(service, merchant, {});
    const [webhook] = await receiver.arrived(1);
    const { data } = await read(merchant);
    const [event] = data as [Event];
    expect(data).toHaveLength(1);
    expect(event.body).toBe(webhook?.body.toString('utf8'));
    expect(JSON.parse(event.body)).toMatchObject({ orderId: order.orderId });
    const key = createHmac('sha256', merchant.signingSecret).update(event.body).digest('hex');
    expect(event).toEqual({
      deliveryId: webhook?.headers['x-svc-delivery-id'],
      headers: {
        'Content-Type': 'application/json; charset=utf-8',
        'X-SVC-Event': 'order.failed',
        'X-SVC-Signature': `sha256=${key}`,
        'X-SVC-Key-Prefix': merchant.apiKey.slice(8, 16),
        'X-SVC-Delivery-Id': event.deliveryId,
        'X-SVC-Timestamp': expect.stringMatching(/^\d{10}$/),
      },
      body: expect.any(String),
    });
    await receiver.close();
  });

  test('has orders without a callback URL, of which no webhook is sent or shown', async () => {
    const merchant = await createMerchant(service);
    const member = await createMember(service, { methods: ['TillID'], float: '100000' });
    const order = await createOrder(merchant, { walletType: 'TillID' });
    await completeOrder(service, order, member);
    const failed = await failedOrder(service, merchant, { walletType: 'ProviderBQR' });
    const { events } = await pass(merchant);
    expect(outcomesOf(events)).toEqual([
      `${order.orderId} order.completed`,
      `${failed.orderId} order.failed`,
    ]);
    const operator = operatorClient(service);
    const { merchantId } = merchant;
    expect((await operator.get(`/deliveries?merchantId=${merchantId}`)).data).toEqual([]);
    expect((await operator.get(`/orders/${order.orderId}/deliveries`)).data).toEqual([]);
    expect((await operator.get(`/orders/${order.orderId}`)).data.deliveries).toEqual([]);
    const shown = await operator.get(`/deliveries/${events[0]?.deliveryId}`);
    expect(shown.status).toBe(404);
    expect((await operator.get(`/webhooks/health?merchantId=${merchantId}`)).data).toMatchObject({
      pending: 0,
      endpoints: [],
    });
    const since = '2020-01-01T00:00:00Z';
    const replay = `/webhooks/replay?since=${since}&merchantId=${merchantId}`;
    expect((await operator.get(replay)).data).toEqual({ orders: 0, more: false });
  });

  test('has the outcomes of an order in their order, what was sent again, and no test event', async () => {
    const merchant = await createMerchant(service, { defaultCallbackUrl: down.url });
    const order = await failedOrder(service, merchant, {});
    const operator = operatorClient(service);
    await operator.post(`/merchants/${merchant.merchantId}/webhooks/test`);
    await confirmLate(other, order);
    await operator.post(`/orders/${order.orderId}/deliveries/resend`);
    const { events } = await pass(merchant, '', 1);
    expect(outcomesOf(events)).toEqual([
      `${order.orderId} order.failed`,
      `${order.orderId} order.completed`,
      `${order.orderId} order.completed`,
    ]);
    expect(new Set(events.map(({ deliveryId }) => deliveryId)).size).toBe(3);
  });

  test('has nothing of another merchant, from either one’s cursors', async () => {
    const [one, two] = [await createMerchant(service), await createMerchant(service)];
    const first = await failedOrder(service, one, {});
    const second = await failedOrder(service, two, {});
    const { data, next } = await read(one, '?limit=1');
    expect(outcomesOf(data)).toEqual([`${first.orderId} order.failed`]);
    expect(outcomesOf((await read(two)).data)).toEqual([`${second.orderId} order.failed`]);
    const third = await failedOrder(service, two, {});
    expect(outcomesOf((await read(two, `?after=${next}`)).data)).not.toContain(
      `${first.orderId} order.failed`,
    );
    expect((await pass(one, next)).events).toEqual([]);
    expect(outcomesOf((await pass(two)).events)).toContain(`${third.orderId} order.failed`);
  });

  test('begins with what comes from now on', async () => {
    const merchant = await createMerchant(service);
    await failedOrder(service, merchant, {});
    const { data, next } = await read(merchant, '?after=now');
    expect(data).toEqual([]);
    const order = await failedOrder(service, merchant, {});
    expect(outcomesOf((await read(merchant, `?after=${next}`)).data)).toEqual([
      `${order.orderId} order.failed`,
    ]);
  });

  test('a cursor can be used again, and gives the same', async () => {
    const merchant = await createMerchant(service);
    for (let at = 0; at < 3; at += 1) await failedOrder(service, merchant, {});
    const { next } = await read(merchant, '?limit=1');
    const again = outcomesOf((await read(merchant, `?after=${next}&limit=1`)).data);
    expect(outcomesOf((await read(merchant, `?after=${next}&limit=1`)).data)).toEqual(again);
  });

  test('goes on by the clock from a place that is ahead of it, as one that was set back leaves', async () => {
    const merchant = await createMerchant(service);
    const ahead = await read(merchant, '?after=4102444800000000');
    const order = await failedOrder(service, merchant, {});
    const { data } = await read(merchant, `?after=${ahead.next}`);
    expect(outcomesOf(data)).toEqual([`${order.orderId} order.failed`]);
  });

  test('ends before a transaction under way: what it commits comes next, and nothing twice', async () => {
    const merchant = await createMerchant(service, { defaultCallbackUrl: down.url });
    const order = await failedOrder(service, merchant, {});
    const before = await pass(merchant);
    const commit = await holdResend(other, order);
    const later = await failedOrder(service, merchant, {});
    const meanwhile = await pass(merchant, before.next);
    expect(meanwhile.events).toEqual([]);
    await commit();
    const { events } = await pass(merchant, meanwhile.next);
    expect(outcomesOf(events).toSorted()).toEqual(
      [`${order.orderId} order.failed`, `${later.orderId} order.failed`].toSorted(),
    );
    expect((await pass(merchant, before.next)).events.map(({ deliveryId }) => deliveryId)).toEqual(
      events.map(({ deliveryId }) => deliveryId),
    );
  });

  test('a long read holds nothing back', async () => {
    const merchant = await createMerchant(service);
    const client = await service.app.deps.database.pool.connect();
    await client.query('begin isolation level repeatable read, read only');
    await client.query('select count(*) from deliveries');
    const order = await failedOrder(service, merchant, {});
    expect(outcomesOf((await read(merchant)).data)).toEqual([`${order.orderId} order.failed`]);
    await client.query('rollback');
    client.release();
  });

  test('finds what a process with a clock far behind has recorded', async () => {
    const merchant = await createMerchant(service, { defaultCallbackUrl: down.url });
    const order = await failedOrder(service, merchant, {});
    const { next } = await pass(merchant);
    const { rows } = await service.database.pool.query(
      `insert into deliveries (merchant_id, delivery_id, order_id, api_key_id, event_type, body, created_at)
       select merchant_id, '01900000-0000-7000-8000-000000000000', order_id, api_key_id, event_type, body, '2024-06-10'
       from deliveries where order_id = $1 returning delivery_id as "deliveryId"`,
      [order.orderId],
    );
    await failedOrder(service, merchant, {});
    const { events } = await pass(merchant, next, 1);
    expect(events[0]?.deliveryId).toBe(rows[0].deliveryId);
    expect(events).toHaveLength(2);
    await service.database.pool.query('delete from deliveries where delivery_id = $1', [
      rows[0].deliveryId,
    ]);
  });

  const ORDERS = size('FEED_ORDERS', { short: 150, deep: 2_000, full: 2_000 });
  test(`a pass over ${ORDERS} orders of two processes, whose commits overtake each other while the receiver is down, misses nothing and has nothing twice (seed ${SEED})`, async () => {
    const merchant = await createMerchant(service);
    const events: Event[] = [];
    let working = true;
    /** Transactions that have written and go on for some reads, each with how many. */
    let held: { readonly commit: () => void; reads: number }[] = [];
    const reading = (async () => {
      let after = '';
      for (let limit = 1; ; limit = (limit * 7) % 101 || 1) {
        const ended = !working && held.length === 0;
        const { data, next } = await read(merchant, `?limit=${limit}&after=${after}`);
        events.push(...data);
        after = next;
        for (const one of held) one.reads -= 1;
        for (const { commit } of held.filter(({ reads }) => reads < 0)) commit();
        held = held.filter(({ reads }) => reads >= 0);
        if (ended && data.length === 0) return;
      }
    })();
    const processes = [service, other];
    const work = Array.from({ length: 8 }, async (_, worker) => {
      let committed: Promise<void> | undefined;
      for (let at = worker; at < ORDERS; at += 8) {
        const [mine, theirs] = (at % 3 === 0 ? processes : processes.toReversed()) as [
          typeof service,
          typeof service,
        ];
        const order = await createOrder(merchant, at % 5 === 0 ? {} : { callbackUrl: down.url });
        await cancelOrder(mine, order);
        if (at % 7 === 0) await confirmLate(theirs, order);
        if (worker > 1 || at % 5 === 0) continue;
        await committed;
        const commit = await holdResend(theirs, order);
        committed = new Promise((resolve, reject) =>
          held.push({ commit: () => void commit().then(resolve, reject), reads: at % 4 }),
        );
      }
      await committed;
    });
    await Promise.all(work);
    working = false;
    await reading;
    const { rows } = await service.database.pool.query(
      'select delivery_id from deliveries where merchant_id = $1',
      [merchant.merchantId],
    );
    const ids = events.map(({ deliveryId }) => deliveryId);
    expect(rows.length).toBeGreaterThanOrEqual(ORDERS);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.toSorted()).toEqual(rows.map(({ delivery_id }) => delivery_id).toSorted());
    const completed = new Set<string>();
    for (const { body } of events) {
      const { orderId, eventType } = JSON.parse(body);
      if (eventType === 'order.completed') completed.add(orderId);
      else expect(completed.has(orderId), 'failed after completed').toBe(false);
    }
    // Another pass, after all of it, has the same.
    const again = await pass(merchant);
    expect(again.events.map(({ deliveryId }) => deliveryId).toSorted()).toEqual(ids.toSorted());
  });

  test.each([
    ['?after=x', 'after must be the `next` of an earlier answer, or `now`.'],
    ['?after=1-2-3', 'after must be the `next` of an earlier answer, or `now`.'],
    ['?after=99999999999999999', 'after must be the `next` of an earlier answer, or `now`.'],
    ['?after=1&after=2', 'after must be sent once.'],
    ['?limit=0', 'limit must be a whole number from 1 to 100.'],
    ['?limit=101', 'limit must be a whole number from 1 to 100.'],
    ['?limit=1.5', 'limit must be a whole number from 1 to 100.'],
    ['?wait=26', 'wait must be a whole number of seconds, at most 25.'],
    ['?wait=-1', 'wait must be a whole number of seconds, at most 25.'],
  ])('%s is a 400', async (query, error) => {
    const merchant = await createMerchant(service);
    expect(await get(merchant, query)).toMatchObject({ status: 400, json: { error } });
  });

  test('a key that is not active gets 401 without a body, also for a wrong cursor or a wait', async () => {
    const merchant = await createMerchant(service);
    const unknown = { ...merchant, apiKey: `mk_live_${'x'.repeat(32)}` };
    for (const query of ['', '?after=x', '?wait=25'])
      expect(await get(unknown, query)).toMatchObject({ status: 401, text: '' });
  });
});

describe('the headers', () => {
  test('are signed by the key that created the order, else by the newest active one, else not', async () => {
    const merchant = await createMerchant(service);
    await failedOrder(service, merchant, {});
    const newest = await createApiKey(service, merchant.merchantId);
    const prefix = async (apiKey: string) =>
      (await read({ ...merchant, apiKey })).data[0]?.headers['X-SVC-Key-Prefix'];
    expect(await prefix(newest.apiKey)).toBe(merchant.apiKey.slice(8, 16));
    const revoke = (keyId: string) =>
      service.database.pool.query('update api_keys set revoked_at = now() where key_id = $1', [
        keyId,
      ]);
    await revoke(merchant.keyId);
    expect(await prefix(newest.apiKey)).toBe(newest.apiKey.slice(8, 16));
    await service.database.pool.query(`update api_keys set sealed_secret = $2 where key_id = $1`, [
      newest.keyId,
      Buffer.alloc(60),
    ]);
    const [event] = (await read({ ...merchant, apiKey: newest.apiKey })).data;
    expect(Object.keys(event?.headers ?? {})).toEqual([
      'Content-Type',
      'X-SVC-Event',
      'X-SVC-Delivery-Id',
      'X-SVC-Timestamp',
    ]);
  });
});

describe('a wait', () => {
  // Every five seconds the service looks again by itself: here it never does.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
  afterEach(() => void vi.useRealTimers());

  test.each([
    ['this process', service],
    ['another one', other],
  ])('ends when %s has an outcome', async (_name, at) => {
    const merchant = await createMerchant(service);
    const order = await createOrder(merchant, {});
    const { next } = await pass(merchant);
    const waiting = read(merchant, `?after=${next}&wait=25`);
    await cancelOrder(at, order);
    expect(outcomesOf((await waiting).data)).toEqual([`${order.orderId} order.failed`]);
  });

  test('ends without news when its time is over, with a cursor', async () => {
    const merchant = await createMerchant(service);
    const { data, next } = await read(merchant, '?wait=1');
    expect(data).toEqual([]);
    expect((await read(merchant, `?after=${next}`)).data).toEqual([]);
  });

  test('of ten requests of a key holds no connection of the database; an eleventh is refused', async () => {
    const merchant = await createMerchant(service);
    const { next } = await pass(merchant);
    const waits = Array.from({ length: 11 }, () => get(merchant, `?after=${next}&wait=25`));
    expect(await Promise.race(waits)).toMatchObject({ status: 429 });
    const { pool } = service.app.deps.database;
    await vi.waitFor(() => expect(pool.totalCount - pool.idleCount).toBe(0), PATIENCE_MS);
    const order = await failedOrder(service, merchant, {});
    const answered = (await Promise.all(waits)).filter(({ status }) => status === 200);
    expect(answered.map(({ json }) => outcomesOf(json.data))).toEqual(
      Array(10).fill([`${order.orderId} order.failed`]),
    );
  });
});

test('a request that waits is answered when the service stops', async () => {
  const merchant = { ...(await createMerchant(service)), url: stopping.url };
  const { next } = await read(merchant, '?after=now');
  const waiting = read(merchant, `?after=${next}&wait=25`);
  await read(merchant, `?after=${next}`);
  await stopping.close();
  expect((await waiting).data).toEqual([]);
});

describe('resending since a time', () => {
  const resend = (merchant: TestMerchant, body: unknown) =>
    fetch(`${service.url}/api/merchant/events/resend`, {
      method: 'POST',
      headers: { 'SVC-API-Key': merchant.apiKey, 'Content-Type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });

  test('sends each order’s present outcome to its callback URL, and counts the orders', async () => {
    const receiver = await startReceiver();
    const merchant = await createMerchant(service, { defaultCallbackUrl: receiver.url });
    const another = await createMerchant(service, { defaultCallbackUrl: receiver.url });
    await failedOrder(service, merchant, {});
    await receiver.arrived(1);
    await advance(service, 600);
    const since = new Date(service.app.deps.clock.now()).toISOString();
    const [one, two] = [
      await failedOrder(service, merchant, {}),
      await failedOrder(service, merchant, {}),
    ];
    await failedOrder(service, another, {});
    await receiver.arrived(4);
    await advance(service, 61);
    const response = await resend(merchant, { since });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ data: { orders: 2 } });
    await resend(merchant, { since }); // a repeat within a minute sends nothing
    const again = (await receiver.arrived(6)).slice(4).map(({ json }) => json.orderId);
    expect(again.toSorted()).toEqual([one.orderId, two.orderId].toSorted());
    await advance(service, 1);
    expect(receiver.received).toHaveLength(6);
    const log = await operatorClient(service).get('/audit-log?action=webhooks.replay');
    expect(log.data[0]).toMatchObject({
      actor: { kind: 'merchant' },
      target: merchant.merchantId,
      detail: { since },
    });
    await receiver.close();
  });

  test.each([
    ['{}', /^since must be an ISO 8601/],
    ['{"since":"yesterday"}', /^since must be an ISO 8601/],
    ['{"since":""}', 'since is required.'],
    ['{"since":5}', /^since must be an ISO 8601/],
    ['not JSON', 'The body is not JSON.'],
    ['{"since":"2020-01-01"}', 'since must be within the last 30 days.'],
  ])('%s is a 400', async (body, error) => {
    const merchant = await createMerchant(service);
    const response = await resend(merchant, body);
    expect(response.status).toBe(400);
    expect(((await response.json()) as { error: string }).error).toMatch(error);
  });

  test('is for admins in the portal, of their own merchant, and says for how many orders before', async () => {
    const receiver = await startReceiver();
    const own = await createMerchant(service, { defaultCallbackUrl: receiver.url });
    const another = await createMerchant(service, { defaultCallbackUrl: receiver.url });
    const order = await failedOrder(service, own, {});
    await failedOrder(service, another, {});
    await receiver.arrived(2);
    await advance(service, 5);
    const as = async (role: 'admin' | 'viewer') =>
      portalClient(service, (await createPortalUser(service, own, role)).token);
    const [admin, viewer] = [await as('admin'), await as('viewer')];
    const before = (days: number) =>
      new Date(service.app.deps.clock.now() - days * 24 * 3_600_000).toISOString();
    const counted = await viewer.data('GET', `/webhooks/replay?since=${before(29)}`);
    expect(counted).toEqual({ orders: 1, more: false });
    const refused = await viewer.call('POST', '/webhooks/replay', { since: before(29) });
    expect(refused.status).toBe(403);
    expect(await admin.data('POST', '/webhooks/replay', { since: before(29) })).toEqual({
      replayed: 1,
    });
    const [, , again] = await receiver.arrived(3);
    expect(again?.json.orderId).toBe(order.orderId);
    for (const since of [before(31), 'soon'])
      expect((await admin.call('POST', '/webhooks/replay', { since })).status).toBe(400);
    await receiver.close();
  });

  test('needs an active key', async () => {
    const merchant = await createMerchant(service);
    const response = await resend({ ...merchant, apiKey: `mk_live_${randomUUID()}` }, {});
    expect(response.status).toBe(401);
    expect(await response.text()).toBe('');
  });
});
