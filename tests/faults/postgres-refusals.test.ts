import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import type { Database } from '../../apps/server/src/platform/database/db.ts';
import { createMember, createMerchant } from '../support/fixtures.ts';
import { postOrder } from '../support/merchant-client.ts';
import { TEST_MS } from '../support/patience.ts';
import { startService } from '../support/service.ts';
import { expectSound } from '../support/verify.ts';
import { expectKept } from './support/kept.ts';
import { startOwnFleet } from './support/own-fleet.ts';
import { report, size } from './support/size.ts';
import { startTraffic } from './support/traffic.ts';

/** What a Postgres that runs refuses: connections, locks, transactions. */
const DEADLOCKS = size('DEADLOCKS', { short: 3, full: 50 });
const SERIALIZATIONS = size('SERIALIZATIONS', { short: 300, full: 5_000 });

const { service, fleet, connect, close } = await startOwnFleet();
afterAll(close);

/**
 * For a statement that may be the victim itself: its transaction is over then, which is as good.
 */
function unlessDeadlock(error: unknown): void {
  if (!(error instanceof pg.DatabaseError && error.code === '40P01')) throw error;
}

/** Batches that a process had to decide again, by its metrics. */
async function retriesOf({ url }: { readonly url: string }): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^munshi_engine_retries_total (\d+)$/m.exec(text)?.[1]);
}
const retries = async () =>
  (
    await Promise.all(
      Array.from({ length: fleet.size }, (_, number) => retriesOf(fleet.at(number))),
    )
  ).reduce((sum, n) => sum + n, 0);

test('every connection that Postgres allows is taken: the service goes on with those that it has, and takes others when they are free', async () => {
  const traffic = await startTraffic(service, fleet, { shoppers: 8, members: 2 });
  await traffic.progress(50);
  const greedy: pg.Client[] = [];
  const takeAll = async () => {
    for (let full = false; !full; )
      await connect().then(
        (client) => greedy.push(client),
        () => {
          full = true;
        },
      );
  };
  await takeAll();
  expect(greedy.length).toBeGreaterThan(20);
  await traffic.progress(200);
  // A connection that is lost now cannot be had again before somebody leaves. The servers may be
  // quicker than this test, so it is done until they are not.
  const one = greedy[0] as pg.Client;
  const takeTheirs = async () => {
    await one.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'munshi%'`,
    );
    await takeAll();
    return traffic.client.seen.unavailable;
  };
  await expect.poll(takeTheirs, { interval: 500 }).toBeGreaterThan(0);
  await Promise.all(greedy.map((client) => client.end()));
  await traffic.progress(200);
  await traffic.stop();
  await expectKept(service, traffic);
  await traffic.close();
  expect(traffic.client.seen.late).toBe(0);
});

test('a session that takes the locks in the other order: the deadlocks cost a second try, and everybody is answered', {
  timeout: TEST_MS + DEADLOCKS * 5_000,
}, async () => {
  const merchant = await createMerchant(service, { balance: '1000000' });
  const member = await createMember(service, {
    methods: ['BankAccount'],
    float: '1000000',
    maxOpenOrders: 10_000,
  });
  const other = await connect();
  // A session looks for a deadlock once, this long into its wait, and is the victim of what it
  // finds. The servers look after a second, so it is them; but one that looked just before this
  // session joined the circle leaves it to this one.
  await other.query(`set deadlock_timeout = '5s'`);
  const before = await retries();
  let answered = 0;
  for (let round = 0; round < DEADLOCKS; round += 1) {
    await other.query('begin');
    await other.query('select from members where member_id = $1 for update', [member.memberId]);
    const orders = Array.from({ length: 20 }, (_, number) =>
      postOrder(
        { ...merchant, url: fleet.next() },
        {
          orderType: 'Withdrawal',
          amount: 10 + round * 20 + number,
          walletType: 'BankAccount',
          customerAccountNumber: '1',
        },
      ),
    );
    // They hold the wallet now, and wait for the member.
    await expect
      .poll(
        async () =>
          (
            await service.database.pool.query(
              `select count(*)::integer as n from pg_locks where not granted`,
            )
          ).rows[0].n,
        { interval: 5 },
      )
      .toBeGreaterThan(0);
    await other
      .query('select from merchant_wallets where merchant_id = $1 for update', [
        merchant.merchantId,
      ])
      .catch(unlessDeadlock);
    await other.query('commit');
    for (const reply of await Promise.all(orders)) {
      expect(reply).toMatchObject({ status: 200 });
      answered += 1;
    }
  }
  const tries = (await retries()) - before;
  expect(tries).toBeGreaterThan(0);
  await expectSound(service);
  report('deadlocks', { rounds: DEADLOCKS, answered, decidedAgain: tries });
});

test('transactions that the database refuses to serialize are decided again, and everybody is answered', {
  timeout: TEST_MS + SERIALIZATIONS * 50,
}, async () => {
  const strict = await Promise.all([1, 2].map(() => startService({ ROLES: 'http' }, service)));
  for (const { database } of strict) beginRepeatableRead(database);
  const merchant = await createMerchant(service, { balance: '100000000' });
  await createMember(service, { methods: ['ProviderB'], float: '1000000', maxOpenOrders: 10_000 });
  const replies = [];
  for (let at = 0; at < SERIALIZATIONS; at += 50) {
    const some = Array.from({ length: 50 }, (_, number) =>
      postOrder(
        { ...merchant, url: strict[number % strict.length]?.url ?? '' },
        {
          orderType: 'Withdrawal',
          amount: 1 + at + number,
          walletType: 'ProviderB',
          customerAccountNumber: '1',
        },
      ),
    );
    replies.push(...(await Promise.all(some)));
  }
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  const tries = strict.reduce((sum, { app }) => sum + app.deps.engine.stats.retries, 0);
  expect(tries).toBeGreaterThan(0);
  for (const one of strict) await one.close();
  await expectSound(service);
  report('serialization', { orders: SERIALIZATIONS, decidedAgain: tries });
});

/**
 * The service asks for read committed in every session. From now on its new lanes begin stricter.
 */
function beginRepeatableRead(database: Database): void {
  const openLane = database.openLane;
  Object.assign(database, {
    async openLane(...args: Parameters<Database['openLane']>) {
      const lane = await openLane(...args);
      await lane.query(`set default_transaction_isolation = 'repeatable read'`);
      return lane;
    },
  });
}
