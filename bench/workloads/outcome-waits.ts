import {
  checkDatabase,
  measured,
  questionsOf,
  recordLoad,
  type Workload,
  withDatabase,
} from '../bench.ts';
import { wireRequest } from '../connection.ts';
import { startServer } from '../processes.ts';
import { type CreatedOrder, depositRequest, pageStep } from '../requests.ts';
import type { Figures } from '../samples.ts';
import { type Merchant, seedMembers, seedMerchants } from '../seed.ts';
import { closedLoop, type Step } from '../traffic.ts';
import { createOrders } from './reads.ts';

/** Each page waits this often, one wait after the other. */
const WAITS = 3;

export const outcomeWaits: Workload = {
  name: 'outcome-waits',
  about: 'customers who have paid, whose pages all wait for the outcome over open connections',
  async run(bench) {
    const { pages, members, connections, recheckSeconds } = bench.options;
    // The page's script asks for 25 seconds.
    const waitSeconds = Math.ceil(recheckSeconds * 2.5);
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
      const seconds = waitSeconds * WAITS;
      const waits = orders.map((order) => waitStep(order, waitSeconds));
      let at = 0;
      const next = () => {
        at += 1;
        return waits[at % waits.length];
      };
      // A wait begins until the last second, and is answered after its own time.
      const load = { url, connections: pages, seconds: seconds - waitSeconds + 1, next };
      const figures = await measured({ bench, server, environment }, () => closedLoop(load));
      const questions = (await questionsOf(environment)) - before.questions;
      recordLoad(bench, {
        workload: 'outcome-waits',
        contender: 'munshi',
        parameters: { pages },
        round: 1,
        figures: { ...figures, ...costsOf(figures, { ...before, questions, pages }) },
      });
      await server.stop();
      await checkDatabase(bench, 'outcome-waits', environment, pages);
    });
  },
};

/** What all waiting pages cost together, and the memory of each. */
function costsOf(
  figures: Figures,
  { rssMiB = Number.NaN, questions, pages }: Record<'questions' | 'pages', number> & Rss,
) {
  const {
    answered = 0,
    seconds = 1,
    serverMicros = Number.NaN,
    postgresMicros = Number.NaN,
  } = figures as Partial<Record<string, number>>;
  const after = (figures as Rss).rssMiB ?? Number.NaN;
  return {
    serverCores: (serverMicros * answered) / seconds / 1e6,
    postgresCores: (postgresMicros * answered) / seconds / 1e6,
    questionsPerSecond: questions / seconds,
    kibibytesEach: ((after - rssMiB) * 1024) / pages,
  };
}
interface Rss {
  readonly rssMiB?: number | undefined;
}

function waitStep({ paymentPageUrl }: CreatedOrder, waitSeconds: number): Step {
  const { pathname, search } = new URL(paymentPageUrl);
  const since = 'AwaitingMemberConfirmation-verifying-ProviderA-0';
  return {
    request: wireRequest({
      method: 'GET',
      path: `${pathname}/state${search}&wait=${waitSeconds}&since=${since}`,
      headers: { accept: 'application/json' },
    }),
    isRight: ({ status, body }) => status === 200 && body.includes(`"version":"${since}"`),
  };
}
