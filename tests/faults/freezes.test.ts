import { afterEach, expect } from 'vitest';
import { saveClockOffset } from '../../apps/server/src/settings/clock-offset.store.ts';
import { createMember, createMerchant, createOrder, orderStatus } from '../support/fixtures.ts';
import { postOrder } from '../support/merchant-client.ts';
import { pace } from '../support/pace.ts';
import { TEST_MS } from '../support/patience.ts';
import { type ServerProcess, startProcess } from '../support/process.ts';
import { serviceTest } from '../support/service-test.ts';
import { expectSound } from '../support/verify.ts';
import { type Fleet, startFleet } from './support/fleet.ts';
import { expectKept } from './support/kept.ts';
import { report, SEED, seeded, size } from './support/size.ts';
import { startTraffic } from './support/traffic.ts';

/**
 * A process that stands still (SIGSTOP; a machine that swaps or is suspended) keeps its
 * connections, and all that it holds in them. It may not stop the others for longer than Postgres
 * waits for it: five seconds.
 */
const FREEZES = size('FREEZES', { short: 1, full: 12 });
const FROZEN_SECONDS = size('FROZEN_SECONDS', { short: 6, full: 60 });

const { test, service } = await serviceTest({ ROLES: 'http' });
const processes: ServerProcess[] = [];
afterEach(async () => {
  for (const { child } of processes) child.kill('SIGCONT');
  expect(await Promise.all(processes.splice(0).map((one) => one.stop()))).not.toContain(1);
});

const start = async (roles: string) => {
  const started = await startProcess(service, { ROLES: roles, ALLOW_PRIVATE_CALLBACKS: '1' });
  processes.push(started);
  return started;
};
/** What somebody holds in a transaction, until it is released. */
const hold = async (rows: string, id: string) => {
  const holder = await service.database.pool.connect();
  await holder.query('begin');
  await holder.query(`select from ${rows} = $1 for update`, [id]);
  return {
    async release() {
      await holder.query('rollback');
      holder.release();
    },
  };
};
/** A session waits for a row that another one has locked. */
const somebodyWaits = () =>
  expect
    .poll(
      async () =>
        (
          await service.database.pool.query(
            `select count(*)::integer as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          )
        ).rows[0].n,
    )
    .toBeGreaterThan(0);

test('a process that stands still within a transaction stops nobody for long, and does not go on with it afterwards', async () => {
  const [frozen, other] = await Promise.all([start('http'), start('http')]);
  const merchant = await createMerchant(service, { balance: '1000' });
  const member = await createMember(service, { methods: ['ProviderB'] });
  const withdrawal = {
    orderType: 'Withdrawal',
    amount: 600,
    walletType: 'ProviderB',
    customerAccountNumber: '0300',
  };
  const held = await hold('members where member_id', member.memberId);
  const first = postOrder({ ...merchant, url: frozen.url }, withdrawal);
  await somebodyWaits(); // with the wallet locked
  frozen.child.kill('SIGSTOP');
  await held.release();

  // Money for one of the two.
  const second = () =>
    postOrder(
      { ...merchant, url: other.url },
      { ...withdrawal, amount: 700 },
      { idempotencyKey: 'second' },
    );
  await expect.poll(second).toMatchObject({ status: 200 });
  frozen.child.kill('SIGCONT');
  const { status } = await first;
  expect([422, 503]).toContain(status);
  const { rows } = await service.database.pool.query(
    'select count(*)::integer as n from orders where merchant_id = $1',
    [merchant.merchantId],
  );
  expect(rows[0].n).toBe(1);
  await expectSound(service);
});

test('a process that stands still in the midst of a job loses it: another one expires what is due', async () => {
  const merchant = await createMerchant(service);
  const { orderId } = await createOrder(merchant, { walletType: 'TillID' });
  const held = await hold('orders where order_id', orderId);
  const frozen = await start('worker');
  await saveClockOffset(service.database.pool, 3_600_000);
  await somebodyWaits(); // the job has begun
  frozen.child.kill('SIGSTOP');
  await held.release();

  await start('worker');
  await expect
    .poll(async () => (await orderStatus(merchant, orderId)).status)
    .toBe('CancelledTimeout');
  frozen.child.kill('SIGCONT');
  await expectSound(service);
});

test(`one of two processes stands still for ${FROZEN_SECONDS} seconds, ${FREEZES} times, under load: the other goes on, nothing acknowledged is lost or doubled`, {
  timeout: TEST_MS + FREEZES * (FROZEN_SECONDS + 60) * 1000,
}, async () => {
  const random = seeded();
  const fleet = await startFleet(service, 2);
  let frozen: number | undefined;
  /** A load balancer that notices at once. */
  const balanced: Fleet = {
    ...fleet,
    next: () => (frozen === undefined ? fleet.next() : fleet.at(1 - frozen).url),
  };
  const traffic = await startTraffic(service, balanced, { shoppers: 8, members: 4 });
  const { seen } = traffic.client;
  let slowestGapMs = 0;
  for (let freeze = 0; freeze < FREEZES; freeze += 1) {
    await traffic.progress(50 + random(100));
    frozen = freeze % 2;
    const there = fleet.at(frozen);
    there.child.kill('SIGSTOP');
    const until = performance.now() + FROZEN_SECONDS * 1000;
    // The next answer, again and again, while it stands still.
    while (performance.now() < until) {
      const since = performance.now();
      await traffic.progress(1);
      slowestGapMs = Math.max(slowestGapMs, Math.round(performance.now() - since));
      await pace(50); // it stands still for a while
    }
    there.child.kill('SIGCONT');
    frozen = undefined;
    await traffic.progress(50);
    // None was late but requests that the process had taken before it stood still.
    expect(seen.lateAt.splice(0).filter((url) => url !== there.url)).toEqual([]);
  }
  await traffic.stop();
  await expectKept(service, traffic);
  await traffic.close();
  await fleet.close();
  report('freezes', {
    freezes: FREEZES,
    seconds: FROZEN_SECONDS,
    seed: SEED,
    orders: traffic.answered.wishes.length,
    answered: seen.answered,
    unavailable: seen.unavailable,
    late: seen.late,
    slowestMs: seen.slowestMs,
    slowestGapMs,
  });
});
