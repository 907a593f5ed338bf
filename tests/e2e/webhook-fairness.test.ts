import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createShares } from '../../apps/server/src/webhooks/shares.ts';
import { insertDue, removeDeliveries } from '../support/due-deliveries.ts';
import { createMerchant, type TestMerchant } from '../support/fixtures.ts';
import { type Behaviour, type Receiver, startReceiver } from '../support/receiver.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
const open: Receiver[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
  await removeDeliveries(service);
});
afterAll(() => service.close());

const receivers = async (count: number, behaviour?: Behaviour) => {
  const made = await Promise.all(Array.from({ length: count }, () => startReceiver(behaviour)));
  open.push(...made);
  return made;
};
const hang: Behaviour = () => {};
const drip: Behaviour = (_, response) => {
  response.writeHead(200);
  const timer = setInterval(() => response.write('.'), 1_000);
  response.once('close', () => clearInterval(timer));
};
const counts = async () => {
  const { rows } = await service.database.pool.query<{ status: string; attempts: number; n: string }>(
    'select status, attempts, count(*) as n from delivery_states group by 1, 2 order by 1, 2',
  );
  return rows.map(({ status, attempts, n }) => `${status} ${attempts}: ${n}`);
};

describe('D50: one slow or dead receiver delays nobody else', () => {
  const healthyWithin = async (merchantOf: (at: number) => TestMerchant, badly: Behaviour) => {
    const bad = await receivers(8, badly);
    const good = await receivers(8);
    for (const [at, { url }] of bad.entries()) await insertDue(service, merchantOf(at), url, 150);
    for (const [at, { url }] of good.entries()) await insertDue(service, merchantOf(bad.length + at), url, 50);
    const started = performance.now();
    service.app.deps.wake('webhooks');
    await Promise.all(good.map((one) => one.arrived(50)));
    return performance.now() - started;
  };

  test('half of the receivers hang: the others have everything before the first hanging attempt is over', async () => {
    const merchants = await Promise.all(Array.from({ length: 16 }, () => createMerchant(service)));
    expect(await healthyWithin((at) => merchants[at] as TestMerchant, hang)).toBeLessThan(4_500);
  });

  test('half of the receivers of one merchant hang: its others are served all the same', async () => {
    const merchant = await createMerchant(service);
    expect(await healthyWithin(() => merchant, hang)).toBeLessThan(4_500);
  });

  test('receivers that drip a byte a second', async () => {
    const merchants = await Promise.all(Array.from({ length: 16 }, () => createMerchant(service)));
    expect(await healthyWithin((at) => merchants[at] as TestMerchant, drip)).toBeLessThan(4_500);
  });
});

test('thousands due at once: each is sent once, and memory stays flat', async () => {
  const merchants = await Promise.all(Array.from({ length: 4 }, () => createMerchant(service)));
  const [receiver] = (await receivers(1)) as [Receiver];
  const round = async (total: number) => {
    for (const merchant of merchants) await insertDue(service, merchant, receiver.url, 1_000);
    service.app.deps.wake('webhooks');
    await receiver.arrived(total);
    await expect.poll(counts, { timeout: 20_000 }).toEqual([`delivered 1: ${total}`]);
  };
  await round(4_000);
  const before = process.memoryUsage().rss;
  await round(8_000);
  expect(receiver.received.length).toBe(8_000);
  expect(new Set(receiver.received.map(({ headers }) => headers['x-svc-delivery-id'])).size).toBe(8_000);
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * 2 ** 20);
});

test('several processes share the work and send nothing twice', async () => {
  const others = await Promise.all([startService({}, service), startService({}, service)]);
  const merchant = await createMerchant(service);
  const all = await receivers(6);
  for (const { url } of all) await insertDue(service, merchant, url, 200);
  for (const one of [service, ...others]) one.app.deps.wake('webhooks');
  await Promise.all(all.map((one) => one.arrived(200)));
  await expect.poll(counts).toEqual(['delivered 1: 1200']);
  for (const one of all) expect(new Set(one.received.map(({ headers }) => headers['x-svc-delivery-id'])).size).toBe(200);
  await Promise.all(others.map((one) => one.close()));
});

describe('shares', () => {
  const take = (shares: ReturnType<typeof createShares>, host: string, merchantId: string, count: number) => {
    for (let n = 0; n < count; n += 1) shares.take({ deliveryId: crypto.randomUUID(), orderId: crypto.randomUUID(), merchantId, host });
  };
  /** What a greedy host ends up with when it takes all that it is given. */
  const fill = (shares: ReturnType<typeof createShares>, host: string, merchantId: string) => {
    for (;;) {
      const { hosts, roomPerHost } = shares.room();
      const room = hosts.find((one) => one.host === host)?.room ?? roomPerHost;
      if (room <= 0 || !shares.hasRoom({ merchantId })) return;
      take(shares, host, merchantId, 1);
    }
  };

  test('with dozens of greedy destinations there is room for dozens more', () => {
    const shares = createShares();
    for (let n = 0; n < 50; n += 1) fill(shares, `host-${n}`, `merchant-${n}`);
    expect(shares.room().room).toBeGreaterThan(50);
    expect(shares.room().roomPerHost).toBeGreaterThanOrEqual(3);
  });

  test('one destination has at most a hundred, one merchant leaves half to the others', () => {
    const shares = createShares();
    fill(shares, 'host', 'merchant');
    expect(shares.size).toBe(100);
    for (let n = 0; n < 100; n += 1) fill(shares, `host-${n}`, 'merchant');
    expect(shares.size).toBeLessThanOrEqual(1_000);
    expect(shares.room().room).toBeGreaterThanOrEqual(1_000);
  });

  test('what is given back is free again', () => {
    const shares = createShares();
    const holder = { deliveryId: 'd', orderId: 'o', merchantId: 'm', host: 'h' };
    shares.take(holder);
    expect(shares.room()).toMatchObject({ withoutOrders: ['o'], hosts: [{ host: 'h' }] });
    shares.giveBack(holder);
    shares.giveBack(holder);
    expect(shares.room()).toMatchObject({ room: 2_000, hosts: [], withoutOrders: [], withoutMerchants: [] });
  });
});
