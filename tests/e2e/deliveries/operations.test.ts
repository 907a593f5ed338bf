import { afterEach, describe, expect } from 'vitest';
import { replayOutcomes } from '../../../apps/server/src/deliveries/service.ts';
import { createHealth } from '../../../apps/server/src/webhooks/health.ts';
import type { Attempted } from '../../../apps/server/src/webhooks/run-attempts.ts';
import { id } from '../../../packages/core/src/testing/literals.ts';
import { advance, createMerchant, OPERATOR, type TestMerchant } from '../../support/fixtures.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { confirmLate, deliveriesOf, deliveryWhen, failedOrder } from '../../support/outcomes.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { serviceTest } from '../../support/service-test.ts';
import { expectSound } from '../../support/verify.ts';

let merchant: TestMerchant;
let receiver: Receiver;
const { test, service } = await serviceTest();
const setUp = async (...behaviour: Parameters<typeof startReceiver>) => {
  receiver = await startReceiver(...behaviour);
  merchant = await createMerchant(service, { defaultCallbackUrl: `${receiver.url}/hook` });
};
afterEach(async () => {
  await receiver.close();
  await expectSound(service);
});

const operator = () => operatorClient(service);
const health = async () =>
  (await operator().get(`/webhooks/health?merchantId=${merchant.merchantId}`)).data;
const alerts = async () =>
  (await operator().get(`/webhooks/alerts?merchantId=${merchant.merchantId}`)).data;

describe('endpoint health', () => {
  test('an endpoint starts to fail after three failures in a row and recovers with a success, each with one alert', async () => {
    await setUp(500);
    const order = await failedOrder(service, merchant, {});
    await deliveryWhen(service, order, { attempts: 1 });
    await advance(service, 60);
    expect(await health()).toMatchObject({
      pending: 1,
      failing: 1,
      abandoned: 0,
      endpoints: [{ status: 'healthy', consecutiveFailures: 2, pending: 1, failing: 1 }],
    });
    expect(await alerts()).toEqual([]);
    await advance(service, 120);
    const { endpoints } = await health();
    expect(endpoints).toMatchObject([
      {
        merchantId: merchant.merchantId,
        host: `127.0.0.1:${receiver.port}`,
        status: 'failing',
        consecutiveFailures: 3,
        lastSuccessAt: null,
        lastError: 'The receiver answered 500.',
      },
    ]);
    expect(endpoints[0].failingSince).toBe(endpoints[0].lastFailureAt);
    await advance(service, 240);
    expect(await alerts()).toMatchObject([
      {
        kind: 'failing',
        host: `127.0.0.1:${receiver.port}`,
        detail: 'The receiver answered 500.',
        at: endpoints[0].failingSince,
      },
    ]);

    receiver.behave(200);
    await advance(service, 480);
    await deliveryWhen(service, order, { status: 'delivered' });
    expect(await health()).toMatchObject({
      pending: 0,
      failing: 0,
      endpoints: [
        {
          status: 'healthy',
          failingSince: null,
          consecutiveFailures: 0,
          lastError: 'The receiver answered 500.',
        },
      ],
    });
    expect(await alerts()).toMatchObject([
      { kind: 'recovered', detail: null },
      { kind: 'failing' },
    ]);
  });

  test('abandoned deliveries are counted, and an attempt shows what was answered', async () => {
    await setUp((_, response) => void response.writeHead(422).end('no such order here'));
    const order = await failedOrder(service, merchant, {});
    await deliveryWhen(service, order, { attempts: 1 });
    await advance(service, 530 * 60);
    expect(await health()).toMatchObject({
      pending: 0,
      failing: 0,
      abandoned: 1,
      nextDueAt: null,
      endpoints: [{ status: 'failing', consecutiveFailures: 10, abandoned: 1 }],
    });
    const { data } = await operator().get(`/orders/${order.orderId}/deliveries`);
    expect(data[0].attempts).toHaveLength(10);
    expect(data[0].attempts[9]).toMatchObject({
      number: 10,
      succeeded: false,
      responseStatus: 422,
      error: 'The receiver answered 422.',
      answer: 'no such order here',
      requested: false,
    });
    expect((await alerts()).map(({ kind }: { kind: string }) => kind)).toEqual(['failing']);

    receiver.behave(200);
    await operator().post(`/orders/${order.orderId}/deliveries/resend`);
    await deliveryWhen(service, order, { status: 'delivered' });
    expect(await health()).toMatchObject({ abandoned: 0, endpoints: [{ abandoned: 0 }] });
  });

  test('an attempt that the service was too busy for does not count against its endpoint', async () => {
    await setUp();
    const { database, ids, clock, log } = service.app.deps;
    const { note } = createHealth({ database, ids, log });
    const attempted = (outcome: Attempted['outcome']): Attempted => ({
      merchantId: merchant.merchantId,
      subject: { kind: 'order', orderId: id('0198f0c4-5d5e-7000-8000-000000000000') },
      deliveryId: id('0198f0c4-5d5e-7000-8000-000000000001'),
      host: 'receiver.example',
      number: 1,
      outcome,
      error: outcome,
      endedAt: clock.now(),
      sinceCreationMs: 0,
      durationMs: 0,
      abandoned: false,
    });
    await note(attempted('timeout'));
    for (let n = 0; n < 5; n += 1) await note(attempted('stalled'));
    expect(await health()).toMatchObject({
      endpoints: [{ status: 'healthy', consecutiveFailures: 1, lastError: 'timeout' }],
    });
  });

  test('healthy traffic shows its last success', async () => {
    await setUp();
    for (let n = 0; n < 3; n += 1)
      await deliveryWhen(service, await failedOrder(service, merchant, {}), {
        status: 'delivered',
      });
    await expect
      .poll(async () => (await health()).endpoints)
      .toMatchObject([{ status: 'healthy', consecutiveFailures: 0, pending: 0 }]);
    expect(Date.parse((await health()).endpoints[0].lastSuccessAt)).toBeGreaterThan(0);
    expect((await operator().get('/webhooks/health')).data.endpoints.length).toBeGreaterThan(1);
  });
});

describe('replay', () => {
  const replay = (body: object) => operator().post('/webhooks/replay', body);

  test('every outcome since a time goes out again, once for each order, as its present outcome', async () => {
    await setUp();
    const early = await failedOrder(service, merchant, {});
    await deliveryWhen(service, early, { status: 'delivered' });
    await advance(service, 600);
    const since = new Date(service.app.deps.clock.now()).toISOString();
    const one = await failedOrder(service, merchant, {});
    const two = await failedOrder(service, merchant, {});
    await deliveryWhen(service, one, { status: 'delivered' });
    await deliveryWhen(service, two, { status: 'delivered' });
    await confirmLate(service, two);
    await deliveryWhen(service, two, { status: 'delivered', eventType: 'order.completed' });
    await advance(service, 5);
    const before = receiver.received.length;
    expect((await replay({ since, merchantId: merchant.merchantId })).data).toEqual({
      replayed: 2,
    });
    await receiver.arrived(before + 2);
    await deliveryWhen(service, two, { status: 'delivered' });
    const again = receiver.received
      .slice(before)
      .map(({ json }) => `${json.orderId} ${json.eventType}`);
    expect(again.sort()).toEqual(
      [`${one.orderId} order.failed`, `${two.orderId} order.completed`].sort(),
    );
    expect(await deliveriesOf(service, early)).toHaveLength(1);
    expect(await deliveriesOf(service, two)).toHaveLength(3);
    expect((await operator().get('/audit-log?action=webhooks.replay')).data[0]).toMatchObject({
      target: merchant.merchantId,
      detail: { since },
    });
  });

  test('a repeat goes on where the first try ended: nothing is sent twice, and the count is the same', async () => {
    await setUp();
    const orders = [];
    const since = service.app.deps.clock.now();
    for (let at = 0; at < 3; at += 1) orders.push(await failedOrder(service, merchant, {}));
    await receiver.arrived(3);
    await advance(service, 1);
    const commandId = service.app.deps.ids.uuid(service.app.deps.clock.now());
    const caller = { actor: OPERATOR, once: { commandId, mayBeDone: false }, boundKey: null };
    const asked = { since, merchantId: merchant.merchantId };
    // The first try has sent to one of them when its process ends.
    const resent = orders[0] as (typeof orders)[number];
    await operator().post(`/orders/${resent.orderId}/deliveries/resend`);
    expect(await replayOutcomes(service.app.deps, caller, asked)).toBe(3);
    expect(await replayOutcomes(service.app.deps, caller, asked)).toBe(3);
    await receiver.arrived(6);
    for (const order of orders) expect(await deliveriesOf(service, order)).toHaveLength(2);
  });

  test('of all merchants, over more orders than fit in one chunk', async () => {
    await setUp();
    const others = await createMerchant(service, { defaultCallbackUrl: `${receiver.url}/other` });
    const since = new Date(service.app.deps.clock.now()).toISOString();
    await Promise.all(Array.from({ length: 520 }, () => failedOrder(service, merchant, {})));
    await Promise.all(Array.from({ length: 30 }, () => failedOrder(service, others, {})));
    await receiver.arrived(550);
    await advance(service, 1);
    expect((await replay({ since })).data).toEqual({ replayed: 550 });
    await receiver.arrived(1_100);
    await expect
      .poll(
        async () =>
          (await service.database.pool.query(`select count(*)::int as n from delivery_queue`))
            .rows[0].n,
      )
      .toBe(0);
    const copies = Map.groupBy(receiver.received, ({ json }) => json.orderId as string);
    expect([...copies.values()].every((of) => of.length === 2)).toBe(true);
  });

  test('an unknown merchant, no time, a time in no shape', async () => {
    await setUp();
    expect(
      (await replay({ since: new Date().toISOString(), merchantId: crypto.randomUUID() })).status,
    ).toBe(404);
    expect((await replay({})).errors).toEqual({ '$.since': ['This field is required.'] });
    expect((await replay({ since: 'yesterday' })).status).toBe(400);
    expect(
      (await replay({ since: new Date(Date.now() + 86_400_000_000).toISOString() })).data,
    ).toEqual({ replayed: 0 });
  });
});

test('metrics: attempts by outcome, time to the first attempt, the oldest due delivery', async () => {
  await setUp(500);
  const text = async () => (await fetch(`${service.url}/metrics`)).text();
  const value = async (name: string) =>
    Number(new RegExp(`^${name.replace(/[{}]/g, '\\$&')} (\\S+)$`, 'm').exec(await text())?.[1]);
  const answered = await value('munshi_webhook_attempts_total{outcome="answered"}');
  const first = await value('munshi_webhook_first_attempt_seconds_count');
  const order = await failedOrder(service, merchant, {});
  await deliveryWhen(service, order, { attempts: 1 });
  await expect
    .poll(() => value('munshi_webhook_attempts_total{outcome="answered"}'))
    .toBe(answered + 1);
  expect(await value('munshi_webhook_first_attempt_seconds_count')).toBe(first + 1);
  expect(await value('munshi_webhook_first_attempt_seconds_bucket{le="1"}')).toBeGreaterThan(0);
  expect(await value('munshi_webhook_attempts_total{outcome="refused"}')).toBe(0);
  expect(await value('munshi_webhook_oldest_due_seconds')).toBe(0);
  expect(await value('munshi_webhook_attempts_in_flight')).toBe(0);
});
