import { afterAll, expect } from 'vitest';
import { startDatabaseProxy } from '../support/database-proxy.ts';
import { pace } from '../support/pace.ts';
import { TEST_MS } from '../support/patience.ts';
import { serviceTest } from '../support/service-test.ts';
import { startFleet } from './support/fleet.ts';
import { expectKept } from './support/kept.ts';
import { report, SEED, seeded, size } from './support/size.ts';
import { startTraffic } from './support/traffic.ts';

/** The line to the database is cut for this long: a silent one in the full campaign alone. */
const SECONDS = size('CUT_SECONDS', { short: 3, full: 60 });
const CUTS = (['reset', 'silent'] as const).slice(0, size('CUTS', { short: 1, full: 2 }));
const LOST_COMMITS = size('LOST_COMMITS', { short: 10, full: 2_000 });

const { test, service } = await serviceTest({ ROLES: 'http' });
const proxy = await startDatabaseProxy(service.target);
const fleet = await startFleet({ ...service, target: proxy.target }, 2);
afterAll(async () => {
  await fleet.close();
  await proxy.close();
});

test.each(CUTS)(
  `the line to the database cut under load (%s, ${SECONDS} seconds): every request is answered in time, nothing acknowledged is lost or doubled`,
  { timeout: TEST_MS + SECONDS * 1_000 },
  async (mode) => {
    const traffic = await startTraffic(service, fleet);
    await traffic.progress(300);
    proxy.set(mode);
    const before = traffic.client.seen.answered;
    await pace(SECONDS * 1000); // pace: that long it is cut
    const meanwhile = traffic.client.seen.answered - before;
    const healed = performance.now();
    proxy.set('open');
    await traffic.progress(1);
    const backMs = Math.round(performance.now() - healed);
    await traffic.progress(300);
    await traffic.stop();
    await expectKept(service, traffic);
    await traffic.close();
    const { answered, unavailable, cut, late, slowestMs } = traffic.client.seen;
    // A request is answered, if only with 503, and no connection of a client ends for it.
    expect({ cut, late }).toEqual({ cut: 0, late: 0 });
    report('database-cut', {
      mode,
      seconds: SECONDS,
      orders: traffic.answered.wishes.length,
      answered,
      meanwhile,
      unavailable,
      slowestMs,
      backMs,
    });
  },
);

test(`${LOST_COMMITS} commits whose answer is lost, under load: each is found out, nothing acknowledged is lost or doubled`, {
  timeout: TEST_MS + LOST_COMMITS * 500,
}, async () => {
  const random = seeded();
  const traffic = await startTraffic(service, fleet);
  const before = proxy.lostCommits();
  while (proxy.lostCommits() - before < LOST_COMMITS) {
    proxy.loseCommits(1 + random(3));
    await traffic.progress(10 + random(20));
  }
  proxy.loseCommits(0);
  await traffic.stop();
  await expectKept(service, traffic);
  await traffic.close();
  const { answered, unavailable, late, slowestMs } = traffic.client.seen;
  expect(late).toBe(0);
  report('lost-commits', {
    lost: proxy.lostCommits() - before,
    seed: SEED,
    orders: traffic.answered.wishes.length,
    answered,
    unavailable,
    slowestMs,
  });
});
