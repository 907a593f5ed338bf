import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { createMember, createMerchant, setPresence } from '../../support/fixtures.ts';
import { expectMessage, expectProblem, get, postOrder } from '../../support/merchant-client.ts';
import { serviceTest } from '../../support/service-test.ts';

/**
 * Order creation against the tables of merchant-api.md#create-an-order: request, payment methods,
 * answer, messages, limits.
 */
const { test, service } = await serviceTest();
const merchant = await createMerchant(service, { balance: '1000000000000000' });

const raw = (text: string) => (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(text);
const text = (length: number, character = 'x') => character.repeat(length);
/**
 * A deposit that is accepted, with a reference of its own; a field given as undefined is not sent.
 */
const deposit = (fields: object = {}) => ({
  orderType: 'Deposit',
  amount: 1500,
  walletType: 'ProviderA',
  customerReference: randomUUID(),
  ...fields,
});
const withdrawal = (fields: object = {}) =>
  deposit({
    orderType: 'Withdrawal',
    walletType: 'ProviderB',
    customerAccountNumber: '03001234567',
    ...fields,
  });
const stored = async (orderId: string) =>
  (await service.database.pool.query('select * from orders where order_id = $1', [orderId]))
    .rows[0] as Record<string, unknown>;

describe('order creation response', () => {
  test('a deposit without an eligible member: every field, and nothing else', async () => {
    const before = service.app.deps.clock.now();
    const reply = await postOrder(merchant, deposit({ merchantOrderRef: 'INV-1' }));
    const after = service.app.deps.clock.now();
    expect(reply).toMatchObject({ status: 200, contentType: 'application/json; charset=utf-8' });
    expect(reply.json).toEqual({
      data: {
        orderId: expect.stringMatching(
          /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
        ),
        orderReference: expect.stringMatching(/^ORD-\d{14}-[0-9A-HJKMNP-TV-Z]{6}$/),
        status: 'Awaiting',
        stage: 'Awaiting',
        merchantOrderRef: 'INV-1',
        paymentPageUrl: expect.stringMatching(
          new RegExp(`^${service.url}/pay/${reply.json.data.orderId}\\?`),
        ),
        expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/),
      },
    });
    const expiresAt = Date.parse(reply.json.data.expiresAt);
    expect(expiresAt).toBeGreaterThanOrEqual(before + 900_000);
    expect(expiresAt).toBeLessThanOrEqual(after + 900_000);
  });

  test('merchantOrderRef is null when it was not sent', async () => {
    expect((await postOrder(merchant, deposit())).json.data).toMatchObject({
      merchantOrderRef: null,
    });
  });

  test.each([
    [
      'a deposit with a member',
      deposit({ walletType: 'TillID' }),
      { status: 'Queued', stage: 'Assigned' },
    ],
    [
      'a deposit of a method that no member has',
      deposit({ walletType: 'ProviderBQR' }),
      { status: 'Awaiting', stage: 'Awaiting' },
    ],
    [
      'a withdrawal with a member of the provider',
      withdrawal({ walletType: 'ProviderB', customerReference: 'assigned' }),
      { status: 'AwaitingMemberPayout', stage: 'Assigned' },
    ],
    [
      'a withdrawal without an account',
      withdrawal({ customerAccountNumber: undefined }),
      { status: 'Awaiting', stage: 'Awaiting' },
    ],
    [
      'a withdrawal of a provider that no member has',
      withdrawal({ walletType: 'BankAccount' }),
      { status: 'Awaiting', stage: 'Awaiting' },
    ],
  ])('%s', async (_name, body, expected) => {
    const member = await createMember(service, { methods: ['TillID'] });
    const reply = await postOrder(merchant, body);
    expect(reply).toMatchObject({ status: 200, json: { data: expected } });
    expect(
      Date.parse(reply.json.data.expiresAt) -
        ((await stored(reply.json.data.orderId))['created_at'] as number),
    ).toBe(900_000);
    await setPresence(service, member.memberId, false);
  });
});

/** Every field and its limits: packages/core/src/creation-message.test.ts. */
describe('order creation request: what is accepted, and how it is kept', () => {
  test('every field as it was sent, to its last character', async () => {
    const longUrl = (path: string) => `https://shop.example:8080/?q=${path}#`.padEnd(500, 'x');
    const fields = {
      ORDERTYPE: 1,
      amount: raw('99999999999999.99990'),
      WalletType: 6,
      currency: 0,
      merchantOrderRef: `"'\\\n\u2028</script>${text(186, '🙂')}`,
      customerReference: text(200, '👍'),
      customerAccountNumber: text(50, '💳'),
      customerAccountName: text(200, 'é'),
      callbackUrl: longUrl('callback'),
      successUrl: longUrl('success'),
      failureUrl: longUrl('failure'),
      metadata: `{"a":[1,2]}${text(989, '📦')}`,
      txnRefDigitsRequired: 8,
      maxRetryCount: 0,
      extra: { nested: [true, 1] },
    };
    const reply = await postOrder(merchant, fields);
    expect(reply).toMatchObject({ status: 200 });
    expect(await stored(reply.json.data.orderId)).toMatchObject({
      order_type: 'Withdrawal',
      amount: '99999999999999.9999',
      wallet_type: 'BankAccount',
      currency: 'PKR',
      merchant_order_ref: fields.merchantOrderRef,
      customer_reference: fields.customerReference,
      customer_account_number: fields.customerAccountNumber,
      customer_account_name: fields.customerAccountName,
      callback_url: fields.callbackUrl,
      success_url: fields.successUrl,
      failure_url: fields.failureUrl,
      metadata: fields.metadata,
      txn_ref_digits_required: 8,
      max_retry_count: 0,
    });
  });

  test('defaults where nothing was sent', async () => {
    const reply = await postOrder(merchant, deposit());
    expect(await stored(reply.json.data.orderId)).toMatchObject({
      currency: 'PKR',
      merchant_order_ref: null,
      callback_url: null,
      txn_ref_digits_required: 4,
      max_retry_count: 3,
    });
  });

  test('the default callback URL of the merchant is fixed at creation', async () => {
    const withDefault = await createMerchant(service, {
      defaultCallbackUrl: 'https://default.example/hook',
    });
    const first = await postOrder(withDefault, deposit());
    const own = await postOrder(withDefault, deposit({ callbackUrl: 'https://own.example/hook' }));
    await service.database.pool.query(
      `update merchants set default_callback_url = 'https://later.example/' where merchant_id = $1`,
      [withDefault.merchantId],
    );
    const later = await postOrder(withDefault, deposit());
    const urls = await Promise.all(
      [first, own, later].map(
        async ({ json }) => (await stored(json.data.orderId))['callback_url'],
      ),
    );
    expect(urls).toEqual([
      'https://default.example/hook',
      'https://own.example/hook',
      'https://later.example/',
    ]);
  });

  test.each([
    ['1500.50', '1500.5'],
    ['90071992547409.9311', '90071992547409.9311'],
  ])('amount %s is answered as %s', async (sent, answered) => {
    const { json } = await postOrder(merchant, deposit({ amount: raw(sent) }));
    const { text: status } = await get(merchant, `/orders/${json.data.orderId}/status`);
    expect(status).toContain(`"amount":${answered},"queuedAt"`);
  });

  test('metadata, customer fields and URLs are never in a response', async () => {
    const secrets = {
      metadata: 'meta-7f1',
      customerReference: 'cust-7f1',
      customerAccountNumber: 'acct-7f1',
      customerAccountName: 'name-7f1',
    };
    const created = await postOrder(
      merchant,
      withdrawal({ ...secrets, callbackUrl: 'https://hook-7f1.example/' }),
    );
    const status = await get(merchant, `/orders/${created.json.data.orderId}/status`);
    expect(created.status).toBe(200);
    for (const secret of [...Object.values(secrets), 'hook-7f1'])
      expect(created.text + status.text).not.toContain(secret);
  });
});

/** A row of each family; every field: packages/core/src/creation-message.test.ts. */
describe('validation: 400 with one message', () => {
  const positive = `'Amount' must be greater than '0'.`;
  const precise = 'Amount must have at most 4 decimal places and be less than 100,000,000,000,000.';
  const tooLong = `The length of 'Metadata' must be 1000 characters or fewer. You entered 1001 characters.`;
  const notUrl = 'CallbackUrl must be a valid absolute http(s) URL.';
  test.each<[string, object, string]>([
    ['an amount', { amount: raw('-1.00005') }, `${positive}; ${precise}`],
    ['an exponent', { amount: raw('1e3') }, 'Amount must be written without an exponent.'],
    [
      'a method that only takes deposits',
      { orderType: 'Withdrawal', walletType: 'ProviderAQR' },
      `ProviderAQR is a deposit-only payment method. A withdrawal's walletType must be one of: ProviderA, ProviderB, TillID, BankAccount.`,
    ],
    ['a currency', { currency: 'USD' }, 'Currency must be one of: PKR, INR, BDT.'],
    [
      'a field that goes with another',
      { customerAccountName: 'A' },
      'CustomerAccountName can only be sent together with CustomerAccountNumber.',
    ],
    ['a length', { metadata: text(1001, '📦') }, tooLong],
    ['a null character', { metadata: 'a\0' }, `'Metadata' must not contain a null character.`],
    ['an address', { callbackUrl: '/hook' }, notUrl],
    [
      'a range',
      { txnRefDigitsRequired: 9 },
      `'Txn Ref Digits Required' must be between 4 and 8. You entered 9.`,
    ],
    [
      'several, in the order of the request table',
      {
        maxRetryCount: 11,
        metadata: text(1001),
        callbackUrl: 'x',
        currency: 'USD',
        amount: 0,
        txnRefDigitsRequired: 3,
      },
      [
        positive,
        'Currency must be one of: PKR, INR, BDT.',
        notUrl,
        tooLong,
        `'Txn Ref Digits Required' must be between 4 and 8. You entered 3.`,
        `'Max Retry Count' must be between 0 and 10. You entered 11.`,
      ].join('; '),
    ],
  ])('%s', async (_name, fields, message) => {
    expectMessage(await postOrder(merchant, deposit(fields)), 400, message);
  });
});

describe('binding: 400 problem details', () => {
  test.each<[string, object, string[]]>([
    ['a name of none', { walletType: 'Cash' }, ['$.walletType']],
    ['text for a number', { amount: '1500' }, ['$.amount']],
    ['a number for text', { merchantOrderRef: 5 }, ['$.merchantOrderRef']],
    ['a fraction for an integer', { maxRetryCount: 4.5 }, ['$.maxRetryCount']],
    [
      'several at once',
      { orderType: undefined, amount: '1', walletType: undefined, metadata: 1 },
      ['$.orderType', '$.amount', '$.walletType', '$.metadata'],
    ],
  ])('%s', async (_name, fields, expected) => {
    expectProblem(await postOrder(merchant, deposit(fields)), 400, expected);
  });
});
