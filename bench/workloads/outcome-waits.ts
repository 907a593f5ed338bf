import { checkDatabase, measured, recordLoad, type Workload, withDatabase } from '../bench.ts';
import { wireRequest } from '../connection.ts';
import type { Environment } from '../environment.ts';
import { startServer } from '../processes.ts';
import { type CreatedOrder, depositRequest, pageStep } from '../requests.ts';
import { type Merchant, seedMembers, seedMerchants } from '../seed.ts';
import { closedLoop, type Step } from '../traffic.ts';
import { createOrders } from './reads.ts';

/** What the page's script asks for. */
const WAIT_SECONDS = 25;
/** Each page waits this often, one wait after the other. */
const WAITS = 3;

export const outcomeWaits: Workload = {
  name: 'outcome-waits',
  about: 'customers who have paid, whose pages all wait for the outcome over open connections',
  async run(bench) {
    const { pages, members, connections } = bench.options;
    await withDatabase(bench, 'outcome-waits', async (environment) => {
      const [merchant] = (await seedMerchants(environment.database, 1)) as [Merchant];
      await seedMembers(environment.database, members);
      const server = await startServer(environment);
      const { url } = server;
      const orders = await createOrders(bench, url, pages, () => depositRequest(merchant));
      for (const [action, status] of [
        ['open', 'AwaitingCustomerPayment'],
        ['confirm', 'AwaitingMemberConfirmation'],
      ] as const) {
        const steps = orders.map((order) => pageStep(order, action, status)).values();
        const load = { url, connections, seconds: 600, next: () => steps.next().value };
        await measured({ bench, server, environment }, () => closedLoop(load));
      }
      const before = { rssMiB: await server.rssMiB(), questions: await questionsOf(environment) };
      const seconds = WAIT_SECONDS * WAITS;
      const waits = orders.map(waitStep);
      let at = 0;
      const next = () => {
        at += 1;
        return waits[at % waits.length];
      };
      // A wait begins until the last second, and is answered after its own time.
      const load = { url, connections: pages, seconds: seconds - WAIT_SECONDS + 1, next };
      const figures = await measured({ bench, server, environment }, () => closedLoop(load));
      const { answered = 0, seconds: took = seconds } = figures as Partial<Record<string, number>>;
      const cores = (micros: number | undefined) =>
        ((micros ?? Number.NaN) * answered) / took / 1e6;
      recordLoad(bench, {
        workload: 'outcome-waits',
        contender: 'munshi',
        parameters: { pages },
        round: 1,
        figures: {
          ...figures,
          serverCores: cores((figures as Partial<Record<string, number>>)['serverMicros']),
          postgresCores: cores((figures as Partial<Record<string, number>>)['postgresMicros']),
          questionsPerSecond: ((await questionsOf(environment)) - before.questions) / took,
          kibibytesEach:
            ((((figures as Partial<Record<string, number>>)['rssMiB'] ?? Number.NaN) -
              (before.rssMiB ?? Number.NaN)) *
              1024) /
            pages,
        },
      });
      await server.stop();
      await checkDatabase(bench, 'outcome-waits', environment, pages);
    });
  },
};

function waitStep({ paymentPageUrl }: CreatedOrder): Step {
  const { pathname, search } = new URL(paymentPageUrl);
  const since = 'AwaitingMemberConfirmation-verifying-ProviderA-0';
  return {
    request: wireRequest({
      method: 'GET',
      path: `${pathname}/state${search}&wait=${WAIT_SECONDS}&since=${since}`,
      headers: { accept: 'application/json' },
    }),
    isRight: ({ status, body }) => status === 200 && body.includes(`"version":"${since}"`),
  };
}

/** Transactions of the database so far: each read of the service is one. */
async function questionsOf({ database }: Environment): Promise<number> {
  const { rows } = await database.pool.query<{ questions: string }>(
    'select xact_commit as questions from pg_stat_database where datname = current_database()',
  );
  return Number(rows[0]?.questions);
}
