import { type ChildProcess, spawn } from 'node:child_process';
import os from 'node:os';
import { afterAll, expect } from 'vitest';
import { insertDue } from '../support/due-deliveries.ts';
import { createMerchant } from '../support/fixtures.ts';
import { TEST_MS } from '../support/patience.ts';
import { startProcess } from '../support/process.ts';
import { load } from '../support/promises.ts';
import { startReceiver } from '../support/receiver.ts';
import { serviceTest } from '../support/service-test.ts';
import { report, size } from './support/size.ts';

/**
 * A worker that is given about a hundredth of a processor. If it begins all attempts at once, each
 * turn of its event loop takes seconds, no answer is read in time, and the attempts that begin in
 * their place keep it so.
 */
const EACH = size('STARVED_DELIVERIES', { short: 60, full: 500 });
const RECEIVERS = 8;
const TOTAL = RECEIVERS * EACH;
/** Attempts that are seen to end while it is starved. */
const STARVED = size('STARVED_ATTEMPTS', { short: 40, full: 400 });

const { test, service } = await serviceTest(
  { ROLES: 'http' },
  { unsound: 'these deliveries have no orders' },
);
const receivers = await Promise.all(Array.from({ length: RECEIVERS }, () => startReceiver()));
const worker = await startProcess(service, { ROLES: 'worker', ALLOW_PRIVATE_CALLBACKS: '1' });
const busyLoops: ChildProcess[] = [];
const stopBusyLoops = () => {
  for (const loop of busyLoops.splice(0)) loop.kill('SIGKILL');
};
afterAll(async () => {
  stopBusyLoops();
  await worker.stop();
  await Promise.all(receivers.map((one) => one.close()));
});

/** As much as the busy loops below use of a machine that does nothing else. */
const BUSY = 1.3;

/**
 * About a hundredth of what others use already: each step of priority is a fifth less. Nice 19, with
 * six busy loops for each processor that give way to other tests, where nobody uses much.
 */
function starve() {
  const others = Math.max(load(), BUSY);
  const nice = Math.round(Math.log(100 / others) / Math.log(1.25));
  os.setPriority(worker.child.pid as number, Math.max(nice, 1));
  if (others > BUSY) return;
  for (let n = 0; n < 6 * os.availableParallelism(); n += 1) {
    const loop = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
    os.setPriority(loop.pid as number, os.constants.priority.PRIORITY_BELOW_NORMAL);
    busyLoops.push(loop);
  }
}

const attempts = async () => {
  const { rows } = await service.database.pool.query<{ made: number; errors: string[] }>(
    `select count(*)::integer as made,
       coalesce(array_agg(distinct error) filter (where error is not null), '{}') as errors
     from delivery_attempts`,
  );
  return rows[0] as { made: number; errors: string[] };
};

test(`a starved worker reads the answers to its webhooks: ${TOTAL} arrive, and no attempt fails`, {
  timeout: TEST_MS,
}, async () => {
  starve();
  for (const { url } of receivers)
    await insertDue(service, await createMerchant(service), url, EACH);
  const since = performance.now();
  await expect
    .poll(async () => (await attempts()).made, { timeout: TEST_MS, interval: 250 })
    .toBeGreaterThanOrEqual(STARVED);
  const { made, errors } = await attempts();
  stopBusyLoops();
  expect(errors).toEqual([]);
  report('starved', { made, seconds: Math.round((performance.now() - since) / 1000) });

  await expect.poll(attempts, { interval: 250 }).toEqual({ made: TOTAL, errors: [] });
  // Some twice: it may lose a record when it is too busy to talk to the database.
  const ids = receivers.flatMap(({ received }) =>
    received.map(({ headers }) => headers['x-svc-delivery-id']),
  );
  expect(new Set(ids).size).toBe(TOTAL);
});
