import { createHash, hash, randomUUID } from 'node:crypto';
import {
  dayOf,
  FACTOR_ONE,
  quoteFee,
  readCreation,
  readSignature,
  settlementOf,
} from '@munshi/core';
import Fastify from 'fastify';
import { createIds } from '../../apps/server/src/engine/ids.ts';
import { FEE_RULE } from '../../apps/server/src/engine/rows/fee-rule.ts';
import { readConfig } from '../../apps/server/src/platform/config.ts';
import { openDatabase } from '../../apps/server/src/platform/database/db.ts';
import { numeric } from '../../apps/server/src/platform/database/rows.ts';
import { createVault } from '../../apps/server/src/platform/vault.ts';

/**
 * The same work the usual way: each request uses a pooled connection and its own transaction, one
 * statement after the other. Tables, checks, locks and rows are the same, and the invariants hold
 * afterwards. Deposits only.
 */
const config = readConfig(process.env);
const database = openDatabase(config.database as never, { poolSize: 16 });
const vault = createVault(config.masterKey as string);
const ids = createIds();
const app = Fastify();
app.removeAllContentTypeParsers();
app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
app.get('/readyz', async () => 'ok');
let serial = 0;

app.post('/api/merchant/orders', async (request, reply) => {
  const keyHash = createHash('sha256').update(String(request.headers['svc-api-key'])).digest();
  const reading = readSignature((request.body as Buffer).toString('utf8'));
  if (!reading.ok) return reply.code(401).send(reading.code);
  const idempotencyKey = String(request.headers['idempotency-key']);
  const creation = readCreation(reading.members, idempotencyKey);
  if (creation.kind !== 'valid') return reply.code(400).send(creation);
  const order = creation.message;
  const db = await database.pool.connect();
  const all = async (name: string, text: string, values: unknown[]) =>
    (await db.query({ name, text, values })).rows;
  const one = async (name: string, text: string, values: unknown[]) =>
    (await all(name, text, values))[0];
  try {
    await db.query('begin');
    const key = await one(
      'key',
      'select * from api_keys k join merchants m using (merchant_id) where key_hash = $1 and revoked_at is null',
      [keyHash],
    );
    const digest = hash(
      'md5',
      reading.canonical +
        vault.open({
          merchantId: key.merchant_id,
          keyId: key.key_id,
          sealed: key.sealed_secret,
          sealKeyId: key.seal_key_id,
        }),
    );
    if (digest !== reading.signature) throw new Error('signature');
    const digestBytes = Buffer.from(digest, 'hex');
    await one(
      'replay',
      'select * from signature_replays where merchant_id = $1 and key_id = $2 and digest = $3',
      [key.merchant_id, key.key_id, digestBytes],
    );
    await one(
      'bound',
      'select * from orders where merchant_id = $1 and api_key_id = $2 and idempotency_key = $3',
      [key.merchant_id, key.key_id, idempotencyKey],
    );
    await one('live', 'select 1 from orders where merchant_id = $1 and live_reference = $2', [
      key.merchant_id,
      order.merchantOrderRef,
    ]);
    await one('settings', 'select * from settings', []);
    const rules = await all(
      'fees',
      `select ${FEE_RULE.list} from fee_rules where (merchant_id = $1 or merchant_id is null) and valid_until is null`,
      [key.merchant_id],
    );
    const fee = quoteFee({ ...order, merchantId: key.merchant_id }, rules.map(FEE_RULE.read));
    const { settlementAmount, floatAmount } = settlementOf({ ...order, fee, rate: FACTOR_ONE });
    const member = await one(
      'member',
      `select m.*, a.account_id from members m join member_accounts a using (member_id) where a.wallet_type = $1 and a.status = 'approved' and m.online
        and m.status = 'active' and m.open_orders < m.max_open_orders and m.float_balance - m.float_held >= $2::numeric
        order by m.open_orders, m.last_assigned_at nulls first limit 1 for update of m skip locked`,
      [order.walletType, numeric(order.amount)],
    );
    await one(
      'equal',
      `select 1 from orders where account_id = $1 and amount = $2::numeric and status in ('Queued', 'AwaitingCustomerPayment', 'AwaitingMemberConfirmation', 'AwaitingMemberPayout', 'ManualReview')`,
      [member?.account_id ?? randomUUID(), numeric(order.amount)],
    );
    const [orderId, now] = [ids.uuid(Date.now()), new Date()];
    serial += 1;
    const reference = `ORD-${process.pid}-${Date.now()}-${serial}`;
    await one(
      'insert',
      `insert into orders (merchant_id, order_id, order_reference, api_key_id, idempotency_key, signature_digest, terms_digest, order_type, wallet_type, currency, amount, fee, rate,
        settlement_amount, float_amount, merchant_order_ref, live_reference, customer_reference, callback_url, success_url, metadata, txn_ref_digits_required, max_retry_count,
        page_origin, created_status, status, member_id, account_id, created_at, assigned_at, holder_since, expires_at, due_at)
       values ($1, $2, $3, $4, $5, $6, $17, 'Deposit', $7, 'PKR', $8, $18, 1, $19, $20, $9, $9, $10, $11, $12, $13, 4, 3, 'http://127.0.0.1', $14, $14, $15, $16,
        $21::timestamptz, $22::timestamptz, $22::timestamptz, $21::timestamptz + interval '15 minutes', $21::timestamptz + interval '15 minutes')`,
      [
        key.merchant_id,
        orderId,
        reference,
        key.key_id,
        idempotencyKey,
        digestBytes,
        order.walletType,
        numeric(order.amount),
        order.merchantOrderRef,
        order.customerReference,
        order.callbackUrl,
        order.successUrl,
        order.metadata,
        member === undefined ? 'Awaiting' : 'Queued',
        member?.member_id ?? null,
        member?.account_id ?? null,
        Buffer.from(hash('sha256', JSON.stringify(reading.canonical)).slice(0, 32), 'hex'),
        fee === null ? null : numeric(fee),
        numeric(settlementAmount),
        numeric(floatAmount),
        now,
        member === undefined ? null : now,
      ],
    );
    await one('replay-in', 'insert into signature_replays values ($1, $2, $3, $4, $5)', [
      key.merchant_id,
      key.key_id,
      digestBytes,
      idempotencyKey,
      now,
    ]);
    if (member !== undefined) {
      await one(
        'hold',
        'update members set open_orders = open_orders + 1, float_held = float_held + $2::numeric, last_assigned_at = now() where member_id = $1',
        [member.member_id, numeric(order.amount)],
      );
      await one(
        'used',
        'update member_accounts set day = $3, day_amount = case when day = $3 then day_amount else 0 end + $2::numeric where account_id = $1',
        [member.account_id, numeric(order.amount), dayOf(now.getTime())],
      );
    }
    await db.query('commit');
    return await reply.send({
      data: {
        orderId,
        orderReference: reference,
        status: member === undefined ? 'Awaiting' : 'Queued',
        stage: 'Assigned',
        merchantOrderRef: order.merchantOrderRef,
        paymentPageUrl: `http://127.0.0.1/pay/${orderId}?expires=1700000000&token=${vault.linkToken(orderId, 1_700_000_000)}`,
        expiresAt: new Date(now.getTime() + 900_000),
      },
    });
  } catch (error) {
    await db.query('rollback');
    throw error;
  } finally {
    db.release();
  }
});
await app.listen({ port: Number(process.env['PORT']) });
process.on('SIGTERM', () => process.exit(0));
