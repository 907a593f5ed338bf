import { expect, test } from 'vitest';
import { statements } from '../../../apps/server/src/storage/statement.ts';
import '../../../apps/server/src/storage/orders/queues.ts';
import { cloneDatabase } from '../../support/database.ts';
import { ordersRead } from '../../support/plans.ts';

/** Orders that have ended, and open ones that nobody has to look at. */
const MANY = 20_000;
const NOW = '2026-06-01T12:00:00Z';

test('queues read what is in them, however many orders there are', async () => {
  const { database, drop } = await cloneDatabase();
  const client = await database.pool.connect();
  const put = (count: number, columns: string) =>
    client.query(
      `insert into orders (merchant_id, order_id, order_reference, api_key_id, idempotency_key,
         order_type, wallet_type, currency, amount, rate, settlement_amount, float_amount,
         customer_account_number, txn_ref_digits_required, max_retry_count, page_origin,
         created_status, status, member_id, account_id, created_at, sent_at, completed_at,
         expires_at, due_at)
       select gen_random_uuid(), gen_random_uuid(), gen_random_uuid()::text, gen_random_uuid(),
         gen_random_uuid()::text, o.*
       from generate_series(1, $1) n
       cross join lateral (${columns}) o`,
      [count],
    );
  const order = (
    type: string,
    account: string,
    status: string,
    held: boolean,
    [sent, completed, due]: readonly [string, string, string],
  ) => {
    const holder = held ? 'gen_random_uuid(), gen_random_uuid()' : 'null::uuid, null::uuid';
    return `select '${type}', 'ProviderA', 'PKR', 100, 1, 100, 100, ${account}, 4, 3, '',
      'Awaiting', '${status}', ${holder}, timestamptz '${NOW}' - n * interval '1 minute',
      ${sent}::timestamptz, ${completed}::timestamptz, timestamptz '${NOW}', ${due}::timestamptz`;
  };
  const [none, now] = ['null', `'${NOW}'`];
  const later = `(timestamptz '${NOW}' + interval '20 minutes')`;
  await put(MANY, order('Deposit', 'null', 'Completed', true, [now, now, none]));
  await put(MANY / 4, order('Deposit', 'null', 'Queued', true, [none, none, later]));
  await put(MANY / 4, order('Withdrawal', 'null', 'Awaiting', false, [none, none, later]));
  await put(30, order('Deposit', 'null', 'ManualReview', true, [now, none, none]));
  await put(20, order('Withdrawal', `'0300'`, 'ManualReview', true, [none, none, none]));
  await put(25, order('Deposit', 'null', 'Awaiting', false, [none, none, later]));
  await put(15, order('Deposit', 'null', 'AwaitingMemberConfirmation', true, [now, none, now]));
  await client.query('vacuum analyze');
  await client.query('set enable_seqscan = off');
  const explained = (text: string, values: unknown[]) => ordersRead(client, text, values);

  const counted = await explained(statements.get('count-queues') as string, [NOW]);
  expect(counted).toBeLessThan(400);
  const first = [-1, '1970-01-01T00:00:00Z', '00000000-0000-0000-0000-000000000000', 51];
  for (const [name, text] of statements) {
    if (!name.startsWith('list-queue-')) continue;
    expect([name, await explained(text, [NOW, ...first])]).toEqual([name, expect.any(Number)]);
    expect(await explained(text, [NOW, ...first]), name).toBeLessThan(100);
  }
  client.release(true);
  await drop();
});
