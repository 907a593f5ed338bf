import { afterEach, describe, expect } from 'vitest';
import { HOSTS_MAX } from '../../../apps/server/src/webhooks/queue.store.ts';
import { createShares } from '../../../apps/server/src/webhooks/shares.ts';
import { insertDue, insertDueTo, removeDeliveries } from '../../support/due-deliveries.ts';
import { createMerchant, type TestMerchant } from '../../support/fixtures.ts';
import { keptBytes } from '../../support/kept-bytes.ts';
import { type Behaviour, type Receiver, startReceiver } from '../../support/receiver.ts';
import { startService } from '../../support/service.ts';
import { serviceTest } from '../../support/service-test.ts';

const { test, service } = await serviceTest();
const open: Receiver[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
  await removeDeliveries(service);
});

const receivers = async (count: number, behaviour?: Behaviour) => {
  const made = await Promise.all(Array.from({ length: count }, () => startReceiver(behaviour)));
  open.push(...made);
  return made;
};
const hang: Behaviour = () => {};
/** A status line and a header that never ends. */
const drip: Behaviour = (_, { socket }) => {
  const text = 'HTTP/1.1 200 OK\r\n'.split('').values();
  const timer = setInterval(() => socket?.write(text.next().value ?? 'x'), 1_000);
  socket?.once('close', () => clearInterval(timer));
};
const counts = async () => {
  const { rows } = await service.database.pool.query<{
    status: string;
    attempts: number;
    n: string;
  }>('select status, attempts, count(*) as n from delivery_states group by 1, 2 order by 1, 2');
  return rows.map(({ status, attempts, n }) => `${status} ${attempts}: ${n}`);
};

describe('one slow or dead receiver delays nobody else', () => {
  /**
   * The healthy receivers have everything before the first attempt at a bad one is over, which takes
   * as long as a test may.
   */
  const expectFair = async (merchantOf: (at: number) => TestMerchant, badly: Behaviour) => {
    const bad = await receivers(8, badly);
    const good = await receivers(8);
    for (const [at, { url }] of bad.entries()) await insertDue(service, merchantOf(at), url, 300);
    // In rounds: the bad ones have all that they are given before the last of these begins.
    for (let round = 1; round <= 10; round += 1) {
      for (const [at, { url }] of good.entries())
        await insertDue(service, merchantOf(bad.length + at), url, 5);
      service.app.deps.wake('webhooks');
      await Promise.all(good.map((one) => one.arrived(5 * round)));
    }
    const { rows } = await service.database.pool.query(
      `select url from delivery_attempts join deliveries using (merchant_id, delivery_id)
       where url = any($1)`,
      [bad.map(({ url }) => url)],
    );
    expect(rows).toEqual([]);
  };

  test('half of the receivers hang: the others have everything before the first hanging attempt is over', async () => {
    const merchants = await Promise.all(Array.from({ length: 16 }, () => createMerchant(service)));
    await expectFair((at) => merchants[at] as TestMerchant, hang);
  });

  test('half of the receivers of one merchant hang: its others are served all the same', async () => {
    const merchant = await createMerchant(service);
    await expectFair(() => merchant, hang);
  });

  test('receivers that drip a byte a second', async () => {
    const merchants = await Promise.all(Array.from({ length: 16 }, () => createMerchant(service)));
    await expectFair((at) => merchants[at] as TestMerchant, drip);
  });
});

test('thousands due at once: each is sent once, and memory stays flat', async () => {
  const merchants = await Promise.all(Array.from({ length: 4 }, () => createMerchant(service)));
  const [receiver] = (await receivers(1)) as [Receiver];
  const round = async (total: number) => {
    for (const merchant of merchants) await insertDue(service, merchant, receiver.url, 1_000);
    service.app.deps.wake('webhooks');
    await receiver.arrived(total);
    await expect.poll(counts).toEqual([`delivered 1: ${total}`]);
  };
  await round(4_000);
  const before = keptBytes();
  await round(8_000);
  expect(receiver.received.length).toBe(8_000);
  expect(new Set(receiver.received.map(({ headers }) => headers['x-svc-delivery-id'])).size).toBe(
    8_000,
  );
  expect(keptBytes() - before).toBeLessThan(100 * 2 ** 20);
});

test('what was claimed ahead of a receiver that turns slow is given back, and sent once all the same', async () => {
  const merchant = await createMerchant(service);
  const held: (() => void)[] = [];
  const [receiver] = (await receivers(1)) as [Receiver];
  await insertDue(service, merchant, receiver.url, 3_000);
  service.app.deps.wake('webhooks');
  await receiver.arrived(2_000);
  receiver.behave((_, response) => void held.push(() => response.writeHead(200).end()));
  let answered = 0;
  /** Another look, another answer. */
  const claimed = async () => {
    const answer = held.shift();
    answer?.();
    if (answer !== undefined) answered += 1;
    const { rows } = await service.database.pool.query<{ claimed: number }>(
      'select count(claim_token)::integer as claimed from delivery_queue',
    );
    return rows[0]?.claimed;
  };
  await expect.poll(claimed, { interval: 20 }).toBeLessThanOrEqual(100);
  // The line alone would take hundreds of answers.
  expect(answered).toBeLessThan(100);
  receiver.behave(200);
  for (const answer of held.splice(0)) answer();
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
  let made = 0;
  const holder = (merchantId = 'm', host = 'h') => {
    made += 1;
    return { deliveryId: `d${made}`, subjectId: `o${made}`, merchantId, host };
  };
  const never = () => false;
  /** What a greedy host ends up with when it takes all that it is given. */
  const fill = (shares: ReturnType<typeof createShares>, host: string, merchantId: string) => {
    for (;;) {
      const { hosts, roomPerHost } = shares.room();
      const room = hosts.find((one) => one.host === host)?.room ?? roomPerHost;
      if (room <= 0 || shares.reserve(holder(merchantId, host)) !== 'now') return;
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
    const holders = Array.from({ length: 100 }, () => holder());
    for (const one of holders) expect(shares.reserve(one)).toBe('now');
    const next = holder();
    expect(shares.reserve(next)).toBe('later');
    const roomOfHost = () => shares.room().hosts[0]?.room;
    expect(roomOfHost()).toBe(0);
    for (const one of holders.slice(0, 30)) shares.answered(one, 3);
    expect(roomOfHost()).toBe(30 + 29);
    shares.answered(holders[30] as (typeof holders)[number], 400);
    expect(roomOfHost()).toBe(31 + 14);
    for (const one of holders.slice(31, 36)) shares.answered(one, 400);
    expect(roomOfHost()).toBe(36);
    expect(shares.room().withoutSubjects).toContain(next.subjectId);
    expect(shares.advance('h', never)).toEqual({ begun: [next], late: [] });
    expect(shares.advance('h', never)).toEqual({ begun: [], late: [] });
  });

  test('nobody stands in line where nothing is on its way, and no line is passed', () => {
    const shares = createShares(16);
    const [first, second, third] = [holder(), holder(), holder()];
    expect(shares.reserve(first)).toBe('now');
    expect(shares.reserve(second)).toBe('later');
    shares.answered(first, 3);
    expect(shares.reserve(third)).toBe('no');
    expect(shares.advance('h', never)).toEqual({ begun: [second], late: [] });

    const small = createShares(2);
    expect(small.reserve(holder('m', 'one'))).toBe('now');
    expect(small.reserve(holder('m', 'other'))).toBe('no');
  });

  test('who has waited too long in line is released', () => {
    const shares = createShares(16);
    const [first, second] = [holder(), holder()];
    shares.reserve(first);
    shares.reserve(second);
    shares.release(first);
    expect(shares.advance('h', () => true)).toEqual({ begun: [], late: [second] });
    expect(shares.room().withoutSubjects).toEqual([]);
  });

  test('what is released is free again', () => {
    const shares = createShares();
    const one = holder();
    shares.reserve(one);
    expect(shares.room()).toMatchObject({
      withoutSubjects: [one.subjectId],
      hosts: [{ host: 'h' }],
    });
    shares.release(one);
    shares.release(one);
    expect(shares.room()).toMatchObject({
      room: 2_000,
      hosts: [],
      withoutSubjects: [],
      withoutMerchants: [],
    });
  });
});
