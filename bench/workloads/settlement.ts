import {
  type Bench,
  checkDatabase,
  measured,
  recordLoad,
  type Workload,
  withDatabase,
} from '../bench.ts';
import type { Environment } from '../environment.ts';
import { type RunningServer, startServer } from '../processes.ts';
import { startReceivers } from '../receivers.ts';
import { type CreatedOrder, depositRequest, pageStep, withdrawalRequest } from '../requests.ts';
import { type Member, type Merchant, seedMembers, seedMerchants } from '../seed.ts';
import { closedLoop, type Step } from '../traffic.ts';
import { confirmations } from './mixed.ts';
import { createOrders } from './reads.ts';

/** One step for each order, in turn. */
function each(
  orders: readonly CreatedOrder[],
  stepOf: (order: CreatedOrder) => Step,
): () => Step | undefined {
  let at = 0;
  return () => {
    const order = orders[at];
    at += 1;
    return order && stepOf(order);
  };
}

export const settlement: Workload = {
  name: 'settlement',
  about:
    "deposits from the customer's page to the member's confirmation, and withdrawals to the payout, webhooks sent meanwhile",
  async run(bench) {
    const { rounds, settled } = bench.options;
    const receivers = await startReceivers(1, 0);
    const callbackUrl = `http://127.0.0.1:${receivers.ports.healthy[0]}/`;
    try {
      await withDatabase(bench, 'settlement', async (environment) => {
        const [merchant] = (await seedMerchants(environment.database, 1)) as [Merchant];
        const members = await seedMembers(environment.database, bench.options.members);
        for (let round = 1; round <= rounds; round += 1) {
          const server = await startServer(environment, { env: { ALLOW_PRIVATE_CALLBACKS: '1' } });
          await settleRound(bench, { environment, server, merchant, members, callbackUrl, round });
          await server.stop();
        }
        await checkDatabase(bench, 'settlement', environment, rounds * settled * 2);
        await checkCompleted(bench, environment, rounds * settled * 2);
      });
    } finally {
      receivers.stop();
    }
  },
};

interface SettleRound {
  readonly environment: Environment;
  readonly server: RunningServer;
  readonly merchant: Merchant;
  readonly members: readonly Member[];
  readonly callbackUrl: string;
  readonly round: number;
}

async function settleRound(
  bench: Bench,
  { environment, server, merchant, members, callbackUrl, round }: SettleRound,
) {
  const { connections, settled } = bench.options;
  const stretch = async (step: string, next: () => Step | undefined) => {
    const figures = await measured({ bench, server, environment }, () =>
      closedLoop({ url: server.url, connections, seconds: 600, next }),
    );
    recordLoad(bench, {
      workload: 'settlement',
      contender: 'munshi',
      parameters: { step, connections },
      round,
      figures,
    });
  };
  const deposits = await createOrders(bench, server.url, settled, () =>
    depositRequest(merchant, { callbackUrl }),
  );
  await stretch(
    'customer opens the page',
    each(deposits, (order) => pageStep(order, 'open', 'AwaitingCustomerPayment')),
  );
  await stretch(
    'customer confirms',
    each(deposits, (order) => pageStep(order, 'confirm', 'AwaitingMemberConfirmation')),
  );
  await stretch('member confirms a deposit', await confirmations(environment, deposits, members));
  const withdrawals = await createOrders(bench, server.url, settled, () =>
    withdrawalRequest(merchant, { callbackUrl }),
  );
  await stretch('member confirms a payout', await confirmations(environment, withdrawals, members));
}

async function checkCompleted(bench: Bench, { database }: Environment, expected: number) {
  const { rows } = await database.pool.query<{ orders: number; postings: number }>(
    `select (select count(*)::integer from orders where status = 'Completed') as orders, (select count(*)::integer from postings where kind = 'settlement') as postings`,
  );
  const ok = rows[0]?.orders === expected && rows[0]?.postings === expected;
  bench.check({
    workload: 'settlement',
    what: 'every order is completed and has one settlement',
    ok,
    detail: JSON.stringify(rows[0]),
  });
}
