import {
  atRate,
  type Bench,
  checkDatabase,
  recordLoad,
  type Workload,
  warmedLoop,
  withDatabase,
} from '../bench.ts';
import type { Environment } from '../environment.ts';
import { type RunningServer, startServer } from '../processes.ts';
import { startReceivers } from '../receivers.ts';
import {
  type CreatedOrder,
  creationStep,
  depositRequest,
  memberConfirmStep,
  statusStep,
  withdrawalRequest,
} from '../requests.ts';
import { type Member, type Merchant, seedMembers, seedMerchants } from '../seed.ts';
import type { Step } from '../traffic.ts';
import { createOrders } from './reads.ts';

/** Who holds which order. */
async function holders(
  { database }: Environment,
  members: readonly Member[],
): Promise<ReadonlyMap<string, Member>> {
  const byId = new Map(members.map((member) => [member.memberId, member]));
  const { rows } = await database.pool.query<{ order_id: string; member_id: string }>(
    'select order_id, member_id from orders where member_id is not null',
  );
  return new Map(
    rows.flatMap(({ order_id, member_id }) => {
      const member = byId.get(member_id);
      return member === undefined ? [] : [[order_id, member] as const];
    }),
  );
}

/** Members' confirmations of waiting orders, each once. */
export async function confirmations(
  environment: Environment,
  orders: readonly CreatedOrder[],
  members: readonly Member[],
): Promise<() => Step | undefined> {
  const held = await holders(environment, members);
  let at = 0;
  return () => {
    const order = orders[at];
    at += 1;
    return order && memberConfirmStep(order.orderId, held.get(order.orderId) as Member);
  };
}

/**
 * Of ten requests: 7 look-ups, 2 creations (deposits and withdrawals, 7 to 3), 1 confirmation while
 * there are any left.
 */
function mixedSteps(
  merchants: readonly Merchant[],
  orders: readonly CreatedOrder[],
  owners: ReadonlyMap<string, Merchant>,
  confirm: () => Step | undefined,
) {
  const counts = { created: 0, confirmed: 0, looked: 0 };
  let n = 0;
  const next = (): Step => {
    n += 1;
    const merchant = merchants[n % merchants.length] as Merchant;
    if (n % 10 === 3 || n % 10 === 8) {
      counts.created += 1;
      return creationStep(
        counts.created % 10 < 7 ? depositRequest(merchant) : withdrawalRequest(merchant),
      );
    }
    const confirmation = n % 10 === 5 ? confirm() : undefined;
    if (confirmation !== undefined) {
      counts.confirmed += 1;
      return confirmation;
    }
    counts.looked += 1;
    const order = orders[(n * 7919) % orders.length] as CreatedOrder;
    return statusStep(owners.get(order.orderId) as Merchant, order);
  };
  return { next, counts };
}

export const mixed: Workload = {
  name: 'mixed',
  about:
    '70 % status, 20 % create, 10 % confirm: latency at full load and at fixed rates of arrival, webhooks sent meanwhile',
  async run(bench) {
    const { rounds, connections, rates } = bench.options;
    const receivers = await startReceivers(1, 0);
    const callbackUrl = `http://127.0.0.1:${receivers.ports.healthy[0]}/`;
    try {
      await withDatabase(bench, 'mixed', async (environment) => {
        const merchants = await seedMerchants(environment.database, 20);
        const members = await seedMembers(environment.database, bench.options.members);
        let created = 0;
        for (let round = 1; round <= rounds; round += 1) {
          const server = await startServer(environment, { env: { ALLOW_PRIVATE_CALLBACKS: '1' } });
          const own = { environment, server, merchants, members, callbackUrl, round };
          created += await mixedRound(bench, { ...own, rate: undefined, connections });
          for (const rate of rates)
            created += await mixedRound(bench, { ...own, rate, connections: 256 });
          await server.stop();
        }
        await checkDatabase(bench, 'mixed', environment, created);
      });
    } finally {
      receivers.stop();
    }
  },
};

interface MixedRound {
  readonly environment: Environment;
  readonly server: RunningServer;
  readonly merchants: readonly Merchant[];
  readonly members: readonly Member[];
  readonly callbackUrl: string;
  readonly round: number;
  /** Requests per second; undefined for a closed loop. */
  readonly rate: number | undefined;
  readonly connections: number;
}

/** Mixed requests on prepared orders. Returns how many orders were made in all. */
async function mixedRound(
  bench: Bench,
  { environment, server, merchants, members, callbackUrl, round, rate, connections }: MixedRound,
): Promise<number> {
  const ready =
    rate === undefined
      ? bench.options.settled
      : Math.ceil((rate / 10) * (bench.options.seconds + 1));
  const orders: CreatedOrder[] = [];
  const ownerOf = new Map<string, Merchant>();
  for (const merchant of merchants) {
    const own = await createOrders(bench, server.url, Math.ceil(ready / merchants.length), () =>
      withdrawalRequest(merchant, { callbackUrl }),
    );
    for (const { orderId } of own) ownerOf.set(orderId, merchant);
    orders.push(...own);
  }
  const { next, counts } = mixedSteps(
    merchants,
    orders,
    ownerOf,
    await confirmations(environment, orders, members),
  );
  const load = { url: server.url, connections, next };
  const figures = await (rate === undefined
    ? warmedLoop(bench, load, { server, environment })
    : atRate(bench, { ...load, rate }, { server, environment }));
  const parameters =
    rate === undefined ? { arrivals: 'closed loop', connections } : { arrivals: rate, connections };
  const confirmedShare = counts.confirmed / (counts.confirmed + counts.created + counts.looked);
  recordLoad(bench, {
    workload: 'mixed',
    contender: 'munshi',
    parameters,
    round,
    figures: { ...figures, confirmedShare },
  });
  return orders.length + counts.created;
}
