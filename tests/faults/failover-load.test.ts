import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TIMEOUT_MS } from '../../apps/server/src/faces/readers.ts';
import {
  createMember,
  createMerchant,
  signInMember,
  type TestMerchant,
} from '../support/fixtures.ts';
import { postOrder } from '../support/merchant-client.ts';
import { pace } from '../support/pace.ts';
import { PATIENCE_MS, TEST_MS } from '../support/patience.ts';
import { type Service, startService } from '../support/service.ts';
import { type Fleet, startFleet } from './support/fleet.ts';
import { expectKept } from './support/kept.ts';
import { openMemberStream } from './support/member-stream.ts';
import {
  type PostgresNode,
  type ReplicatedPostgres,
  startReplicatedPostgres,
} from './support/replicated-postgres.ts';
import { report, SEED, seeded, size } from './support/size.ts';
import { startTraffic } from './support/traffic.ts';

/**
 * Each commit waits for the standby. In turns the primary is killed, and frozen until it has been
 * overtaken. The short form ends after the first kill.
 */
const FAILOVERS = size('FAILOVERS', { short: 1, deep: 2, full: 20 });
/**
 * A process is back within this after there is a primary; in the short form, which runs beside
 * others, before its clients time out.
 */
const BACK_MS = size('BACK_MS', { short: PATIENCE_MS, full: 5_000 });

let postgres: ReplicatedPostgres;
let service: Service;
let fleet: Fleet;
beforeAll(async () => {
  postgres = await startReplicatedPostgres();
  const target = postgres.target(...postgres.nodes);
  service = await startService({ ROLES: 'http' }, { target });
  fleet = await startFleet(service, 2);
});
afterAll(async () => {
  await fleet?.close();
  await service?.close();
  await postgres?.close();
});

const PASSWORD = 'a long enough password';
const withdrawal = () => ({
  orderType: 'Withdrawal',
  walletType: 'BankAccount',
  customerAccountNumber: '0300',
  amount: 1,
  merchantOrderRef: randomUUID(),
});

test(`the primary killed, or frozen and overtaken, ${FAILOVERS} time(s) under load: nothing acknowledged is lost or doubled, both processes go on with the new one`, {
  timeout: TEST_MS + FAILOVERS * 60_000,
}, async () => {
  const random = seeded();
  const merchant = await createMerchant(service, { balance: '1000000' });
  const member = await createMember(service, {
    methods: ['BankAccount'],
    password: PASSWORD,
    maxOpenOrders: 10_000,
  });
  const token = await signInMember(service, member, PASSWORD);
  const urls = [fleet.at(0).url, fleet.at(1).url];
  const streams = urls.map((url) => openMemberStream(() => url, token));
  const traffic = await startTraffic(service, fleet, { shoppers: 4, members: 3 });
  let [leader, follower]: readonly PostgresNode[] = postgres.nodes;
  if (leader === undefined || follower === undefined) throw new Error('two nodes');
  await leader.setSynchronous(true);
  let slowestBackMs = 0;

  /** Until the process at this address has made an order, `backMs` after `since` at most. */
  const serves = async (url: string, since: number, backMs: number) => {
    const at: TestMerchant = { ...merchant, url };
    await expect
      .poll(() => postOrder(at, withdrawal()).then(({ status }) => status), {
        timeout: backMs,
        interval: 50,
      })
      .toBe(200);
    slowestBackMs = Math.max(slowestBackMs, Math.round(performance.now() - since));
  };
  /** What one process commits is received at the other. */
  const expectReceived = async (url: string, received: { text: string }) => {
    received.text = '';
    const change = async () => {
      await postOrder({ ...merchant, url }, withdrawal());
      return received.text;
    };
    await expect.poll(change, { interval: 200 }).toContain('event: assigned');
  };

  for (let round = 0; round < FAILOVERS; round += 1) {
    await traffic.progress(50 + random(150));
    const frozen = round % 2 === 1;
    await (frozen ? leader.freeze() : leader.kill());
    await pace(random(1_000)); // pace: nobody has noticed yet
    await follower.promote();
    const since = performance.now();
    // A frozen primary closes no connection: the first reading that times out reveals it.
    const backMs = BACK_MS + (frozen ? TIMEOUT_MS : 0);
    await Promise.all(urls.map((url) => serves(url, since, backMs)));
    if (frozen) await leader.thaw(); // and believes that it leads
    await traffic.progress(50);
    await Promise.all(
      streams.map(({ received }, at) => expectReceived(urls[1 - at] as string, received)),
    );
    if (round === FAILOVERS - 1) break;
    await leader.rebuild();
    [leader, follower] = [follower, leader];
    await leader.setSynchronous(true);
  }
  await traffic.stop();
  await Promise.all(streams.map((stream) => stream.close()));
  // The test's own connections, which asked nothing while the old primary stood still.
  const primary = () => service.database.stats.hosts().find((host) => host.primary)?.host;
  const { host, port } = follower.target.hosts[0] ?? {};
  await expect.poll(primary).toBe(`${host}:${port}`);
  await expectKept(service, traffic);
  await traffic.close();
  const { answered, cut, late, unavailable, slowestMs } = traffic.client.seen;
  expect({ cut, late }).toEqual({ cut: 0, late: 0 });
  report('failovers', {
    failovers: FAILOVERS,
    seed: SEED,
    orders: traffic.answered.wishes.length,
    answered,
    unavailable,
    slowestMs,
    slowestBackMs,
  });
});
