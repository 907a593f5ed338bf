import { execFileSync } from 'node:child_process';
import { mkdtemp, open, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { TEST_MS } from '../support/patience.ts';
import { startService } from '../support/service.ts';
import { startFleet } from './support/fleet.ts';
import { expectKept } from './support/kept.ts';
import { startOwnPostgres } from './support/own-postgres.ts';
import { report, size } from './support/size.ts';
import { startTraffic } from './support/traffic.ts';

const ROUNDS = size('DISK_FULL_ROUNDS', { short: 1, full: 10 });

const run = (program: string, ...values: readonly string[]) =>
  execFileSync(program, values, { stdio: 'pipe' });

/**
 * A small disk of its own, in memory. Undefined with the reason where this machine does not allow
 * one.
 */
async function mountSmallDisk(): Promise<
  { readonly folder: string; unmount(): Promise<void> } | string
> {
  const folder = await mkdtemp(path.join(tmpdir(), 'munshi-disk-'));
  try {
    run('mount', '-t', 'tmpfs', '-o', 'size=320m,mode=755', 'tmpfs', folder);
  } catch (error) {
    await rm(folder, { recursive: true });
    return String((error as { stderr?: Buffer }).stderr ?? (error as Error).message);
  }
  return {
    folder,
    async unmount() {
      run('umount', '-l', folder);
      await rm(folder, { recursive: true });
    },
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
}, async () => {
  const disk = await mountSmallDisk();
  if (typeof disk === 'string') {
    console.warn(
      `NOT RUN: a full disk needs a small one of its own, which this machine refuses: ${disk}`,
    );
    expect(disk).toMatch(/permission|superuser|not permitted|ENOENT/i);
    return;
  }
  const postgres = await startOwnPostgres(disk.folder);
  const service = await startService({ ROLES: 'http' }, postgres);
  const fleet = await startFleet(service, 2);
  const traffic = await startTraffic(service, fleet);
  let fullAnswers = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    await traffic.progress(200);
    const giveBack = await fill(disk.folder);
    expect((await statfs(disk.folder)).bavail).toBe(0);
    const before = traffic.client.seen.unavailable;
    await expect.poll(() => traffic.client.seen.unavailable - before).toBeGreaterThan(0);
    fullAnswers += traffic.client.seen.unavailable - before;
    await giveBack();
    // Without room for its log Postgres stops by itself, and is started again as its operator
    // would.
    if (postgres.deaths > round) await postgres.start();
  }
  await traffic.progress(200);
  await traffic.stop();
  await expectKept(service, traffic);
  await traffic.close();
  const { answered, unavailable, late, slowestMs } = traffic.client.seen;
  expect(late).toBe(0);
  report('disk-full', {
    rounds: ROUNDS,
    deaths: postgres.deaths,
    orders: traffic.told.wishes.length,
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
