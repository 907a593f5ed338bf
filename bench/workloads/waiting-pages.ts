import { checkDatabase, measured, recordLoad, type Workload, withDatabase } from '../bench.ts';
import { startServer } from '../processes.ts';
import { type CreatedOrder, depositRequest, pageStep } from '../requests.ts';
import { type Merchant, seedMembers, seedMerchants } from '../seed.ts';
import { openLoop } from '../traffic.ts';
import { createOrders } from './reads.ts';

/** A method that no member has. */
const METHOD = 'ProviderBQR';

export const waitingPages: Workload = {
  name: 'waiting-pages',
  about: 'customers whose pages all wait for a member and look again every 10 seconds',
  async run(bench) {
    const { pages, recheckSeconds, members } = bench.options;
    await withDatabase(bench, 'waiting-pages', async (environment) => {
      const [merchant] = (await seedMerchants(environment.database, 1)) as [Merchant];
      await seedMembers(environment.database, members, { methods: ['ProviderA', 'ProviderB'] });
      const server = await startServer(environment);
      const orders = await createOrders(bench, server.url, pages, () =>
        depositRequest(merchant, { walletType: METHOD }),
      );
      for (const action of ['open', 'state'] as const) {
        let at = 0;
        const next = () => {
          at += 1;
          return pageStep(orders[at % orders.length] as CreatedOrder, action, 'Awaiting');
        };
        // Two periods, so that every page has a whole one.
        const load = {
          url: server.url,
          connections: 256,
          seconds: recheckSeconds * 2,
          rate: pages / recheckSeconds,
          next,
        };
        const figures = await measured({ bench, server, environment }, () => openLoop(load));
        recordLoad(bench, {
          workload: 'waiting-pages',
          contender: 'munshi',
          parameters: { pages, asks: action },
          round: 1,
          figures: { ...figures, ...coresOf(figures) },
        });
      }
      await server.stop();
      await checkDatabase(bench, 'waiting-pages', environment, pages);
    });
  },
};

/** The cores that this load takes in the server and Postgres. */
function coresOf({
  serverMicros = Number.NaN,
  postgresMicros = Number.NaN,
  answered = 0,
  seconds = 1,
}: Partial<Record<string, number>>): { cores: number } {
  return { cores: ((serverMicros + postgresMicros) * answered) / seconds / 1e6 };
}
