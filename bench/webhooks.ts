import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type Environment, openEnvironment, seedMerchant } from './environment.ts';

/**
 * Webhook deliveries a second from one worker process to a local receiver, beside bare undici POSTs of the same body to the
 * same receiver; and the same with half of the receivers hanging. Measured where they arrive, from the first to the last.
 */
const { values: options } = parseArgs({
  options: { rounds: { type: 'string', default: '3' }, deliveries: { type: 'string', default: '20000' }, out: { type: 'string' } },
});
const ROUNDS = Number(options.rounds);
const COUNT = Number(options.deliveries);
const CONNECTIONS = 100;
/** Merchants with a receiver each, where half of them hang. */
const MERCHANTS = 10;

const SERVER = path.join(import.meta.dirname, '..', 'apps', 'server', 'src', 'main.ts');
const PEERS = path.join(import.meta.dirname, 'peers');
/** As long as the webhooks of real orders are. */
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
    ['createdAt', 'awaitingAt', 'assignedAt', 'sentAt', 'approvedAt', 'rejectedAt', 'completedAt', 'failedAt'].map((name) => [
      name,
      '2026-01-01T00:00:00.000Z',
    ]),
  ),
  completedAt: '2026-01-01T00:00:00.000Z',
  timestamp: '2026-01-01T00:00:00.000Z',
});

interface Report {
  readonly ms: number;
  readonly delays: readonly number[];
  readonly hung: number;
}

const say = (text: string) => process.stderr.write(`${text}\n`);
const median = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
const percentile = (numbers: readonly number[], share: number) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length * share)] ?? Number.NaN;

async function startReceivers(healthy: number, hanging: number) {
  const child = fork(path.join(PEERS, 'receiver.ts'), [String(healthy), String(hanging)]);
  const [{ ports }] = (await once(child, 'message')) as [{ ports: { healthy: number[]; hanging: number[] } }];
  return {
    ports,
    /** Resolves when that many have arrived at the healthy ones, counted from now on. */
    async expecting(count: number, begin: () => Promise<void> | void): Promise<Report> {
      child.send({ expect: count });
      const done = once(child, 'message') as Promise<[Report]>;
      await begin();
      return (await done)[0];
    },
    stop: () => child.kill(),
  };
}

/** Deliveries that are due now, without orders: sending needs none. */
async function insertDue({ database }: Environment, merchantId: string, url: string, count: number) {
  await database.pool.query(
    `insert into deliveries (merchant_id, delivery_id, order_id, api_key_id, event_type, url, body, created_at, next_attempt_at)
     select $1, gen_random_uuid(), gen_random_uuid(), k.key_id, 'order.completed', $2, convert_to($3, 'UTF8'), now(), now()
     from api_keys k, generate_series(1, $4::integer) where k.merchant_id = $1`,
    [merchantId, url, BODY, count],
  );
}

function startWorker({ env }: Environment): ChildProcess {
  const settings = { ...env, ROLES: 'worker', PORT: '0', ALLOW_PRIVATE_CALLBACKS: '1' };
  return spawn(process.execPath, ['--max-semi-space-size=64', SERVER], {
    env: { PATH: process.env['PATH'] ?? '', ...settings },
    stdio: ['ignore', 'ignore', 'ignore'],
  });
}

async function stop(child: ChildProcess) {
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

async function allRecorded({ database }: Environment) {
  for (;;) {
    const { rows } = await database.pool.query<{ left: string }>(`select count(*) as left from deliveries where status = 'pending' and attempts = 0`);
    if (rows[0]?.left === '0') return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function munshiRound(environment: Environment): Promise<number> {
  const receivers = await startReceivers(1, 0);
  const { merchantId } = await seedMerchant(environment.database);
  await insertDue(environment, merchantId, `http://127.0.0.1:${receivers.ports.healthy[0]}/`, COUNT);
  await environment.database.pool.query('analyze deliveries');
  let worker: ChildProcess | undefined;
  const { ms } = await receivers.expecting(COUNT, () => {
    worker = startWorker(environment);
  });
  await allRecorded(environment);
  if (worker !== undefined) await stop(worker);
  receivers.stop();
  await environment.database.pool.query('truncate deliveries, delivery_attempts');
  return (COUNT / ms) * 1000;
}

async function bareRound(): Promise<number> {
  const receivers = await startReceivers(1, 0);
  const url = `http://127.0.0.1:${receivers.ports.healthy[0]}`;
  const { ms } = await receivers.expecting(COUNT, () => {
    spawn(process.execPath, [path.join(PEERS, 'bare-undici.ts'), url, String(COUNT), String(CONNECTIONS)], {
      env: { PATH: process.env['PATH'] ?? '', BODY },
      stdio: 'inherit',
    });
  });
  receivers.stop();
  return (COUNT / ms) * 1000;
}

/** Half of the receivers hang; what is measured is the other half. */
async function hangingRound(environment: Environment) {
  const half = MERCHANTS / 2;
  const receivers = await startReceivers(half, half);
  const each = Math.floor(COUNT / MERCHANTS);
  for (const port of [...receivers.ports.healthy, ...receivers.ports.hanging]) {
    const { merchantId } = await seedMerchant(environment.database);
    await insertDue(environment, merchantId, `http://127.0.0.1:${port}/`, each);
  }
  await environment.database.pool.query('analyze deliveries');
  let worker: ChildProcess | undefined;
  const { ms, delays, hung } = await receivers.expecting(each * half, () => {
    worker = startWorker(environment);
  });
  worker?.kill('SIGKILL');
  receivers.stop();
  await environment.database.pool.query('truncate deliveries, delivery_attempts');
  return { perSecond: (each * half * 1000) / ms, p95: percentile(delays, 0.95), hung };
}

const environment = await openEnvironment();
try {
  say(`${ROUNDS} rounds of ${COUNT} deliveries, Node ${process.version}`);
  const rounds: { munshi: number; bare: number; hanging: number; p95: number; hung: number }[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const bare = await bareRound();
    const munshi = await munshiRound(environment);
    const { perSecond: hanging, p95, hung } = await hangingRound(environment);
    rounds.push({ munshi, bare, hanging, p95, hung });
    say(
      `round ${round}: bare undici ${Math.round(bare)}/s, munshi ${Math.round(munshi)}/s, half hanging ${Math.round(hanging)}/s, p95 ${Math.round(p95)} ms (${hung} hung)`,
    );
  }
  const of = (name: keyof (typeof rounds)[number]) => median(rounds.map((round) => round[name]));
  console.log('| | deliveries/s (median) |\n|---|---|');
  console.log(
    `| bare undici POSTs | ${Math.round(of('bare'))} |\n| munshi | ${Math.round(of('munshi'))} |\n| munshi, the healthy half | ${Math.round(of('hanging'))} |`,
  );
  console.log(`deliveries / bare undici POSTs: ${median(rounds.map(({ munshi, bare }) => munshi / bare)).toFixed(2)}`);
  console.log(`half of the receivers hanging: the others' p95 is ${Math.round(of('p95'))} ms after the first`);
  if (options.out !== undefined) {
    mkdirSync(path.dirname(options.out), { recursive: true });
    writeFileSync(options.out, `${JSON.stringify({ options, node: process.version, date: new Date().toISOString(), rounds }, null, 2)}\n`);
  }
} finally {
  await environment.close();
}
