import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect } from 'vitest';
import {
  beginCheck,
  finishCheck,
  noteRule,
  readLatestChecks,
} from '../../../apps/server/src/books/checks.store.ts';
import { createBooksChecks } from '../../../apps/server/src/books/service.ts';
import { cloneDatabase } from '../../support/database.ts';
import {
  advance,
  createMember,
  createMerchant,
  createOrder,
  type TestMember,
  type TestMerchant,
} from '../../support/fixtures.ts';
import { postOrder } from '../../support/merchant-client.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { completeOrder } from '../../support/outcomes.ts';
import { databaseUrl } from '../../support/process.ts';
import { scrape } from '../../support/scrape.ts';
import { serviceTest } from '../../support/service-test.ts';

/** What the standby shows is made up here: it is a database of its own. */
const standby = await cloneDatabase();
const { test, service } = await serviceTest(
  { VERIFY_AT: '02:00', VERIFY_DATABASE_URL: databaseUrl(standby.target) },
  { unsound: 'wallets are changed to be found wrong' },
);
const operator = operatorClient(service);
let merchant: TestMerchant;
let other: TestMerchant;
let member: TestMember;

beforeAll(async () => {
  merchant = await createMerchant(service, { balance: '5000' });
  other = await createMerchant(service, { balance: '5000' });
  member = await createMember(service);
});
afterAll(() => standby.drop());

/** Advances the clock to the next time that it is so many minutes after midnight. */
async function advanceTo(minute: number): Promise<void> {
  const now = Math.floor(service.app.deps.clock.now() / 60_000) % 1_440;
  await advance(service, ((1_440 + minute - now) % 1_440 || 1_440) * 60);
}
/** Passes the hour of the check. */
const pass = () => advanceTo(150);
const books = async () => (await operator.get('/books')).data;
let amount = 100;
const withdrawal = (from: TestMerchant) =>
  postOrder(from, {
    orderType: 'Withdrawal',
    amount: ++amount, // a body that was signed before is a repeat
    walletType: 'ProviderA',
    customerAccountNumber: '03001234567',
    customerAccountName: 'Ayesha Khan',
  });

test('before the first night nothing is known of the books', async () => {
  expect(await books()).toMatchObject({ state: 'unchecked', checking: false, finishedAt: null });
  expect((await scrape(service)).value('munshi_verify_finished_timestamp_seconds')).toBeUndefined();
});

test('every night at its hour all rules are checked once, and nothing is changed', async () => {
  await completeOrder(service, await createOrder(merchant), member);
  await pass();
  const checked = await books();
  expect(checked).toMatchObject({ state: 'sound', checking: false, broken: [] });
  expect(checked.rules).toBeGreaterThan(30);
  await advance(service, 1_800);
  expect((await books()).finishedAt).toBe(checked.finishedAt);
  const { value } = await scrape(service);
  expect(value('munshi_verify_broken_rules')).toBe(0);
  expect(value('munshi_verify_finished_timestamp_seconds')).toBe(
    Date.parse(checked.finishedAt) / 1_000,
  );
});

test('a check by a clock that was ahead stops none before its date, and says nothing of them', async () => {
  const { pool } = service.database;
  const before = await books();
  const ahead = service.app.deps.clock.now() + 30 * 86_400_000;
  const check = { checkId: randomUUID(), rulesChecked: 0 };
  await beginCheck(pool, check.checkId, ahead);
  await noteRule(pool, check, [{ id: 'I1', rule: 'of that time', rows: 1, examples: [] }]);
  await finishCheck(pool, check.checkId, ahead + 60_000);
  expect(await books()).toEqual(before);
  await pass();
  const checked = await books();
  expect(checked).toMatchObject({ state: 'sound', checking: false, broken: [] });
  expect(Date.parse(checked.finishedAt)).toBeGreaterThan(Date.parse(before.finishedAt));
  expect((await scrape(service)).value('munshi_verify_finished_timestamp_seconds')).toBe(
    Date.parse(checked.finishedAt) / 1_000,
  );
});

test('a rule that two processes check at once counts as one, and the next rule is checked too', async () => {
  const { database, drop } = await cloneDatabase();
  const { pool } = database;
  const { clock, ids, log } = service.app.deps;
  await beginCheck(pool, randomUUID(), clock.now());
  const schedule = { minuteOfDay: null, standby: undefined };
  // The lock of the one's session is lost, and it goes on reading.
  const [one, other] = [1, 2].map(() => createBooksChecks({ database, clock, ids, log, schedule }));
  const holder = await pool.connect();
  await holder.query('begin');
  await holder.query('lock table merchant_wallets');
  const both = Promise.all([one?.run(), other?.run()]);
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await expect.poll(async () => (await pool.query(waiting)).rowCount).toBe(2);
  await holder.query('rollback');
  holder.release();
  expect(await both).toEqual([true, true]);
  const { latest } = await readLatestChecks(pool, clock.now());
  expect(latest).toMatchObject({ rulesChecked: 1, broken: [] });
  await drop();
});

test('what only the standby shows is no breach', async () => {
  await standby.database.pool.query(
    `insert into merchants (merchant_id, name, status, deposit_methods, withdrawal_methods, currencies, ip_whitelist, created_at)
     values ($1, 'behind', 'active', '{}', '{}', '{PKR}', '{"enabled": false, "entries": []}', now())`,
    [other.merchantId],
  );
  await standby.database.pool.query(
    'insert into merchant_wallets (merchant_id, balance) values ($1, 7)',
    [other.merchantId],
  );
  await pass();
  expect(await books()).toMatchObject({ state: 'sound', broken: [] });
});

test('a breach is reported with its rows, and stops nothing unless the setting says so', async () => {
  await service.database.pool.query(
    'update merchant_wallets set balance = balance + 3 where merchant_id = $1',
    [merchant.merchantId],
  );
  // As replication would have it: the wallet of one merchant is wrong on both.
  await standby.database.pool.query('update merchant_wallets set balance = balance + 3');
  await pass();
  const { state, broken } = await books();
  expect(state).toBe('broken');
  expect(broken[0]).toMatchObject({
    id: 'I1',
    rule: 'a wallet is the sum of its postings',
    rows: 1,
  });
  expect(JSON.parse(broken[0].examples[0])).toMatchObject({ merchant_id: merchant.merchantId });
  expect((await scrape(service)).value('munshi_verify_broken_rules')).toBe(broken.length);
  expect((await withdrawal(merchant)).status).toBe(200);
});

test('with the setting it disables the withdrawals of that merchant, and orders in progress go on', async () => {
  await operator.patch('/settings', { stopWithdrawalsOnBreach: true });
  await advanceTo(110);
  const begun = (await withdrawal(merchant)).json.data;
  await pass();
  const { data } = await operator.get(`/merchants/${merchant.merchantId}`);
  expect(data.withdrawalMethods).toEqual([]);
  expect(data.depositMethods).not.toEqual([]);
  const refused = await withdrawal(merchant);
  expect(refused.status).toBe(422);
  expect(JSON.stringify(refused.json)).toContain(
    'ProviderA withdrawals are disabled for this merchant.',
  );
  expect((await withdrawal(other)).status).toBe(200);
  await completeOrder(service, begun, member);
  expect((await operator.get(`/orders/${begun.orderId}`)).data.status).toBe('Completed');
  const log = await operator.get(`/audit-log?target=${merchant.merchantId}&action=merchant.update`);
  expect(log.data).toMatchObject([
    { actor: { kind: 'clock' }, detail: { fields: 'withdrawalMethods', withdrawalMethods: '[]' } },
  ]);
});
