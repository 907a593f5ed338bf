import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { findViolations } from '../apps/server/src/storage/invariants.ts';
import { describeMachine, type Environment, openEnvironment } from './environment.ts';
import { openHeap } from './heap.ts';
import { prefillOrders } from './prefill.ts';
import { freePort, killAll, type RunningServer, startServer } from './processes.ts';
import { seedMembers, seedMerchants } from './seed.ts';

/**
 * `npm run bench:exports`: what the files of one merchant's orders and money cost a server that does
 * nothing else. The orders are of one month, last month. `rss` is all of the process, `heap` what is
 * alive after a collection; both were at rest before each file, after a first one that nobody counts.
 */
const { values: options } = parseArgs({
  options: { orders: { type: 'string', default: '1700000' } },
});
const ORDERS = Number(options.orders);
const DAYS = 30;
const OPERATOR_TOKEN = `op_${randomBytes(32).toString('hex')}`;
/** Between two looks at the process, and between two collections of its heap. */
const LOOK_MS = 100;
const COLLECT_MS = 5_000;
const say = (text: string) => process.stdout.write(`${text}\n`);
const MIB = 2 ** 20;

interface Taken {
  readonly rows: number;
  readonly bytes: number;
  readonly seconds: number;
  readonly firstMs: number;
  readonly last: string;
}

/** Reads a file to its end without keeping it. */
async function take(url: string): Promise<Taken> {
  const since = performance.now();
  const response = await fetch(url, { headers: { authorization: `Bearer ${OPERATOR_TOKEN}` } });
  const firstMs = performance.now() - since;
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  let [rows, bytes, end] = [-1, 0, Buffer.alloc(0)];
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    const buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    for (let at = buffer.indexOf(10); at >= 0; at = buffer.indexOf(10, at + 1)) rows += 1;
    bytes += buffer.length;
    end = Buffer.concat([end, buffer]).subarray(-4096);
  }
  const last = end.toString().trimEnd().split('\r\n').at(-1) ?? '';
  return { rows, bytes, seconds: (performance.now() - since) / 1000, firstMs, last };
}

/** The highest of what `look` sees until `work` is over. */
async function watched<T>(
  everyMs: number,
  look: () => Promise<number | undefined>,
  work: Promise<T>,
): Promise<{ readonly result: T; readonly seen: readonly number[] }> {
  const seen: number[] = [];
  let over = false;
  const ended = work.finally(() => {
    over = true;
  });
  const looking = (async () => {
    while (!over) {
      const [value] = await Promise.all([
        look(),
        Promise.race([ended, new Promise((resolve) => setTimeout(resolve, everyMs))]),
      ]);
      if (value !== undefined) seen.push(value);
    }
  })();
  const [result] = await Promise.all([ended, looking]);
  return { result, seen };
}

const mib = (bytes: number) => `${(bytes / MIB).toFixed(1)} MiB`;

async function measure(
  what: string,
  url: string,
  server: RunningServer,
  heap: Awaited<ReturnType<typeof openHeap>>,
): Promise<Taken> {
  const [idleHeap, idleRss] = [await heap.alive(), (await server.rssMiB()) ?? 0];
  const reading = watched(LOOK_MS, () => server.rssMiB(), take(url));
  const { result, seen: alive } = await watched(COLLECT_MS, () => heap.alive(), reading);
  const { result: taken, seen: rss } = result;
  const quarters = [1, 2, 3, 4].map((part) => alive[Math.ceil((alive.length * part) / 4) - 1] ?? 0);
  say(`${what}: ${taken.rows} rows, ${mib(taken.bytes)}, ${taken.seconds.toFixed(1)} s`);
  say(
    `  ${Math.round(taken.rows / taken.seconds)} rows/s, begun after ${Math.round(taken.firstMs)} ms`,
  );
  say(`  rss ${idleRss.toFixed(1)} MiB at rest, ${Math.max(...rss).toFixed(1)} MiB at most`);
  say(
    `  heap ${mib(idleHeap)} at rest, ${mib(Math.max(...alive))} at most; by quarters ${quarters.map(mib).join(', ')}`,
  );
  return taken;
}

function expectEqual(what: string, value: unknown, expected: unknown): void {
  if (value !== expected) throw new Error(`${what}: ${value} and not ${expected}`);
}

async function run(environment: Environment): Promise<void> {
  const { database } = environment;
  const [merchant] = await seedMerchants(database, 1);
  await seedMembers(database, 20);
  const now = new Date();
  const monthsEnd = Date.UTC(now.getUTCFullYear(), now.getUTCMonth());
  // An evening before, so that the month has all of them in every zone.
  const endsAt = new Date(monthsEnd - 12 * 3_600_000);
  await prefillOrders(database, ORDERS, endsAt, DAYS);
  const month = endsAt.toISOString().slice(0, 7);
  const violations = await findViolations(database.pool, Date.now());
  expectEqual('broken rules', violations.map(({ id }) => id).join(), '');
  const { rows: counted } = await database.pool.query(
    `select (select count(*) from orders)::integer as orders, count(*)::integer as postings, sum(wallet) as wallet,
       count(*) filter (where kind = 'settlement')::integer as settled
     from postings where merchant_id = $1`,
    [merchant?.merchantId],
  );
  const { orders, postings, wallet, settled } = counted[0];

  const port = await freePort();
  const server = await startServer(environment, {
    env: {
      OPERATOR_TOKEN,
      NODE_OPTIONS: `--inspect=127.0.0.1:${port} --inspect-publish-uid=http`,
    },
  });
  const heap = await openHeap(port);
  const face = `${server.url}/api/operator`;
  const money = `${face}/merchants/${merchant?.merchantId}`;
  await take(`${face}/orders.csv?from=${new Date(endsAt.getTime() - 86_400_000).toISOString()}`);

  const file = (what: string, url: string) => measure(what, url, server, heap);
  const all = await file('orders.csv', `${face}/orders.csv`);
  expectEqual('rows of orders', all.rows, orders);
  const moved = await file('movements.csv', `${money}/movements.csv`);
  expectEqual('rows of movements', moved.rows, postings);
  expectEqual('the last balance', moved.last.split(',')[12], `${Number(wallet)}`);
  const stated = await file(`statement of ${month}`, `${money}/statements/${month}/movements.csv`);
  expectEqual('rows of the statement', stated.rows, settled + 2);
  const rare = await file(
    'orders.csv of no order',
    `${face}/orders.csv?status=Frozen&amountFrom=1`,
  );
  expectEqual('rows of nothing', rare.rows, 0);
  const page = await take(`${money}/statements/${month}`);
  say(`the statement’s page: ${page.seconds.toFixed(1)} s`);
  heap.close();
  await server.stop();
}

const environment = await openEnvironment();
try {
  say(JSON.stringify(describeMachine(environment.cluster.version)));
  await run(environment);
} finally {
  killAll();
  await environment.close();
}
