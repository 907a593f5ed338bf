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

describe('payment method table', () => {
  test.each([
    ['ProviderA', 200],
    ['ProviderATillID', 400],
    ['ProviderAQR', 400],
    ['ProviderB', 200],
    ['TillID', 200],
    ['ProviderBQR', 400],
    ['BankAccount', 200],
  ])('%s: deposits are accepted, a withdrawal answers %i', async (walletType, status) => {
    expect((await postOrder(merchant, deposit({ walletType }))).status).toBe(200);
    const reply = await postOrder(merchant, withdrawal({ walletType }));
    if (status === 200) expect(reply.status).toBe(200);
    else {
      expectMessage(
        reply,
        400,
        `${walletType} is a deposit-only payment method. A withdrawal's walletType must be one of: ProviderA, ProviderB, TillID, BankAccount.`,
      );
    }
  });
});

describe('order creation request: what is accepted, and how it is kept', () => {
  const longUrl = (length: number) =>
    `https://shop.example/${text(length - 'https://shop.example/'.length)}`;
  test.each<[string, object, Record<string, unknown>]>([
    ['orderType 0', { orderType: 0 }, { order_type: 'Deposit' }],
    ['orderType 1', { orderType: 1, customerAccountNumber: '1' }, { order_type: 'Withdrawal' }],
    ['walletType 0', { walletType: 0 }, { wallet_type: 'ProviderA' }],
    ['walletType 1', { walletType: 1 }, { wallet_type: 'ProviderATillID' }],
    ['walletType 2', { walletType: 2 }, { wallet_type: 'ProviderAQR' }],
    ['walletType 3', { walletType: 3 }, { wallet_type: 'ProviderB' }],
    ['walletType 4', { walletType: 4 }, { wallet_type: 'TillID' }],
    ['walletType 5', { walletType: 5 }, { wallet_type: 'ProviderBQR' }],
    ['walletType 6', { walletType: 6 }, { wallet_type: 'BankAccount' }],
    ['currency omitted', {}, { currency: 'PKR' }],
    ['currency null', { currency: null }, { currency: 'PKR' }],
    ['currency ""', { currency: '' }, { currency: 'PKR' }],
    ['currency 0', { currency: 0 }, { currency: 'PKR' }],
    ['amount 0.0001', { amount: raw('0.0001') }, { amount: '0.0001' }],
    ['amount 1.50000', { amount: raw('1.50000') }, { amount: '1.5000' }],
    [
      'amount 99999999999999.9999',
      { amount: raw('99999999999999.9999') },
      { amount: '99999999999999.9999' },
    ],
    ['merchantOrderRef of 200', { merchantOrderRef: text(200) }, { merchant_order_ref: text(200) }],
    [
      'merchantOrderRef of 200 emoji',
      { merchantOrderRef: text(200, '🙂') },
      { merchant_order_ref: text(200, '🙂') },
    ],
    ['merchantOrderRef ""', { merchantOrderRef: '' }, { merchant_order_ref: null }],
    ['merchantOrderRef null', { merchantOrderRef: null }, { merchant_order_ref: null }],
    [
      'merchantOrderRef with quotes and breaks',
      { merchantOrderRef: `"'\\\n\u2028</script>` },
      { merchant_order_ref: `"'\\\n\u2028</script>` },
    ],
    [
      'customerReference of 200 emoji',
      { customerReference: text(200, '👍') },
      { customer_reference: text(200, '👍') },
    ],
    [
      'customerAccountNumber of 50 emoji',
      { customerAccountNumber: text(50, '💳') },
      { customer_account_number: text(50, '💳') },
    ],
    [
      'customerAccountName of 200',
      { customerAccountNumber: '1', customerAccountName: text(200, 'é') },
      { customer_account_name: text(200, 'é') },
    ],
    ['callbackUrl of 500', { callbackUrl: longUrl(500) }, { callback_url: longUrl(500) }],
    ['successUrl of 500', { successUrl: longUrl(500) }, { success_url: longUrl(500) }],
    ['failureUrl of 500', { failureUrl: longUrl(500) }, { failure_url: longUrl(500) }],
    [
      'callbackUrl http, with port and query',
      { callbackUrl: 'http://shop.example:8080/a?b=c#d' },
      { callback_url: 'http://shop.example:8080/a?b=c#d' },
    ],
    ['callbackUrl ""', { callbackUrl: '' }, { callback_url: null }],
    ['metadata of 1000 emoji', { metadata: text(1000, '📦') }, { metadata: text(1000, '📦') }],
    ['metadata that looks like JSON', { metadata: '{"a":[1,2]}' }, { metadata: '{"a":[1,2]}' }],
    ['txnRefDigitsRequired omitted', {}, { txn_ref_digits_required: 4 }],
    ['txnRefDigitsRequired null', { txnRefDigitsRequired: null }, { txn_ref_digits_required: 4 }],
    ['txnRefDigitsRequired 4', { txnRefDigitsRequired: 4 }, { txn_ref_digits_required: 4 }],
    ['txnRefDigitsRequired 8', { txnRefDigitsRequired: 8 }, { txn_ref_digits_required: 8 }],
    ['maxRetryCount omitted', {}, { max_retry_count: 3 }],
    ['maxRetryCount 0', { maxRetryCount: 0 }, { max_retry_count: 0 }],
    ['maxRetryCount 10', { maxRetryCount: 10 }, { max_retry_count: 10 }],
    [
      'unknown fields of every type',
      { extra: 'x', more: 1, nested: { a: [] }, list: [1], yes: true },
      { status: 'Awaiting' },
    ],
    [
      'names in another case',
      { orderType: undefined, ORDERTYPE: 'Deposit', walletType: undefined, WalletType: 'TillID' },
      { wallet_type: 'TillID' },
    ],
  ])('%s', async (_name, fields, columns) => {
    const reply = await postOrder(merchant, deposit(fields));
    expect(reply).toMatchObject({ status: 200 });
    expect(await stored(reply.json.data.orderId)).toMatchObject(columns);
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
    ['1500.00', '1500'],
    ['0.0001', '0.0001'],
    ['0.1000', '0.1'],
    ['99999999999999.9999', '99999999999999.9999'],
    ['90071992547409.9311', '90071992547409.9311'],
    ['12345678901234.5670', '12345678901234.567'],
    ['10', '10'],
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

describe('validation: 400 with one message', () => {
  const positive = `'Amount' must be greater than '0'.`;
  const precise = 'Amount must have at most 4 decimal places and be less than 100,000,000,000,000.';
  const tooLong = (name: string, max: number, length: number) =>
    `The length of '${name}' must be ${max} characters or fewer. You entered ${length} characters.`;
  const notUrl = (name: string) => `${name} must be a valid absolute http(s) URL.`;
  test.each<[string, object, string]>([
    ['amount 0', { amount: 0 }, positive],
    ['amount 0.0000', { amount: raw('0.0000') }, positive],
    ['amount -0', { amount: raw('-0') }, positive],
    ['amount -1', { amount: -1 }, positive],
    ['amount omitted', { amount: undefined }, positive],
    ['amount null', { amount: null }, positive],
    ['amount 1.00005', { amount: raw('1.00005') }, precise],
    ['amount 0.00001', { amount: raw('0.00001') }, precise],
    ['amount 100000000000000', { amount: raw('100000000000000') }, precise],
    ['amount 99999999999999.99999', { amount: raw('99999999999999.99999') }, precise],
    ['amount of 60,000 digits', { amount: raw(text(60_000, '9')) }, precise],
    ['amount 1e3', { amount: raw('1e3') }, 'Amount must be written without an exponent.'],
    ['amount 1.5E+3', { amount: raw('1.5E+3') }, 'Amount must be written without an exponent.'],
    ['amount -1.00005', { amount: raw('-1.00005') }, `${positive}; ${precise}`],
    ['currency USD', { currency: 'USD' }, 'Currency must be one of: PKR, INR, BDT.'],
    ['currency pkr', { currency: 'pkr' }, 'Currency must be one of: PKR, INR, BDT.'],
    ['currency 3', { currency: 3 }, 'Currency must be one of: PKR, INR, BDT.'],
    ['currency -1', { currency: -1 }, 'Currency must be one of: PKR, INR, BDT.'],
    [
      'currency 99999999999999999999',
      { currency: raw('99999999999999999999') },
      'Currency must be one of: PKR, INR, BDT.',
    ],
    [
      'customerAccountName without number',
      { orderType: 'Withdrawal', customerAccountName: 'A' },
      'CustomerAccountName can only be sent together with CustomerAccountNumber.',
    ],
    [
      'customerAccountName without number on a deposit',
      { customerAccountName: 'A' },
      'CustomerAccountName can only be sent together with CustomerAccountNumber.',
    ],
    [
      'customerAccountName with an empty number',
      { customerAccountNumber: '', customerAccountName: 'A' },
      'CustomerAccountName can only be sent together with CustomerAccountNumber.',
    ],
    [
      'merchantOrderRef of 201',
      { merchantOrderRef: text(201) },
      tooLong('Merchant Order Ref', 200, 201),
    ],
    [
      'merchantOrderRef of 201 emoji',
      { merchantOrderRef: text(201, '🙂') },
      tooLong('Merchant Order Ref', 200, 201),
    ],
    [
      'customerReference of 201',
      { customerReference: text(201) },
      tooLong('Customer Reference', 200, 201),
    ],
    [
      'customerAccountNumber of 51',
      { customerAccountNumber: text(51) },
      tooLong('Customer Account Number', 50, 51),
    ],
    [
      'customerAccountName of 201',
      { customerAccountNumber: '1', customerAccountName: text(201) },
      tooLong('Customer Account Name', 200, 201),
    ],
    [
      'callbackUrl of 501',
      { callbackUrl: `https://a.example/${text(483)}` },
      tooLong('Callback Url', 500, 501),
    ],
    [
      'successUrl of 501',
      { successUrl: `https://a.example/${text(483)}` },
      tooLong('Success Url', 500, 501),
    ],
    [
      'failureUrl of 501',
      { failureUrl: `https://a.example/${text(483)}` },
      tooLong('Failure Url', 500, 501),
    ],
    ['metadata of 1001', { metadata: text(1001) }, tooLong('Metadata', 1000, 1001)],
    ['metadata of 1001 emoji', { metadata: text(1001, '📦') }, tooLong('Metadata', 1000, 1001)],
    ['callbackUrl relative', { callbackUrl: '/hook' }, notUrl('CallbackUrl')],
    ['callbackUrl ftp', { callbackUrl: 'ftp://a.example/' }, notUrl('CallbackUrl')],
    ['callbackUrl javascript', { callbackUrl: 'javascript:alert(1)' }, notUrl('CallbackUrl')],
    ['callbackUrl without host', { callbackUrl: 'http://' }, notUrl('CallbackUrl')],
    ['callbackUrl http:foo', { callbackUrl: 'http:foo' }, notUrl('CallbackUrl')],
    ['callbackUrl with a space', { callbackUrl: 'https://a b.example/' }, notUrl('CallbackUrl')],
    [
      'callbackUrl with a line break',
      { callbackUrl: 'https://a.example/\r\nx' },
      notUrl('CallbackUrl'),
    ],
    ['successUrl wrong', { successUrl: 'shop' }, notUrl('SuccessUrl')],
    ['failureUrl wrong', { failureUrl: 'data:text/html,x' }, notUrl('FailureUrl')],
    [
      'txnRefDigitsRequired 3',
      { txnRefDigitsRequired: 3 },
      `'Txn Ref Digits Required' must be between 4 and 8. You entered 3.`,
    ],
    [
      'txnRefDigitsRequired 9',
      { txnRefDigitsRequired: 9 },
      `'Txn Ref Digits Required' must be between 4 and 8. You entered 9.`,
    ],
    [
      'txnRefDigitsRequired 9 on a withdrawal',
      { orderType: 'Withdrawal', txnRefDigitsRequired: 9 },
      `'Txn Ref Digits Required' must be between 4 and 8. You entered 9.`,
    ],
    [
      'maxRetryCount 11',
      { maxRetryCount: 11 },
      `'Max Retry Count' must be between 0 and 10. You entered 11.`,
    ],
    [
      'maxRetryCount -1',
      { maxRetryCount: -1 },
      `'Max Retry Count' must be between 0 and 10. You entered -1.`,
    ],
    [
      'NUL in merchantOrderRef',
      { merchantOrderRef: 'a\0b' },
      `'Merchant Order Ref' must not contain a null character.`,
    ],
    [
      'NUL in customerReference',
      { customerReference: '\0' },
      `'Customer Reference' must not contain a null character.`,
    ],
    [
      'NUL in customerAccountNumber',
      { customerAccountNumber: '1\0' },
      `'Customer Account Number' must not contain a null character.`,
    ],
    [
      'NUL in customerAccountName',
      { customerAccountNumber: '1', customerAccountName: 'a\0' },
      `'Customer Account Name' must not contain a null character.`,
    ],
    ['NUL in metadata', { metadata: 'a\0' }, `'Metadata' must not contain a null character.`],
    [
      'NUL in callbackUrl',
      { callbackUrl: 'https://a.example/\0' },
      `'Callback Url' must not contain a null character.; ${notUrl('CallbackUrl')}`,
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
        notUrl('CallbackUrl'),
        tooLong('Metadata', 1000, 1001),
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
    ['orderType omitted', { orderType: undefined }, ['$.orderType']],
    ['orderType null', { orderType: null }, ['$.orderType']],
    ['orderType ""', { orderType: '' }, ['$.orderType']],
    ['orderType unknown', { orderType: 'Refund' }, ['$.orderType']],
    ['orderType in another case', { orderType: 'deposit' }, ['$.orderType']],
    ['orderType "0"', { orderType: '0' }, ['$.orderType']],
    ['orderType 2', { orderType: 2 }, ['$.orderType']],
    ['orderType -0.0', { orderType: raw('-0.0') }, ['$.orderType']],
    ['orderType true', { orderType: true }, ['$.orderType']],
    ['walletType omitted', { walletType: undefined }, ['$.walletType']],
    ['walletType unknown', { walletType: 'Cash' }, ['$.walletType']],
    ['walletType 7', { walletType: 7 }, ['$.walletType']],
    ['walletType {}', { walletType: {} }, ['$.walletType']],
    ['amount "1500"', { amount: '1500' }, ['$.amount']],
    ['amount true', { amount: true }, ['$.amount']],
    ['amount []', { amount: [] }, ['$.amount']],
    ['amount {}', { amount: {} }, ['$.amount']],
    ['currency []', { currency: [] }, ['$.currency']],
    ['currency 0.5', { currency: 0.5 }, ['$.currency']],
    ['merchantOrderRef 5', { merchantOrderRef: 5 }, ['$.merchantOrderRef']],
    ['customerReference true', { customerReference: true }, ['$.customerReference']],
    ['customerAccountNumber 5', { customerAccountNumber: 3001234567 }, ['$.customerAccountNumber']],
    ['customerAccountName {}', { customerAccountName: {} }, ['$.customerAccountName']],
    ['callbackUrl []', { callbackUrl: [] }, ['$.callbackUrl']],
    ['successUrl 1', { successUrl: 1 }, ['$.successUrl']],
    ['failureUrl 1', { failureUrl: 1 }, ['$.failureUrl']],
    ['metadata {}', { metadata: { a: 1 } }, ['$.metadata']],
    ['txnRefDigitsRequired "4"', { txnRefDigitsRequired: '4' }, ['$.txnRefDigitsRequired']],
    ['txnRefDigitsRequired 4.0', { txnRefDigitsRequired: raw('4.0') }, ['$.txnRefDigitsRequired']],
    ['maxRetryCount 4.5', { maxRetryCount: 4.5 }, ['$.maxRetryCount']],
    ['maxRetryCount ""', { maxRetryCount: '' }, ['$.maxRetryCount']],
    [
      'all at once',
      { orderType: 'x', amount: '1', walletType: undefined, metadata: 1 },
      ['$.orderType', '$.amount', '$.walletType', '$.metadata'],
    ],
  ])('%s', async (_name, fields, expected) => {
    expectProblem(await postOrder(merchant, deposit(fields)), 400, expected);
  });
});
