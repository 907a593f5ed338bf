import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { findViolations } from '../../apps/server/src/books/invariants.ts';
import { type Clone, cloneDatabase } from '../support/database.ts';
import {
  type CreatedOrder,
  createApiKey,
  createMember,
  createMerchant,
  type TestMember,
  type TestMerchant,
} from '../support/fixtures.ts';
import { postOrder } from '../support/merchant-client.ts';
import { cancelOrder, completeOrder } from '../support/outcomes.ts';
import { type Service, startService } from '../support/service.ts';
import { size } from '../support/size.ts';
import { expectSound } from '../support/verify.ts';
import { ROOT } from '../tidy/sources.ts';

/**
 * What `deploy/backup/lost.sh` lists after a restore, with two databases of one Postgres: a copy of
 * a moment is the restored one, and the original goes on to be the one of before.
 * tests/rigs/restore.test.ts does the same with pgBackRest, psql and the script itself.
 */

/** At 4 orders a second: those of the five seconds before the moment, and of 15 after it. */
const KNOWN = 20;
const LOST = size('RESTORED_ORDERS', { short: 60, deep: 60, full: 600 });

/** A payment that a merchant wants once, however often it asks. */
interface Wish {
  readonly number: number;
  readonly idempotencyKey: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Every third has no reference; amounts differ, so that one member can take all. */
const wishOf = (number: number): Wish => ({
  number,
  idempotencyKey: randomUUID(),
  body: {
    orderType: number % 4 === 0 ? 'Withdrawal' : 'Deposit',
    amount: 500 + number,
    walletType: 'ProviderA',
    ...(number % 4 === 0 && { customerAccountNumber: '03001234567' }),
    ...(number % 3 !== 0 && { merchantOrderRef: randomUUID() }),
  },
});

async function ask(merchant: TestMerchant, { body, idempotencyKey }: Wish): Promise<CreatedOrder> {
  const { status, json, text } = await postOrder(merchant, body, { idempotencyKey });
  expect(status, text).toBe(200);
  return json.data;
}

/** A half of them is completed, a quarter fails. */
async function end(service: Service, member: TestMember, order: CreatedOrder, number: number) {
  if (number % 2 === 0) await completeOrder(service, order, member);
  else if (number % 4 === 1) await cancelOrder(service, order);
}

/** A row of orders.csv. */
interface Row {
  readonly order_id: string;
  readonly idempotency_key: string;
  readonly last_told: string;
  readonly now: 'gone' | 'open' | 'completed' | 'failed';
  readonly found_by: string | null;
  readonly now_order_id: string | null;
}

/** psql puts the value of a variable into the text, quoted; here it is what $1 stands for. */
async function runSql({ database }: Clone, name: string, value: string) {
  const text = await readFile(path.join(ROOT, 'deploy/backup', name), 'utf8');
  const asked = text.replace(/^--.*$/gm, '').replace(/:'\w+'/, '$1::text');
  expect(asked).toContain('$1');
  return database.pool.query(asked, [value]);
}

async function listLost(before: Clone, restored: Clone, moment: string): Promise<readonly Row[]> {
  const { rows } = await runSql(before, 'lost-orders.sql', moment);
  return (await runSql(restored, 'found-orders.sql', JSON.stringify(rows[0].coalesce))).rows;
}

interface Stored {
  readonly order_id: string;
  readonly idempotency_key: string;
  readonly merchant_order_ref: string | null;
  readonly status: string;
}
const storedIn = async ({ database }: Clone) =>
  (
    await database.pool.query<Stored>(
      'select order_id, idempotency_key, merchant_order_ref, status from orders',
    )
  ).rows;

/** Merchants and members go on behind the moment; one API key is issued there. */
async function goOn(
  before: Clone,
  wishes: readonly Wish[],
  merchant: TestMerchant,
  by: TestMember,
) {
  const service = await startService({ ROLES: 'http' }, before);
  const shop = { ...merchant, url: service.url };
  const issued = { ...shop, ...(await createApiKey(service, merchant.merchantId)) };
  await Promise.all(
    wishes.map(async (wish) => {
      const order = await ask(wish.number % 7 === 0 ? issued : shop, wish);
      await end(service, by, order, wish.number);
    }),
  );
  await service.close();
}

/**
 * After the restore a merchant repeats a request as it was, or asks again under its reference, or
 * does neither; and some of the new orders end. All by the API key that is left.
 */
async function retry(
  service: Service,
  wishes: readonly Wish[],
  shop: TestMerchant,
  by: TestMember,
) {
  await Promise.all(
    wishes.map(async (wish) => {
      const { body, number } = wish;
      if (number % 5 === 4) return;
      if (number % 5 === 3 && body['merchantOrderRef'] !== undefined) {
        const { status } = await postOrder(shop, { ...body, customerReference: 'again' });
        expect(status === 200 || (status === 409 && number < KNOWN)).toBe(true);
        return;
      }
      const order = await ask(shop, wish);
      if (number % 5 < 2 && number >= KNOWN) await end(service, by, order, number);
    }),
  );
}

test('after a restore each order is listed once, as completed if it or its retry is, and as gone only if it is there under no key and no reference', async () => {
  const before = await cloneDatabase();
  const first = await startService({ ROLES: 'http' }, before);
  const merchant = await createMerchant(first, { balance: '1000000' });
  const member = await createMember(first, { maxOpenOrders: 10_000, float: '1000000' });
  const known = Array.from({ length: KNOWN }, (_, number) => wishOf(number));
  const orders = await Promise.all(known.map((wish) => ask(merchant, wish)));
  await Promise.all(orders.map((order, number) => end(first, member, order, number)));
  await first.close();

  const restored = await cloneDatabase(before);
  const wishes = Array.from({ length: LOST }, (_, at) => wishOf(KNOWN + at));
  await goOn(before, wishes, merchant, member);
  const service = await startService({ ROLES: 'http' }, restored);
  const shop = { ...merchant, url: service.url };
  await retry(service, [...known, ...wishes], shop, member);

  // Five seconds behind the first order, so that all that is known belongs to the list.
  const { rows: earliest } = await before.database.pool.query(
    `select (min(created_at) + interval '5 seconds')::text as moment from orders`,
  );
  const rows = await listLost(before, restored, earliest[0].moment);
  const there = await storedIn(restored);
  const original = await storedIn(before);
  expect(rows.map(({ order_id }) => order_id).toSorted()).toEqual(
    original.map(({ order_id }) => order_id).toSorted(),
  );

  const isOf = (wish: Wish) => (order: Stored) =>
    order.idempotency_key === wish.idempotencyKey ||
    (order.merchant_order_ref !== null &&
      order.merchant_order_ref === wish.body['merchantOrderRef']);
  for (const wish of [...known, ...wishes]) {
    const found = there.filter(isOf(wish));
    const row = rows.find(({ idempotency_key }) => idempotency_key === wish.idempotencyKey) as Row;
    const ids = found.map(({ order_id }) => order_id);
    expect(found.length === 0 ? [null] : ids).toContain(row.now_order_id);
    expect(row.now === 'gone').toBe(found.length === 0);
    const isPaid = found.some(({ status }) => status === 'Completed');
    expect(row.now === 'completed').toBe(isPaid);
  }
  const ways = new Set(rows.map(({ now, found_by }) => `${now} ${found_by ?? ''}`.trim()));
  expect([...ways]).toEqual(
    expect.arrayContaining([
      'gone',
      ...['completed order id', 'open order id', 'failed order id'],
      ...['completed Idempotency-Key', 'open Idempotency-Key', 'failed Idempotency-Key'],
      ...['open reference', 'open Idempotency-Key of another API key'],
    ]),
  );

  // A while later all that is late is what nobody did while everything stood still.
  const later = service.app.deps.clock.now() + 600_000;
  const broken = (await findViolations(restored.database.pool, later)).map(({ id }) => id);
  expect(broken.filter((id) => !['S8', 'W6', 'A3'].includes(id))).toEqual([]);
  await expectSound(service);
  await service.close();
  for (const clone of [restored, before]) await clone.drop();
});
