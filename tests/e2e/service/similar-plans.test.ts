import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { statements } from '../../../apps/server/src/storage/statement.ts';
import '../../../apps/server/src/storage/orders/order-detail.ts';
import { cloneDatabase } from '../../support/database.ts';
import { ordersRead } from '../../support/plans.ts';

/** Two weeks of orders, one a minute, nearly all of the same amount, on 50 accounts. */
const MANY = 20_000;
const NOW = Date.parse('2026-06-01T12:00:00Z');
const HOUR_MS = 3_600_000;
const iso = (at: number) => new Date(at).toISOString();
const idAt = (at: number) => {
  const hex = at.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
};

test('orders like one are found among those of its time, and what a member did of late among theirs, however many there are', async () => {
  const { database, drop } = await cloneDatabase();
  const client = await database.pool.connect();
  const account = "('00000000-0000-0000-0000-' || lpad((n % 50)::text, 12, '0'))::uuid";
  const at = `to_timestamp(${NOW / 1000} - n * 60)`;
  const put = (count: number, status: string, completed: string) =>
    client.query(
      `insert into orders (merchant_id, order_id, order_reference, api_key_id, idempotency_key,
         order_type, wallet_type, currency, amount, rate, settlement_amount, float_amount,
         txn_ref_digits_required, max_retry_count, page_origin, created_status, status, member_id,
         account_id, created_at, sent_at, completed_at, expires_at, transaction_digits,
         payer_account, merchant_order_ref)
       select gen_random_uuid(),
         overlay(gen_random_uuid()::text placing
           overlay(lpad(to_hex((extract(epoch from ${at}) * 1000)::bigint), 12, '0')
             placing '-' from 9 for 0)
           from 1 for 13)::uuid,
         gen_random_uuid()::text, gen_random_uuid(), gen_random_uuid()::text,
         'Deposit', 'ProviderA', 'PKR', case when n % 20 = 0 then n else 1000 end, 1, 1000, 1000,
         4, 3, '', 'Awaiting', $2, ${account}, ${account}, ${at}, ${at},
         ${completed}::timestamptz, ${at}, lpad((n % 10000)::text, 4, '0'),
         'payer ' || n % 1000, 'reference ' || n
       from generate_series(1, $1) n`,
      [count, status],
    );
  await put(MANY, 'Completed', at);
  await put(500, 'ManualReview', 'null');
  await client.query('vacuum analyze');
  await client.query('set enable_seqscan = off');
  const middle = NOW - (MANY / 2) * 60_000;
  const read = await ordersRead(client, statements.get('similar-orders') as string, [
    randomUUID(),
    ['0007', '10007'],
    iso(middle - 24 * HOUR_MS),
    iso(middle + 24 * HOUR_MS),
    '00000000-0000-0000-0000-000000000007',
    '1000',
    'payer 7',
    idAt(middle - 2 * HOUR_MS),
    idAt(middle + 2 * HOUR_MS),
    'reference 7',
    randomUUID(),
    'PKR',
  ]);
  // The orders of 4 hours, and what has the digits, the payer and the reference.
  expect(read).toBeLessThan(400);
  expect(read).toBeGreaterThan(0);

  // Each of these members has ended 400: the list of members looks at the newest 200 of each.
  const members = [7, 8].map((n) => `00000000-0000-0000-0000-${String(n).padStart(12, '0')}`);
  const ofLate = statements.get('members-of-late') as string;
  const looked = await ordersRead(client, ofLate, [members, iso(NOW - 24 * HOUR_MS)]);
  expect(looked).toBe(400);
  client.release(true);
  await drop();
});
