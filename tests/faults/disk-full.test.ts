import { open, rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { TEST_MS } from '../support/patience.ts';
import { startService } from '../support/service.ts';
import { mountSmallDisk } from '../support/small-disk.ts';
import { startFleet } from './support/fleet.ts';
import { expectKept } from './support/kept.ts';
import { type OwnPostgres, startOwnPostgres } from './support/own-postgres.ts';
import { report, size } from './support/size.ts';
import { startTraffic } from './support/traffic.ts';

const ROUNDS = size('DISK_FULL_ROUNDS', { short: 1, full: 10 });

/**
 * Starts Postgres again whenever it has died, once `hasRoom()` resolves, as its operator would:
 * without room for its log it stops by itself. Returns how to end that.
 */
function keepStarted(postgres: OwnPostgres, hasRoom: () => Promise<void>): () => Promise<void> {
  const over = Promise.withResolvers<false>();
  const kept = (async () => {
    while (await Promise.race([over.promise, postgres.died().then(() => true)])) {
      await hasRoom();
      await postgres.start();
    }
  })();
  return async () => {
    over.resolve(false);
    await kept;
  };
}

/** Takes all that is left of the disk; answers how to give it back. */
async function fill(folder: string): Promise<() => Promise<void>> {
  const ballast = path.join(folder, 'ballast');
  const file = await open(ballast, 'w');
  for (let bytes = 2 ** 20; bytes >= 512; )
    await file.write(Buffer.alloc(bytes)).catch(() => (bytes /= 2));
  await file.close();
  return () => rm(ballast);
}

test(`the database's disk is full, ${ROUNDS} times under load: no answer is false, and it serves again when there is room`, {
  timeout: TEST_MS + ROUNDS * 60_000,
}, async (context) => {
  const disk = await mountSmallDisk(320, context);
  const postgres = await startOwnPostgres(disk.folder);
  const service = await startService({ ROLES: 'http' }, postgres);
  const fleet = await startFleet(service, 2);
  const traffic = await startTraffic(service, fleet);
  let room = Promise.resolve();
  const stopKeeping = keepStarted(postgres, () => room);
  let fullAnswers = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    await traffic.progress(200);
    const full = Promise.withResolvers<void>();
    room = full.promise;
    const giveBack = await fill(disk.folder);
    expect((await statfs(disk.folder)).bavail).toBe(0);
    const before = traffic.client.seen.unavailable;
    await expect.poll(() => traffic.client.seen.unavailable - before).toBeGreaterThan(0);
    fullAnswers += traffic.client.seen.unavailable - before;
    await giveBack();
    full.resolve();
  }
  await traffic.progress(200);
  await traffic.stop();
  await stopKeeping();
  await expectKept(service, traffic);
  await traffic.close();
  const { answered, unavailable, late, slowestMs } = traffic.client.seen;
  expect(late).toBe(0);
  report('disk-full', {
    rounds: ROUNDS,
    deaths: postgres.deaths,
    orders: traffic.answered.wishes.length,
    answered,
    unavailable,
    fullAnswers,
    slowestMs,
  });
  await fleet.close();
  await service.close();
  await postgres.close();
  await disk.unmount();
});
