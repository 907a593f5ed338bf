import { hash, randomUUID } from 'node:crypto';
import Fastify from 'fastify';
import { createIds } from '../../apps/server/src/engine/ids.ts';
import { readConfig } from '../../apps/server/src/platform/config.ts';
import { createBatchLoader } from '../../apps/server/src/platform/database/connection/batch-loader.ts';
import { openDatabase } from '../../apps/server/src/platform/database/db.ts';
import { copyLine, runPipeline } from '../../apps/server/src/platform/database/pipeline.ts';

/**
 * The ceiling of anything that stores an order before it answers: the bare server copies orders
 * into the same table, waiting requests together in one transaction. It checks no signature, reads
 * nothing, and has no members, replay guard or references.
 */
const database = openDatabase(readConfig(process.env).database as never, { poolSize: 1 });
const lane = await database.openLane('bare-store');
const ids = createIds();
const { rows } = await database.pool.query(
  `select k.merchant_id, k.key_id from api_keys k limit 1`,
);
const { merchant_id: merchantId, key_id: keyId } = rows[0];

const COPY = `copy orders (merchant_id, order_id, order_reference, api_key_id, idempotency_key, signature_digest, terms_digest, order_type, wallet_type, currency,
  amount, fee, rate, settlement_amount, float_amount, merchant_order_ref, live_reference, customer_reference, callback_url, success_url, metadata,
  txn_ref_digits_required, max_retry_count, page_origin, created_status, status, created_at, awaiting_at, expires_at, due_at) from stdin`;

interface Incoming {
  readonly orderId: string;
  readonly digest: string;
  readonly order: Readonly<Record<string, string>>;
}

function lineOf({ orderId, digest, order }: Incoming): string {
  const at = new Date().toISOString();
  const until = new Date(Date.now() + 900_000).toISOString();
  const digestBytes = `\\x${digest}`;
  const fields = [
    merchantId,
    orderId,
    `ORD-${orderId}`,
    keyId,
    randomUUID(),
    digestBytes,
    digestBytes,
    'Deposit',
    order['walletType'],
    'PKR',
  ];
  const money = [order['amount'], '0', '1', order['amount'], order['amount']];
  const given = [
    order['merchantOrderRef'],
    order['merchantOrderRef'],
    order['customerReference'],
    order['callbackUrl'],
    order['successUrl'],
    order['metadata'],
  ];
  return copyLine([
    ...fields,
    ...money,
    ...given,
    4,
    3,
    'http://127.0.0.1:3000',
    'Awaiting',
    'Awaiting',
    at,
    at,
    until,
    until,
  ]);
}

const store = createBatchLoader(
  async (orders: readonly Incoming[]) => {
    await runPipeline(lane, [{ name: 'store', text: COPY, copied: orders.map(lineOf).join('') }]);
    return orders;
  },
  { max: 500 },
);

const app = Fastify();
app.removeAllContentTypeParsers();
app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
app.get('/readyz', async () => 'ok');
app.post('/api/merchant/orders', async (request, reply) => {
  const text = (request.body as Buffer).toString('utf8');
  const { orderId, order } = await store({
    orderId: ids.uuid(Date.now()),
    digest: hash('md5', text),
    order: JSON.parse(text),
  });
  const created = {
    orderId,
    orderReference: `ORD-${orderId}`,
    status: 'Awaiting',
    stage: 'Awaiting',
    merchantOrderRef: order['merchantOrderRef'],
  };
  const page = {
    paymentPageUrl: `http://127.0.0.1:3000/pay/${orderId}?expires=1700000000&token=${'x'.repeat(43)}`,
    expiresAt: '2026-01-01T00:00:00.000Z',
  };
  return reply.type('application/json').send(JSON.stringify({ data: { ...created, ...page } }));
});
await app.listen({ port: Number(process.env['PORT']), host: '127.0.0.1' });
process.on('SIGTERM', () => process.exit(0));
