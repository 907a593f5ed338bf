import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { HOSTS_MAX } from '../../../apps/server/src/storage/delivery-queue.ts';
import { createShares } from '../../../apps/server/src/webhooks/shares.ts';
import { insertDue, insertDueTo, removeDeliveries } from '../../support/due-deliveries.ts';
import { createMerchant, type TestMerchant } from '../../support/fixtures.ts';
import { type Behaviour, type Receiver, startReceiver } from '../../support/receiver.ts';
import { type Service, startService } from '../../support/service.ts';

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
  const { rows } = await service.database.pool.query<{
    status: string;
    attempts: number;
    n: string;
  }>('select status, attempts, count(*) as n from delivery_states group by 1, 2 order by 1, 2');
  return rows.map(({ status, attempts, n }) => `${status} ${attempts}: ${n}`);
};

describe('D50: one slow or dead receiver delays nobody else', () => {
  const healthyWithin = async (merchantOf: (at: number) => TestMerchant, badly: Behaviour) => {
    const bad = await receivers(8, badly);
    const good = await receivers(8);
    for (const [at, { url }] of bad.entries()) await insertDue(service, merchantOf(at), url, 150);
    for (const [at, { url }] of good.entries())
      await insertDue(service, merchantOf(bad.length + at), url, 50);
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
  expect(new Set(receiver.received.map(({ headers }) => headers['x-svc-delivery-id'])).size).toBe(
    8_000,
  );
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * 2 ** 20);
});

test('what was claimed ahead of a receiver that turns slow is given back, and sent once all the same', async () => {
  const merchant = await createMerchant(service);
  const slow: Behaviour = (_, response) =>
    void setTimeout(() => response.writeHead(200).end(), 800); // pace: a receiver that takes its time
  const [receiver] = (await receivers(1)) as [Receiver];
  await insertDue(service, merchant, receiver.url, 3_000);
  service.app.deps.wake('webhooks');
  await receiver.arrived(2_000);
  receiver.behave(slow);
  const claimed = async () => {
    const { rows } = await service.database.pool.query<{ claimed: number }>(
      'select count(claim_token)::integer as claimed from delivery_queue',
    );
    return rows[0]?.claimed;
  };
  // The line alone would take four rounds of its hundred at a time.
  await expect.poll(claimed, { interval: 20, timeout: 2_500 }).toBeLessThanOrEqual(100);
  receiver.behave(200);
  await receiver.arrived(3_000);
  await expect.poll(counts).toEqual(['delivered 1: 3000']);
  expect(new Set(receiver.received.map(({ headers }) => headers['x-svc-delivery-id'])).size).toBe(
    3_000,
  );
  expect(receiver.received.length).toBe(3_000);
});

test('destinations beyond those that one claim goes through are reached as well', async () => {
  const merchant = await createMerchant(service);
  const [receiver] = (await receivers(1)) as [Receiver];
  // Written otherwise each time, so that each is a destination of its own.
  const zeros = (n: number, place: number) => '0'.repeat(Math.floor(n / 7 ** place) % 7);
  const urlOf = (n: number) =>
    `http://0x${zeros(n, 0)}7f.0x${zeros(n, 1)}0.0x${zeros(n, 2)}0.0x${zeros(n, 3)}1:${receiver.port}/hook`;
  await insertDueTo(
    service,
    merchant,
    Array.from({ length: HOSTS_MAX + 50 }, (_, n) => urlOf(n)),
  );
  service.app.deps.wake('webhooks');
  // How their attempts end is another matter: so many connections at once may take longer than an
  // attempt has.
  const received = await receiver.arrived(HOSTS_MAX + 50);
  expect(new Set(received.map(({ headers }) => headers['x-svc-delivery-id'])).size).toBe(
    HOSTS_MAX + 50,
  );
});

test('several processes share the work and send nothing twice', async () => {
  const others = await Promise.all([startService({}, service), startService({}, service)]);
  const merchant = await createMerchant(service);
  const all = await receivers(6);
  for (const { url } of all) await insertDue(service, merchant, url, 200);
  for (const one of [service, ...others]) one.app.deps.wake('webhooks');
  await Promise.all(all.map((one) => one.arrived(200)));
  await expect.poll(counts).toEqual(['delivered 1: 1200']);
  for (const one of all)
    expect(new Set(one.received.map(({ headers }) => headers['x-svc-delivery-id'])).size).toBe(200);
  await Promise.all(others.map((one) => one.close()));
});

describe('shares', () => {
  const take = (
    shares: ReturnType<typeof createShares>,
    host: string,
    merchantId: string,
    count: number,
  ) => {
    for (let n = 0; n < count; n += 1)
      shares.take({
        deliveryId: crypto.randomUUID(),
        orderId: crypto.randomUUID(),
        merchantId,
        host,
      });
  };
  /** What a greedy host ends up with when it takes all that it is given. */
  const fill = (shares: ReturnType<typeof createShares>, host: string, merchantId: string) => {
    for (;;) {
      const { hosts, roomPerHost } = shares.room();
      const room = hosts.find((one) => one.host === host)?.room ?? roomPerHost;
      if (room <= 0 || !shares.hasRoom({ merchantId, host })) return;
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

  test('each prompt answer of a destination allows one more claim ahead, each slow one half as many', () => {
    const shares = createShares();
    const holders = Array.from({ length: 40 }, (_, n) => ({
      deliveryId: `d${n}`,
      orderId: `o${n}`,
      merchantId: 'm',
      host: 'h',
    }));
    for (const holder of holders) shares.take(holder);
    const roomOfHost = () => shares.room().hosts[0]?.room;
    expect(roomOfHost()).toBe(60);
    for (const holder of holders.slice(0, 30)) shares.sent(holder, 3);
    expect(roomOfHost()).toBe(90 + 30);
    shares.standInLine({ deliveryId: 'next', orderId: 'next', merchantId: 'm', host: 'h' });
    expect(roomOfHost()).toBe(90 + 29);
    shares.sent(holders[30] as (typeof holders)[number], 400);
    expect(roomOfHost()).toBe(91 + 14);
    for (const holder of holders.slice(31, 36)) shares.sent(holder, 400);
    expect(roomOfHost()).toBe(96);
    expect(shares.room().withoutOrders).toContain('next');
    expect(shares.next('h')).toMatchObject({ deliveryId: 'next' });
    expect(shares.next('h')).toBeUndefined();
  });

  test('nobody stands in line where nothing is on its way, and no line is passed', () => {
    const shares = createShares();
    const holder = (n: number) => ({
      deliveryId: `d${n}`,
      orderId: `o${n}`,
      merchantId: 'm',
      host: 'h',
    });
    expect(shares.standInLine(holder(1))).toBe(false);
    shares.take(holder(1));
    expect(shares.standInLine(holder(2))).toBe(true);
    expect(shares.hasRoom(holder(3))).toBe(false);
    expect(shares.next('h')).toMatchObject({ deliveryId: 'd2' });
    expect(shares.hasRoom(holder(3))).toBe(true);
    shares.sent(holder(1), 3);
    expect(shares.standInLine(holder(4))).toBe(false);
  });

  test('what is given back is free again', () => {
    const shares = createShares();
    const holder = { deliveryId: 'd', orderId: 'o', merchantId: 'm', host: 'h' };
    shares.take(holder);
    expect(shares.room()).toMatchObject({ withoutOrders: ['o'], hosts: [{ host: 'h' }] });
    shares.giveBack(holder);
    shares.giveBack(holder);
    expect(shares.room()).toMatchObject({
      room: 2_000,
      hosts: [],
      withoutOrders: [],
      withoutMerchants: [],
    });
  });
});
