import { parseArgs } from 'node:util';
import { createRetention } from '../apps/server/src/services/retention.ts';
import { grantTo, RETENTION } from '../apps/server/src/storage/grants.ts';
import { findViolations } from '../apps/server/src/storage/invariants.ts';
import { findDue } from '../apps/server/src/storage/orders/due-orders.ts';
import { readOrderDetail } from '../apps/server/src/storage/orders/order-detail.ts';
import { describeMachine, type Environment, openEnvironment } from './environment.ts';
import { prefillOrders } from './prefill.ts';
import { killAll, startServer } from './processes.ts';
import { creationStep, depositRequest } from './requests.ts';
import { seedMembers, seedMerchants } from './seed.ts';
import { closedLoop } from './traffic.ts';

/**
 * What old orders cost: the size of each table and of its indexes, and how long creations, the scan
 * for deadlines, an order's detail and `munshi verify` take, before and after retention has removed
 * what is older than `--days` of 90.
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

async function look(environment: Environment & { readonly merchants: Merchants }): Promise<void> {
  const { database, merchants } = environment;
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
  const server = await startServer(environment);
  let number = 0;
  const next = () =>
    creationStep(depositRequest(merchants[number++ % merchants.length] as Merchant));
  const load = { url: server.url, connections: 32, next };
  await closedLoop({ ...load, seconds: 5 });
  const seconds = Number(options.seconds);
  const { perSecond, p50, p99, wrong } = await closedLoop({ ...load, seconds });
  say(
    `  creations: ${Math.round(perSecond)} a second, 32 connections, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ${wrong} wrong`,
  );
  await server.stop();
  const violations = await timed('  munshi verify', () =>
    findViolations(database.pool, Date.now()),
  );
  say(`  broken rules: ${violations.map(({ id }) => id).join(', ') || 'none'}`);
}

type Merchants = Awaited<ReturnType<typeof seedMerchants>>;
type Merchant = Merchants[number];

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
  await timed('removal', async () => {
    while (await retention.run());
  });
  await retention.close();
  say(`  ${JSON.stringify(removed)}`);
  await timed('vacuum', () =>
    database.pool.query({ text: 'vacuum analyze', query_timeout: 0 } as never),
  );
}

const environment = await openEnvironment();
try {
  const { database } = environment;
  say(JSON.stringify(describeMachine(environment.cluster.version)));
  const merchants = await seedMerchants(database, 20);
  await seedMembers(database, 20);
  await timed(`${orders} orders`, () => prefillOrders(database, orders));
  await timed('deliveries', () => database.pool.query(INSERT_DELIVERIES));
  await timed('attempts', () => database.pool.query(INSERT_ATTEMPTS));
  await database.pool.query('vacuum analyze deliveries, delivery_attempts');
  say('before');
  await look({ ...environment, merchants });
  await removeOld(environment);
  say(`after: older than ${options.days} of 90 days removed`);
  await look({ ...environment, merchants });
} finally {
  killAll();
  await environment.close();
}
