import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, afterEach, describe, expect } from 'vitest';
import {
  type AttemptResult,
  recordAttempts,
} from '../../../apps/server/src/webhooks/attempts.store.ts';
import {
  type Claimed,
  type ClaimRequest,
  claimDeliveries,
  HOSTS_MAX,
  LEASE_MS,
  QUEUE_SETTINGS,
  releaseDeliveries,
} from '../../../apps/server/src/webhooks/queue.store.ts';
import { insertDue, insertDueTo, removeDeliveries } from '../../support/due-deliveries.ts';
import { type CreatedOrder, createMerchant, type TestMerchant } from '../../support/fixtures.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { confirmLate, deliveriesOf, failedOrder } from '../../support/outcomes.ts';
import { serviceTest } from '../../support/service-test.ts';

/** A service that sends nothing: the claims are made here, at times that no clock has shown. */
let merchant: TestMerchant;
const { test, service } = await serviceTest(
  { ROLES: 'http' },
  { unsound: 'the deliveries of ended orders are removed after each test' },
);
const lane = await service.database.openLane('one');
const other = await service.database.openLane('other');
afterEach(async () => {
  await removeDeliveries(service);
});
afterAll(async () => {
  await lane.end();
  await other.end();
});

const now = () => service.app.deps.clock.now();
const order = async (host = 'https://one.example'): Promise<CreatedOrder> => {
  merchant = await createMerchant(service);
  return failedOrder(service, merchant, { callbackUrl: `${host}/hook` });
};
const claim = async (more: Partial<ClaimRequest> = {}, on = lane) => {
  const { claims } = await claimDeliveries(on, {
    now: now(),
    retriesDueBy: now(),
    token: randomUUID(),
    room: 100,
    roomPerHost: 100,
    hosts: [],
    withoutMerchants: [],
    withoutSubjects: [],
    fromHost: '',
    ...more,
  });
  return claims;
};
/** Has each session of a pool report what it has read; by itself it may do so seconds later. */
async function reportReads(pool: pg.Pool): Promise<void> {
  const sessions = await Promise.all(Array.from({ length: pool.totalCount }, () => pool.connect()));
  for (const session of sessions) {
    await session.query('select pg_stat_force_next_flush()');
    session.release();
  }
}
const hosts = (count: number) =>
  Array.from({ length: count }, (_, n) => `https://host-${n}.example/`);
const failure = (
  { merchantId, deliveryId, subjectId, place, attemptsMade }: Claimed,
  token: string,
  more: Partial<AttemptResult> = {},
): AttemptResult => ({
  merchantId,
  deliveryId,
  subjectId,
  place,
  number: attemptsMade + 1,
  token,
  dueAt: 0,
  startedAt: now(),
  durationMs: 5,
  succeeded: false,
  responseStatus: 500,
  error: 'no',
  answer: null,
  keyId: null,
  requested: false,
  retryAt: now() + 60_000,
  ...more,
});

describe('claims', () => {
  test('a claimed delivery is nobody else’s until its lease ends, or it is given back', async () => {
    const { orderId } = await order();
    const token = randomUUID();
    const first = await claim({ token });
    expect(first).toMatchObject([
      { subjectId: orderId, merchantId: merchant.merchantId, host: 'one.example' },
    ]);
    expect(await claim({}, other)).toEqual([]);
    expect(await claim({ now: now() + LEASE_MS - 1_000 }, other)).toEqual([]);
    const later = now() + LEASE_MS;
    expect(await claim({ now: later }, other)).toMatchObject([{ subjectId: orderId }]);
    await releaseDeliveries(lane, first, token); // no longer its own
    expect(await claim({ now: later }, other)).toEqual([]);
    await service.database.pool.query('update delivery_queue set claim_token = $1', [token]);
    await releaseDeliveries(lane, first, token);
    expect(await claim({}, other)).toMatchObject([{ subjectId: orderId }]);
  });

  test('a lease is short enough that a crashed worker’s claim is taken up within 120 seconds', () => {
    expect(LEASE_MS).toBeLessThanOrEqual(90_000);
  });

  test('a lease from a clock that was set back since does not hold for days', async () => {
    await order();
    expect(await claim({ now: now() + 86_400_000 })).toHaveLength(1);
    expect(await claim({}, other)).toHaveLength(1);
  });

  test('workers that claim at the same moment share what is due and take nothing twice', async () => {
    merchant = await createMerchant(service);
    for (let host = 0; host < 5; host += 1)
      await insertDue(service, merchant, `https://host-${host}.example/`, 100);
    const lanes = await Promise.all(
      Array.from({ length: 4 }, (_, at) => service.database.openLane(`claims-${at}`)),
    );
    const taken: string[] = [];
    for (;;) {
      const claims = (await Promise.all(lanes.map((one) => claim({ room: 40 }, one)))).flat();
      if (claims.length === 0) break;
      taken.push(...claims.map(({ deliveryId }) => deliveryId));
    }
    expect(taken).toHaveLength(500);
    expect(new Set(taken).size).toBe(500);
    await Promise.all(lanes.map((one) => one.end()));
  });

  test('every host gets its share, and a host without room nothing', async () => {
    merchant = await createMerchant(service);
    for (const [host, count] of Object.entries({ big: 500, small: 3, full: 50, part: 50 }))
      await insertDue(service, merchant, `https://${host}.example/`, count);
    const claims = await claim({
      room: 90,
      hosts: [
        { host: 'full.example', room: 0 },
        { host: 'part.example', room: 7 },
      ],
    });
    expect(
      Object.fromEntries(
        [...Map.groupBy(claims, ({ host }) => host)].map(([host, of]) => [host, of.length]),
      ),
    ).toEqual({
      'big.example': 30,
      'part.example': 7,
      'small.example': 3,
    });
    expect(await claim({ withoutMerchants: [merchant.merchantId] })).toEqual([]);
  });

  test('destinations of which nothing is due cost a claim nothing, and their retries come when it is their time', async () => {
    merchant = await createMerchant(service);
    const later = now() + 3_600_000;
    await insertDueTo(service, merchant, hosts(3_000));
    await service.database.pool.query(
      'update delivery_queue set ready = false, attempts = 1, next_attempt_at = $1',
      [new Date(later).toISOString()],
    );
    await insertDue(service, merchant, 'https://one.example/', 10);
    // Nothing is removed that a snapshot taken before the update may still see.
    const vacuumed = async () => {
      await service.database.pool.query('vacuum analyze delivery_queue');
      const { rows } = await service.database.pool.query(
        `select n_dead_tup::integer as dead from pg_stat_user_tables where relname = 'delivery_queue'`,
      );
      return rows[0].dead as number;
    };
    await expect.poll(vacuumed).toBe(0);

    const reads = async () => {
      const { rows } = await service.database.pool.query(
        `select sum(idx_tup_read)::integer as n from pg_stat_user_indexes where relname = 'delivery_queue'`,
      );
      return rows[0].n as number;
    };
    await reportReads(service.database.pool);
    const before = await reads();
    const fresh = await service.database.openLane('fresh');
    for (const setting of QUEUE_SETTINGS) await fresh.query(`set ${setting}`);
    expect(await claim({}, fresh)).toHaveLength(10);
    await fresh.end(); // sessions report what they have read when they end
    await expect.poll(reads).toBeGreaterThan(before);
    expect((await reads()) - before).toBeLessThan(100);

    // More of them than one claim makes ready, or goes through.
    const taken = new Set<string>();
    for (let fromHost = ''; taken.size < 3_000; ) {
      const request = {
        now: later,
        retriesDueBy: later,
        token: randomUUID(),
        room: 5_000,
        roomPerHost: 1,
        hosts: [],
        withoutMerchants: [],
        withoutSubjects: [],
      };
      const { claims, nextHost } = await claimDeliveries(lane, { ...request, fromHost });
      expect(claims.length).toBeGreaterThan(0);
      for (const { host } of claims) if (host !== 'one.example') taken.add(host);
      fromHost = nextHost ?? '';
    }
  });

  test('a claim goes through a bounded number of destinations, and the next ones go on behind them', async () => {
    merchant = await createMerchant(service);
    await insertDueTo(service, merchant, hosts(HOSTS_MAX + 10));
    const request = {
      now: now(),
      retriesDueBy: now(),
      token: randomUUID(),
      room: 5_000,
      roomPerHost: 1,
      hosts: [],
      withoutMerchants: [],
      withoutSubjects: [],
    };
    const first = await claimDeliveries(lane, { ...request, fromHost: '' });
    expect(first.claims).toHaveLength(HOSTS_MAX);
    const second = await claimDeliveries(lane, { ...request, fromHost: first.nextHost ?? '' });
    expect(second.claims).toHaveLength(10);
    expect(second.nextHost).toBe(null);
  });

  test('a claim says whether a limit has cut it short', async () => {
    merchant = await createMerchant(service);
    await insertDue(service, merchant, 'https://one.example/', 12);
    await insertDue(service, merchant, 'https://two.example/', 3);
    const request = {
      now: now(),
      retriesDueBy: now(),
      room: 100,
      roomPerHost: 100,
      hosts: [],
      withoutMerchants: [],
      withoutSubjects: [],
      fromHost: '',
    };
    const cutOf = async (limits: Partial<ClaimRequest>) => {
      const token = randomUUID();
      const { claims, cut } = await claimDeliveries(lane, { ...request, token, ...limits });
      await releaseDeliveries(lane, claims, token);
      return [claims.length, cut];
    };
    expect(await cutOf({})).toEqual([15, false]);
    expect(await cutOf({ room: 15 })).toEqual([10, true]); // a half for each host
    expect(await cutOf({ room: 24 })).toEqual([15, true]); // of one, all of its share
    expect(await cutOf({ roomPerHost: 11 })).toEqual([14, true]);
    expect(await cutOf({ roomPerHost: 13 })).toEqual([15, false]);
    expect(await cutOf({ hosts: [{ host: 'one.example', room: 5 }] })).toEqual([8, true]);
    expect(await cutOf({ withoutMerchants: [merchant.merchantId] })).toEqual([0, false]);
  });

  test('a retry waits for the whole minute; a first attempt and one that was asked for do not', async () => {
    const one = await order();
    const minute = Math.floor(now() / 60_000) * 60_000;
    await service.database.pool.query(
      'update delivery_queue set attempts = 1, next_attempt_at = $1',
      [new Date(minute + 1_000).toISOString()],
    );
    await service.database.pool.query(
      `insert into delivery_attempts (merchant_id, delivery_id, number, started_at, duration_ms, succeeded)
       select merchant_id, delivery_id, 1, $1, 1, false from delivery_queue`,
      [new Date(minute).toISOString()],
    );
    expect(await claim({ now: minute + 59_000, retriesDueBy: minute })).toEqual([]);
    expect(await claim({ now: minute + 60_000, retriesDueBy: minute + 60_000 })).toHaveLength(1);
    await service.database.pool.query('update delivery_queue set claimed_until = null');
    await operatorClient(service).post(`/orders/${one.orderId}/deliveries/retry-now`);
    expect(
      await claim({ now: Math.max(now(), minute + 59_000), retriesDueBy: minute }),
    ).toHaveLength(1);
  });
});

describe('supersession', () => {
  test('the newer event is not claimed while the older one is, by whomever, and is at once when that is over', async () => {
    const one = await order();
    const token = randomUUID();
    const claims = await claim({ token });
    await confirmLate(service, one);
    expect(await claim({}, other)).toEqual([]);
    await releaseDeliveries(lane, claims, token);
    expect(await claim({}, other)).toHaveLength(1);
  });

  test('an order of which an attempt is on its way here is left alone even when the clock jumps over the lease', async () => {
    const { orderId } = await order();
    await claim();
    expect(await claim({ now: now() + 86_400_000, withoutSubjects: [orderId] })).toEqual([]);
    expect(await claim({ now: now() + 86_400_000 })).toHaveLength(1);
  });
});

describe('records', () => {
  test('only the holder of the claim records', async () => {
    const one = await order();
    const token = randomUUID();
    const [claimed] = await claim({ token });
    const dueAt = (await deliveriesOf(service, one))[0]?.nextAttemptAt ?? 0;
    if (claimed === undefined) throw new Error('nothing claimed');
    expect(await recordAttempts(lane, [failure(claimed, randomUUID(), { dueAt })])).toEqual(
      new Map(),
    );
    expect((await deliveriesOf(service, one))[0]).toMatchObject({
      attempts: 0,
      made: [],
      claimed: true,
    });
    expect(await recordAttempts(lane, [failure(claimed, token, { dueAt })])).toEqual(
      new Map([[claimed.deliveryId, 'pending']]),
    );
    expect(await recordAttempts(lane, [failure(claimed, token, { dueAt })])).toEqual(new Map());
    expect((await deliveriesOf(service, one))[0]).toMatchObject({
      attempts: 1,
      claimed: false,
      made: [{ number: 1 }],
    });
  });

  test('an operator who asks for a retry during an attempt gets it', async () => {
    const one = await order();
    const first = randomUUID();
    const [claimed] = await claim({ token: first });
    if (claimed === undefined) throw new Error('nothing claimed');
    const dueAt = (await deliveriesOf(service, one))[0]?.nextAttemptAt ?? 0;
    await recordAttempts(lane, [failure(claimed, first, { dueAt, retryAt: now() })]);

    const second = randomUUID();
    const [again] = await claim({ token: second });
    if (again === undefined) throw new Error('nothing claimed');
    await expect.poll(() => now()).toBeGreaterThan(again.dueAt);
    await operatorClient(service).post(`/orders/${one.orderId}/deliveries/retry-now`);
    const asked = (await deliveriesOf(service, one))[0]?.nextAttemptAt ?? 0;
    await recordAttempts(lane, [
      failure(again, second, { dueAt: again.dueAt, startedAt: now() + 60_000, retryAt: null }),
    ]);
    expect((await deliveriesOf(service, one))[0]).toMatchObject({
      status: 'pending',
      attempts: 2,
      nextAttemptAt: asked,
    });
    expect(await claim({ retriesDueBy: 0 })).toMatchObject([{ requested: true }]);
  });

  test('an acknowledgement leaves a newer event of its order alone, also where its own place was', async () => {
    const { orderId } = await order();
    const token = randomUUID();
    const [claimed] = await claim({ token });
    if (claimed === undefined) throw new Error('nothing claimed');
    const { rows } = await other.query(
      `with newer as (insert into deliveries select merchant_id, gen_random_uuid(), order_id, api_key_id, 'order.completed', url, body, created_at + interval '1 second'
         from deliveries where order_id = $1 returning order_id, delivery_id)
       update delivery_queue q set delivery_id = n.delivery_id from newer n where q.order_id = n.order_id returning q.ctid as place, q.delivery_id`,
      [orderId],
    );
    const [{ place, delivery_id: newer }] = rows;
    const acknowledged = failure({ ...claimed, place }, token, {
      dueAt: claimed.dueAt,
      succeeded: true,
      responseStatus: 200,
      error: null,
      retryAt: null,
    });
    expect(await recordAttempts(lane, [acknowledged])).toEqual(
      new Map([[claimed.deliveryId, 'overtaken']]),
    );
    expect(await claim()).toMatchObject([{ subjectId: orderId, deliveryId: newer }]);
  });

  test('an acknowledgement that meets a change of its place is recorded after that', async () => {
    const one = await order();
    const two = await order();
    const token = randomUUID();
    const claims = await claim({ token });
    const byOrder = (orderId: string) =>
      claims.find((claimed) => claimed.subjectId === orderId) as Claimed;
    // the first is only touched, of the second a newer event takes the place
    const newer = `insert into deliveries select merchant_id, gen_random_uuid(), order_id, api_key_id, 'order.completed', url, body, created_at + interval '1 second'
      from deliveries where order_id = $1 returning delivery_id`;
    const holder = await service.database.pool.connect();
    await holder.query('begin');
    await holder.query('update delivery_queue set attempts = attempts where order_id = $1', [
      one.orderId,
    ]);
    const { rows } = await holder.query(newer, [two.orderId]);
    await holder.query('update delivery_queue set delivery_id = $2 where order_id = $1', [
      two.orderId,
      rows[0].delivery_id,
    ]);
    const recording = recordAttempts(
      lane,
      claims.map((claimed) =>
        failure(claimed, token, {
          dueAt: claimed.dueAt,
          succeeded: true,
          responseStatus: 200,
          error: null,
          retryAt: null,
        }),
      ),
    );
    await expect
      .poll(
        async () =>
          (
            await service.database.pool.query(
              `select count(*)::integer as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
            )
          ).rows[0].n,
      )
      .toBe(1);
    await holder.query('commit');
    holder.release();
    expect(await recording).toEqual(
      new Map([
        [byOrder(one.orderId).deliveryId, 'delivered'],
        [byOrder(two.orderId).deliveryId, 'overtaken'],
      ]),
    );
    expect(await deliveriesOf(service, one)).toMatchObject([{ status: 'delivered', attempts: 1 }]);
    expect(await deliveriesOf(service, two)).toMatchObject([
      { status: 'delivered', attempts: 1 },
      { status: 'pending', attempts: 0, claimed: false },
    ]);
  });
});
