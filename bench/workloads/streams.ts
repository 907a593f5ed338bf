import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Bench,
  checkDatabase,
  questionsOf,
  recordLoad,
  type Workload,
  withDatabase,
} from '../bench.ts';
import { addressOf, Connection, wireRequest } from '../connection.ts';
import type { Environment } from '../environment.ts';
import { postgresCpuSeconds, type RunningServer, startServer } from '../processes.ts';
import { depositRequest } from '../requests.ts';
import { type Member, type Merchant, seedMembers, seedMerchants } from '../seed.ts';

/** Streams that are opened at once. */
const OPENING = 50;
/** Two heartbeats of the service, at each of which it looks every session up. */
const HEARTBEATS_SECONDS = 20;
const PATIENCE_MS = 10_000;

/** Members' apps that are all open: what they cost, and how soon one learns of its order. */
export const streams: Workload = {
  name: 'streams',
  about: 'members whose apps are open: memory of each stream, and from a creation to its event',
  async run(bench) {
    const { streams: most } = bench.options;
    await withDatabase(bench, 'streams', async (environment) => {
      const [merchant] = (await seedMerchants(environment.database, 1)) as [Merchant];
      const members: Member[] = [];
      let created = 0;
      for (const count of [Math.ceil(most / 100), most]) {
        members.push(...(await seedMembers(environment.database, count - members.length)));
        const figures = await withStreams(bench, environment, { merchant, members });
        created += figures.answered + figures.warmedUp;
        const parameters = { streams: count };
        const sample = { workload: 'streams', contender: 'munshi', parameters, round: 1, figures };
        recordLoad(bench, sample);
      }
      await checkDatabase(bench, 'streams', environment, created);
    });
  },
};

interface People {
  readonly merchant: Merchant;
  readonly members: readonly Member[];
}

/** Starts a server, opens a stream for each member, and measures them idle and with orders. */
async function withStreams(bench: Bench, environment: Environment, { merchant, members }: People) {
  const server = await startServer(environment);
  const events = createEvents();
  const before = (await server.rssMiB()) ?? Number.NaN;
  const open = await openAll(server, members, events);
  try {
    const idle = await idleCosts(bench, server, environment);
    const load = { url: server.url, connections: bench.options.connections, merchant, events };
    const warmUp = await assign({ ...load, seconds: bench.options.warmUpSeconds });
    const { latencies, seconds } = await assign({ ...load, seconds: bench.options.seconds });
    return {
      answered: latencies.length,
      warmedUp: warmUp.latencies.length,
      wrong: open.filter(({ destroyed }) => destroyed).length,
      perSecond: latencies.length / seconds,
      ...percentilesOf(latencies),
      ...idle,
      kibibytesEach: ((idle.rssMiB - before) * 1024) / open.length,
    };
  } finally {
    for (const socket of open) socket.destroy();
    await server.stop();
  }
}

function percentilesOf(latencies: readonly number[]) {
  const sorted = latencies.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}

/** Opens them, some at once; each has had its first line when this is over. */
async function openAll(
  { url }: RunningServer,
  members: readonly Member[],
  events: Events,
): Promise<readonly Socket[]> {
  const sockets: Socket[] = [];
  const left = members.values();
  const openOn = async () => {
    for (const { token } of left) sockets.push(await openStream(url, token, events));
  };
  await Promise.all(Array.from({ length: OPENING }, openOn));
  return sockets;
}

/** By a plain socket: the load generator shares the cores with the server. */
function openStream(url: string, token: string, events: Events): Promise<Socket> {
  const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' };
  return new Promise((resolve, reject) => {
    const socket = connect({ ...addressOf(url), noDelay: true });
    socket.setEncoding('latin1');
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('a stream was closed')));
    let isOpen = false;
    socket.on('data', (text: unknown) => {
      const at = performance.now();
      if (!isOpen && String(text).includes('retry: ')) {
        isOpen = true;
        resolve(socket);
      }
      for (const [, orderId = ''] of String(text).matchAll(/"orderId":"([^"]+)"/g))
        events.came(orderId, at);
    });
    socket.write(wireRequest({ method: 'GET', path: '/api/member/events', headers }));
  });
}

/** What the streams cost while nothing happens. */
async function idleCosts(bench: Bench, server: RunningServer, environment: Environment) {
  const read = async () => ({
    server: (await server.cpuSeconds()) ?? Number.NaN,
    postgres: (await postgresCpuSeconds(bench.cluster.postgresPid)) ?? Number.NaN,
    questions: await questionsOf(environment),
  });
  const seconds = Math.min(HEARTBEATS_SECONDS, bench.options.seconds * 5);
  const start = await read();
  await sleep(seconds * 1_000);
  const end = await read();
  return {
    rssMiB: (await server.rssMiB()) ?? Number.NaN,
    serverCores: (end.server - start.server) / seconds,
    postgresCores: (end.postgres - start.postgres) / seconds,
    questionsPerSecond: (end.questions - start.questions) / seconds,
  };
}

interface Assigning {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  readonly merchant: Merchant;
  readonly events: Events;
}

/**
 * Creates deposits, as many at once as there are connections, each when the member of the one
 * before learned of it. Answers the milliseconds from sending a creation to its event. Throws where
 * none comes.
 */
async function assign({ url, connections, merchant, events, ...options }: Assigning) {
  const latencies: number[] = [];
  const started = performance.now();
  const until = started + options.seconds * 1_000;
  const goOn = async () => {
    const connection = new Connection(addressOf(url));
    while (performance.now() < until) {
      const sentAt = performance.now();
      const { status, body } = await connection.send(depositRequest(merchant));
      const orderId = /"orderId":"([^"]+)"/.exec(body)?.[1];
      if (status !== 200 || orderId === undefined) throw new Error(`answered ${status}: ${body}`);
      latencies.push((await events.of(orderId)) - sentAt);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: connections }, goOn));
  return { latencies, seconds: (performance.now() - started) / 1_000 };
}

/** When members learned of orders. */
interface Events {
  came(orderId: string, at: number): void;
  /** When the order's event came, which may be before the creation is answered. */
  of(orderId: string): Promise<number>;
}

function createEvents(): Events {
  const arrivals = new Map<string, number>();
  const waiting = new Map<string, (at: number) => void>();
  return {
    came(orderId, at) {
      const resolve = waiting.get(orderId);
      if (resolve === undefined) arrivals.set(orderId, at);
      else resolve(at);
    },
    of: (orderId) =>
      new Promise((resolve, reject) => {
        const at = arrivals.get(orderId);
        if (at !== undefined) return resolve(at);
        const timer = setTimeout(() => reject(new Error('an event did not come')), PATIENCE_MS);
        waiting.set(orderId, (came) => {
          clearTimeout(timer);
          waiting.delete(orderId);
          resolve(came);
        });
      }),
  };
}
