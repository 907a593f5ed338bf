import { afterAll, expect } from 'vitest';
import { TEST_MS } from '../support/patience.ts';
import { serviceTest } from '../support/service-test.ts';
import { startFleet } from './support/fleet.ts';
import { expectKept } from './support/kept.ts';
import { report, SEED, seeded, size } from './support/size.ts';
import { startTraffic } from './support/traffic.ts';

/**
 * Every one of them loses its batches, its commits on the way, its webhooks on the way and its
 * clients' connections.
 */
const KILLS = size('SERVER_KILLS', { short: 1, deep: 4, full: 200 });

const { test, service } = await serviceTest({ ROLES: 'http' });
const fleet = await startFleet(service, 3);
afterAll(async () => {
  await fleet.close();
});

test(`kill -9 of one of three server processes under load, ${KILLS} time(s): nothing acknowledged is lost or doubled`, {
  timeout: TEST_MS + KILLS * 60_000,
}, async () => {
  const random = seeded();
  const traffic = await startTraffic(service, fleet);
  for (let kill = 0; kill < KILLS; kill += 1) {
    await traffic.progress(50 + random(150));
    const doomed = random(fleet.size);
    expect(await fleet.end(doomed, 'SIGKILL')).toBe(null);
    await traffic.progress(random(50));
    await fleet.restart(doomed);
  }
  await traffic.stop();
  await expectKept(service, traffic);
  await traffic.close();
  const { answered, cut, refused, unavailable, slowestMs } = traffic.client.seen;
  expect(cut).toBeGreaterThan(0);
  report('server-kills', {
    kills: KILLS,
    seed: SEED,
    orders: traffic.answered.wishes.length,
    answered,
    cut,
    refused,
    unavailable,
    slowestMs,
  });
});
