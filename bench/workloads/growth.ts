import {
  atRate,
  type Bench,
  checkDatabase,
  createdIn,
  recordLoad,
  type Workload,
  warmedLoop,
  withDatabase,
  withEach,
} from '../bench.ts';
import type { Environment } from '../environment.ts';
import { prefillOrders } from '../prefill.ts';
import { type RunningServer, startServer } from '../processes.ts';
import { type CreatedOrder, creationStep, depositRequest, statusStep } from '../requests.ts';
import { type Merchant, seedMembers, seedMerchants } from '../seed.ts';
import { closedLoop } from '../traffic.ts';
import { creationRound } from './creation.ts';

/** Merchants that share the stored orders and create the new ones. */
const MERCHANTS = 20;

/** Each once, in turn. */
function inTurn<T>(things: readonly T[]): () => T {
  let at = -1;
  return () => {
    at = (at + 1) % things.length;
    return things[at] as T;
  };
}

export const connections: Workload = {
  name: 'connections',
  about: 'creations over the number of connections',
  async run(bench) {
    const { rounds, connectionCounts, members } = bench.options;
    await withDatabase(bench, 'connections', async (environment) => {
      const merchants = await seedMerchants(environment.database, MERCHANTS);
      await seedMembers(environment.database, members);
      const merchant = inTurn(merchants);
      let created = 0;
      for (let round = 1; round <= rounds; round += 1) {
        for (const count of connectionCounts) {
          const result = await creationRound(bench, {
            environment,
            contender: 'munshi',
            connections: count,
            request: () => depositRequest(merchant()),
          });
          created += result.created;
          recordLoad(bench, {
            workload: 'connections',
            contender: 'munshi',
            parameters: { connections: count },
            round,
            figures: result.figures,
          });
        }
      }
      await checkDatabase(bench, 'connections', environment, created);
    });
  },
};

export const processes: Workload = {
  name: 'processes',
  about: 'creations over the number of server processes on one database',
  async run(bench) {
    const { rounds, processCounts, connections: width } = bench.options;
    await withDatabase(bench, 'processes', async (environment) => {
      const merchant = inTurn(await seedMerchants(environment.database, MERCHANTS));
      await seedMembers(environment.database, bench.options.members);
      let created = 0;
      for (let round = 1; round <= rounds; round += 1) {
        for (const count of processCounts) {
          const servers = await Promise.all(
            Array.from({ length: count }, () => startServer(environment)),
          );
          const load = {
            url: servers.map(({ url }) => url),
            connections: width,
            next: () => creationStep(depositRequest(merchant())),
          };
          const figures = await warmedLoop(bench, load, {
            server: togetherOf(servers),
            environment,
          });
          await Promise.all(servers.map((server) => server.stop()));
          created += createdIn(figures);
          recordLoad(bench, {
            workload: 'processes',
            contender: 'munshi',
            parameters: { processes: count, connections: width },
            round,
            figures,
          });
        }
      }
      await checkDatabase(bench, 'processes', environment, created);
    });
  },
};

/** The summed costs of several servers. */
const togetherOf = (servers: readonly RunningServer[]) => ({
  cpuSeconds: () => sumOf(servers.map((server) => server.cpuSeconds())),
  rssMiB: () => sumOf(servers.map((server) => server.rssMiB())),
});

/** Undefined if one of them could not be read. */
async function sumOf(figures: readonly Promise<number | undefined>[]): Promise<number | undefined> {
  const read = await Promise.all(figures);
  return read.reduce(
    (sum, figure) => (sum === undefined || figure === undefined ? undefined : sum + figure),
    0,
  );
}

export const arrivals: Workload = {
  name: 'arrivals',
  about: 'latency of creations that arrive at fixed rates, regardless of the answers',
  async run(bench) {
    const { rounds, rates } = bench.options;
    await withDatabase(bench, 'arrivals', async (environment) => {
      const merchant = inTurn(await seedMerchants(environment.database, MERCHANTS));
      await seedMembers(environment.database, bench.options.members);
      let created = 0;
      for (let round = 1; round <= rounds; round += 1) {
        const server = await startServer(environment);
        const load = { url: server.url, next: () => creationStep(depositRequest(merchant())) };
        const warmUp = await closedLoop({
          ...load,
          connections: 64,
          seconds: bench.options.warmUpSeconds,
        });
        created += warmUp.answered - warmUp.wrong;
        for (const rate of rates) {
          const figures = await atRate(
            bench,
            { ...load, connections: 256, rate },
            { server, environment },
          );
          created += createdIn(figures);
          recordLoad(bench, {
            workload: 'arrivals',
            contender: 'munshi',
            parameters: { arrivals: rate },
            round,
            figures,
          });
        }
        await server.stop();
      }
      await checkDatabase(bench, 'arrivals', environment, created);
    });
  },
};

export const members: Workload = {
  name: 'members',
  about: 'creations over the number of members who are online',
  async run(bench) {
    const { rounds, memberCounts, connections: width } = bench.options;
    await withEach(
      bench,
      memberCounts.map((count) => `members-${count}`),
      async (environments) => {
        const merchants: (() => Merchant)[] = [];
        const created = environments.map(() => 0);
        for (const [at, environment] of environments.entries()) {
          merchants.push(inTurn(await seedMerchants(environment.database, MERCHANTS)));
          await seedMembers(environment.database, memberCounts[at] as number);
        }
        for (let round = 1; round <= rounds; round += 1) {
          for (const [at, environment] of environments.entries()) {
            const request = () => depositRequest((merchants[at] as () => Merchant)());
            const result = await creationRound(bench, {
              environment,
              contender: 'munshi',
              connections: width,
              request,
            });
            created[at] = (created[at] as number) + result.created;
            const parameters = { members: memberCounts[at] as number, connections: width };
            recordLoad(bench, {
              workload: 'members',
              contender: 'munshi',
              parameters,
              round,
              figures: result.figures,
            });
          }
        }
        for (const [at, environment] of environments.entries())
          await checkDatabase(bench, 'members', environment, created[at]);
      },
    );
  },
};

/** The invariants read every row: beyond this many orders only the count is checked. */
const CHECKED_MAX = 1_500_000;

export const sizes: Workload = {
  name: 'sizes',
  about: 'creations and status look-ups over the number of orders stored',
  async run(bench) {
    const { rounds, sizes: counts, members: memberCount } = bench.options;
    await withEach(
      bench,
      counts.map((count) => `sizes-${count}`),
      async (environments) => {
        const merchants: (readonly Merchant[])[] = [];
        const created = [...counts];
        for (const [at, { database }] of environments.entries()) {
          const started = performance.now();
          merchants.push(await seedMerchants(database, MERCHANTS));
          await seedMembers(database, memberCount);
          await prefillOrders(database, counts[at] as number);
          bench.say(
            `  ${counts[at]} orders filled in ${Math.round((performance.now() - started) / 1000)} s`,
          );
        }
        for (let round = 1; round <= rounds; round += 1) {
          for (const [at, environment] of environments.entries()) {
            const own = {
              environment,
              merchants: merchants[at] as readonly Merchant[],
              orders: counts[at] as number,
              round,
            };
            created[at] = (created[at] as number) + (await sizeRound(bench, own));
          }
        }
        for (const [at, environment] of environments.entries())
          await checkSize(bench, environment, counts[at] as number, created[at] as number);
      },
    );
  },
};

interface SizeRound {
  readonly environment: Environment;
  readonly merchants: readonly Merchant[];
  readonly orders: number;
  readonly round: number;
}

/** Creations, then look-ups among everything stored. Returns how many orders were made. */
async function sizeRound(
  bench: Bench,
  { environment, merchants, orders, round }: SizeRound,
): Promise<number> {
  const merchant = inTurn(merchants);
  const parameters = { orders, connections: bench.options.connections };
  const { created, figures: creations } = await creationRound(bench, {
    environment,
    contender: 'munshi',
    connections: bench.options.connections,
    request: () => depositRequest(merchant()),
  });
  recordLoad(bench, {
    workload: 'sizes',
    contender: 'munshi',
    parameters: { work: 'creation', ...parameters },
    round,
    figures: creations,
  });
  const stored = inTurn(await storedOrders(environment, merchants, bench.options.read));
  const server = await startServer(environment);
  try {
    const next = () => {
      const { merchant: owner, order } = stored();
      return statusStep(owner, order);
    };
    const figures = await warmedLoop(
      bench,
      { url: server.url, connections: bench.options.connections, next },
      { server, environment },
    );
    recordLoad(bench, {
      workload: 'sizes',
      contender: 'munshi',
      parameters: { work: 'status', ...parameters },
      round,
      figures,
    });
  } finally {
    await server.stop();
  }
  return created;
}

/** Orders spread over the table, each with its merchant. */
async function storedOrders(
  { database }: Environment,
  merchants: readonly Merchant[],
  count: number,
) {
  const { rows: sizes } = await database.pool.query<{ orders: number }>(
    `select reltuples::integer as orders from pg_class where relname = 'orders'`,
  );
  const share = Math.min(100, (200 * count) / Math.max(1, sizes[0]?.orders ?? 0));
  const { rows } = await database.pool.query<CreatedOrder & { merchantId: string }>(
    `select merchant_id as "merchantId", order_id as "orderId", order_reference as "orderReference", merchant_order_ref as "merchantOrderRef", status
     from orders tablesample bernoulli ($2::real) order by md5(order_id::text) limit $1`,
    [count, share],
  );
  const byId = new Map(merchants.map((merchant) => [merchant.merchantId, merchant]));
  return rows.map((order) => ({ order, merchant: byId.get(order.merchantId) as Merchant }));
}

async function checkSize(bench: Bench, environment: Environment, stored: number, expected: number) {
  if (stored <= CHECKED_MAX) return checkDatabase(bench, 'sizes', environment, expected);
  const { rows } = await environment.database.pool.query<{ orders: number }>(
    'select count(*)::integer as orders from orders',
  );
  const found = rows[0]?.orders ?? 0;
  bench.check({
    workload: 'sizes',
    what: `${environment.name}: every order answered for is stored`,
    ok: found === expected,
    detail: `${found} of ${expected}`,
  });
}
