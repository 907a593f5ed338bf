import { type Bench, checkDatabase, type Workload, withDatabase } from '../bench.ts';
import { addressOf, Connection } from '../connection.ts';
import type { Environment } from '../environment.ts';
import { startServer } from '../processes.ts';
import { depositRequest, onlineRequest, withdrawalRequest } from '../requests.ts';
import { type Member, type Merchant, seedMembers, seedMerchants } from '../seed.ts';
import { createOrders } from './reads.ts';

/**
 * Polls until the query answers true; returns milliseconds since `started`. The query must be
 * cheap.
 */
async function until(
  { database }: Environment,
  query: string,
  started: number,
  patienceMs: number,
): Promise<number> {
  for (;;) {
    const { rows } = await database.pool.query<{ done: boolean }>(query);
    const elapsed = performance.now() - started;
    if (rows[0]?.done === true) return elapsed;
    if (elapsed > patienceMs) return Number.POSITIVE_INFINITY;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const NONE_WAITING = `select not exists (select from orders where status = 'Awaiting' and order_type = 'Withdrawal' and customer_account_number is not null) as done`;
const SOME_ASSIGNED = `select exists (select from members where open_orders >= max_open_orders) as done`;

/** A member with ordinary capacity gets the oldest orders; one with enough gets all. */
const ROOMS = [10, undefined] as const;

export const waitingWithdrawals: Workload = {
  name: 'waiting-withdrawals',
  about: 'withdrawals that all wait, and one member comes online',
  async run(bench) {
    const { rounds, waiting } = bench.options;
    for (let round = 1; round <= rounds; round += 1) {
      for (const room of ROOMS) {
        await withDatabase(bench, `waiting-${room ?? 'all'}-${round}`, (environment) =>
          assignRound(bench, environment, { waiting, room: room ?? waiting, round }),
        );
      }
    }
  },
};

async function assignRound(
  bench: Bench,
  environment: Environment,
  { waiting, room, round }: { waiting: number; room: number; round: number },
) {
  const workload = 'waiting-withdrawals';
  const [merchant] = (await seedMerchants(environment.database, 1)) as [Merchant];
  const [member] = (await seedMembers(environment.database, 1, {
    online: false,
    maxOpenOrders: room,
  })) as [Member];
  const server = await startServer(environment);
  await createOrders(bench, server.url, waiting, () => withdrawalRequest(merchant));
  await environment.database.pool.query('analyze orders');
  const connection = new Connection(addressOf(server.url));
  const started = performance.now();
  const { status } = await connection.send(onlineRequest(member));
  const ms = await until(
    environment,
    room < waiting ? SOME_ASSIGNED : NONE_WAITING,
    started,
    60_000,
  );
  connection.close();
  await server.stop();
  bench.record({
    workload,
    contender: 'munshi',
    parameters: { waiting, room },
    round,
    figures: { seconds: ms / 1000, perSecond: (Math.min(room, waiting) * 1000) / ms },
  });
  const { rows } = await environment.database.pool.query<{ assigned: number; oldest: boolean }>(
    `select count(*)::integer as assigned, not exists (select from orders where status = 'Awaiting' and order_id < (select max(order_id::text)::uuid from orders where status = 'AwaitingMemberPayout')) as oldest
     from orders where status = 'AwaitingMemberPayout'`,
  );
  const ok = status === 200 && rows[0]?.assigned === Math.min(room, waiting) && rows[0].oldest;
  bench.check({
    workload,
    what: `room for ${room}: the oldest orders are assigned, as many as there is room for`,
    ok,
    detail: JSON.stringify(rows[0]),
  });
  await checkDatabase(bench, workload, environment, waiting);
}

export const expiry: Workload = {
  name: 'expiry',
  about: 'deposits that nobody pays all end within a few seconds',
  async run(bench) {
    const { expiring, pageTtlSeconds } = bench.options;
    await withDatabase(bench, 'expiry', async (environment) => {
      const [merchant] = (await seedMerchants(environment.database, 1)) as [Merchant];
      await seedMembers(environment.database, bench.options.members);
      await environment.database.pool.query('update settings set payment_page_ttl_seconds = $1', [
        pageTtlSeconds,
      ]);
      const server = await startServer(environment);
      await createOrders(bench, server.url, expiring, () => depositRequest(merchant));
      await environment.database.pool.query('analyze orders');
      await until(
        environment,
        `select not exists (select from orders where status = 'Queued') as done`,
        performance.now(),
        pageTtlSeconds * 1000 + 90_000,
      );
      await server.stop();
      const { rows } = await environment.database.pool.query<{
        expired: number;
        latest: number;
        window: number;
        spell: number;
      }>(
        `select count(*)::integer as expired, extract(epoch from max(failed_at - expires_at))::float as latest,
           extract(epoch from max(expires_at) - min(expires_at))::float as window, extract(epoch from max(failed_at) - min(failed_at))::float as spell
         from orders where status = 'Expired'`,
      );
      const {
        expired = 0,
        latest = Number.NaN,
        window = Number.NaN,
        spell = Number.NaN,
      } = rows[0] ?? {};
      const figures = { latestSeconds: latest, dueWithinSeconds: window, seconds: spell };
      bench.record({
        workload: 'expiry',
        contender: 'munshi',
        parameters: { expiring },
        round: 1,
        figures,
      });
      bench.check({
        workload: 'expiry',
        what: 'every order is expired',
        ok: expired === expiring,
        detail: `${expired} of ${expiring}`,
      });
      await checkDatabase(bench, 'expiry', environment, expiring);
    });
  },
};
