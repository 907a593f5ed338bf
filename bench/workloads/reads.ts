import path from 'node:path';
import {
  type Bench,
  checkDatabase,
  recordLoad,
  type Workload,
  warmedLoop,
  withDatabase,
} from '../bench.ts';
import { PEERS, startServer } from '../processes.ts';
import {
  balanceStep,
  type CreatedOrder,
  depositRequest,
  keptCreation,
  statusStep,
} from '../requests.ts';
import { type Merchant, seedMembers, seedMerchants } from '../seed.ts';
import { closedLoop, type Step } from '../traffic.ts';

/** Orders of a merchant, made over HTTP before anything is measured. */
export async function createOrders(
  bench: Bench,
  url: string,
  count: number,
  request: (n: number) => string,
): Promise<readonly CreatedOrder[]> {
  const orders: CreatedOrder[] = [];
  let sent = 0;
  const next = () => {
    if (sent === count) return undefined;
    sent += 1;
    return keptCreation(request(sent), (order) => orders.push(order));
  };
  const { wrong, example } = await closedLoop({
    url,
    connections: bench.options.connections,
    seconds: 600,
    next,
  });
  if (wrong > 0) throw new Error(`orders could not be prepared: ${example}`);
  return orders;
}

type Look =
  | 'status by id'
  | 'status by order reference'
  | 'status by merchant reference'
  | 'balance';

export const reads: Workload = {
  name: 'reads',
  about: 'status by id and by reference, and the balance, beside a server that only reads the row',
  async run(bench) {
    const { rounds, connections } = bench.options;
    await withDatabase(bench, 'reads', async (environment) => {
      const [merchant] = (await seedMerchants(environment.database, 1)) as [Merchant];
      await seedMembers(environment.database, bench.options.members);
      let server = await startServer(environment);
      const orders = await createOrders(bench, server.url, bench.options.read, () =>
        depositRequest(merchant),
      );
      await server.stop();
      let n = 0;
      const order = () => {
        n += 1;
        return orders[n % orders.length] as CreatedOrder;
      };
      const looks: Readonly<Record<Look, () => Step>> = {
        'status by id': () => statusStep(merchant, order()),
        'status by order reference': () => statusStep(merchant, order(), 'orderReference'),
        'status by merchant reference': () => statusStep(merchant, order(), 'merchantOrderRef'),
        balance: () => balanceStep(merchant, '1000000000000'),
      };
      for (let round = 1; round <= rounds; round += 1) {
        server = await startServer(
          { env: environment.env },
          { script: path.join(PEERS, 'bare-read.ts') },
        );
        const figures = await warmedLoop(
          bench,
          { url: server.url, connections, next: looks['status by id'] },
          { server, environment },
        );
        await server.stop();
        recordLoad(bench, {
          workload: 'reads',
          contender: 'bare-read',
          parameters: { look: 'status by id', connections },
          round,
          figures,
        });
        server = await startServer(environment);
        for (const [look, next] of Object.entries(looks)) {
          const figures = await warmedLoop(
            bench,
            { url: server.url, connections, next },
            { server, environment },
          );
          recordLoad(bench, {
            workload: 'reads',
            contender: 'munshi',
            parameters: { look, connections },
            round,
            figures,
          });
        }
        await server.stop();
      }
      await checkDatabase(bench, 'reads', environment, orders.length);
    });
  },
};
