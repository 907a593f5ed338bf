import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Bench, type Workload, withDatabase } from '../bench.ts';
import type { Environment } from '../environment.ts';
import { PEERS, postgresCpuSeconds, type RunningProcess, run, startServer } from '../processes.ts';
import { type Arrivals, startReceivers } from '../receivers.ts';
import { type Figures, median } from '../samples.ts';
import { seedMerchants } from '../seed.ts';

const CONNECTIONS = 100;
/** Merchants with a receiver each, half of which hang. */
const MERCHANTS = 10;
/** As long as real webhooks. */
const BODY = JSON.stringify({
  eventType: 'order.completed',
  orderId: '0198f0c4-5d5e-7000-8000-000000000000',
  orderReference: 'ORD-20260101000000-000000',
  merchantOrderRef: 'cart-000001',
  orderType: 'Deposit',
  amount: 1500.5,
  fee: 30.01,
  currency: 'PKR',
  status: 'Completed',
  stage: 'Completed',
  lifecycle: Object.fromEntries(
    [
      'createdAt',
      'awaitingAt',
      'assignedAt',
      'sentAt',
      'approvedAt',
      'rejectedAt',
      'completedAt',
      'failedAt',
    ].map((name) => [name, '2026-01-01T00:00:00.000Z']),
  ),
  completedAt: '2026-01-01T00:00:00.000Z',
  timestamp: '2026-01-01T00:00:00.000Z',
});

/** A job queue from npm that posts the same body, in a folder of its own. */
const QUEUE = 'graphile-worker';
const isInstalled = () => existsSync(path.join(PEERS, QUEUE, 'node_modules'));

/** A third of them are the warm-up. */
const warmed = (count: number) => ({ count, warmUp: Math.floor(count / 3) });

const percentile = (numbers: readonly number[], share: number) =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length * share)] ?? Number.NaN;

export const webhooks: Workload = {
  name: 'webhooks',
  about:
    'deliveries to a local receiver, beside a job queue that sends the same posts, and with half of the receivers hanging',
  async run(bench) {
    for (let round = 1; round <= bench.options.rounds; round += 1) {
      const { deliveries, hangingDeliveries } = bench.options;
      const measure = async (
        contender: string,
        parameters: Readonly<Record<string, string | number>>,
        work: () => Promise<Figures>,
      ) =>
        bench.record({ workload: 'webhooks', contender, parameters, round, figures: await work() });
      await measure('munshi', { deliveries }, () => munshiRound(bench));
      await measure(
        'munshi',
        { deliveries: hangingDeliveries, receivers: 'half of them hang' },
        () => hangingRound(bench),
      );
      if (!bench.options.peers) continue;
      if (isInstalled()) await measure(QUEUE, { deliveries }, () => queueRound(bench));
      else if (round === 1)
        bench.note(`${QUEUE} is not installed: see "Repeat it" in docs/performance.md`);
    }
  },
};

/** The time until all have arrived after a warm-up, measured at the receiver. */
async function arrivalsOf(
  bench: Bench,
  receivers: Awaited<ReturnType<typeof startReceivers>>,
  { count, warmUp }: { readonly count: number; readonly warmUp: number },
  start: () => RunningProcess | Promise<RunningProcess>,
) {
  let sender: RunningProcess | undefined;
  const readCpu = () =>
    Promise.all([sender?.cpuSeconds(), postgresCpuSeconds(bench.cluster.postgresPid)]);
  let before: ReturnType<typeof readCpu> | undefined;
  const arrivals = await receivers.expecting({
    count,
    warmUp,
    begin: async () => {
      sender = await start();
    },
    onWarm: () => {
      before = readCpu();
    },
  });
  const after = await readCpu();
  const [server, postgres] =
    (await before)?.map((was, at) =>
      was === undefined ? undefined : ((after[at] ?? was) - was) * 1e6,
    ) ?? [];
  const measured = count - warmUp;
  const figures: Figures = {
    perSecond: (measured * 1000) / arrivals.ms,
    ...(server !== undefined && { serverMicros: server / measured }),
    ...(postgres !== undefined && { postgresMicros: postgres / measured }),
  };
  return { figures, arrivals, sender: sender as RunningProcess };
}

/**
 * Deliveries that are due now, without orders, which sending does not need. Their ids sort by time,
 * like the service's.
 */
async function insertDue(
  { database }: Environment,
  merchantId: string,
  url: string,
  count: number,
) {
  await database.pool.query(
    `with written as (
       insert into deliveries (merchant_id, delivery_id, order_id, api_key_id, event_type, url, body, created_at)
       select $1, uuidv7(), uuidv7(), k.key_id, 'order.completed', $2, convert_to($3, 'UTF8'), now()
       from api_keys k, generate_series(1, $4::integer) where k.merchant_id = $1
       returning order_id, merchant_id, delivery_id, host, created_at)
     insert into delivery_queue (order_id, merchant_id, delivery_id, host, next_attempt_at) select * from written`,
    [merchantId, url, BODY, count],
  );
}

const startWorker = ({ env }: Environment) =>
  startServer({ env }, { env: { ROLES: 'worker', ALLOW_PRIVATE_CALLBACKS: '1' } });

async function munshiRound(bench: Bench): Promise<Figures> {
  const { deliveries } = bench.options;
  return withDatabase(bench, 'webhooks', async (environment) => {
    const receivers = await startReceivers(1, 0);
    const [merchant] = await seedMerchants(environment.database, 1);
    await insertDue(
      environment,
      merchant?.merchantId as string,
      `http://127.0.0.1:${receivers.ports.healthy[0]}/`,
      deliveries,
    );
    await environment.database.pool.query('analyze deliveries, delivery_queue');
    const { figures, sender } = await arrivalsOf(bench, receivers, warmed(deliveries), () =>
      startWorker(environment),
    );
    await allRecorded(environment);
    await sender.stop();
    receivers.stop();
    const { rows } = await environment.database.pool.query<{ delivered: number; attempts: number }>(
      `select (select count(*)::integer from delivery_states where status = 'delivered' and attempts = 1) as delivered, (select count(*)::integer from delivery_attempts) as attempts`,
    );
    const ok = rows[0]?.delivered === deliveries && rows[0].attempts === deliveries;
    bench.check({
      workload: 'webhooks',
      what: 'every delivery is recorded as delivered by one attempt',
      ok,
      detail: JSON.stringify(rows[0]),
    });
    return figures;
  });
}

/** The last attempts are recorded shortly after they arrive. */
async function allRecorded({ database }: Environment) {
  for (;;) {
    const { rows } = await database.pool.query<{ left: number }>(
      `select count(*)::integer as left from delivery_queue where attempts = 0`,
    );
    if (rows[0]?.left === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Half of the receivers hang; the other half is measured. */
async function hangingRound(bench: Bench): Promise<Figures> {
  const half = MERCHANTS / 2;
  const each = Math.floor(bench.options.hangingDeliveries / MERCHANTS);
  return withDatabase(bench, 'webhooks-hanging', async (environment) => {
    const receivers = await startReceivers(half, half);
    const merchants = await seedMerchants(environment.database, MERCHANTS);
    for (const [at, port] of [...receivers.ports.healthy, ...receivers.ports.hanging].entries()) {
      await insertDue(
        environment,
        merchants[at]?.merchantId as string,
        `http://127.0.0.1:${port}/`,
        each,
      );
    }
    await environment.database.pool.query('analyze deliveries, delivery_queue');
    const { figures, arrivals, sender } = await arrivalsOf(
      bench,
      receivers,
      { count: each * half, warmUp: 0 },
      () => startWorker(environment),
    );
    sender.child.kill('SIGKILL'); // it would wait for the receivers that never answer
    receivers.stop();
    return {
      perSecond: figures['perSecond'] as number,
      ...delaysOf(arrivals),
      hung: arrivals.hung,
    };
  });
}

/** Delays after the first arrival. */
const delaysOf = ({ delays }: Arrivals): Figures => ({
  p50: median(delays),
  p90: percentile(delays, 0.9),
  p95: percentile(delays, 0.95),
  p99: percentile(delays, 0.99),
});

/** The jobs are queued before the worker starts, like the deliveries. */
async function queueRound(bench: Bench): Promise<Figures> {
  const { deliveries } = bench.options;
  const database = await bench.cluster.createEmptyDatabase('bench_queue');
  const receivers = await startReceivers(1, 0);
  try {
    const env = {
      ...database.env,
      BODY,
      CONNECTIONS: String(CONNECTIONS),
      COUNT: String(deliveries),
      URL: `http://127.0.0.1:${receivers.ports.healthy[0]}/`,
    };
    const filling = run([path.join(PEERS, QUEUE, 'fill.mjs')], { env });
    await new Promise((resolve) => filling.child.once('exit', resolve));
    if (filling.child.exitCode !== 0) throw new Error(`${QUEUE} could not be filled`);
    const { figures, sender } = await arrivalsOf(bench, receivers, warmed(deliveries), () =>
      run([path.join(PEERS, QUEUE, 'work.mjs')], { env }),
    );
    await sender.stop();
    return figures;
  } finally {
    receivers.stop();
    await database.drop();
  }
}
