import type { DeliveryId, Order } from '@munshi/core';
import { afterEach, describe, expect } from 'vitest';
import { outcomeAgain } from '../../../apps/server/src/deliveries/service.ts';
import { insertDeliveries } from '../../../apps/server/src/deliveries/store.ts';
import { lockOrders } from '../../../apps/server/src/orders/store.ts';
import { inTransaction } from '../../../apps/server/src/platform/database/db.ts';
import {
  advance,
  createApiKey,
  createMember,
  createMerchant,
  createOrder,
  everybodyOffline,
  signedOrder,
  type TestMerchant,
} from '../../support/fixtures.ts';
import { operatorClient } from '../../support/operator-client.ts';
import {
  cancelOrder,
  completeOrder,
  confirmLate,
  deliveriesOf,
  deliveryWhen,
  failedOrder,
} from '../../support/outcomes.ts';
import {
  type Received,
  type Receiver,
  signatureOf,
  startReceiver,
} from '../../support/receiver.ts';
import { type Service, startService } from '../../support/service.ts';
import { serviceTest } from '../../support/service-test.ts';
import { expectSound } from '../../support/verify.ts';

let receiver: Receiver;
let merchant: TestMerchant;

const { test, service } = await serviceTest();
const open: Receiver[] = [];
const newReceiver = async (...behaviour: Parameters<typeof startReceiver>) => {
  const one = await startReceiver(...behaviour);
  open.push(one);
  return one;
};
/** Every test has its own merchant and receiver. */
const setUp = async (...behaviour: Parameters<typeof startReceiver>) => {
  receiver = await newReceiver(...behaviour);
  merchant = await createMerchant(service, {
    balance: '10000',
    defaultCallbackUrl: `${receiver.url}/hook?from=default`,
  });
};
afterEach(async () => {
  await expectSound(service);
  await Promise.all(open.splice(0).map((one) => one.close()));
  await everybodyOffline(service);
});

const now = () => service.app.deps.clock.now();
const prefixOf = ({ apiKey }: Pick<TestMerchant, 'apiKey'>) => apiKey.slice(8, 16);

describe('a delivered webhook', () => {
  test('order.completed: headers and payload, byte for byte as stored', async () => {
    await setUp();
    const member = await createMember(service, { methods: ['ProviderA'] });
    const order = await createOrder(merchant, { amount: 250.75 });
    const before = Math.floor(now() / 1000);
    await completeOrder(service, order, member);
    const [webhook] = (await receiver.arrived(1)) as [Received];
    expect(webhook.url).toBe('/hook?from=default');
    expect(webhook.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-svc-event': 'order.completed',
      'x-svc-signature': signatureOf(webhook.body, merchant.signingSecret),
      'x-svc-key-prefix': prefixOf(merchant),
      'content-length': String(webhook.body.length),
    });
    const delivery = await deliveryWhen(service, order, {
      status: 'delivered',
      attempts: 1,
      nextAttemptAt: null,
      claimed: false,
    });
    expect(webhook.headers['x-svc-delivery-id']).toBe(delivery.deliveryId);
    expect(webhook.headers['x-svc-timestamp']).toMatch(/^\d{10}$/);
    expect(Number(webhook.headers['x-svc-timestamp'])).toBeGreaterThanOrEqual(before);
    expect(Number(webhook.headers['x-svc-timestamp'])).toBeLessThanOrEqual(Math.ceil(now() / 1000));
    expect(webhook.json).toMatchObject({
      eventType: 'order.completed',
      orderId: order.orderId,
      orderReference: order.orderReference,
      merchantOrderRef: order.merchantOrderRef,
      orderType: 'Deposit',
      amount: 250.75,
      fee: null,
      currency: 'PKR',
      status: 'Completed',
      stage: 'Completed',
    });
    expect(webhook.json.lifecycle.completedAt).toBe(webhook.json.completedAt);
    expect(webhook.json).not.toHaveProperty('reason');
    const { rows } = await service.database.pool.query(
      'select body from deliveries where delivery_id = $1',
      [delivery.deliveryId],
    );
    expect(webhook.body.equals(rows[0].body)).toBe(true);
  });

  test('order.failed has a reason, no fee and no completedAt', async () => {
    await setUp();
    const order = await createOrder(merchant);
    await cancelOrder(service, order, 'the customer “changed” their mind 🙃');
    const [webhook] = (await receiver.arrived(1)) as [Received];
    expect(webhook.headers['x-svc-event']).toBe('order.failed');
    expect(webhook.json).toMatchObject({
      eventType: 'order.failed',
      status: 'Cancelled',
      stage: 'Failed',
      reason: 'the customer “changed” their mind 🙃',
    });
    expect(webhook.json).not.toHaveProperty('fee');
    expect(webhook.json).not.toHaveProperty('completedAt');
    expect(webhook.headers['x-svc-signature']).toBe(
      signatureOf(webhook.body, merchant.signingSecret),
    );
    await deliveryWhen(service, order, { status: 'delivered' });
  });

  test("the order's own callback URL comes before the merchant's; without either nothing is sent", async () => {
    await setUp();
    const own = await newReceiver();
    const order = await failedOrder(service, merchant, { callbackUrl: `${own.url}/own` });
    expect((await own.arrived(1))[0]?.url).toBe('/own');
    await deliveryWhen(service, order, { status: 'delivered' });
    const silent = await createMerchant(service);
    expect(await deliveriesOf(service, await failedOrder(service, silent, {}))).toEqual([]);
    expect(receiver.received).toEqual([]);
  });

  test.each([200, 201, 202, 204, 226, 299])(
    '%i acknowledges, regardless of the body',
    async (status) => {
      await setUp(
        (_, response) =>
          void response.writeHead(status).end(status === 204 ? undefined : '{"ok":false}'),
      );
      await deliveryWhen(service, await failedOrder(service, merchant, {}), {
        status: 'delivered',
        attempts: 1,
      });
    },
  );

  test.each([300, 301, 302, 303, 304, 307, 308, 400, 401, 404, 410, 429, 500, 503])(
    '%i is a failed attempt, tried again a minute later',
    async (status) => {
      const elsewhere = await newReceiver();
      await setUp(
        (_, response) =>
          void response
            .writeHead(status, { location: `${elsewhere.url}/moved` })
            .end(status === 304 ? undefined : 'no thanks'),
      );
      const { nextAttemptAt, made } = await deliveryWhen(
        service,
        await failedOrder(service, merchant, {}),
        { status: 'pending', attempts: 1 },
      );
      expect(made).toMatchObject([
        {
          number: 1,
          succeeded: false,
          responseStatus: status,
          error: `The receiver answered ${status}.`,
          requested: false,
        },
      ]);
      expect(made[0]?.answer).toBe(status === 304 ? null : 'no thanks');
      expect(nextAttemptAt).toBe((made[0]?.startedAt ?? 0) + 60_000);
      expect(elsewhere.connections).toBe(0);
    },
  );

  test('a connection that is refused or broken is a failed attempt', async () => {
    await setUp((_, response) => void response.socket?.destroy());
    const broken = await deliveryWhen(service, await failedOrder(service, merchant, {}), {
      status: 'pending',
      attempts: 1,
    });
    expect(broken.made).toMatchObject([
      { responseStatus: null, error: 'The connection was closed before an answer came.' },
    ]);
    const gone = await startReceiver();
    await gone.close();
    const refused = await deliveryWhen(
      service,
      await failedOrder(service, merchant, { callbackUrl: gone.url }),
      { status: 'pending', attempts: 1 },
    );
    expect(refused.made).toMatchObject([
      { responseStatus: null, error: 'The connection was refused.' },
    ]);
  });

  test('no webhook while an order is in ManualReview', async () => {
    await setUp();
    await createMember(service, { methods: ['ProviderA'] });
    const order = await createOrder(merchant);
    const { engine } = service.app.deps;
    await engine.submit({
      kind: 'open-page',
      commandId: crypto.randomUUID(),
      orderId: order.orderId,
      need: undefined,
    });
    await engine.submit({
      kind: 'confirm-payment',
      commandId: crypto.randomUUID(),
      orderId: order.orderId,
      transactionDigits: '1234',
    });
    await advance(service, 1_900);
    expect(await deliveriesOf(service, order)).toEqual([]);
    await operatorClient(service).post(`/orders/${order.orderId}/resolve`, {
      outcome: 'Completed',
      note: 'seen',
    });
    expect((await receiver.arrived(1))[0]?.json).toMatchObject({ eventType: 'order.completed' });
    await deliveryWhen(service, order, { status: 'delivered' });
  });
});

describe('retries', () => {
  const MINUTES = [1, 2, 4, 8, 16, 32, 64, 128, 256];
  /** Seconds within which a busy machine has looked; the gaps are measured besides. */
  const EARLY = 40;

  test('W2: ten attempts after 1, 2, 4 … 256 minutes with one id and the same bytes, then abandoned', async () => {
    await setUp(500);
    const order = await failedOrder(service, merchant, {});
    await deliveryWhen(service, order, { attempts: 1 });
    for (const [at, minutes] of MINUTES.entries()) {
      const since = Date.now();
      await advance(service, minutes * 60 - EARLY);
      expect((await deliveriesOf(service, order))[0]).toMatchObject({
        status: 'pending',
        attempts: at + 1,
      });
      await advance(service, EARLY);
      const [delivery] = await deliveriesOf(service, order);
      expect(delivery).toMatchObject({
        status: at === 8 ? 'abandoned' : 'pending',
        attempts: at + 2,
      });
      const gap = (delivery?.made[at + 1]?.startedAt ?? 0) - (delivery?.made[at]?.startedAt ?? 0);
      expect(gap).toBeGreaterThanOrEqual(minutes * 60_000);
      // At the next whole minute, and the clock runs on by itself meanwhile.
      expect(gap).toBeLessThanOrEqual(minutes * 60_000 + 65_000 + Date.now() - since);
    }
    await advance(service, 86_400);
    const [delivery] = await deliveriesOf(service, order);
    expect(delivery).toMatchObject({ status: 'abandoned', attempts: 10, nextAttemptAt: null });
    expect(receiver.received).toHaveLength(10);
    for (const webhook of receiver.received) {
      expect(webhook.body.equals((receiver.received[0] as Received).body)).toBe(true);
      expect(webhook.headers['x-svc-delivery-id']).toBe(delivery?.deliveryId);
      expect(webhook.headers['x-svc-signature']).toBe(
        signatureOf(webhook.body, merchant.signingSecret),
      );
    }
    const stamps = receiver.received.map(({ headers }) => Number(headers['x-svc-timestamp']));
    expect(stamps).toEqual(delivery?.made.map(({ startedAt }) => Math.floor(startedAt / 1000)));
    expect(new Set(stamps).size).toBe(10);
  });

  test('one advance over the whole schedule makes all attempts, minute by minute', async () => {
    await setUp(503);
    const order = await failedOrder(service, merchant, {});
    await deliveryWhen(service, order, { attempts: 1 });
    const since = Date.now();
    await advance(service, 530 * 60);
    const tookMinutes = (Date.now() - since) / 60_000;
    const [delivery] = await deliveriesOf(service, order);
    expect(delivery).toMatchObject({ status: 'abandoned', attempts: 10 });
    const gaps =
      delivery?.made
        .slice(1)
        .map(({ startedAt }, at) => (startedAt - (delivery.made[at]?.startedAt ?? 0)) / 60_000) ??
      [];
    gaps.forEach((gap, at) => {
      expect(gap).toBeGreaterThanOrEqual(MINUTES[at] as number);
      expect(gap).toBeLessThanOrEqual((MINUTES[at] as number) + 65 / 60 + tookMinutes);
    });
  });

  test('a receiver that comes back acknowledges the next attempt, and nothing follows', async () => {
    await setUp(500);
    const order = await failedOrder(service, merchant, {});
    await deliveryWhen(service, order, { attempts: 1 });
    await advance(service, 60);
    receiver.behave(200);
    await advance(service, 120);
    expect((await deliveriesOf(service, order))[0]).toMatchObject({
      status: 'delivered',
      attempts: 3,
    });
    await advance(service, 40_000);
    expect(receiver.received).toHaveLength(3);
  });

  test('a newer event supersedes an older one that is still retried', async () => {
    await setUp(500);
    const order = await failedOrder(service, merchant, {});
    await deliveryWhen(service, order, { attempts: 1 });
    receiver.behave(200);
    await confirmLate(service, order);
    await deliveryWhen(service, order, {
      eventType: 'order.completed',
      status: 'delivered',
      attempts: 1,
    });
    await advance(service, 40_000);
    expect(await deliveriesOf(service, order)).toMatchObject([
      { eventType: 'order.failed', status: 'superseded', attempts: 1, nextAttemptAt: null },
      { eventType: 'order.completed', status: 'delivered' },
    ]);
    expect(receiver.received.map(({ json }) => json.eventType)).toEqual([
      'order.failed',
      'order.completed',
    ]);
  });

  test('W3: a newer event waits for the attempt of the older one that is on its way', async () => {
    const answers: (() => void)[] = [];
    await setUp((_, response) => void answers.push(() => response.writeHead(500).end()));
    const order = await failedOrder(service, merchant, {});
    await receiver.arrived(1);
    await confirmLate(service, order);
    service.app.deps.wake('webhooks');
    await expect
      .poll(() => deliveriesOf(service, order))
      .toMatchObject([
        { status: 'superseded', claimed: false },
        { status: 'pending', claimed: true }, // by the attempt of the older one
      ]);
    expect(receiver.received).toHaveLength(1);
    answers[0]?.();
    await receiver.arrived(2);
    answers[1]?.();
    await deliveryWhen(service, order, { attempts: 1 });
    expect(receiver.received.map(({ json }) => json.eventType)).toEqual([
      'order.failed',
      'order.completed',
    ]);
    const [older, newer] = await deliveriesOf(service, order);
    expect(older).toMatchObject({ status: 'superseded', attempts: 1 });
    expect(newer?.made[0]?.startedAt).toBeGreaterThanOrEqual(
      older?.made[0]?.startedAt ?? Number.POSITIVE_INFINITY,
    );
  });

  test('an older event that is acknowledged while it is superseded stays acknowledged', async () => {
    const answers: (() => void)[] = [];
    await setUp((_, response) => void answers.push(() => response.writeHead(200).end()));
    const order = await failedOrder(service, merchant, {});
    await receiver.arrived(1);
    await confirmLate(service, order);
    answers[0]?.();
    await receiver.arrived(2);
    answers[1]?.();
    await deliveryWhen(service, order, { status: 'delivered', eventType: 'order.completed' });
    expect(await deliveriesOf(service, order)).toMatchObject([
      { status: 'delivered' },
      { status: 'delivered' },
    ]);
  });
});

describe('the secret that signs', () => {
  test('the key that created the order while it is active, also when a newer one exists', async () => {
    await setUp();
    await createApiKey(service, merchant.merchantId);
    await deliveryWhen(service, await failedOrder(service, merchant, {}), { status: 'delivered' });
    expect(receiver.received[0]?.headers['x-svc-key-prefix']).toBe(prefixOf(merchant));
    expect(receiver.received[0]?.headers['x-svc-signature']).toBe(
      signatureOf(receiver.received[0]?.body as Buffer, merchant.signingSecret),
    );
  });

  test('rotation in the middle of retries: the next attempt is signed with the new secret, same id and bytes', async () => {
    await setUp(500);
    const order = await failedOrder(service, merchant, {});
    await deliveryWhen(service, order, { attempts: 1 });
    const { data } = await operatorClient(service).post(
      `/merchants/${merchant.merchantId}/api-keys/regenerate`,
    );
    await advance(service, 60);
    const [first, second] = receiver.received as [Received, Received];
    expect(first.headers['x-svc-key-prefix']).toBe(prefixOf(merchant));
    expect(second.headers['x-svc-key-prefix']).toBe(data.prefix);
    expect(second.headers['x-svc-signature']).toBe(signatureOf(second.body, data.signingSecret));
    expect(second.body.equals(first.body)).toBe(true);
    expect(second.headers['x-svc-delivery-id']).toBe(first.headers['x-svc-delivery-id']);
  });

  test('the newest active key signs when the one that created the order is revoked', async () => {
    await setUp(500);
    const order = await failedOrder(service, merchant, {});
    await deliveryWhen(service, order, { attempts: 1 });
    const older = await createApiKey(service, merchant.merchantId);
    await advance(service, 30);
    const newest = await createApiKey(service, merchant.merchantId);
    await operatorClient(service).delete(
      `/merchants/${merchant.merchantId}/api-keys/${merchant.keyId}`,
    );
    await advance(service, 30);
    expect(receiver.received[1]?.headers['x-svc-key-prefix']).toBe(prefixOf(newest));
    await operatorClient(service).delete(
      `/merchants/${merchant.merchantId}/api-keys/${newest.keyId}`,
    );
    await advance(service, 120);
    expect(receiver.received[2]?.headers['x-svc-key-prefix']).toBe(prefixOf(older));
    expect(receiver.received[2]?.headers['x-svc-signature']).toBe(
      signatureOf(receiver.received[2]?.body as Buffer, older.signingSecret),
    );
  });

  test('no active key: the attempt fails with that reason and nothing is sent', async () => {
    await setUp();
    const order = await createOrder(merchant);
    await operatorClient(service).delete(
      `/merchants/${merchant.merchantId}/api-keys/${merchant.keyId}`,
    );
    await cancelOrder(service, order);
    const { made } = await deliveryWhen(service, order, { status: 'pending', attempts: 1 });
    expect(made).toMatchObject([
      {
        succeeded: false,
        responseStatus: null,
        error: 'The merchant has no active API key to sign with.',
      },
    ]);
    expect(receiver.connections).toBe(0);
    const key = await createApiKey(service, merchant.merchantId);
    await advance(service, 60);
    await deliveryWhen(service, order, { status: 'delivered', attempts: 2 });
    expect(receiver.received[0]?.headers['x-svc-key-prefix']).toBe(prefixOf(key));
  });

  test('secrets that were exchanged between two keys: both merchants’ orders and attempts fail, and nothing is signed or sent', async () => {
    await setUp();
    const stranger = await createMerchant(service, { defaultCallbackUrl: receiver.url });
    const orders = [await createOrder(merchant), await createOrder(stranger)];
    const exchange = `update api_keys a set sealed_secret = b.sealed_secret from api_keys b
      where a.key_id = any($1) and b.key_id = any($1) and a.key_id <> b.key_id and a.seal_key_id = b.seal_key_id`;
    expect(
      (await service.database.pool.query(exchange, [[merchant.keyId, stranger.keyId]])).rowCount,
    ).toBe(2);
    for (const order of orders) {
      await cancelOrder(service, order);
      const { made } = await deliveryWhen(service, order, { status: 'pending', attempts: 1 });
      expect(made).toMatchObject([
        {
          succeeded: false,
          responseStatus: null,
          error: expect.stringMatching(/^The signing secret cannot be opened/),
        },
      ]);
    }
    expect(receiver.connections).toBe(0);
    // A process that has opened the right secret before knows it still; to one that begins now
    // there is none.
    const next = await startService({ ROLES: 'http' }, service);
    const body = { orderType: 'Deposit', amount: 5, walletType: 'ProviderA' };
    for (const [one, { signingSecret }] of [
      [merchant, stranger],
      [stranger, merchant],
    ] as const) {
      expect((await signedOrder({ ...one, signingSecret, url: next.url }, body)).status).toBe(500);
      expect((await signedOrder({ ...one, url: next.url }, body)).status).toBe(500);
    }
    await next.close();
  });

  test('a legacy key without a secret: the platform secret signs, and no prefix is sent', async () => {
    await setUp();
    const order = await createOrder(merchant);
    await service.database.pool.query(
      'update api_keys set sealed_secret = null, seal_key_id = null where key_id = $1',
      [merchant.keyId],
    );
    await cancelOrder(service, order);
    await deliveryWhen(service, order, { status: 'delivered' });
    const [webhook] = receiver.received as [Received];
    expect(webhook.headers).not.toHaveProperty('x-svc-key-prefix');
    expect(webhook.headers['x-svc-signature']).toBe(
      signatureOf(webhook.body, service.app.deps.vault.platformSecret),
    );
  });

  test('a secret that was sealed under another master key: nothing is sent unsigned', async () => {
    await setUp();
    const order = await createOrder(merchant);
    await service.database.pool.query(
      "update api_keys set seal_key_id = 'another' where key_id = $1",
      [merchant.keyId],
    );
    await cancelOrder(service, order);
    const { made } = await deliveryWhen(service, order, { status: 'pending', attempts: 1 });
    expect(made[0]?.error).toMatch(/cannot be opened/);
    expect(receiver.connections).toBe(0);
  });
});

describe('operator actions', () => {
  const act = (order: { orderId: string }, action: 'retry-now' | 'resend') =>
    operatorClient(service).post(`/orders/${order.orderId}/deliveries/${action}`);

  test('W4: retry-now keeps id and body and goes out at once', async () => {
    await setUp(500);
    const order = await failedOrder(service, merchant, {});
    await deliveryWhen(service, order, { attempts: 1 });
    receiver.behave(200);
    expect(await act(order, 'retry-now')).toMatchObject({ status: 200 });
    const { made } = await deliveryWhen(service, order, { status: 'delivered', attempts: 2 });
    expect(made).toMatchObject([{ requested: false }, { requested: true, succeeded: true }]);
    const [first, second] = (await receiver.arrived(2)) as [Received, Received];
    expect(second.body.equals(first.body)).toBe(true);
    expect(second.headers['x-svc-delivery-id']).toBe(first.headers['x-svc-delivery-id']);
  });

  test('a retry-now that fails counts as one of the ten, and the schedule goes on from it', async () => {
    await setUp(500);
    const order = await failedOrder(service, merchant, {});
    await deliveryWhen(service, order, { attempts: 1 });
    await act(order, 'retry-now');
    const { nextAttemptAt, made } = await deliveryWhen(service, order, {
      status: 'pending',
      attempts: 2,
    });
    expect(nextAttemptAt).toBe((made[1]?.startedAt ?? 0) + 120_000);
  });

  test('retry-now after abandonment makes one attempt more, with the same id and body; resend makes a new delivery', async () => {
    await setUp(500);
    const order = await failedOrder(service, merchant, {});
    await deliveryWhen(service, order, { attempts: 1 });
    await advance(service, 530 * 60);
    await deliveryWhen(service, order, { status: 'abandoned', attempts: 10 });
    await act(order, 'retry-now');
    await deliveryWhen(service, order, { status: 'abandoned', attempts: 11 });
    await advance(service, 40_000);
    expect(receiver.received).toHaveLength(11); // W2: none but the one that was asked for
    receiver.behave(200);
    await act(order, 'retry-now');
    const { deliveryId } = await deliveryWhen(service, order, {
      status: 'delivered',
      attempts: 12,
    });
    expect(new Set(receiver.received.map(({ headers }) => headers['x-svc-delivery-id']))).toEqual(
      new Set([deliveryId]),
    );
    expect(new Set(receiver.received.map(({ body }) => body.toString())).size).toBe(1);

    await advance(service, 5);
    expect((await act(order, 'resend')).status).toBe(200);
    const again = await deliveryWhen(service, order, { status: 'delivered', attempts: 1 });
    expect(again.deliveryId).not.toBe(deliveryId);
    const [first, last] = [receiver.received[0], receiver.received.at(-1)] as [Received, Received];
    expect(last.headers['x-svc-delivery-id']).toBe(again.deliveryId);
    expect(last.json).toEqual({ ...first.json, timestamp: last.json.timestamp });
    expect(last.json.timestamp > first.json.timestamp).toBe(true);
  });

  test('resend after abandonment starts a schedule of its own', async () => {
    await setUp(500);
    const order = await failedOrder(service, merchant, {});
    await deliveryWhen(service, order, { attempts: 1 });
    await advance(service, 530 * 60);
    await act(order, 'resend');
    await deliveryWhen(service, order, { status: 'pending', attempts: 1 });
    await advance(service, 530 * 60);
    expect(await deliveriesOf(service, order)).toMatchObject([
      { status: 'abandoned', attempts: 10 },
      { status: 'abandoned', attempts: 10 },
    ]);
  });

  test('what is acknowledged while retry-now is asked for is not sent again, and after that retry-now is refused', async () => {
    await setUp(500);
    const order = await failedOrder(service, merchant, {});
    const { deliveryId } = await deliveryWhen(service, order, { attempts: 1 });
    const answers: (() => void)[] = [];
    receiver.behave((_, response) => answers.push(() => response.writeHead(200).end()));
    await act(order, 'retry-now');
    await expect.poll(() => answers.length).toBe(1);

    // Retry-now has seen that the delivery had failed when the acknowledgement arrives: it waits
    // here to write.
    const holder = await service.database.pool.connect();
    await holder.query('begin');
    await holder.query('select from deliveries where delivery_id = $1 for update', [deliveryId]);
    const asked = act(order, 'retry-now');
    const waiting = `select count(*)::integer as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await service.database.pool.query(waiting)).rows[0].n).toBe(1);
    answers[0]?.();
    const recorded = `select 1 from delivery_attempts where delivery_id = $1 and succeeded`;
    await expect
      .poll(
        async () =>
          (await service.database.pool.query(waiting)).rows[0].n +
          ((await service.database.pool.query(recorded, [deliveryId])).rowCount ?? 0),
      )
      .toBe(2);
    await holder.query('commit');
    holder.release();
    await asked;
    await deliveryWhen(service, order, { status: 'delivered', attempts: 2 });
    await advance(service, 3_600);
    expect(receiver.received).toHaveLength(2);
    expect(await act(order, 'retry-now')).toMatchObject({
      status: 409,
      error:
        'The latest delivery is delivered; only a failed one can be retried. Use resend to send the outcome again.',
    });
  });

  test('of resends by processes whose clocks differ, the last that was committed is the latest everywhere', async () => {
    await setUp(500);
    const order = await failedOrder(service, merchant, {});
    await deliveryWhen(service, order, { attempts: 1 });
    const { ids, clock } = service.app.deps;
    const resent = async (deliveryId: DeliveryId) =>
      inTransaction(service.database.pool, async (client) => {
        const [locked] = await lockOrders(client, [order.orderId]);
        const now = clock.now();
        const again = { ...outcomeAgain(locked as Order, now, ids), deliveryId };
        await insertDeliveries(client, [again], now);
      });
    const made = () => ids.uuid<DeliveryId>(Date.now());
    const [earlier, later] = [made(), made()] as const;
    await resent(later);
    await resent(earlier);
    await deliveryWhen(service, order, { deliveryId: earlier, status: 'pending' });
    expect((await deliveriesOf(service, order)).map(({ status }) => status)).toEqual([
      'superseded',
      'superseded',
      'pending',
    ]);
    const { data } = await operatorClient(service).get(`/orders/${order.orderId}/deliveries`);
    expect(data.map((one: { deliveryId: string }) => one.deliveryId).slice(0, 2)).toEqual([
      earlier,
      later,
    ]);
    expect(
      (await operatorClient(service).get(`/orders/${order.orderId}`)).data.deliveries[0].deliveryId,
    ).toBe(earlier);
  });

  test('of many resends at once one is the latest and the others are over', async () => {
    await setUp(500);
    const order = await failedOrder(service, merchant, {});
    const other = await startService({}, service);
    const urls = [service, other];
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        operatorClient(urls[n % 2] as Service).post(`/orders/${order.orderId}/deliveries/resend`),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const { data } = await operatorClient(service).get(`/orders/${order.orderId}/deliveries`);
    expect(data.map(({ status }: { status: string }) => status)).toEqual([
      'pending',
      ...Array.from({ length: 20 }, () => 'superseded'),
    ]);
    await other.close();
  });

  test('resend of a delivered outcome supersedes nothing and is acknowledged on its own', async () => {
    await setUp();
    const order = await failedOrder(service, merchant, {});
    await deliveryWhen(service, order, { status: 'delivered' });
    await act(order, 'resend');
    await receiver.arrived(2);
    await deliveryWhen(service, order, { status: 'delivered' });
    expect(await deliveriesOf(service, order)).toMatchObject([
      { status: 'delivered' },
      { status: 'delivered' },
    ]);
  });
});
