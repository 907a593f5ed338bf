import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { standsAlone } from '../../../packages/core/src/testing/literals.ts';
import {
  advance,
  type CreatedOrder,
  createApiKey,
  createMember,
  createMerchant,
  createOrder,
  fundMerchant,
  setPresence,
  signBody,
  type TestMerchant,
} from '../../support/fixtures.ts';
import {
  expectMessage,
  expectSignatureError,
  get,
  postBytes,
  postOrder,
  rawPost,
  replyOfRaw,
} from '../../support/merchant-client.ts';
import { type Service, startService } from '../../support/service.ts';
import { serviceTest } from '../../support/service-test.ts';

/**
 * The business rules of order creation: idempotency, the replay guard, references, funding, the
 * state of the account (merchant-api.md#idempotency, decision 5, merchant-api.md#order-of-checks,
 * merchant-api.md#errors, decision 6, merchant-api.md#messages-of-order-creation,
 * merchant-api.md#addresses, decision 3).
 */
const { test, service } = await serviceTest();

const raw = (text: string) => (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(text);
const deposit = (fields: object = {}) => ({
  orderType: 'Deposit',
  amount: 1500,
  walletType: 'ProviderA',
  customerReference: randomUUID(),
  ...fields,
});
const withdrawal = (fields: object = {}) =>
  deposit({ orderType: 'Withdrawal', walletType: 'ProviderB', ...fields });
const sql = (text: string, values: unknown[] = []) => service.database.pool.query(text, values);
const orderCount = async (merchant: TestMerchant) =>
  Number(
    (await sql('select count(*) from orders where merchant_id = $1', [merchant.merchantId])).rows[0]
      .count,
  );
const TESTER = { kind: 'operator', id: randomUUID(), name: 'test', address: '127.0.0.1' } as const;
const cancel = (order: Pick<CreatedOrder, 'orderId'>) =>
  service.app.deps.engine.submit({
    kind: 'operator-cancel',
    commandId: randomUUID(),
    orderId: order.orderId,
    note: 'test',
    ...standsAlone(TESTER),
  });
const feeRule = (
  merchant: TestMerchant,
  orderType: string,
  walletType: string,
  fixed: string,
  percent = '0',
) =>
  sql(
    `insert into fee_rules (fee_rule_id, merchant_id, order_type, wallet_type, fixed, percent, valid_from) values ($1, $2, $3, $4, $5, $6, '2020-01-01')`,
    [randomUUID(), merchant.merchantId, orderType, walletType, fixed, percent],
  );

describe('idempotency rules, row by row', () => {
  let merchant: TestMerchant;
  beforeAll(async () => {
    merchant = await createMerchant(service, { balance: '1000' });
  });

  test('new key, order created; same key and terms: the original order, byte for byte, however often', async () => {
    const body = signBody(deposit({ merchantOrderRef: randomUUID() }), merchant.signingSecret);
    const idempotencyKey = randomUUID();
    const first = await postBytes(merchant, body, { idempotencyKey });
    expect(first).toMatchObject({ status: 200 });
    for (let time = 0; time < 3; time += 1)
      expect(await postBytes(merchant, body, { idempotencyKey })).toEqual(first);
  });

  test('same key, same terms: the current status and stage, the original link and expiresAt', async () => {
    const member = await createMember(service, { methods: ['ProviderAQR'] });
    const body = deposit({ walletType: 'ProviderAQR', merchantOrderRef: randomUUID() });
    const idempotencyKey = randomUUID();
    const { json } = await postOrder(merchant, body, { idempotencyKey });
    expect(json.data).toMatchObject({ status: 'Queued', stage: 'Assigned' });
    await cancel(json.data);
    expect((await postOrder(merchant, body, { idempotencyKey })).json).toEqual({
      data: { ...json.data, status: 'Cancelled', stage: 'Failed' },
    });
    await setPresence(service, member.memberId, false);
  });

  test('the key is bound for ever: a month later it still answers the original order', async () => {
    const one = await createMerchant(service);
    const body = deposit({ merchantOrderRef: randomUUID() });
    const idempotencyKey = randomUUID();
    const { json } = await postOrder(one, body, { idempotencyKey });
    await sql(`delete from signature_replays where merchant_id = $1`, [one.merchantId]);
    const monthAgo = new Date(service.app.deps.clock.now() - 30 * 86_400_000);
    await sql('update orders set created_at = $2, awaiting_at = $2 where order_id = $1', [
      json.data.orderId,
      monthAgo,
    ]);
    expect((await postOrder(one, body, { idempotencyKey })).json.data).toMatchObject({
      orderId: json.data.orderId,
    });
    expect(await orderCount(one)).toBe(1);
  });

  const base = {
    orderType: 'Withdrawal',
    amount: 10,
    walletType: 'ProviderB',
    customerAccountNumber: '0300',
    customerAccountName: 'Ali',
  };
  // Term by term: packages/core/src/creation-message.test.ts,
  // commands/create-order-idempotency.test.ts.
  test.each<[string, object, boolean]>([
    [
      'what is written otherwise, and what is not compared',
      { amount: raw('10.00'), orderType: 1, walletType: 3, currency: null, metadata: 'other' },
      true,
    ],
    ['another currency', { currency: 'INR' }, false],
    ['no name of the account', { customerAccountName: undefined }, false],
  ])('compared terms: %s: the same order is answered: %s', async (_name, change, same) => {
    const idempotencyKey = randomUUID();
    const { json } = await postOrder(
      merchant,
      { ...base, first: randomUUID() },
      { idempotencyKey },
    );
    const reply = await postOrder(
      merchant,
      { ...base, second: randomUUID(), ...change },
      { idempotencyKey },
    );
    if (same) expect(reply.json).toEqual(json);
    else
      expectMessage(
        reply,
        422,
        'This Idempotency-Key was already used for a different order request.',
      );
    // Neither refusal nor repetition has changed what the key answers.
    expect(
      (await postOrder(merchant, { ...base, third: randomUUID() }, { idempotencyKey })).json,
    ).toEqual(json);
    await cancel(json.data);
  });

  test('terms are those sent at creation: an account submitted on the page does not change them', async () => {
    const body = withdrawal({ amount: 5 });
    const idempotencyKey = randomUUID();
    const { json } = await postOrder(merchant, body, { idempotencyKey });
    const decision = await service.app.deps.engine.submit({
      kind: 'submit-account',
      commandId: randomUUID(),
      orderId: json.data.orderId,
      accountNumber: '0300',
      accountName: 'Ali',
      need: {
        orderType: 'Withdrawal',
        walletType: 'ProviderB',
        currency: 'PKR',
        amount: 50_000n,
        floatAmount: 50_000n,
        heldBy: null,
        heldBefore: [],
      },
    });
    expect(decision).toMatchObject({ ok: true });
    expect((await postOrder(merchant, body, { idempotencyKey })).json.data).toMatchObject({
      orderId: json.data.orderId,
    });
    await cancel(json.data);
  });

  test('an order without stored terms is the answer regardless of the terms', async () => {
    const idempotencyKey = randomUUID();
    const { json } = await postOrder(merchant, deposit(), { idempotencyKey });
    await sql(
      'update orders set terms_digest = null, signature_digest = null where order_id = $1',
      [json.data.orderId],
    );
    const other = await postOrder(
      merchant,
      deposit({ amount: 7, walletType: 'TillID', currency: 'BDT' }),
      { idempotencyKey },
    );
    expect(other.json).toEqual(json);
    expectMessage(
      await postOrder(merchant, deposit({ amount: 0 }), { idempotencyKey }),
      400,
      `'Amount' must be greater than '0'.`,
    );
  });

  describe('same key, first request was rejected: treated as a new key', () => {
    test.each<
      [
        string,
        (merchant: TestMerchant, idempotencyKey: string) => Promise<{ status: number }>,
        number,
      ]
    >([
      [
        '400 validation',
        (one, idempotencyKey) => postOrder(one, deposit({ amount: 0 }), { idempotencyKey }),
        400,
      ],
      [
        '401 signature',
        (one, idempotencyKey) => postBytes(one, signBody(deposit(), 'wrong'), { idempotencyKey }),
        401,
      ],
      [
        '413',
        (one, idempotencyKey) => postBytes(one, Buffer.alloc(65_537, ' '), { idempotencyKey }),
        413,
      ],
      [
        '422 funding',
        (one, idempotencyKey) => postOrder(one, withdrawal({ amount: 5_000 }), { idempotencyKey }),
        422,
      ],
    ])('%s', async (_name, refused, status) => {
      const idempotencyKey = randomUUID();
      expect(await refused(merchant, idempotencyKey)).toMatchObject({ status });
      expect(await postOrder(merchant, deposit(), { idempotencyKey })).toMatchObject({
        status: 200,
      });
    });
  });

  test('same key with a different API key: treated as a new key, on either body', async () => {
    const second: TestMerchant = {
      ...merchant,
      ...(await createApiKey(service, merchant.merchantId)),
    };
    const body = deposit();
    const idempotencyKey = randomUUID();
    const first = await postOrder(merchant, body, { idempotencyKey });
    const other = await postOrder(second, body, { idempotencyKey });
    expect(other).toMatchObject({ status: 200 });
    expect(other.json.data.orderId).not.toBe(first.json.data.orderId);
    // One digest under two keys: the secrets differ, so the digests do; each key answers its own
    // order.
    expect((await postOrder(second, body, { idempotencyKey })).json).toEqual(other.json);
    expect((await postOrder(merchant, body, { idempotencyKey })).json).toEqual(first.json);
  });
});

describe('the replay guard', () => {
  let merchant: TestMerchant;
  beforeAll(async () => {
    merchant = await createMerchant(service, { balance: '10' });
  });
  const replayed = async (body: string) =>
    expectSignatureError(await postBytes(merchant, body), 401, 'SIGNATURE_REPLAYED');

  test.each<[string, Record<string, unknown>, number]>([
    ['accepted', deposit(), 200],
    ['rejected with 400 validation', deposit({ amount: 0 }), 400],
    ['rejected with 422 funding', withdrawal({ amount: 11 }), 422],
  ])(
    'same signed body, different key: 401, where the first was %s',
    async (_name, body, status) => {
      const text = signBody(body, merchant.signingSecret);
      const idempotencyKey = randomUUID();
      const first = await postBytes(merchant, text, { idempotencyKey });
      expect(first).toMatchObject({ status });
      await replayed(text);
      // With the original key it is no replay: the same answer, which but for the trace id is the
      // same text.
      const again = await postBytes(merchant, text, { idempotencyKey });
      expect({ ...again.json, traceId: '' }).toEqual({ ...first.json, traceId: '' });
      await replayed(text);
    },
  );

  test('a body whose signature did not verify records nothing', async () => {
    const good = signBody(deposit(), merchant.signingSecret);
    const bad = good.replace(/"signature":"./, '"signature":"g');
    expectSignatureError(await postBytes(merchant, bad), 401, 'SIGNATURE_INVALID');
    expect(await postBytes(merchant, good)).toMatchObject({ status: 200 });
  });

  test('hex case, key order and spaces make no new body', async () => {
    const text = signBody(
      { orderType: 'Deposit', amount: 3, walletType: 'ProviderA' },
      merchant.signingSecret,
    );
    expect(await postBytes(merchant, text)).toMatchObject({ status: 200 });
    const { signature } = JSON.parse(text) as { signature: string };
    await replayed(
      `{ "signature": "${signature.toUpperCase()}", "walletType": "ProviderA", "amount": 3, "ORDERTYPE": "Deposit", "x": null }`,
    );
  });

  test('a recorded signature pays no other account, however its text is split', async () => {
    const order = {
      orderType: 'Withdrawal',
      amount: 4,
      walletType: 'ProviderA',
      callbackUrl: 'https://a.example/?x=1',
      customerAccountNumber: '03001234567',
      merchantOrderRef: randomUUID(),
    };
    const text = signBody(order, merchant.signingSecret);
    expect(await postBytes(merchant, text)).toMatchObject({ status: 200 });
    await advance(service, 86_400 + 1);
    const { merchantOrderRef, callbackUrl, customerAccountNumber, ...terms } = JSON.parse(text);
    for (const split of [
      {
        callbackUrl,
        [`customeraccountnumber=${customerAccountNumber}&merchantorderref`]: merchantOrderRef,
      },
      {
        callbackUrl: `${callbackUrl}&customeraccountnumber=${customerAccountNumber}`,
        merchantOrderRef,
      },
      {
        callbackUrl,
        customerAccountNumber: `${customerAccountNumber}&merchantorderref=${merchantOrderRef}`,
      },
    ]) {
      const answer = await postBytes(merchant, JSON.stringify({ ...terms, ...split }));
      expectSignatureError(answer, 401, 'SIGNATURE_MALFORMED');
    }
  });

  test('a day later by the clock the same body under another key is a new order, and the first key still answers the first', async () => {
    const one = await createMerchant(service);
    const text = signBody(deposit(), one.signingSecret);
    const idempotencyKey = randomUUID();
    const first = await postBytes(one, text, { idempotencyKey });
    await advance(service, 86_400 - 60);
    expectSignatureError(await postBytes(one, text), 401, 'SIGNATURE_REPLAYED');
    await advance(service, 61);
    const second = await postBytes(one, text);
    expect(second).toMatchObject({ status: 200 });
    expect(second.json.data.orderId).not.toBe(first.json.data.orderId);
    // The body now goes with the second key; the first one is bound to its order all the same
    // (decision 5).
    expect((await postBytes(one, text, { idempotencyKey })).json.data).toMatchObject({
      orderId: first.json.data.orderId,
      status: 'CancelledTimeout',
      stage: 'Failed',
    });
    expect(await orderCount(one)).toBe(2);
  });
});

describe('merchantOrderRef rules', () => {
  let merchant: TestMerchant;
  beforeAll(async () => {
    merchant = await createMerchant(service, { balance: '1000' });
  });
  const conflict = (
    merchantOrderRef: string,
    { orderReference }: Pick<CreatedOrder, 'orderReference'>,
  ) =>
    `merchantOrderRef '${merchantOrderRef}' is already used by order ${orderReference}. Reuse the same Idempotency-Key to retry a request, or use a new reference for a new payment.`;

  test.each([
    ['quotes, markup and spaces', ` it's "<b>" `],
    ['emoji', '🧾'.repeat(200)],
  ])(
    'a second create with a live reference returns 409 with its order: %s',
    async (_name, merchantOrderRef) => {
      const first = await createOrder(merchant, { merchantOrderRef });
      expectMessage(
        await postOrder(merchant, deposit({ merchantOrderRef })),
        409,
        conflict(merchantOrderRef, first),
      );
      expectMessage(
        await postOrder(merchant, withdrawal({ amount: 1, merchantOrderRef })),
        409,
        conflict(merchantOrderRef, first),
      );
    },
  );

  test('another merchant may use it; another key of the same merchant may not', async () => {
    const first = await createOrder(merchant, { merchantOrderRef: 'shared' });
    const stranger = await createMerchant(service);
    expect(await postOrder(stranger, deposit({ merchantOrderRef: 'shared' }))).toMatchObject({
      status: 200,
    });
    const second = { ...merchant, ...(await createApiKey(service, merchant.merchantId)) };
    expectMessage(
      await postOrder(second, deposit({ merchantOrderRef: 'shared' })),
      409,
      conflict('shared', first),
    );
  });

  test('its case counts', async () => {
    await createOrder(merchant, { merchantOrderRef: 'Case' });
    expect(await postOrder(merchant, deposit({ merchantOrderRef: 'case' }))).toMatchObject({
      status: 200,
    });
  });

  test('a failed order’s reference can be reused, and the latest order is answered', async () => {
    const merchantOrderRef = 'again';
    const ids: string[] = [];
    for (let time = 0; time < 3; time += 1) {
      const order = await createOrder(merchant, { merchantOrderRef, metadata: `attempt ${time}` });
      ids.push(order.orderId);
      expect(
        (await get(merchant, '/orders/status?merchantOrderRef=again')).json.data,
      ).toMatchObject({ orderId: order.orderId, status: 'Awaiting' });
      await cancel(order);
      expect(
        (await get(merchant, '/orders/status?merchantOrderRef=again')).json.data,
      ).toMatchObject({ orderId: order.orderId, status: 'Cancelled' });
    }
    for (const id of ids)
      expect((await get(merchant, `/orders/${id}/status`)).json.data).toMatchObject({
        orderId: id,
        merchantOrderRef,
      });
  });

  test('the latest is the one created last, also where an older order has a greater id', async () => {
    const merchantOrderRef = 'older id';
    const older = await createOrder(merchant, { merchantOrderRef, metadata: 'older' });
    await cancel(older);
    await service.database.pool.query(
      `update orders set order_id = 'ffffffff-ffff-4fff-8fff-ffffffffffff' where order_id = $1`,
      [older.orderId],
    );
    await service.alter('alter table order_moves disable trigger user');
    await service.database.pool.query(
      `update order_moves set order_id = 'ffffffff-ffff-4fff-8fff-ffffffffffff' where order_id = $1`,
      [older.orderId],
    );
    await service.alter('alter table order_moves enable trigger user');
    await service.database.pool.query(
      `update deliveries set order_id = 'ffffffff-ffff-4fff-8fff-ffffffffffff' where order_id = $1`,
      [older.orderId],
    );
    await advance(service, 1);
    const newer = await createOrder(merchant, { merchantOrderRef, metadata: 'newer' });
    expect(
      (await get(merchant, '/orders/status?merchantOrderRef=older%20id')).json.data,
    ).toMatchObject({ orderId: newer.orderId });
  });
});

describe('account checks', () => {
  test.each(['suspended', 'closed'] as const)(
    'a %s merchant gets 403; replays, status and balance still answer',
    async (status) => {
      const merchant = await createMerchant(service, { balance: '10' });
      const body = deposit({ merchantOrderRef: 'before' });
      const idempotencyKey = randomUUID();
      const before = await postOrder(merchant, body, { idempotencyKey });
      await sql('update merchants set status = $2 where merchant_id = $1', [
        merchant.merchantId,
        status,
      ]);
      expectMessage(
        await postOrder(merchant, deposit()),
        403,
        `Merchant account is ${status}; new orders are not accepted.`,
      );
      expect((await postOrder(merchant, body, { idempotencyKey })).json).toEqual(before.json);
      expectMessage(
        await postOrder(merchant, deposit(), { idempotencyKey }),
        422,
        'This Idempotency-Key was already used for a different order request.',
      );
      expect(await get(merchant, '/orders/status?merchantOrderRef=before')).toMatchObject({
        status: 200,
      });
      expect(await get(merchant, '/orders/balance')).toMatchObject({ status: 200 });
      expect(await orderCount(merchant)).toBe(1);
    },
  );

  test.each<[string, Record<string, unknown>, string]>([
    [
      'a deposit method',
      deposit({ walletType: 'TillID' }),
      'TillID deposits are disabled for this merchant.',
    ],
    [
      'a currency that is not enabled, of a withdrawal',
      withdrawal({ walletType: 'BankAccount', currency: 2 }),
      'BankAccount withdrawals are disabled for this merchant.',
    ],
  ])('method disabled, 422: %s', async (_name, body, message) => {
    const merchant = await createMerchant(service, {
      depositMethods: ['ProviderA'],
      withdrawalMethods: ['BankAccount'],
      balance: '10000',
    });
    expectMessage(await postOrder(merchant, body), 422, message);
  });
});

describe('IP whitelist', () => {
  const refused = 'IP not in whitelist.';
  const restricted = (...entries: [address: string, scope: 'Deposit' | 'Withdrawal' | 'Both'][]) =>
    createMerchant(service, {
      balance: '100',
      ipWhitelist: {
        enabled: true,
        entries: entries.map(([address, scope]) => ({ address, scope })),
      },
    });

  test.each<[string, [string, 'Deposit' | 'Withdrawal' | 'Both'][], boolean, boolean]>([
    ['nobody', [], false, false],
    ['this address', [['127.0.0.1', 'Both']], true, true],
    ['this address for deposits', [['127.0.0.1', 'Deposit']], true, false],
    ['a block', [['127.0.0.0/8', 'Both']], true, true],
    ['the address mapped into IPv6', [['::ffff:127.0.0.1', 'Both']], true, true],
  ])('%s', async (_name, entries, deposits, withdrawals) => {
    const merchant = await restricted(...entries);
    for (const [body, listed] of [
      [deposit(), deposits],
      [withdrawal({ amount: 1 }), withdrawals],
    ] as const) {
      const reply = await postOrder(merchant, body);
      if (listed) expect(reply).toMatchObject({ status: 200 });
      else expectMessage(reply, 403, refused);
    }
  });

  test('a list that is not enabled is not looked at; status and balance never are refused', async () => {
    const merchant = await createMerchant(service, {
      ipWhitelist: { enabled: false, entries: [{ address: '203.0.113.1', scope: 'Both' }] },
    });
    expect(await postOrder(merchant, deposit())).toMatchObject({ status: 200 });
    const closed = await restricted();
    expect(await get(closed, '/orders/balance')).toMatchObject({ status: 200 });
    expectMessage(await get(closed, '/orders/status?merchantOrderRef=x'), 404, 'Order not found.');
  });

  test.each([
    ['X-Forwarded-For', '203.0.113.7'],
    ['X-Real-IP', '203.0.113.7'],
    ['Forwarded', 'for=203.0.113.7'],
    ['CF-Connecting-IP', '203.0.113.7'],
    ['True-Client-IP', '203.0.113.7'],
  ])('a stranger’s %s is not believed', async (name, value) => {
    const merchant = await restricted(['203.0.113.7', 'Both']);
    expectMessage(
      await postOrder(merchant, deposit(), { headers: { [name]: value } }),
      403,
      refused,
    );
  });

  test('a proxy that is not the trusted one is a stranger too', async () => {
    const elsewhere = await startService({ TRUSTED_PROXIES: '10.0.0.0/8', ROLES: 'http' }, service);
    const merchant = { ...(await restricted(['203.0.113.7', 'Both'])), url: elsewhere.url };
    expectMessage(
      await postOrder(merchant, deposit(), { headers: { 'X-Forwarded-For': '203.0.113.7' } }),
      403,
      refused,
    );
    expectMessage(
      await postOrder(merchant, deposit(), {
        headers: { 'X-Forwarded-For': '203.0.113.7, 10.0.0.1' },
      }),
      403,
      refused,
    );
    await elsewhere.close();
  });

  describe('behind trusted proxies 127.0.0.1 and 10.0.0.0/8', () => {
    let proxied: Service;
    beforeAll(async () => {
      proxied = await startService(
        { TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8', ROLES: 'http' },
        service,
      );
    });
    afterAll(async () => {
      await proxied.close();
    });

    test.each<[string, string[], boolean]>([
      ['the caller', ['203.0.113.7'], true],
      ['another caller', ['203.0.113.8'], false],
      ['the caller says it comes from elsewhere', ['198.51.100.1, 203.0.113.7'], true],
      ['a stranger claims to be the listed address', ['203.0.113.7, 198.51.100.1'], false],
      ['a second trusted proxy in between', ['203.0.113.7, 10.1.2.3'], true],
      ['a stranger behind two proxies', ['203.0.113.7, 198.51.100.1, 10.1.2.3, 10.9.9.9'], false],
      ['two headers', ['198.51.100.1', '203.0.113.7'], true],
      ['two headers, the stranger last', ['203.0.113.7', '198.51.100.1'], false],
      ['no header: the proxy itself', [], false],
      ['an empty header', [''], false],
      ['no address', ['unknown'], false],
      ['an IPv6 caller', ['2001:db8::7'], true],
      ['the same in another form', ['2001:0DB8:0:0:0:0:0:7'], true],
      ['an IPv6 caller of another block', ['2001:db9::7'], false],
      ['an IPv4 caller mapped into IPv6', ['::ffff:203.0.113.7'], true],
    ])('%s', async (_name, values, listed) => {
      const merchant = {
        ...(await restricted(['203.0.113.7', 'Both'], ['2001:db8::/32', 'Deposit'])),
        url: proxied.url,
      };
      const headers = values.map((value) => ['X-Forwarded-For', value] as const);
      const fixed = [
        ['SVC-API-Key', merchant.apiKey],
        ['Idempotency-Key', randomUUID()],
      ] as const;
      const reply = replyOfRaw(
        await rawPost(merchant, [...fixed, ...headers], {
          body: signBody(deposit(), merchant.signingSecret),
        }),
      );
      if (listed) expect(reply).toMatchObject({ status: 200 });
      else expectMessage(reply, 403, refused);
    });
  });
});

describe('funding of withdrawals', () => {
  test('available must cover amount + fee, to the last digit; the message says what is reserved', async () => {
    const merchant = await createMerchant(service, { balance: '1000.5' });
    await feeRule(merchant, 'Withdrawal', 'ProviderB', '1', '1');
    expectMessage(
      await postOrder(merchant, withdrawal({ amount: 1000 })),
      422,
      'Insufficient merchant balance: 1000.5 PKR available, 1011 PKR required for this withdrawal (amount + fee).',
    );
    const first = await createOrder(
      merchant,
      withdrawal({ amount: raw('499.99'), merchantOrderRef: null }),
    );
    expect((await get(merchant, `/orders/${first.orderId}/status`)).text).toContain(
      '"fee":5.9999,',
    );
    expect((await get(merchant, '/orders/balance')).text).toBe(
      '{"data":{"availableBalance":494.5101,"reservedBalance":505.9899,"frozenBalance":0,"currency":"PKR"}}',
    );
    const missing =
      'Insufficient merchant balance: 494.5101 PKR available, 494.5102 PKR required for this withdrawal (amount + fee).';
    const reserved = '505.9899 PKR is reserved by withdrawals in progress.';
    expectMessage(
      await postOrder(merchant, withdrawal({ amount: raw('488.6240') })),
      422,
      `${missing} ${reserved}`,
    );
    const second = await createOrder(
      merchant,
      withdrawal({ amount: raw('488.6239'), merchantOrderRef: null }),
    );
    expect((await get(merchant, '/orders/balance')).json.data).toEqual({
      availableBalance: 0,
      reservedBalance: 1000.5,
      frozenBalance: 0,
      currency: 'PKR',
    });
    expectMessage(
      await postOrder(merchant, withdrawal({ amount: raw('0.0001') })),
      422,
      'Insufficient merchant balance: 0 PKR available, 1.0001 PKR required for this withdrawal (amount + fee). 1000.5 PKR is reserved by withdrawals in progress.',
    );
    // What fails comes back at once.
    await cancel(second);
    expect((await get(merchant, '/orders/balance')).json.data).toMatchObject({
      availableBalance: 494.5101,
      reservedBalance: 505.9899,
    });
    await cancel(first);
    expect((await get(merchant, '/orders/balance')).json.data).toMatchObject({
      availableBalance: 1000.5,
      reservedBalance: 0,
    });
    expect(await orderCount(merchant)).toBe(2);
  });

  test('without a fee rule the fee is null and the amount alone is asked for', async () => {
    const merchant = await createMerchant(service);
    expectMessage(
      await postOrder(merchant, withdrawal({ amount: 1 })),
      422,
      'Insufficient merchant balance: 0 PKR available, 1 PKR required for this withdrawal (amount + fee).',
    );
    await fundMerchant(service, merchant, '1');
    const { orderId } = await createOrder(
      merchant,
      withdrawal({ amount: 1, merchantOrderRef: null }),
    );
    expect((await get(merchant, `/orders/${orderId}/status`)).json.data).toMatchObject({
      fee: null,
      amount: 1,
    });
  });

  test('frozen money is not available', async () => {
    const merchant = await createMerchant(service, { balance: '100' });
    const freeze = {
      kind: 'adjust-wallet',
      commandId: randomUUID(),
      merchantId: merchant.merchantId,
      adjustment: 'freeze',
      amount: 600_001n,
      reason: 'settlement',
    } as const;
    await service.app.deps.engine.submit({
      ...freeze,
      ...standsAlone(TESTER),
    });
    expect((await get(merchant, '/orders/balance')).json.data).toEqual({
      availableBalance: 39.9999,
      reservedBalance: 0,
      frozenBalance: 60.0001,
      currency: 'PKR',
    });
    expectMessage(
      await postOrder(merchant, withdrawal({ amount: 40 })),
      422,
      'Insufficient merchant balance: 39.9999 PKR available, 40 PKR required for this withdrawal (amount + fee).',
    );
  });

  test('99999999999999.9999 from creation through status to the reservation, digit for digit', async () => {
    const merchant = await createMerchant(service, { balance: '99999999999999.9999' });
    const { orderId } = await createOrder(
      merchant,
      withdrawal({ amount: raw('99999999999999.9999'), merchantOrderRef: null }),
    );
    expect((await get(merchant, `/orders/${orderId}/status`)).text).toContain(
      '"amount":99999999999999.9999,',
    );
    expect((await get(merchant, '/orders/balance')).text).toBe(
      '{"data":{"availableBalance":0,"reservedBalance":99999999999999.9999,"frozenBalance":0,"currency":"PKR"}}',
    );
    expectMessage(
      await postOrder(merchant, withdrawal({ amount: raw('99999999999999.9999') })),
      422,
      'Insufficient merchant balance: 0 PKR available, 99999999999999.9999 PKR required for this withdrawal (amount + fee). 99999999999999.9999 PKR is reserved by withdrawals in progress.',
    );
    await cancel({ orderId });
  });
});

describe('currencies', () => {
  let merchant: TestMerchant;
  beforeAll(async () => {
    merchant = await createMerchant(service, {
      currencies: ['PKR', 'INR', 'BDT'],
      balance: '1000',
    });
    await sql(
      `insert into exchange_rates (currency, rate, valid_from) values ('INR', 3.35, '2020-01-01')`,
    );
  });

  test('a currency that is enabled but has no rate is refused as disabled', async () => {
    expectMessage(
      await postOrder(merchant, deposit({ currency: 'BDT' })),
      422,
      'ProviderA deposits are disabled for this merchant.',
    );
  });

  test('amount and fee stay in the order’s currency; reservation and funding message are in PKR at the rate of acceptance', async () => {
    await feeRule(merchant, 'Withdrawal', 'TillID', '0.55', '2');
    const body = withdrawal({
      walletType: 'TillID',
      currency: 'INR',
      amount: raw('100.01'),
      merchantOrderRef: null,
    });
    const { orderId } = await createOrder(merchant, body);
    const status = await get(merchant, `/orders/${orderId}/status`);
    expect(status.text).toContain('"amount":100.01,');
    // fee 0.55 + 2.0002; (100.01 + 2.5502) × 3.35 = 343.57667
    expect(status.json.data).toMatchObject({ currency: 'INR', fee: 2.5502 });
    expect((await get(merchant, '/orders/balance')).text).toBe(
      '{"data":{"availableBalance":656.4233,"reservedBalance":343.5767,"frozenBalance":0,"currency":"PKR"}}',
    );
    expectMessage(
      await postOrder(
        merchant,
        withdrawal({ walletType: 'BankAccount', currency: 'INR', amount: 200 }),
      ),
      422,
      'Insufficient merchant balance: 656.4233 PKR available, 670 PKR required for this withdrawal (amount + fee). 343.5767 PKR is reserved by withdrawals in progress.',
    );
    // A later rate changes nothing for what was accepted.
    await sql(`insert into exchange_rates (currency, rate, valid_from) values ('INR', 4, $1)`, [
      new Date(service.app.deps.clock.now() - 1).toISOString(),
    ]);
    expectMessage(
      await postOrder(
        merchant,
        withdrawal({ walletType: 'BankAccount', currency: 'INR', amount: 200 }),
      ),
      422,
      'Insufficient merchant balance: 656.4233 PKR available, 800 PKR required for this withdrawal (amount + fee). 343.5767 PKR is reserved by withdrawals in progress.',
    );
    await cancel({ orderId });
    expect((await get(merchant, '/orders/balance')).json.data).toMatchObject({
      availableBalance: 1000,
      reservedBalance: 0,
    });
  });
});
