import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, expect } from 'vitest';
import { saveClockOffset } from '../../apps/server/src/settings/clock-offset.store.ts';
import { insertDue, removeDeliveries } from '../support/due-deliveries.ts';
import {
  createMember,
  createMerchant,
  orderStatus,
  setPresence,
  type TestMerchant,
} from '../support/fixtures.ts';
import { get, postOrder } from '../support/merchant-client.ts';
import { TEST_MS } from '../support/patience.ts';
import { type Behaviour, type Receiver, startReceiver } from '../support/receiver.ts';
import { serviceTest } from '../support/service-test.ts';
import { expectSound } from '../support/verify.ts';
import { deliverAll } from './support/kept.ts';
import { report, size } from './support/size.ts';

/**
 * Very many of one kind at once. What the figures should be stands in docs/reliability.md; here
 * they are printed, and the outcome is asserted.
 */
const WAITING = size('WAITING', { short: 1_200, full: 20_000 });
const EXPIRING = size('EXPIRING', { short: 1_000, full: 10_000 });
const HALF_OPEN = size('HALF_OPEN', { short: 200, full: 2_000 });
const WEBHOOKS = size('WEBHOOKS', { short: 50, full: 1_000 });

const receivers: Receiver[] = [];
const { test, service } = await serviceTest({}, { unsound: 'its deliveries have no orders (W1)' });
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
});

/** Orders of 1 and upwards, so many on their way at once that the service gathers them. */
async function createMany(merchant: TestMerchant, count: number, body: object) {
  const numbers = Array.from({ length: count }, (_, number) => number).values();
  const one = async () => {
    for (const number of numbers)
      expect(await postOrder(merchant, { amount: 1 + number, ...body })).toMatchObject({
        status: 200,
      });
  };
  await Promise.all(Array.from({ length: 48 }, one));
}

const countOf = async (merchant: TestMerchant, status: string) => {
  const { rows } = await service.database.pool.query(
    'select count(*)::integer as n from orders where merchant_id = $1 and status = $2',
    [merchant.merchantId, status],
  );
  return rows[0].n as number;
};
const percentile = (numbers: readonly number[], share: number) =>
  Math.round([...numbers].sort((a, b) => a - b)[Math.floor(numbers.length * share)] ?? Number.NaN);

test(`${WAITING} withdrawals wait and a member comes online: one pass gives the oldest ones away, up to capacity`, {
  timeout: TEST_MS + WAITING * 60,
}, async () => {
  const merchant = await createMerchant(service, { balance: '100000000000' });
  const few = await createMember(service, {
    methods: ['BankAccount'],
    maxOpenOrders: 10,
    online: false,
  });
  const all = await createMember(service, {
    methods: ['BankAccount'],
    maxOpenOrders: WAITING,
    online: false,
  });
  await createMany(merchant, WAITING, {
    orderType: 'Withdrawal',
    walletType: 'BankAccount',
    customerAccountNumber: '1',
  });
  const online = async (memberId: string, assigned: number) => {
    const started = performance.now();
    await setPresence(service, memberId, true);
    await expect
      .poll(() => countOf(merchant, 'AwaitingMemberPayout'), { interval: 10 })
      .toBe(assigned);
    return Math.round(performance.now() - started);
  };
  const fewMs = await online(few.memberId, 10);
  const { rows } = await service.database.pool.query(
    'select amount::integer from orders where member_id = $1 order by order_id',
    [few.memberId],
  );
  const oldest = await service.database.pool.query(
    'select amount::integer from orders where merchant_id = $1 order by order_id limit 10',
    [merchant.merchantId],
  );
  expect(rows).toEqual(oldest.rows);
  const allMs = await online(all.memberId, WAITING);
  await expectSound(service);
  for (const { memberId } of [few, all]) await setPresence(service, memberId, false);
  report('waiting', { withdrawals: WAITING, capacityOfTenMs: fewMs, capacityForAllMs: allMs });
});

test(`${EXPIRING} deposits expire at once: all are final, and each is sent to its merchant`, {
  timeout: TEST_MS + EXPIRING * 60,
}, async () => {
  const receiver = await startReceiver();
  receivers.push(receiver);
  const merchant = await createMerchant(service, { defaultCallbackUrl: receiver.url });
  await createMany(merchant, EXPIRING, { orderType: 'Deposit', walletType: 'ProviderAQR' });
  expect(await countOf(merchant, 'Awaiting')).toBe(EXPIRING);
  const { clock } = service.app.deps;
  const offset = clock.now() - Date.now() + 900_000;
  clock.setOffset(offset);
  await saveClockOffset(service.database.pool, offset);
  const started = performance.now();
  await expect.poll(() => countOf(merchant, 'CancelledTimeout'), { interval: 50 }).toBe(EXPIRING);
  const finalMs = Math.round(performance.now() - started);
  await receiver.arrived(EXPIRING);
  const noticedMs = Math.round(performance.now() - started);
  // A receiver that answered too late for an attempt is called once more.
  await deliverAll(service);
  expect(new Set(receiver.received.map(({ json }) => json.orderId)).size).toBe(EXPIRING);
  await expectSound(service);
  report('expiring', { deposits: EXPIRING, finalMs, noticedMs });
});

const hang: Behaviour = () => {};
const drip: Behaviour = (_, response) => {
  response.socket?.write('H');
  const timer = setInterval(() => response.socket?.write('T'), 1_000);
  response.once('close', () => clearInterval(timer));
};

test(`a quarter of the receivers hang and a quarter drip a byte a second: the healthy half has all of its ${4 * WEBHOOKS} webhooks`, async () => {
  const behaviours = [200, hang, 200, drip, 200, hang, 200, drip] as const;
  const started = performance.now();
  const delays: number[] = [];
  for (const behaviour of behaviours) {
    const receiver = await startReceiver(
      behaviour !== 200
        ? behaviour
        : (_, response) => {
            delays.push(performance.now() - started);
            response.writeHead(200).end();
          },
    );
    receivers.push(receiver);
    await insertDue(service, await createMerchant(service), receiver.url, WEBHOOKS);
  }
  const insertedMs = performance.now() - started;
  service.app.deps.wake('webhooks');
  await Promise.all(
    receivers
      .filter((_, number) => behaviours[number] === 200)
      .map((receiver) => receiver.arrived(WEBHOOKS)),
  );
  expect(delays.length).toBe(4 * WEBHOOKS);
  await removeDeliveries(service);
  report('half-of-receivers-hang', {
    webhooks: 4 * WEBHOOKS,
    p95Ms: percentile(delays, 0.95) - Math.round(insertedMs),
  });
});

test(`${HALF_OPEN} connections that send a byte now and then: everybody else is answered`, async () => {
  const merchant = await createMerchant(service, { balance: '1000' });
  const orders = await Promise.all(
    Array.from({ length: 20 }, (_, number) =>
      postOrder(merchant, { orderType: 'Deposit', walletType: 'ProviderA', amount: 1 + number }),
    ),
  );
  const ids = orders.map(({ json }) => json.data.orderId as string);
  const measure = async () => {
    const latencies: number[] = [];
    const client = async (number: number) => {
      for (let n = 0; n < 60; n += 1) {
        const sent = performance.now();
        const orderId = ids[(number + n) % ids.length];
        expect(await get(merchant, `/orders/${orderId}/status`)).toMatchObject({ status: 200 });
        latencies.push(performance.now() - sent);
      }
    };
    await Promise.all(Array.from({ length: 16 }, (_, number) => client(number)));
    return percentile(latencies, 0.99);
  };
  await measure();
  const before = await measure();
  const { hostname, port } = new URL(service.url);
  const sockets: Socket[] = [];
  for (let n = 0; n < HALF_OPEN; n += 1) {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.write('POST /api/merchant/orders HTTP/1.1\r\nHost: x\r\nX-A: ');
    sockets.push(socket);
  }
  const dripping = setInterval(() => {
    for (const socket of sockets) socket.write('a');
  }, 1_000);
  const during = await measure();
  clearInterval(dripping);
  expect(await orderStatus(merchant, ids[0] as string)).toMatchObject({ status: 'Awaiting' });
  for (const socket of sockets) socket.destroy();
  report('slow-loris', { sockets: HALF_OPEN, p99Before: before, p99During: during });
});
