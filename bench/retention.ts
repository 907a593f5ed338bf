import os from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createRetention } from '../apps/server/src/services/retention.ts';
import { inSnapshot } from '../apps/server/src/storage/db.ts';
import { grantTo, RETENTION } from '../apps/server/src/storage/grants.ts';
import { findBroken, INVARIANTS } from '../apps/server/src/storage/invariants.ts';
import { findDue } from '../apps/server/src/storage/orders/due-orders.ts';
import { readOrderDetail } from '../apps/server/src/storage/orders/order-detail.ts';
import { describeMachine, type Environment, openEnvironment } from './environment.ts';
import { prefillOrders } from './prefill.ts';
import { killAll, startServer } from './processes.ts';
import { creationStep, depositRequest } from './requests.ts';
import { seedMembers, seedMerchants } from './seed.ts';
import { closedLoop } from './traffic.ts';

/**
 * What old orders cost: the size of each table and of its indexes, how long the scan for deadlines
 * and an order's detail take, and creations alone, beside the nightly check, and beside retention
 * that removes what is older than `--days` of 90.
 */
const { values: options } = parseArgs({
  options: {
    orders: { type: 'string', default: '3000000' },
    days: { type: 'string', default: '60' },
    seconds: { type: 'string', default: '15' },
  },
});
const orders = Number(options.orders);
const say = (text: string) => process.stdout.write(`${text}\n`);

/** Of each order one delivery, acknowledged at once. */
const INSERT_DELIVERIES = `insert into deliveries (merchant_id, delivery_id, order_id, api_key_id, event_type, url, body, created_at)
  select merchant_id, uuidv7(coalesce(completed_at, failed_at) - clock_timestamp()), order_id, api_key_id,
    case status when 'Completed' then 'order.completed' else 'order.failed' end, 'https://merchant.example/hook',
    convert_to(json_build_object('eventType', case status when 'Completed' then 'order.completed' else 'order.failed' end,
      'orderId', order_id, 'orderReference', order_reference, 'merchantOrderRef', merchant_order_ref, 'orderType', order_type, 'amount', amount,
      'fee', fee, 'currency', currency, 'status', status, 'stage', status, 'lifecycle', json_build_object('createdAt', created_at,
      'awaitingAt', null, 'assignedAt', assigned_at, 'sentAt', sent_at, 'approvedAt', completed_at, 'rejectedAt', null, 'completedAt', completed_at,
      'failedAt', failed_at), 'completedAt', completed_at, 'timestamp', coalesce(completed_at, failed_at))::text, 'UTF8'),
    coalesce(completed_at, failed_at)
  from orders order by order_id`;
const INSERT_ATTEMPTS = `insert into delivery_attempts (merchant_id, delivery_id, number, started_at, duration_ms, succeeded, response_status, answer, key_id)
  select merchant_id, delivery_id, 1, created_at, 40, true, 200, 'ok', api_key_id from deliveries`;

const SIZES = `select c.relname::text as name, pg_table_size(c.oid)::float8 / 1e6 as rows_mb, pg_indexes_size(c.oid)::float8 / 1e6 as indexes_mb
  from pg_class c where c.relname = any('{orders,order_moves,postings,deliveries,delivery_attempts}') order by 1`;

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const since = performance.now();
  const result = await work();
  say(`${what}: ${((performance.now() - since) / 1000).toFixed(1)} s`);
  return result;
}

const medianOf = (times: readonly number[]) => times.toSorted((a, b) => a - b)[times.length >> 1];

type Merchants = Awaited<ReturnType<typeof seedMerchants>>;
type Merchant = Merchants[number];
type Filled = Environment & { readonly merchants: Merchants };

async function look({ database }: Environment): Promise<void> {
  for (const { name, rows_mb, indexes_mb } of (await database.pool.query(SIZES)).rows)
    say(`  ${name}: rows ${Math.round(rows_mb)} MB, indexes ${Math.round(indexes_mb)} MB`);
  const median = async (what: string, work: () => Promise<unknown>) => {
    const times: number[] = [];
    for (let time = 0; time < 21; time += 1) {
      const since = performance.now();
      await work();
      times.push(performance.now() - since);
    }
    say(`  ${what}: ${medianOf(times)?.toFixed(1)} ms (median of 21)`);
  };
  await median('scan for deadlines', () => findDue(database.pool, Date.now(), [], 1000));
  const { rows } = await database.pool.query(
    'select order_id from orders order by order_id offset 1000 limit 21',
  );
  let at = 0;
  await median('detail of an old order', () =>
    readOrderDetail(database, rows[at++ % rows.length].order_id),
  );
}

const COUNTS = `select temp_bytes::float8 as temp, wal_bytes::float8 as wal
  from pg_stat_database, pg_stat_wal where datname = current_database()`;

/** Creations over 32 connections while `work` is done; how many, and what both wrote. */
async function creating(environment: Filled, what: string, work: () => Promise<unknown>) {
  const { database, merchants } = environment;
  const server = await startServer(environment);
  let number = 0;
  let over = false;
  const next = () =>
    over
      ? undefined
      : creationStep(depositRequest(merchants[number++ % merchants.length] as Merchant));
  const load = { url: server.url, connections: 32, next };
  await closedLoop({ ...load, seconds: 5 });
  const [before] = (await database.pool.query(COUNTS)).rows;
  const since = performance.now();
  const working = work().finally(() => {
    over = true;
  });
  const { perSecond, p50, p99, wrong } = await closedLoop({ ...load, seconds: Infinity });
  await working;
  const seconds = (performance.now() - since) / 1000;
  const [after] = (await database.pool.query(COUNTS)).rows;
  const [wal, temp] = [after.wal - before.wal, after.temp - before.temp].map((bytes) =>
    Math.round(bytes / 1e6),
  );
  say(
    `  creations ${what}: ${Math.round(perSecond)} a second for ${seconds.toFixed(0)} s, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ${wrong} wrong; WAL ${wal} MB, temporary files ${temp} MB, load ${os.loadavg()[0]?.toFixed(0)}`,
  );
  await server.stop();
}

/** Every rule in a transaction of its own, as in the night. */
async function verify({ database }: Environment): Promise<void> {
  const took: { readonly id: string; readonly seconds: number }[] = [];
  const broken: string[] = [];
  for (const invariant of INVARIANTS) {
    const since = performance.now();
    const rows = await inSnapshot(database.pool, (client) =>
      findBroken(client, invariant, Date.now(), 10),
    );
    took.push({ id: invariant.id, seconds: (performance.now() - since) / 1000 });
    if (rows.length > 0) broken.push(invariant.id);
  }
  const slowest = took.toSorted((a, b) => b.seconds - a.seconds).slice(0, 5);
  const total = took.reduce((sum, { seconds }) => sum + seconds, 0);
  say(
    `  verify: ${total.toFixed(0)} s, ${slowest.map(({ id, seconds }) => `${id} ${seconds.toFixed(0)}`).join(', ')} s; broken: ${broken.join(', ') || 'none'}`,
  );
}

async function removeOld({ database, cluster }: Environment): Promise<void> {
  const password = 'retention';
  await database.pool.query(`create role bench_retention login password '${password}'`);
  await grantTo(database.pool, 'bench_retention', RETENTION);
  const days = Number(options.days);
  const removed: Record<string, number> = {};
  const retention = createRetention({
    clock: { now: Date.now } as never,
    policy: { history: days, attempts: days, bodies: days, 'personal-data': days },
    target: {
      hosts: [{ host: cluster.socketDir, port: 5432 }],
      user: 'bench_retention',
      password,
      database: 'bench',
      ssl: false,
    },
    keyedDigest: (digest) => digest + digest,
    onRemoved: (kind, rows) => {
      removed[kind] = (removed[kind] ?? 0) + rows;
    },
  });
  const slices: number[] = [];
  await timed('  removal', async () => {
    for (let more = true; more; ) {
      const since = performance.now();
      more = await retention.run();
      slices.push((performance.now() - since) / 2); // it rests as long as it has worked
    }
  });
  await retention.close();
  const longest = (some: readonly number[]) => Math.max(...some).toFixed(0);
  const tenth = Math.ceil(slices.length / 10);
  say(
    `  ${JSON.stringify(removed)} in ${slices.length} slices, median ${medianOf(slices)?.toFixed(0)} ms, longest ${longest(slices)} ms; of the first tenth ${medianOf(slices.slice(0, tenth))?.toFixed(0)} ms, of the last ${medianOf(slices.slice(-tenth))?.toFixed(0)} ms`,
  );
}

async function fill({ database }: Environment): Promise<Merchants> {
  const merchants = await seedMerchants(database, 20);
  await seedMembers(database, 20);
  const query = (text: string) => database.pool.query({ text, query_timeout: 0 } as never);
  await timed(`${orders} orders`, () => prefillOrders(database, orders));
  await timed('deliveries', () => query(INSERT_DELIVERIES));
  await timed('attempts', () => query(INSERT_ATTEMPTS));
  await query('vacuum analyze deliveries, delivery_attempts');
  return merchants;
}

async function measure(filled: Filled): Promise<void> {
  say('before');
  await look(filled);
  const seconds = Number(options.seconds);
  await creating(filled, 'alone', () => delay(seconds * 1000));
  await creating(filled, 'beside verify', () => verify(filled));
  await creating(filled, 'beside removal', () => removeOld(filled));
  say(`after: older than ${options.days} of 90 days removed`);
  await look(filled);
  await creating(filled, 'beside verify', () => verify(filled));
}

const environment = await openEnvironment();
try {
  say(JSON.stringify(describeMachine(environment.cluster.version)));
  await measure({ ...environment, merchants: await fill(environment) });
} finally {
  killAll();
  await environment.close();
}
