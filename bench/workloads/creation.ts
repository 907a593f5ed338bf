import path from 'node:path';
import {
  type Bench,
  checkDatabase,
  createdIn,
  recordLoad,
  type Workload,
  warmedLoop,
  withDatabase,
  withEach,
} from '../bench.ts';
import type { WireRequest } from '../connection.ts';
import type { Environment } from '../environment.ts';
import { PEERS, startServer } from '../processes.ts';
import { creationStep, depositRequest, withdrawalRequest } from '../requests.ts';
import { type Merchant, seedMembers, seedMerchants } from '../seed.ts';
import { insertsPerSecond } from './pgbench.ts';

/** Compared with the service: a server that only stores, and the usual design. */
const CONTENDERS = {
  munshi: undefined,
  'bare-store': path.join(PEERS, 'bare-store.ts'),
  'transaction-per-request': path.join(PEERS, 'transaction-per-request.ts'),
} as const;
type Contender = keyof typeof CONTENDERS;

interface CreationRound {
  readonly environment: Environment;
  readonly contender: Contender;
  readonly connections: number;
  request(): WireRequest;
}

/**
 * One round of creations against a server that runs only for it. Returns the figures and how many
 * orders it made.
 */
export async function creationRound(
  bench: Bench,
  { environment, contender, connections, request }: CreationRound,
) {
  const script = CONTENDERS[contender];
  const server = await startServer(environment, script === undefined ? {} : { script });
  try {
    const load = { url: server.url, connections, next: () => creationStep(request()) };
    const figures = await warmedLoop(bench, load, { server, environment });
    return { figures, created: createdIn(figures) };
  } finally {
    await server.stop();
  }
}

/**
 * The index by which the usual design finds whose turn it is. Without it three quarters of its time
 * go into reading every member.
 */
const MEMBERS_BY_TURN = `create index members_by_turn on members (open_orders, last_assigned_at nulls first) where online and status = 'active'`;

export const creation: Workload = {
  name: 'creation',
  about:
    'deposits of one merchant, beside a server that only stores, one transaction per request, and one-row inserts',
  async run(bench) {
    const { rounds, connections, members } = bench.options;
    // Each contender has its own database.
    await withEach(
      bench,
      ['creation', 'creation-stored', 'creation-usual'],
      async (environments) => {
        const [own, stored, usual] = environments as [Environment, Environment, Environment];
        const databases: Record<Contender, Environment> = {
          munshi: own,
          'bare-store': stored,
          'transaction-per-request': usual,
        };
        const merchants = new Map<Environment, Merchant>();
        for (const each of environments) {
          merchants.set(each, (await seedMerchants(each.database, 1))[0] as Merchant);
          await seedMembers(each.database, members);
        }
        await usual.database.pool.query(MEMBERS_BY_TURN);
        const created = new Map(environments.map((each) => [each, 0]));
        for (let round = 1; round <= rounds; round += 1) {
          for (const contender of Object.keys(CONTENDERS) as Contender[]) {
            const environment = databases[contender];
            const request = () => depositRequest(merchants.get(environment) as Merchant);
            const result = await creationRound(bench, {
              environment,
              contender,
              connections,
              request,
            });
            created.set(environment, (created.get(environment) ?? 0) + result.created);
            recordLoad(bench, {
              workload: 'creation',
              contender,
              parameters: { connections, members },
              round,
              figures: result.figures,
            });
          }
          const inserts = await insertsPerSecond(bench, 32);
          bench.record({
            workload: 'creation',
            contender: inserts.contender,
            parameters: { connections: 32, members },
            round,
            figures: inserts.figures,
          });
        }
        for (const [each, count] of created) await checkDatabase(bench, 'creation', each, count);
      },
    );
  },
};

interface Kind {
  readonly kind: string;
  readonly merchants: 'one' | 'many';
  request(merchant: Merchant, n: number): WireRequest;
}

/** A withdrawal reserves money: those of one merchant all change one wallet's row. */
const KINDS: readonly Kind[] = [
  { kind: 'deposits', merchants: 'many', request: (merchant) => depositRequest(merchant) },
  {
    kind: 'withdrawals on one hot wallet',
    merchants: 'one',
    request: (merchant) => withdrawalRequest(merchant),
  },
  { kind: 'withdrawals', merchants: 'many', request: (merchant) => withdrawalRequest(merchant) },
  {
    kind: '70 % deposits, 30 % withdrawals',
    merchants: 'many',
    request: (merchant, n) => (n % 10 < 7 ? depositRequest(merchant) : withdrawalRequest(merchant)),
  },
];

export const creationKinds: Workload = {
  name: 'creation-kinds',
  about: 'deposits, withdrawals and both, of one merchant with a hot wallet and of a thousand',
  async run(bench) {
    const { rounds, connections, members } = bench.options;
    await withDatabase(bench, 'creation-kinds', async (environment) => {
      const merchants = await seedMerchants(environment.database, bench.options.merchants);
      await seedMembers(environment.database, members);
      let created = 0;
      for (let round = 1; round <= rounds; round += 1) {
        const server = await startServer(environment);
        for (const { kind, merchants: few, request } of KINDS) {
          const used = few === 'one' ? merchants.slice(0, 1) : merchants;
          let n = 0;
          const next = () => {
            n += 1;
            return creationStep(request(used[n % used.length] as Merchant, n));
          };
          const figures = await warmedLoop(
            bench,
            { url: server.url, connections, next },
            { server, environment },
          );
          created += createdIn(figures);
          const parameters = { kind, merchants: used.length, connections };
          recordLoad(bench, {
            workload: 'creation-kinds',
            contender: 'munshi',
            parameters,
            round,
            figures,
          });
        }
        await server.stop();
      }
      await checkDatabase(bench, 'creation-kinds', environment, created);
    });
  },
};
