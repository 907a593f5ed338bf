import { afterAll, expect } from 'vitest';
import { saveClockOffset } from '../../apps/server/src/settings/clock-offset.store.ts';
import { LEASE_MS } from '../../apps/server/src/webhooks/queue.store.ts';
import { type CreatedOrder, createMerchant, createOrder } from '../support/fixtures.ts';
import { cancelOrder, deliveriesOf } from '../support/outcomes.ts';
import { TEST_MS } from '../support/patience.ts';
import { type ServerProcess, startProcess } from '../support/process.ts';
import { startReceiver } from '../support/receiver.ts';
import { serviceTest } from '../support/service-test.ts';
import { expectSound } from '../support/verify.ts';
import { report, size } from './support/size.ts';

const ROUNDS = size('WORKER_KILLS', { short: 2, full: 100 });
const ORDERS = 8;

const { test, service } = await serviceTest({ ROLES: 'http' });
const merchant = await createMerchant(service);
const receiver = await startReceiver();
afterAll(async () => {
  await receiver.close();
});

const startWorkerProcess = () =>
  startProcess(service, { ROLES: 'worker', ALLOW_PRIVATE_CALLBACKS: '1' });

/**
 * The lease of a dead worker ends: the clock goes on for this process and for those that start
 * after it.
 */
async function passLease() {
  const offset = service.app.deps.clock.now() - Date.now() + LEASE_MS + 1_000;
  service.app.deps.clock.setOffset(offset);
  await saveClockOffset(service.database.pool, offset);
}

test(`kill -9 of a worker between send and record, ${ROUNDS} times: nothing lost, at most one more copy each`, {
  timeout: TEST_MS + ROUNDS * 30_000,
}, async () => {
  let worker: ServerProcess | undefined;
  let orders: CreatedOrder[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = receiver.received.length;
    const doomed = await startWorkerProcess();
    // It dies while the receiver holds its answer: after one webhook, after a few, after all of
    // them.
    const fatal = 1 + ((round * 3) % ORDERS);
    const died = new Promise<void>((resolve) => {
      receiver.behave((_, response) => {
        if (receiver.received.length - before < fatal) return void response.writeHead(200).end();
        doomed.stop('SIGKILL').then(() => {
          response.destroy();
          resolve();
        });
      });
    });
    const created = await Promise.all(
      Array.from({ length: ORDERS }, () => createOrder(merchant, { callbackUrl: receiver.url })),
    );
    await Promise.all(created.map((order) => cancelOrder(service, order)));
    orders = [...orders, ...created];
    await died;
    receiver.behave(200);
    await passLease();
    worker = await startWorkerProcess();
    await expect
      .poll(async () =>
        (await Promise.all(created.map((order) => deliveriesOf(service, order))))
          .flat()
          .map(({ status }) => status),
      )
      .toEqual(Array(ORDERS).fill('delivered'));
    expect(await worker.stop()).toBe(0);
  }

  const copies = Map.groupBy(receiver.received, ({ json }) => json.orderId as string);
  expect(copies.size).toBe(ROUNDS * ORDERS);
  for (const order of orders) {
    const [delivery] = await deliveriesOf(service, order);
    const received = copies.get(order.orderId) ?? [];
    expect(received.length).toBeGreaterThanOrEqual(1);
    expect(received.length).toBeLessThanOrEqual(2);
    for (const { headers, body } of received) {
      expect(headers['x-svc-delivery-id']).toBe(delivery?.deliveryId);
      expect(body.equals(received[0]?.body as Buffer)).toBe(true);
    }
  }
  await expectSound(service);
  report('worker-kills', {
    kills: ROUNDS,
    webhooks: orders.length,
    received: receiver.received.length,
  });
});
