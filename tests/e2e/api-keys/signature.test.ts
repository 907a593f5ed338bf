import { hash, randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect } from 'vitest';
import {
  createApiKey,
  createMerchant,
  signBody,
  type TestMerchant,
} from '../../support/fixtures.ts';
import {
  expectMessage,
  expectNoKey,
  expectProblem,
  expectSignatureError,
  get,
  postBytes,
  postOrder,
  type Reply,
  rawPost,
  replyOfRaw,
} from '../../support/merchant-client.ts';
import { serviceTest } from '../../support/service-test.ts';

/**
 * Bytes first: sizes, forms of the body, the signature algorithm, its codes, and the order of
 * checks (signing.md#the-algorithm, merchant-api.md#order-of-checks,
 * merchant-api.md#how-a-body-is-read, merchant-api.md#conventions, decision 4, decision 5,
 * security.md#texts-that-others-see).
 */
const { test, service } = await serviceTest();
const merchant = await createMerchant(service, { balance: '100000' });

const md5 = (text: string) => hash('md5', text);
const headersOf = (idempotencyKey = randomUUID()): [string, string][] => [
  ['SVC-API-Key', merchant.apiKey],
  ['Idempotency-Key', idempotencyKey],
];
/**
 * A signed deposit of exactly this many bytes, filled up in a field that the service does not know.
 */
function bodyOfBytes(bytes: number): string {
  const order = {
    orderType: 'Deposit',
    amount: 10,
    walletType: 'ProviderA',
    customerReference: randomUUID(),
    filler: '',
  };
  const bare = Buffer.byteLength(signBody(order, merchant.signingSecret));
  const body = signBody({ ...order, filler: 'x'.repeat(bytes - bare) }, merchant.signingSecret);
  expect(Buffer.byteLength(body)).toBe(bytes);
  return body;
}
const signed = (fields: object = {}) =>
  signBody(
    {
      orderType: 'Deposit',
      amount: 10,
      walletType: 'ProviderA',
      customerReference: randomUUID(),
      ...fields,
    },
    merchant.signingSecret,
  );

describe('size: 65,536 bytes are accepted, 65,537 are not', () => {
  test.each([
    ['with a length', { framing: 'length' }],
    ['with a length, in pieces', { framing: 'length', pieceBytes: 700 }],
    ['in chunks', { framing: 'chunked' }],
    ['in chunks of 97 bytes', { framing: 'chunked', pieceBytes: 97 }],
  ] as const)('%s', async (_name, sending) => {
    const largest = await rawPost(merchant, headersOf(), { body: bodyOfBytes(65_536), ...sending });
    expect(largest).toMatchObject({ status: 200 });
    const larger = replyOfRaw(
      await rawPost(merchant, headersOf(), { body: bodyOfBytes(65_537), ...sending }),
    );
    expectSignatureError(larger, 413, 'PAYLOAD_TOO_LARGE');
  });

  test('bytes are counted, not characters', async () => {
    const body = signBody(
      { orderType: 'Deposit', amount: 10, walletType: 'ProviderA', filler: '🙂'.repeat(16_500) },
      merchant.signingSecret,
    );
    expect(body.length).toBeLessThan(65_536);
    expectSignatureError(await postBytes(merchant, body), 413, 'PAYLOAD_TOO_LARGE');
  });

  test('a body that claims a gigabyte is refused before it is sent', async () => {
    const answer = await rawPost(merchant, [...headersOf(), ['Content-Length', '1000000000']], {
      body: '{',
      framing: 'none',
    });
    expectSignatureError(replyOfRaw(answer), 413, 'PAYLOAD_TOO_LARGE');
  });

  test.each([
    ['with a length', 'length'],
    ['in chunks', 'chunked'],
  ] as const)(
    'a client that sends five megabytes before it reads gets its answer, %s',
    async (_name, framing) => {
      const answers = await Promise.all(
        Array.from({ length: 10 }, () =>
          rawPost(merchant, headersOf(), {
            body: Buffer.alloc(5_000_000, 'x'),
            framing,
            pieceBytes: 65_536,
          }),
        ),
      );
      for (const answer of answers)
        expectSignatureError(replyOfRaw(answer), 413, 'PAYLOAD_TOO_LARGE');
    },
  );

  test.each(['100-continue', 'x', ''])(
    'Expect: %s keeps nobody from their answer',
    async (expectation) => {
      expect(
        await rawPost(merchant, [...headersOf(), ['Expect', expectation]], { body: signed() }),
      ).toMatchObject({ status: 200 });
    },
  );
});

describe('signature codes', () => {
  const fields = '"orderType":"Deposit","amount":10,"walletType":"ProviderA"';
  const good = 'a'.repeat(32);
  const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  test.each<[string, string | Buffer, string]>([
    // SIGNATURE_REQUIRED: no `signature` field, or null or empty
    ['no signature', `{${fields}}`, 'SIGNATURE_REQUIRED'],
    ['signature null', `{${fields},"signature":null}`, 'SIGNATURE_REQUIRED'],
    ['signature ""', `{${fields},"signature":""}`, 'SIGNATURE_REQUIRED'],
    ['an empty object', '{}', 'SIGNATURE_REQUIRED'],
    ['a look-alike: ſignature', `{${fields},"ſignature":"${good}"}`, 'SIGNATURE_REQUIRED'],
    [
      'only inside another object',
      `{${fields},"body":{"signature":"${good}"}}`,
      'SIGNATURE_REQUIRED',
    ],
    ['__proto__ with a signature', `{"__proto__":{"signature":"${good}"}}`, 'SIGNATURE_REQUIRED'],
    // SIGNATURE_MALFORMED: not a single JSON object, signature not a string, a key repeated
    ['an empty body', '', 'SIGNATURE_MALFORMED'],
    ['a space', ' ', 'SIGNATURE_MALFORMED'],
    ['words', 'orderType=Deposit&amount=10', 'SIGNATURE_MALFORMED'],
    ['an array', `[{${fields}}]`, 'SIGNATURE_MALFORMED'],
    ['a string', '"x"', 'SIGNATURE_MALFORMED'],
    ['a number', '5', 'SIGNATURE_MALFORMED'],
    ['null', 'null', 'SIGNATURE_MALFORMED'],
    ['two objects', `{${fields}}{}`, 'SIGNATURE_MALFORMED'],
    ['an object cut short', `{${fields}`, 'SIGNATURE_MALFORMED'],
    ['a trailing comma', `{${fields},}`, 'SIGNATURE_MALFORMED'],
    ['a comment', `{${fields}/**/}`, 'SIGNATURE_MALFORMED'],
    ['single quotes', `{'a':1}`, 'SIGNATURE_MALFORMED'],
    ['NaN', '{"amount":NaN}', 'SIGNATURE_MALFORMED'],
    ['a leading zero', '{"amount":01}', 'SIGNATURE_MALFORMED'],
    ['a raw NUL in a string', '{"a":"\0"}', 'SIGNATURE_MALFORMED'],
    ['a raw line break in a string', '{"a":"\n"}', 'SIGNATURE_MALFORMED'],
    ['a byte order mark', `\ufeff{${fields},"signature":"${good}"}`, 'SIGNATURE_MALFORMED'],
    ['UTF-16, little end first', Buffer.from(`{${fields}}`, 'utf16le'), 'SIGNATURE_MALFORMED'],
    ['UTF-16 with its mark', Buffer.from(`\ufeff{${fields}}`, 'utf16le'), 'SIGNATURE_MALFORMED'],
    [
      'Latin-1 é',
      Buffer.from(`{${fields},"metadata":"caf\u00e9","signature":"${good}"}`, 'latin1'),
      'SIGNATURE_MALFORMED',
    ],
    [
      'overlong UTF-8',
      Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xc0, 0xaf]), Buffer.from('"}')]),
      'SIGNATURE_MALFORMED',
    ],
    [
      'a surrogate in UTF-8',
      Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"}')]),
      'SIGNATURE_MALFORMED',
    ],
    ['gzip', gzipSync(`{${fields}}`), 'SIGNATURE_MALFORMED'],
    ['signature a number', `{${fields},"signature":5}`, 'SIGNATURE_MALFORMED'],
    ['signature true', `{${fields},"signature":true}`, 'SIGNATURE_MALFORMED'],
    ['signature an object', `{${fields},"signature":{}}`, 'SIGNATURE_MALFORMED'],
    ['signature an array', `{${fields},"signature":["${good}"]}`, 'SIGNATURE_MALFORMED'],
    ['a key twice', `{${fields},"amount":10,"signature":"${good}"}`, 'SIGNATURE_MALFORMED'],
    [
      'a key twice in another case',
      `{${fields},"AMOUNT":10,"signature":"${good}"}`,
      'SIGNATURE_MALFORMED',
    ],
    [
      'a key twice by an escape',
      `{${fields},"\\u0061mount":10,"signature":"${good}"}`,
      'SIGNATURE_MALFORMED',
    ],
    ['an unknown key twice, no signature', `{${fields},"x":1,"X":1}`, 'SIGNATURE_MALFORMED'],
    [
      'the Kelvin sign and k',
      `{${fields},"k":1,"\u212a":1,"signature":"${good}"}`,
      'SIGNATURE_MALFORMED',
    ],
    [
      'signature twice',
      `{${fields},"signature":"${good}","Signature":"${good}"}`,
      'SIGNATURE_MALFORMED',
    ],
    [
      'signature twice, one null',
      `{${fields},"signature":"${good}","SIGNATURE":null}`,
      'SIGNATURE_MALFORMED',
    ],
    [
      '__proto__ twice',
      `{"__proto__":1,"__PROTO__":2,"signature":"${good}"}`,
      'SIGNATURE_MALFORMED',
    ],
    [
      'a lone surrogate',
      `{${fields},"metadata":"\\ud800","signature":"${good}"}`,
      'SIGNATURE_MALFORMED',
    ],
    [
      'a lone surrogate deep down',
      `{${fields},"x":[{"y":"\\udc00"}],"signature":"${good}"}`,
      'SIGNATURE_MALFORMED',
    ],
    [
      'a lone surrogate in a key',
      `{${fields},"\\ud83d":1,"signature":"${good}"}`,
      'SIGNATURE_MALFORMED',
    ],
    ['30,000 levels, never closed', `{"a":${'['.repeat(30_000)}`, 'SIGNATURE_MALFORMED'],
    ['65,000 opening brackets', '['.repeat(65_000), 'SIGNATURE_MALFORMED'],
    // SIGNATURE_INVALID: mismatch
    ['another signature', `{${fields},"signature":"${good}"}`, 'SIGNATURE_INVALID'],
    ['31 characters', `{${fields},"signature":"${good.slice(1)}"}`, 'SIGNATURE_INVALID'],
    ['33 characters', `{${fields},"signature":"${good}a"}`, 'SIGNATURE_INVALID'],
    ['not hex', `{${fields},"signature":"${'z'.repeat(32)}"}`, 'SIGNATURE_INVALID'],
    ['60,000 characters', `{${fields},"signature":"${'a'.repeat(60_000)}"}`, 'SIGNATURE_INVALID'],
    ['full-width digits', `{${fields},"signature":"${'１'.repeat(32)}"}`, 'SIGNATURE_INVALID'],
    ['30,000 levels', `{${fields},"x":${deep(30_000)},"signature":"${good}"}`, 'SIGNATURE_INVALID'],
  ])('%s', async (_name, body, code) => {
    expectSignatureError(await postBytes(merchant, body), 401, code);
  });

  test('a body of 30,000 levels that is signed is an order, and takes no time', async () => {
    const body = `{${fields},"x":${deep(30_000)},"customerReference":"deep"}`;
    const signature = md5(
      `amount=10&customerreference=deep&ordertype=Deposit&wallettype=ProviderA${merchant.signingSecret}`,
    );
    const before = process.cpuUsage();
    expect(
      await postBytes(merchant, `${body.slice(0, -1)},"signature":"${signature}"}`),
    ).toMatchObject({ status: 200 });
    // Of the processor: how busy the machine is with other work does not count.
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(2_000);
  });

  test('nothing of the secret or of the expected signature is ever answered', async () => {
    const body = `{${fields},"signature":"${good}"}`;
    const { text } = await postBytes(merchant, body);
    const expected = md5(
      `amount=10&ordertype=Deposit&wallettype=ProviderA${merchant.signingSecret}`,
    );
    for (const secret of [
      expected,
      merchant.signingSecret,
      merchant.signingSecret.slice(0, 12),
      merchant.apiKey,
    ])
      expect(text).not.toContain(secret);
  });
});

describe('the signature algorithm, each row with its canonical string written out', () => {
  const sign = (canonical: string) => md5(canonical + merchant.signingSecret);
  test.each<[string, string, string]>([
    [
      'strings, numbers as written',
      '{"orderType":"Deposit","amount":1500.50,"walletType":"ProviderA",',
      'amount=1500.50&ordertype=Deposit&wallettype=ProviderA',
    ],
    [
      'null, "", objects and arrays are dropped',
      '{"orderType":"Deposit","amount":1,"walletType":0,"a":null,"b":"","c":{},"d":[1],',
      'amount=1&ordertype=Deposit&wallettype=0',
    ],
    [
      '0 and false are kept',
      '{"orderType":0,"amount":2,"walletType":0,"zero":0,"no":false,"yes":true,',
      'amount=2&no=false&ordertype=0&wallettype=0&yes=true&zero=0',
    ],
    [
      'keys in lower case',
      '{"OrderType":"Deposit","AMOUNT":3,"WalletType":"ProviderA",',
      'amount=3&ordertype=Deposit&wallettype=ProviderA',
    ],
    [
      'sorted by bytes: digits, underscore, letters',
      '{"b":1,"_":2,"a_":3,"a1":4,"aa":5,"A":6,"orderType":0,"amount":4,"walletType":0,',
      '_=2&a=6&a1=4&a_=3&aa=5&amount=4&b=1&ordertype=0&wallettype=0',
    ],
    [
      'UTF-8 order beyond the BMP',
      '{"\ufffd":1,"\u{1f642}":2,"orderType":0,"amount":5,"walletType":0,',
      'amount=5&ordertype=0&wallettype=0&\ufffd=1&\u{1f642}=2',
    ],
    [
      'strings unescaped',
      '{"orderType":"Deposit","amount":6,"walletType":"ProviderA","metadata":"a\\/b\\u0627\\n\\"&=%41+",',
      'amount=6&metadata=a/b\u0627\n"&=%41+&ordertype=Deposit&wallettype=ProviderA',
    ],
    [
      'a surrogate pair by escapes',
      '{"orderType":"Deposit","amount":7,"walletType":"ProviderA","metadata":"\\ud83d\\ude42",',
      'amount=7&metadata=\u{1f642}&ordertype=Deposit&wallettype=ProviderA',
    ],
    [
      'spaces between tokens do not count',
      ' {\t"orderType" : "Deposit" ,\r\n"amount":8 , "walletType":"ProviderA" ,',
      'amount=8&ordertype=Deposit&wallettype=ProviderA',
    ],
    [
      '__proto__ and constructor are keys',
      '{"__proto__":"p","constructor":"c","toString":1,"orderType":0,"amount":9,"walletType":0,',
      '__proto__=p&amount=9&constructor=c&ordertype=0&tostring=1&wallettype=0',
    ],
    [
      'an empty key',
      '{"":"e","orderType":0,"amount":10,"walletType":0,',
      '=e&amount=10&ordertype=0&wallettype=0',
    ],
    [
      'a number with trailing zeros and sign',
      '{"orderType":0,"amount":11.000,"walletType":0,"x":-0.0,',
      'amount=11.000&ordertype=0&wallettype=0&x=-0.0',
    ],
    [
      'İ is lower-cased by the Unicode default',
      '{"İ":1,"orderType":0,"amount":12,"walletType":0,',
      'amount=12&i\u0307=1&ordertype=0&wallettype=0',
    ],
  ])('%s', async (_name, open, canonical) => {
    const reply = await postBytes(merchant, `${open}"signature":"${sign(canonical)}"}`);
    expect(reply).toMatchObject({ status: 200 });
    expectSignatureError(
      await postBytes(merchant, `${open}"signature":"${sign(`${canonical} `)}"}`),
      401,
      'SIGNATURE_INVALID',
    );
  });

  test.each([
    ['in upper case', (signature: string) => signature.toUpperCase(), 'signature'],
    ['under the name Signature', (signature: string) => signature, 'Signature'],
    ['under the name SIGNATURE', (signature: string) => signature, 'SIGNATURE'],
  ])('hex %s counts', async (name, change, field) => {
    const canonical = `amount=1&customerreference=${name}&ordertype=Deposit&wallettype=ProviderA`;
    const body = `{"orderType":"Deposit","amount":1,"walletType":"ProviderA","customerReference":"${name}","${field}":"${change(sign(canonical))}"}`;
    expect(await postBytes(merchant, body)).toMatchObject({ status: 200 });
  });

  test('a number in exponent notation verifies as written, and is then refused', async () => {
    const body = `{"orderType":"Deposit","amount":1e3,"walletType":"ProviderA","signature":"${sign('amount=1e3&ordertype=Deposit&wallettype=ProviderA')}"}`;
    expectMessage(
      await postBytes(merchant, body),
      400,
      'Amount must be written without an exponent.',
    );
  });

  test('omitting a field and sending it null give the same signature, so they are one signed body', async () => {
    const signature = sign('amount=77&ordertype=Deposit&wallettype=ProviderA');
    const key = randomUUID();
    expect(
      await postBytes(
        merchant,
        `{"orderType":"Deposit","amount":77,"walletType":"ProviderA","signature":"${signature}"}`,
        { idempotencyKey: key },
      ),
    ).toMatchObject({
      status: 200,
    });
    const other = `{"orderType":"Deposit","amount":77,"walletType":"ProviderA","metadata":null,"signature":"${signature}"}`;
    expect(await postBytes(merchant, other, { idempotencyKey: key })).toMatchObject({
      status: 200,
    });
    expectSignatureError(await postBytes(merchant, other), 401, 'SIGNATURE_REPLAYED');
  });

  test('the secret of another key of the same merchant does not sign', async () => {
    const second = await createApiKey(service, merchant.merchantId);
    const body = signBody(
      {
        orderType: 'Deposit',
        amount: 10,
        walletType: 'ProviderA',
        customerReference: randomUUID(),
      },
      second.signingSecret,
    );
    expectSignatureError(await postBytes(merchant, body), 401, 'SIGNATURE_INVALID');
    expect(await postBytes({ ...merchant, ...second }, body)).toMatchObject({ status: 200 });
  });
});

describe('a legacy key without a signing secret', () => {
  let legacy: TestMerchant;
  beforeAll(async () => {
    legacy = { ...merchant, ...(await createApiKey(service, merchant.merchantId)) };
    await service.database.pool.query(
      'update api_keys set sealed_secret = null, seal_key_id = null where key_id = $1',
      [legacy.keyId],
    );
  });

  test.each([
    [
      'its former secret',
      () =>
        signBody(
          { orderType: 'Deposit', amount: 10, walletType: 'ProviderA' },
          legacy.signingSecret,
        ),
      'SIGNATURE_INVALID',
    ],
    [
      'an empty secret',
      () => signBody({ orderType: 'Deposit', amount: 10, walletType: 'ProviderA' }, ''),
      'SIGNATURE_INVALID',
    ],
    [
      'the word null',
      () => signBody({ orderType: 'Deposit', amount: 10, walletType: 'ProviderA' }, 'null'),
      'SIGNATURE_INVALID',
    ],
    ['no signature', () => '{}', 'SIGNATURE_REQUIRED'],
    ['no JSON', () => 'x', 'SIGNATURE_MALFORMED'],
  ])('%s', async (_name, body, code) => {
    expectSignatureError(await postBytes(legacy, body()), 401, code);
  });

  test('reads as any other key', async () => {
    expect(await get(legacy, '/orders/balance')).toMatchObject({ status: 200 });
    expectMessage(
      await get(legacy, '/orders/status?merchantOrderRef=none'),
      404,
      'Order not found.',
    );
  });
});

describe('Content-Type and Content-Encoding are not looked at', () => {
  test.each([
    ['none', []],
    ['application/json', [['Content-Type', 'application/json']]],
    ['application/json; charset=utf-16', [['Content-Type', 'application/json; charset=utf-16']]],
    ['text/plain', [['Content-Type', 'text/plain']]],
    ['text/xml', [['Content-Type', 'text/xml']]],
    ['application/x-www-form-urlencoded', [['Content-Type', 'application/x-www-form-urlencoded']]],
    ['multipart/form-data', [['Content-Type', 'multipart/form-data; boundary=x']]],
    ['no media type: json', [['Content-Type', 'json']]],
    ['no media type: ;;;', [['Content-Type', ';;;']]],
    ['an empty one', [['Content-Type', '']]],
    ['bytes beyond ASCII', [['Content-Type', '\xff/\xfe']]],
    ['2,000 characters', [['Content-Type', `a/${'b'.repeat(2_000)}`]]],
    [
      'two of them',
      [
        ['Content-Type', 'text/plain'],
        ['Content-Type', 'application/json'],
      ],
    ],
    ['Content-Encoding: gzip', [['Content-Encoding', 'gzip']]],
    ['Content-Encoding: br, unknown', [['Content-Encoding', 'br, unknown']]],
    [
      'an upgrade that a client proposes',
      [
        ['Connection', 'Upgrade, HTTP2-Settings'],
        ['Upgrade', 'h2c'],
        ['HTTP2-Settings', 'AAMAAABkAAQCAAAAAAIAAAAA'],
      ],
    ],
  ] as [string, [string, string][]][])('%s', async (_name, headers) => {
    for (const framing of ['length', 'chunked'] as const) {
      expect(
        await rawPost(merchant, [...headersOf(), ...headers], { body: signed(), framing }),
      ).toMatchObject({ status: 200 });
    }
    const empty = replyOfRaw(await rawPost(merchant, [...headersOf(), ...headers], { body: '' }));
    expectSignatureError(empty, 401, 'SIGNATURE_MALFORMED');
  });

  test('a POST without any body', async () => {
    expectSignatureError(
      replyOfRaw(await rawPost(merchant, headersOf(), { framing: 'none' })),
      401,
      'SIGNATURE_MALFORMED',
    );
  });
});

describe('the order of checks: of any two things wrong, the earlier one is answered', () => {
  interface Wrong {
    readonly name: string;
    /** What it does to a request that would be accepted. */
    readonly body?: object;
    readonly malform?: (body: string) => string;
    readonly apiKey?: string;
    readonly idempotencyKey?: string | null;
    /** Which merchant sends it: the state of the account is wrong. */
    readonly of?: 'suspended' | 'unlisted';
    /** Only together with a body that binds and validates. */
    readonly expect: (reply: Reply) => void;
  }
  let suspended: TestMerchant;
  let unlisted: TestMerchant;
  let open: TestMerchant;
  const bound = { key: randomUUID() };
  const liveReference = 'live-one';
  beforeAll(async () => {
    const restricted = {
      depositMethods: ['ProviderA'],
      withdrawalMethods: ['ProviderB'],
      balance: '100',
    } as const;
    suspended = await createMerchant(service, restricted);
    unlisted = await createMerchant(service, {
      ...restricted,
      ipWhitelist: { enabled: true, entries: [{ address: '203.0.113.7', scope: 'Both' }] },
    });
    open = await createMerchant(service, restricted);
    for (const one of [suspended, unlisted, open]) {
      const first = {
        orderType: 'Withdrawal',
        amount: 1,
        walletType: 'ProviderB',
        merchantOrderRef: liveReference,
      };
      if (one === unlisted)
        await service.database.pool.query(
          `update merchants set ip_whitelist = jsonb_set(ip_whitelist, '{enabled}', 'false') where merchant_id = $1`,
          [one.merchantId],
        );
      expect(await postOrder(one, first, { idempotencyKey: bound.key })).toMatchObject({
        status: 200,
      });
      if (one === unlisted)
        await service.database.pool.query(
          `update merchants set ip_whitelist = jsonb_set(ip_whitelist, '{enabled}', 'true') where merchant_id = $1`,
          [one.merchantId],
        );
    }
    await service.database.pool.query(
      `update merchants set status = 'suspended' where merchant_id = $1`,
      [suspended.merchantId],
    );
  });

  const LADDER: readonly Wrong[] = [
    { name: 'unknown API key', apiKey: `mk_live_${'0'.repeat(32)}`, expect: expectNoKey },
    {
      name: 'too large',
      body: { filler: 'x'.repeat(66_000) },
      expect: (reply) => expectSignatureError(reply, 413, 'PAYLOAD_TOO_LARGE'),
    },
    {
      name: 'not JSON',
      malform: (body) => `${body}x`,
      expect: (reply) => expectSignatureError(reply, 401, 'SIGNATURE_MALFORMED'),
    },
    {
      name: 'signature mismatch',
      malform: (body) =>
        body.replace(/"signature":"[0-9a-f]{32}/, `"signature":"${'0'.repeat(32)}`),
      expect: (reply) => expectSignatureError(reply, 401, 'SIGNATURE_INVALID'),
    },
    {
      name: 'no Idempotency-Key',
      idempotencyKey: null,
      expect: (reply) => expect(Object.keys(reply.json.errors)).toContain('Idempotency-Key'),
    },
    {
      name: 'wrong type',
      body: { metadata: 5 },
      expect: (reply) => expectProblem(reply, 400, ['$.metadata']),
    },
    {
      name: 'not valid',
      body: { maxRetryCount: 11 },
      expect: (reply) =>
        expectMessage(reply, 400, `'Max Retry Count' must be between 0 and 10. You entered 11.`),
    },
    {
      name: 'a known key with other terms',
      idempotencyKey: bound.key,
      expect: (reply) =>
        expectMessage(
          reply,
          422,
          'This Idempotency-Key was already used for a different order request.',
        ),
    },
    {
      name: 'suspended',
      of: 'suspended',
      expect: (reply) =>
        expectMessage(reply, 403, 'Merchant account is suspended; new orders are not accepted.'),
    },
    {
      name: 'address not listed',
      of: 'unlisted',
      expect: (reply) => expectMessage(reply, 403, 'IP not in whitelist.'),
    },
    {
      name: 'method disabled',
      body: { walletType: 'TillID' },
      expect: (reply) =>
        expectMessage(reply, 422, 'TillID withdrawals are disabled for this merchant.'),
    },
    {
      name: 'live reference',
      body: { merchantOrderRef: liveReference },
      expect: (reply) =>
        expect(reply.json.error).toMatch(
          /^merchantOrderRef 'live-one' is already used by order ORD-/,
        ),
    },
    {
      name: 'not enough balance',
      body: { amount: 100 },
      expect: (reply) =>
        expect(reply.json.error).toMatch(
          /^Insufficient merchant balance: 99 PKR available, 100 PKR required/,
        ),
    },
  ];
  const pairs = LADDER.flatMap((first, at) =>
    LADDER.slice(at + 1).map((second) => [first, second] as const),
  ).filter(
    ([first, second]) =>
      (first.of === undefined || second.of === undefined) &&
      !(first.idempotencyKey !== undefined && second.idempotencyKey !== undefined),
  );

  test.each(LADDER.map((wrong) => [wrong.name, wrong] as const))(
    '%s alone',
    async (_name, wrong) => {
      wrong.expect(await send([wrong]));
    },
  );

  test.each(pairs.map(([first, second]) => [first.name, second.name, first, second] as const))(
    '%s, and %s',
    async (_first, _second, first, second) => {
      first.expect(await send([second, first]));
    },
  );

  function send(wrongs: readonly Wrong[]): Promise<Reply> {
    const one = wrongs.some(({ of }) => of === 'suspended')
      ? suspended
      : wrongs.some(({ of }) => of === 'unlisted')
        ? unlisted
        : open;
    const order = {
      orderType: 'Withdrawal',
      amount: 2,
      walletType: 'ProviderB',
      customerReference: randomUUID(),
    };
    let body = signBody(
      Object.assign(order, ...wrongs.map((wrong) => wrong.body ?? {})),
      one.signingSecret,
    );
    for (const { malform } of wrongs) body = malform?.(body) ?? body;
    const idempotencyKey = wrongs.find(
      (wrong) => wrong.idempotencyKey !== undefined,
    )?.idempotencyKey;
    const apiKey = wrongs.find((wrong) => wrong.apiKey !== undefined)?.apiKey ?? one.apiKey;
    return postBytes({ ...one, apiKey }, body, {
      ...(idempotencyKey !== undefined && { idempotencyKey }),
    });
  }
});
