import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { statements } from '../../../apps/server/src/storage/statement.ts';
import '../../../apps/server/src/storage/webhooks/delivery-list.ts';
import { cloneDatabase } from '../../support/database.ts';
import { rowsRead } from '../../support/plans.ts';

/** Delivered ones of two weeks, one a minute, of one large merchant and a small one. */
const MANY = 20_000;
const NOW = Date.parse('2026-06-01T12:00:00Z');
const PAGE = 51;

/** As `firstIdOf` makes the first id of an instant. */
const idAt = (at: string) =>
  `overlay(gen_random_uuid()::text placing
     overlay(lpad(to_hex((extract(epoch from ${at}) * 1000)::bigint), 12, '0')
       placing '-' from 9 for 0)
     from 1 for 13)::uuid`;

test('lists of deliveries read a page, however many there are', async () => {
  const { database, drop } = await cloneDatabase();
  const client = await database.pool.connect();
  const [large, small] = [randomUUID(), randomUUID()];
  const at = `to_timestamp(${NOW / 1000} - n * 60)`;
  await client.query(
    `insert into orders (merchant_id, order_id, order_reference, api_key_id, idempotency_key,
       order_type, wallet_type, currency, amount, rate, settlement_amount, float_amount,
       txn_ref_digits_required, max_retry_count, page_origin, created_status, status, created_at,
       completed_at, expires_at)
     select case when n % 500 = 0 then $2 else $3 end::uuid, ${idAt(at)}, 'r' || n,
       gen_random_uuid(), 'k' || n, 'Deposit', 'ProviderA', 'PKR', 100, 1, 100, 100, 4, 3, '',
       'Awaiting', 'Completed', ${at}, ${at}, ${at}
     from generate_series(1, $1::integer) n`,
    [MANY, small, large],
  );
  await client.query(
    `insert into deliveries (merchant_id, delivery_id, order_id, api_key_id, event_type, url, body,
       created_at, abandoned)
     select merchant_id, order_id, order_id, api_key_id, 'order.completed',
       'https://shop.example/hook', ''::bytea, created_at, order_reference like '%777'
     from orders`,
  );
  await client.query(
    `insert into delivery_attempts (merchant_id, delivery_id, number, started_at, duration_ms,
       succeeded, response_status)
     select merchant_id, delivery_id, 1, created_at, 80, not abandoned,
       case when abandoned then 503 else 200 end
     from deliveries`,
  );
  await client.query(
    `insert into delivery_attempts (merchant_id, delivery_id, number, started_at, duration_ms,
       succeeded, response_status)
     select d.merchant_id, delivery_id, 2, d.created_at, 80, false, 500
     from deliveries d
     join orders using (order_id)
     where order_reference like '%3'`,
  );
  await client.query('vacuum analyze');
  await client.query('set enable_seqscan = off');

  const lists = {
    all: statements.get('list-all-deliveries') as string,
    failed: statements.get('list-failed-deliveries') as string,
  };
  const asked = {
    after: null,
    merchantId: null,
    eventType: null,
    host: null,
    responseStatus: null,
    deliveryId: null,
    orderId: null,
    firstId: null,
    from: null,
    to: null,
    status: null,
    limit: PAGE,
  };
  const read = (list: keyof typeof lists, filters: object) =>
    rowsRead(client, 'deliveries', lists[list], Object.values({ ...asked, ...filters }));
  for (const [name, list, filters] of [
    ['the first page', 'all', {}],
    ['of the large merchant', 'all', { merchantId: large }],
    ['of the small one', 'all', { merchantId: small }],
    ['abandoned', 'all', { status: 'abandoned' }],
    ['pending, of which there are none', 'all', { status: 'pending' }],
    ['delivered', 'all', { status: 'delivered' }],
    ['answered 503', 'failed', { responseStatus: 503 }],
    ['answered 500, as many were', 'failed', { responseStatus: 500 }],
  ] as const) {
    const rows = await read(list, filters);
    // Each is read once to be found and once to be shown.
    expect({ name, rows: Math.max(0, rows - 4 * PAGE) }).toEqual({ name, rows: 0 });
  }
  client.release(true);
  await drop();
});
