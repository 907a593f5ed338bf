import { afterAll, expect, test } from 'vitest';
import { TEST_MS } from '../support/patience.ts';
import { expectKept } from './support/kept.ts';
import { startOwnFleet } from './support/own-fleet.ts';
import { signalIfThere } from './support/own-postgres.ts';
import { report, SEED, seeded, size } from './support/size.ts';
import { startTraffic } from './support/traffic.ts';

const KILLS = size('POSTGRES_KILLS', { short: 1, deep: 6, full: 20 });

const { postgres, service, fleet, connect, close } = await startOwnFleet();
afterAll(close);

test(`kill -9 of Postgres under load, ${KILLS} time(s), all of it or one backend: nothing acknowledged is lost or doubled`, {
  timeout: TEST_MS + KILLS * 60_000,
}, async () => {
  const random = seeded();
  const traffic = await startTraffic(service, fleet);
  let backends = 0;
  let slowestReturnMs = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    await traffic.progress(50 + random(150));
    if (kill % 3 === 2) {
      // Postgres takes every connection down with a backend that was killed, and recovers by
      // itself.
      const client = await connect();
      const { rows } = await client.query(
        `select pid from pg_stat_activity where application_name = 'munshi-engine' limit 1`,
      );
      if (rows.length > 0) signalIfThere(rows[0].pid, 'SIGKILL');
      backends += rows.length;
    } else {
      await postgres.kill();
      await postgres.start();
    }
    const up = performance.now();
    await traffic.progress(1);
    slowestReturnMs = Math.max(slowestReturnMs, Math.round(performance.now() - up));
  }
  await traffic.stop();
  await expectKept(service, traffic);
  await traffic.close();
  const { answered, unavailable, late, slowestMs } = traffic.client.seen;
  expect(late).toBe(0);
  expect(postgres.deaths).toBe(KILLS - Math.floor(KILLS / 3));
  report('postgres-kills', {
    kills: KILLS,
    backends,
    seed: SEED,
    orders: traffic.answered.wishes.length,
    answered,
    unavailable,
    slowestMs,
    slowestReturnMs,
  });
});
