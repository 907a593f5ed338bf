import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { createIds } from '../../apps/server/src/engine/ids.ts';
import { createOperatorWithToken } from '../../apps/server/src/operators/service.ts';
import type { Database } from '../../apps/server/src/platform/database/db.ts';
import { launchBrowser } from '../../tests/support/browser.ts';
import type { Cookies } from '../../tests/support/web-app.ts';
import { type Bench, type Workload, withDatabase } from '../bench.ts';
import { prefillOrders } from '../prefill.ts';
import { startServer } from '../processes.ts';
import { median } from '../samples.ts';
import { seedMembers, seedMerchants } from '../seed.ts';

const MERCHANTS = 20;
const MEMBERS = 200;
/** What operators have in front of them at a bad time. */
const IN_REVIEW = 300;
const TO_CONFIRM = 200;
const DELIVERIES_MAX = 1_000_000;
const PASSWORD = 'a long enough password';
/** Longer than the service goes by an overview (apis.md#orders). */
const AFTER_OVERVIEW_MS = 2_100;
const AFTER_COUNTS_MS = 600;

/** What the console asks, one question after the other, and its first screen. */
export const consoleReads: Workload = {
  name: 'console',
  about: 'what the console asks with many orders stored, and sign-in to its first screen',
  async run(bench) {
    const orders = Math.max(...bench.options.sizes);
    await withDatabase(bench, 'console', async ({ database, ...environment }) => {
      const started = performance.now();
      await fill(database, orders);
      bench.say(
        `  ${orders} orders filled in ${Math.round((performance.now() - started) / 1000)} s`,
      );
      const username = `bench-${randomUUID().slice(0, 8)}`;
      const operator = { username, name: 'Bench', role: 'admin', password: PASSWORD } as const;
      const ids = createIds();
      const { token } = await createOperatorWithToken({ database, ids }, operator, Date.now());
      const looks = await looksAt(database);
      const server = await startServer(environment, { env: { ALLOW_PRIVATE_CALLBACKS: '1' } });
      try {
        for (const look of looks) await measure(bench, { ...look, orders, token, url: server.url });
        await firstScreen(bench, { orders, username, url: server.url });
      } finally {
        await server.stop();
      }
    });
  },
};

/** Orders up to now, some of which wait for operators, and a delivery of each of the last ones. */
async function fill(database: Database, orders: number): Promise<void> {
  await seedMerchants(database, MERCHANTS);
  await seedMembers(database, MEMBERS);
  await prefillOrders(database, orders, new Date());
  const { pool } = database;
  await pool.query(WAITING, [Math.min(IN_REVIEW, orders / 10), Math.min(TO_CONFIRM, orders / 10)]);
  await pool.query(DELIVERIES, [Math.min(DELIVERIES_MAX, orders)]);
  await pool.query(ATTEMPTS);
  await pool.query('vacuum analyze');
}

const WAITING = `update orders o set status = case when n <= $1 then 'ManualReview' else 'AwaitingMemberConfirmation' end,
    sent_at = now() - interval '1 minute' * n, failed_at = null, failure_reason = null,
    due_at = case when n > $1 then now() + interval '1 day' end
  from (select order_id, row_number() over (order by order_id desc) as n from orders where status = 'Expired' order by order_id desc limit $1::integer + $2::integer) w
  where o.order_id = w.order_id`;

const DELIVERIES = `insert into deliveries (merchant_id, delivery_id, order_id, api_key_id, event_type, url, body, created_at)
  select merchant_id, uuidv7(completed_at - clock_timestamp()), order_id, api_key_id, 'order.completed', 'https://shop-' || ascii(merchant_id::text) % 7 || '.example/hooks',
    convert_to(rpad('{"orderId":"' || order_id || '"', 400, ' ') || '}', 'UTF8'), completed_at
  from orders where status = 'Completed' order by order_id desc limit $1`;

/** One in fifty was answered 503 at first. */
const ATTEMPTS = `insert into delivery_attempts (merchant_id, delivery_id, number, started_at, duration_ms, succeeded, response_status)
  select merchant_id, delivery_id, number, created_at + interval '1 minute' * (number - 1), 80, number = tries, case when number = tries then 200 else 503 end
  from (select *, case when sequence % 50 = 0 then 2 else 1 end as tries from deliveries) d, generate_series(1, tries) number`;

interface Look {
  readonly look: string;
  /** Below the operator face. */
  readonly path: string;
  /** The service goes by an answer for this long. */
  readonly pauseMs?: number;
}

/** Everything that its first screens ask for, and a search of each kind for something that is there. */
async function looksAt({ pool }: Database): Promise<readonly Look[]> {
  const { rows } = await pool.query(
    `select order_id, order_reference, merchant_id, merchant_order_ref, customer_reference, transaction_digits,
       (select customer_account_number from orders where order_type = 'Withdrawal' order by order_id limit 1) as account
     from orders where order_type = 'Deposit' and status = 'Completed' order by order_id limit 1 offset 3`,
  );
  const [one] = rows;
  const search = (look: string, words: string) => ({
    look: `search: ${look}`,
    path: `/orders?limit=50&search=${encodeURIComponent(words)}`,
  });
  return [
    { look: 'queue counts', path: '/queues', pauseMs: AFTER_COUNTS_MS },
    { look: 'overview', path: '/overview', pauseMs: AFTER_OVERVIEW_MS },
    { look: 'a queue', path: '/queues/orders?queue=paidNotConfirmed&limit=100' },
    { look: 'orders, first page', path: '/orders?limit=50' },
    { look: 'orders, counted', path: '/orders/count' },
    { look: 'orders of a merchant', path: `/orders?limit=50&merchantId=${one.merchant_id}` },
    search('order reference', one.order_reference),
    search('last six of a reference', one.order_reference.slice(-6)),
    search('merchant’s reference', one.merchant_order_ref),
    search('customer reference', one.customer_reference),
    search('customer’s account', one.account),
    search('digits', one.transaction_digits),
    search('amount', '2500'),
    search('amount and time', '2500 10:40'),
    search('nothing like it', 'no such reference'),
    { look: 'one order', path: `/orders/${one.order_id}` },
    { look: 'deliveries, first page', path: '/deliveries?limit=50' },
    {
      look: 'deliveries of a merchant',
      path: `/deliveries?limit=50&merchantId=${one.merchant_id}`,
    },
    { look: 'deliveries answered 503', path: '/deliveries?limit=50&responseStatus=503' },
    { look: 'deliveries abandoned', path: '/deliveries?limit=50&status=abandoned' },
    { look: 'merchants', path: '/merchants?limit=50' },
    { look: 'members', path: '/members?limit=50' },
  ];
}

interface Measured extends Look {
  readonly orders: number;
  readonly token: string;
  readonly url: string;
}

/** The first answer, while the database has little of it in memory, and the median of the others. */
async function measure(bench: Bench, { look, path, pauseMs = 0, ...where }: Measured) {
  const times: number[] = [];
  const statuses = new Set<number>();
  for (let call = 0; call < 2 + 5 * bench.options.rounds; call += 1) {
    const started = performance.now();
    const answer = await fetch(`${where.url}/api/operator${path}`, {
      headers: { Authorization: `Bearer ${where.token}` },
    });
    await answer.arrayBuffer();
    times.push(performance.now() - started);
    statuses.add(answer.status);
    if (pauseMs > 0) await sleep(pauseMs);
  }
  const [first = 0, ...others] = times;
  bench.record({
    workload: 'console',
    contender: 'munshi',
    parameters: { look, orders: where.orders },
    round: 1,
    figures: { p50: median(others), slowest: Math.max(...others), first },
  });
  bench.check({
    workload: 'console',
    what: `${look}: every answer is right`,
    ok: statuses.size === 1 && statuses.has(200),
    detail: [...statuses].join(', '),
  });
}

/** What comes before the numbers of the screen Now, each time with an empty cache. */
async function firstScreen(
  bench: Bench,
  { orders, username, url }: { orders: number; username: string; url: string },
) {
  const browser = await launchBrowser();
  const turns = 2 * bench.options.rounds;
  const record = (look: string, times: readonly number[]) =>
    bench.record({
      workload: 'console',
      contender: 'munshi',
      parameters: { look: `first screen, ${look}`, orders },
      round: 1,
      figures: { p50: median(times), slowest: Math.max(...times), first: times[0] as number },
    });
  try {
    const times: number[] = [];
    for (let turn = 0; turn < turns; turn += 1) times.push(await signIn(browser, username, url));
    record('from sign-in', times);
    const person = await browser.newContext();
    const data = { username, password: PASSWORD };
    await person.request.post(`${url}/api/operator/session`, { data });
    const cookies = await person.cookies();
    const steps: Steps[] = [];
    for (let turn = 0; turn < turns; turn += 1) steps.push(await openSlowly(browser, cookies, url));
    for (const step of STEPS)
      record(
        `slow: ${step}`,
        steps.map((turn) => turn[step]),
      );
  } finally {
    await browser.close();
  }
}

async function signIn(browser: Browser, username: string, url: string): Promise<number> {
  const context = await browser.newContext({ locale: 'en-GB' });
  const page = await context.newPage();
  await page.goto(`${url}/console/`);
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  const started = performance.now();
  await page.keyboard.press('Enter');
  await page.getByRole('rowheader').first().waitFor();
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))');
  const took = performance.now() - started;
  await context.close();
  return took;
}

/** Slow 4G and a cheap processor, as Lighthouse has them; bytes a second. */
const SLOW_NETWORK = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_638_400 / 8,
  uploadThroughput: 750_000 / 8,
};
const SLOWER = 4;

/** What somebody who is signed in waits for, one after the other. */
const STEPS = ['page', 'code', 'first read sent', 'overview read', 'numbers shown'] as const;
type Steps = Readonly<Record<(typeof STEPS)[number], number>>;

/** Milliseconds since the navigation. */
async function openSlowly(browser: Browser, cookies: Cookies, url: string): Promise<Steps> {
  const context = await browser.newContext({ locale: 'en-GB' });
  await context.addCookies(cookies);
  const page = await context.newPage();
  const devTools = await context.newCDPSession(page);
  await devTools.send('Network.enable');
  await devTools.send('Network.emulateNetworkConditions', SLOW_NETWORK);
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await page.addInitScript(NOTE_NUMBERS);
  await page.goto(`${url}/console/`);
  const steps = await page.evaluate<Steps>(READ_STEPS);
  await context.close();
  return steps;
}

/** When the first row of numbers has been painted. */
const NOTE_NUMBERS = `window.numbersShown = new Promise((resolve) => {
  new MutationObserver((_, observer) => {
    if (document.querySelector('main th[scope=row]') === null) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
  }).observe(document, { childList: true, subtree: true });
})`;

const READ_STEPS = `(async () => {
  const shownAt = await window.numbersShown;
  const loaded = performance.getEntriesByType('resource');
  const reads = loaded.filter(({ name }) => /api.operator.(?!session|events)/.test(name));
  return {
    page: performance.getEntriesByType('navigation')[0].responseEnd,
    code: loaded.find(({ name }) => name === document.querySelector('script').src).responseEnd,
    'first read sent': Math.min(...reads.map((one) => one.startTime)),
    'overview read': reads.find(({ name }) => name.endsWith('/overview')).responseEnd,
    'numbers shown': shownAt,
  };
})()`;
