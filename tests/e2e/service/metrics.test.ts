import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect } from 'vitest';
import { waitForDatabase } from '../../../apps/server/src/platform/database/connection/wait-for-database.ts';
import { openDatabase } from '../../../apps/server/src/platform/database/db.ts';
import { startDatabaseProxy } from '../../support/database-proxy.ts';
import {
  type CreatedOrder,
  createMember,
  createMerchant,
  createOrder,
  setPresence,
  type TestMember,
  type TestMerchant,
} from '../../support/fixtures.ts';
import { completeOrder, deliveryWhen, failedOrder, payDeposit } from '../../support/outcomes.ts';
import { PATIENCE_MS } from '../../support/patience.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { type Family, scrape } from '../../support/scrape.ts';
import { startService } from '../../support/service.ts';
import { serviceTest } from '../../support/service-test.ts';

const REFERENCE = path.join(import.meta.dirname, '..', '..', '..', 'docs', 'metrics.md');

const { test, service } = await serviceTest({ RETENTION_HISTORY_DAYS: '400' });
let receiver: Receiver;
let merchant: TestMerchant;
let member: TestMember;

beforeAll(async () => {
  receiver = await startReceiver();
  merchant = await createMerchant(service, { defaultCallbackUrl: `${receiver.url}/hook` });
  member = await createMember(service, { methods: ['ProviderA'], maxOpenOrders: 3 });
  return () => receiver.close();
});

const value = async (name: string, labels?: Record<string, string>) =>
  (await scrape(service)).value(name, labels);
const DEPOSITS = { type: 'Deposit', method: 'ProviderA' };

test('orders are counted when they are made and when they end, by what became of them', async () => {
  const before = await scrape(service);
  const grownBy = async (name: string, labels: Record<string, string>) =>
    ((await value(name, labels)) ?? 0) - (before.value(name, labels) ?? 0);
  const paid = await createOrder(merchant, { walletType: 'ProviderA' });
  await completeOrder(service, paid, member);
  await failedOrder(service, merchant, { walletType: 'ProviderA' });
  expect(await grownBy('munshi_orders_created_total', DEPOSITS)).toBe(2);
  const ended = (outcome: string) => grownBy('munshi_orders_ended_total', { ...DEPOSITS, outcome });
  expect(await ended('Completed')).toBe(1);
  expect(await ended('Cancelled')).toBe(1);
  expect(await ended('Expired')).toBe(0);
  expect(await grownBy('munshi_order_completion_seconds_count', { type: 'Deposit' })).toBe(1);
  await deliveryWhen(service, paid, { status: 'delivered' });
  await expect
    .poll(() => grownBy('munshi_webhook_acknowledged_seconds_count', {}))
    .toBeGreaterThanOrEqual(2);
});

test('open orders show in their state with the age of the first, and take their member’s room', async () => {
  const able = () => value('munshi_members_able', { method: 'ProviderA' });
  const room = () => value('munshi_members_free_orders', { method: 'ProviderA' });
  expect([await able(), await room()]).toEqual([1, 3]);
  const orders = [];
  for (const amount of [501, 502, 503])
    orders.push(await createOrder(merchant, { walletType: 'ProviderA', amount }));
  expect(await value('munshi_orders_open', { ...DEPOSITS, status: 'Queued' })).toBe(3);
  expect([await able(), await room()]).toEqual([0, 0]);
  const [first, ...others] = orders as [CreatedOrder, ...CreatedOrder[]];
  const since = Date.now();
  await payDeposit(service, first);
  const paid = { ...DEPOSITS, status: 'AwaitingMemberConfirmation' };
  expect(await value('munshi_orders_open', paid)).toBe(1);
  await service.app.deps.advanceClock?.(60);
  const age = await value('munshi_orders_open_oldest_seconds', paid);
  expect(age).toBeGreaterThanOrEqual(60);
  expect(age).toBeLessThan(120 + (Date.now() - since) / 1_000);
  await completeOrder(service, { ...first, status: 'AwaitingMemberConfirmation' }, member);
  for (const order of others) await completeOrder(service, order, member);
  expect(await value('munshi_orders_open', DEPOSITS)).toBeUndefined();
});

test('deadlines that nobody acts on are overdue, and late after 65 seconds', async () => {
  const elsewhere = openDatabase(service.target, { poolSize: 1 });
  await elsewhere.pool.query(
    "select pg_advisory_lock(hashtext('munshi job deadlines'), hashtext(current_schema()))",
  );
  const order = await createOrder(merchant, { walletType: 'ProviderA' });
  expect(await value('munshi_deadlines_late_orders')).toBe(0);
  await service.database.pool.query(
    "update orders set due_at = created_at - interval '100 seconds' where order_id = $1",
    [order.orderId],
  );
  expect(await value('munshi_deadlines_late_orders')).toBe(1);
  expect(await value('munshi_deadlines_overdue_seconds')).toBeGreaterThanOrEqual(100);
  await elsewhere.close();
  await expect.poll(() => value('munshi_deadlines_late_orders')).toBe(0);
  expect(await value('munshi_orders_ended_total', { ...DEPOSITS, outcome: 'Expired' })).toBe(1);
});

test('a process has metrics of its batches, its jobs and its lanes to the database', async () => {
  const shown = await scrape(service);
  expect(shown.value('munshi_engine_batch_commands_count')).toBeGreaterThan(5);
  expect(shown.value('munshi_engine_batch_seconds_sum')).toBeGreaterThan(0);
  expect(shown.value('munshi_engine_queued_commands')).toBe(0);
  expect(
    shown.value('munshi_job_runs_total', { timed_job: 'deadlines', result: 'success' }),
  ).toBeGreaterThan(0);
  for (const lane of ['pool', 'engine', 'webhooks', 'jobs'])
    expect(shown.value('munshi_database_up', { lane }), lane).toBe(1);
  expect(shown.value('munshi_database_primary')).toBe(1);
  expect(shown.value('munshi_channel_up', { channel: 'calls' })).toBe(1);
  const now = service.app.deps.clock.now() / 1_000;
  expect(now - (shown.value('munshi_platform_read_timestamp_seconds') ?? 0)).toBeLessThan(60);
});

test('the lane of the start, which is closed for good, is not shown as down', async () => {
  await waitForDatabase(service.app.deps.database, PATIENCE_MS);
  const { value } = await scrape(service);
  for (const name of ['munshi_database_up', 'munshi_database_connections']) {
    expect(value(name, { lane: 'webhooks' }), name).toBeGreaterThan(0);
    expect(value(name, { lane: 'start' }), name).toBeUndefined();
  }
});

test('while the database is silent, metrics are answered with what was known, and the lanes are down', async () => {
  const proxy = await startDatabaseProxy(service.target);
  const other = await startService({ ROLES: 'http' }, proxy);
  const up = { lane: 'pool' };
  expect((await scrape(other)).value('munshi_database_up', up)).toBe(1);
  proxy.set('silent');
  const shown = await scrape(other);
  expect(shown.value('munshi_database_up', up)).toBe(0);
  expect(shown.value('munshi_database_up', { lane: 'engine' })).toBe(0);
  expect(shown.value('munshi_members_online')).toBe(1);
  proxy.set('open');
  await expect
    .poll(async () => (await scrape(other)).value('munshi_database_up', { lane: 'engine' }))
    .toBe(1);
  await other.close();
  await proxy.close();
});

test('no label names a merchant, a member or an order', async () => {
  await setPresence(service, member.memberId, true);
  const { text } = await scrape(service);
  expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
  expect(text).not.toContain(member.username);
  expect(text.split('\n').length).toBeLessThan(1_500);
});

test('the page of metrics names each of them, with its type, its labels and what it says', async () => {
  const order = await createOrder(merchant, { walletType: 'ProviderA' });
  // Only after its first run does the removal of old rows say when it has ended.
  await expect
    .poll(() => value('munshi_retention_finished_timestamp_seconds', { kind: 'history' }))
    .toBeGreaterThan(0);
  const { families } = await scrape(service);
  await completeOrder(service, order, member);
  const page = readFileSync(REFERENCE, 'utf8');
  const rows = new Map(
    [...page.matchAll(/^\| `(munshi_\w+)` \|.*$/gm)].map(([row, name]) => [name as string, row]),
  );
  const own = [...families.values()].filter(({ name }) => name.startsWith('munshi_'));
  expect([...rows.keys()].sort()).toEqual(own.map(({ name }) => name).sort());
  expect(own.map((family) => rows.get(family.name))).toEqual(own.map(rowOf));
});

function rowOf({ name, type, help, samples }: Family): string {
  const labels = [...new Set(samples.flatMap((sample) => Object.keys(sample.labels)))]
    .filter((label) => label !== 'le')
    .map((label) => `\`${label}\``);
  return `| \`${name}\` | ${[type, ...labels].join(', ')} | ${help} |`;
}
