import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect } from 'vitest';
import { findViolations } from '../../apps/server/src/books/invariants.ts';
import {
  createMember,
  createMerchant,
  createOrder,
  orderStatus,
  signInMember,
  type TestMerchant,
} from '../support/fixtures.ts';
import { memberClient } from '../support/member-client.ts';
import { openPage } from '../support/page-client.ts';
import { startProcess } from '../support/process.ts';
import { startReceiver } from '../support/receiver.ts';
import { scrape } from '../support/scrape.ts';
import { serviceTest } from '../support/service-test.ts';

const DAY_MS = 24 * 3_600_000;
const STEPPED_CLOCK = new URL('./support/stepped-clock.ts', import.meta.url).href;

const { test, service } = await serviceTest(
  { ROLES: 'http', CLOCK: 'real' },
  { unsound: 'an account begins to count its day again when a clock is set back over midnight' },
);
const folder = await mkdtemp(path.join(tmpdir(), 'munshi-clock-'));
await writeFile(path.join(folder, 'step'), '0');
const env = { CLOCK: 'real', ALLOW_PRIVATE_CALLBACKS: '1' };
/** Two server processes on one database; the wall clock of the first can be stepped. */
const [stepped, steady] = await Promise.all([
  startProcess(service, {
    ...env,
    NODE_OPTIONS: `--import ${STEPPED_CLOCK}`,
    CLOCK_STEP_FILE: path.join(folder, 'step'),
  }),
  startProcess(service, { ...env, ROLES: 'http' }),
]);
const processes = [stepped, steady];
afterAll(async () => {
  for (const { stop } of processes) expect(await stop()).toBe(0);
  await rm(folder, { recursive: true, force: true });
});

/** Sets the process's wall clock off by so much, and waits until it shows. */
async function step(ms: number) {
  const file = path.join(folder, 'step');
  // In one piece, so that no half of a number is read.
  await writeFile(`${file}.next`, String(ms));
  await rename(`${file}.next`, file);
  await expect.poll(() => readFile(`${file}.shown`, 'utf8').catch(() => '0')).toBe(String(ms));
}

/** All but what `unsound` above explains: the limit of that day may be used twice. */
const violations = async () =>
  (await findViolations(service.database.pool, Date.now())).filter(
    ({ rule }) => !rule.startsWith("an account's usage of the day"),
  );

const PASSWORD = 'a long enough password';

/**
 * Moves every link of an order to this process: the page's address is that of the process that made
 * it.
 */
const pageAt = (
  { url }: { readonly url: string },
  { paymentPageUrl }: { readonly paymentPageUrl: string },
) => {
  const { pathname, search } = new URL(paymentPageUrl);
  return openPage({ paymentPageUrl: `${url}${pathname}${search}` });
};

/** What `/readyz` says of the process's clock; undefined: nothing. */
const doubtOf = async ({ url }: { readonly url: string }) => {
  const response = await fetch(`${url}/readyz`);
  expect(response.status).toBe(200);
  return ((await response.json()) as { clock?: string }).clock;
};
/** A withdrawal without an account, of which time alone decides. */
const waiting = async (merchant: TestMerchant) =>
  (await createOrder(merchant, { orderType: 'Withdrawal', walletType: 'ProviderB', amount: 50 }))
    .orderId;
const statusNow = async (orderId: string) =>
  (await service.database.pool.query('select status from orders where order_id = $1', [orderId]))
    .rows[0].status;
/** Its link has expired, by every clock that is right. */
const expire = (orderId: string) =>
  service.database.pool.query(
    `update orders set expires_at = now(), due_at = now() where order_id = $1`,
    [orderId],
  );
/** Waits until the only worker has been through its jobs of each second some times more. */
async function someSeconds() {
  const runs = async () =>
    (await scrape(stepped)).value('munshi_job_runs_total', { timed_job: 'alerts' }) ?? 0;
  const before = await runs();
  await expect.poll(runs).toBeGreaterThan(before + 4);
}

test('a process whose clock is a day ahead passes no deadline, and says so; once it has been right for a minute, it does', async () => {
  const merchant = { ...(await createMerchant(service, { balance: '1000' })), url: steady.url };
  const orderId = await waiting(merchant);
  expect(await doubtOf(stepped)).toBeUndefined();
  await step(DAY_MS);
  await someSeconds();
  expect(await statusNow(orderId)).toBe('Awaiting');
  expect(await doubtOf(stepped)).toBe('differs');
  const { value } = await scrape(stepped);
  expect(value('munshi_clock_doubted', { reason: 'differs' })).toBe(1);
  expect(value('munshi_clock_doubted', { reason: 'jumped' })).toBe(0);
  expect(await doubtOf(steady)).toBeUndefined();

  await step(0);
  await someSeconds();
  expect(await doubtOf(stepped)).toBe('jumped');
  await expire(orderId);
  await someSeconds();
  expect([await statusNow(orderId), await doubtOf(stepped)]).toEqual(['Awaiting', 'jumped']);
  await expect.poll(() => statusNow(orderId)).toBe('CancelledTimeout');
  expect(await doubtOf(stepped)).toBeUndefined();
});

test('another process, whose clock is right, passes the deadlines meanwhile', async () => {
  const merchant = { ...(await createMerchant(service, { balance: '1000' })), url: steady.url };
  const orderId = await waiting(merchant);
  const later = await waiting(merchant);
  await step(DAY_MS);
  await someSeconds();
  await expire(orderId);
  processes.push(await startProcess(service, env));
  await expect.poll(() => statusNow(orderId)).toBe('CancelledTimeout');
  expect([await statusNow(later), await doubtOf(stepped)]).toEqual(['Awaiting', 'differs']);
  await step(0);
});

test('an order begun under a clock that is a day ahead goes on when it is set right: its own time never goes back', async () => {
  const receiver = await startReceiver();
  const merchant = await createMerchant(service, {
    balance: '1000',
    defaultCallbackUrl: receiver.url,
  });
  const member = await createMember(service, { password: PASSWORD, float: '1000' });
  const token = await signInMember({ ...service, url: steady.url }, member, PASSWORD);

  await step(DAY_MS);
  const deposit = await createOrder({ ...merchant, url: stepped.url }, { amount: 100 });
  expect(deposit.status).toBe('Queued');
  const withdrawal = await createOrder(
    { ...merchant, url: stepped.url },
    { orderType: 'Withdrawal', walletType: 'ProviderB', amount: 50, customerAccountNumber: '1' },
  );
  expect(withdrawal.status).toBe('AwaitingMemberPayout');
  await pageAt(stepped, deposit).data('open');
  await step(0);

  await pageAt(stepped, deposit).data('confirm', { transactionDigits: '1234' });
  const desk = memberClient(steady.url, token);
  for (const { orderId } of [deposit, withdrawal])
    expect(await desk.data('POST', `/orders/${orderId}/confirm`, {})).toMatchObject({
      status: 'Completed',
    });
  for (const { orderId } of [deposit, withdrawal]) {
    const { lifecycle, status } = (await orderStatus(merchant, orderId)) as unknown as {
      status: string;
      lifecycle: Record<string, string | null>;
    };
    expect(status).toBe('Completed');
    const stamps = ['createdAt', 'assignedAt', 'sentAt', 'approvedAt', 'completedAt'].map(
      (name) => lifecycle[name] as string,
    );
    expect(stamps).toEqual([...stamps].sort());
  }
  expect(await findViolations(service.database.pool, Date.now())).toEqual([]);
  // Their webhooks do not wait for the order's own time.
  await receiver.arrived(2);
  await receiver.close();
});

test('a clock that is set back a day, and forth again, under a process that is at work: every request is answered, once', async () => {
  const merchant = await createMerchant(service, { balance: '1000000' });
  await createMember(service, { float: '1000000', maxOpenOrders: 10_000 });
  const made = new Set<string>();
  for (const off of [0, -DAY_MS, 0, DAY_MS, 0]) {
    await step(off);
    for (const { url } of [stepped, steady]) {
      const orders = await Promise.all(
        Array.from({ length: 25 }, () => createOrder({ ...merchant, url }, { amount: 10 })),
      );
      for (const { orderId } of orders) made.add(orderId);
      for (const { orderId } of orders)
        expect(await orderStatus({ ...merchant, url: stepped.url }, orderId)).toMatchObject({
          orderId,
        });
    }
  }
  expect(made.size).toBe(250);
  const { rows } = await service.database.pool.query(
    'select count(*)::integer as n from orders where merchant_id = $1',
    [merchant.merchantId],
  );
  expect(rows[0].n).toBe(250);
  // What was created under the clock of yesterday is past its deadline by the right one; the worker
  // gets to it.
  await expect.poll(violations).toEqual([]);
});
