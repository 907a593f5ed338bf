import { hash, randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { createApp } from '../../../apps/server/src/app/app.ts';
import { readConfig } from '../../../apps/server/src/platform/config.ts';
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
  rawPost,
  replyOfRaw,
} from '../../support/merchant-client.ts';
import { type ServerProcess, startProcess } from '../../support/process.ts';
import { rawRequest } from '../../support/raw-http.ts';
import { MASTER_KEY } from '../../support/service.ts';
import { serviceTest } from '../../support/service-test.ts';

/**
 * Who asks: API keys, their revocation on every node, the Idempotency-Key header, and the trace id
 * by which an answer is found in the log.
 */
const { test, service } = await serviceTest();
const merchant = await createMerchant(service);

type Header = readonly [name: string, value: string];
const order = (fields: object = {}) => ({
  orderType: 'Deposit',
  amount: 10,
  walletType: 'ProviderA',
  customerReference: randomUUID(),
  ...fields,
});
const signed = (one: TestMerchant = merchant) => signBody(order(), one.signingSecret);
const revoke = (one: TestMerchant) =>
  service.database.pool.query('update api_keys set revoked_at = $2 where key_id = $1', [
    one.keyId,
    new Date(service.app.deps.clock.now()).toISOString(),
  ]);
const balance = (headers: readonly Header[], path = '/api/merchant/orders/balance') =>
  rawRequest(service.url, { path, headers });
const anotherKey = async (): Promise<TestMerchant> => ({
  ...merchant,
  ...(await createApiKey(service, merchant.merchantId)),
});

describe('request authentication', () => {
  const unknown = `mk_live_${'0'.repeat(32)}`;
  test.each<[string, (key: string) => Header[]]>([
    ['SVC-API-Key', (key) => [['SVC-API-Key', key]]],
    ['svc-api-key', (key) => [['svc-api-key', key]]],
    ['Authorization: Bearer', (key) => [['Authorization', `Bearer ${key}`]]],
    ['authorization: bearer', (key) => [['authorization', `bearer ${key}`]]],
    [
      'both: SVC-API-Key is used',
      (key) => [
        ['SVC-API-Key', key],
        ['Authorization', `Bearer ${unknown}`],
      ],
    ],
    [
      'SVC-API-Key with another scheme of Authorization',
      (key) => [
        ['SVC-API-Key', key],
        ['Authorization', 'Basic eDp5'],
      ],
    ],
    [
      'an empty SVC-API-Key counts as not sent',
      (key) => [
        ['SVC-API-Key', ''],
        ['Authorization', `Bearer ${key}`],
      ],
    ],
    [
      'an SVC-API-Key of spaces counts as not sent',
      (key) => [
        ['SVC-API-Key', '   '],
        ['Authorization', `Bearer ${key}`],
      ],
    ],
    ['spaces around the key', (key) => [['SVC-API-Key', `  ${key}  `]]],
  ])('accepted: %s', async (_name, headers) => {
    expect(await balance(headers(merchant.apiKey))).toMatchObject({ status: 200 });
    expect(
      await rawPost(merchant, [...headers(merchant.apiKey), ['Idempotency-Key', randomUUID()]], {
        body: signed(),
      }),
    ).toMatchObject({ status: 200 });
  });

  test.each<[string, (key: string) => Header[]]>([
    ['no key', () => []],
    ['an empty SVC-API-Key', () => [['SVC-API-Key', '']]],
    ['an unknown key', () => [['SVC-API-Key', unknown]]],
    [
      'an unknown key beside a good Bearer',
      (key) => [
        ['SVC-API-Key', unknown],
        ['Authorization', `Bearer ${key}`],
      ],
    ],
    [
      'a wrong prefix beside a good Bearer',
      (key) => [
        ['SVC-API-Key', 'x'],
        ['Authorization', `Bearer ${key}`],
      ],
    ],
    ['the key without its prefix', (key) => [['SVC-API-Key', key.slice(8)]]],
    ['the prefix in upper case', (key) => [['SVC-API-Key', key.replace('mk_', 'MK_')]]],
    [
      'the key in another case',
      (key) => [['SVC-API-Key', key.slice(0, 8) + key.slice(8).toLowerCase()]],
    ],
    ['one character less', (key) => [['SVC-API-Key', key.slice(0, -1)]]],
    ['one character more', (key) => [['SVC-API-Key', `${key}x`]]],
    [
      'the key twice',
      (key) => [
        ['SVC-API-Key', key],
        ['SVC-API-Key', key],
      ],
    ],
    ['Bearer inside SVC-API-Key', (key) => [['SVC-API-Key', `Bearer ${key}`]]],
    ['Authorization without Bearer', (key) => [['Authorization', key]]],
    ['Basic', (key) => [['Authorization', `Basic ${Buffer.from(`${key}:`).toString('base64')}`]]],
    ['Bearer alone', () => [['Authorization', 'Bearer']]],
    ['the signing secret', () => [['SVC-API-Key', merchant.signingSecret]]],
    ['the hash of the key', (key) => [['SVC-API-Key', `mk_${hash('sha256', key)}`]]],
    ['10,000 characters', () => [['SVC-API-Key', `mk_live_${'x'.repeat(10_000)}`]]],
    ['bytes beyond ASCII', () => [['SVC-API-Key', 'mk_live_\xff\xfe']]],
    ['SQL', () => [['SVC-API-Key', `mk_' or 1=1 --`]]],
    [
      'an operator token',
      () => [
        ['SVC-API-Key', 'op_test-operator-one'],
        ['Authorization', 'Bearer op_test-operator-one'],
      ],
    ],
    ['a header of another name', (key) => [['X-Key', key]]],
  ])('401 with an empty body: %s', async (_name, headers) => {
    const paths = [
      '/api/merchant/orders/balance',
      '/api/merchant/orders/status?merchantOrderRef=x',
      '/api/merchant/orders/ORD-1/status',
      '/api/merchant/orders/x/status',
      '/api/merchant/orders/status',
    ];
    for (const path of paths) {
      const answer = await balance(headers(merchant.apiKey), path);
      expectNoKey(replyOfRaw(answer));
      expect(answer).toMatchObject({ body: Buffer.alloc(0) });
      expect(answer.header('content-length')).toBe('0');
    }
    for (const body of [signed(), 'not JSON', '', Buffer.alloc(70_000, 'x')]) {
      expectNoKey(
        replyOfRaw(
          await rawPost(
            merchant,
            [...headers(merchant.apiKey), ['Idempotency-Key', randomUUID()]],
            { body },
          ),
        ),
      );
    }
  });

  test('a key in the URL is not looked at', async () => {
    expectNoKey(
      replyOfRaw(
        await balance(
          [],
          `/api/merchant/orders/balance?SVC-API-Key=${merchant.apiKey}&api_key=${merchant.apiKey}`,
        ),
      ),
    );
  });
});

describe('a revoked key stops working immediately', () => {
  let other: ServerProcess;
  beforeAll(async () => {
    other = await startProcess(service);
  });
  afterAll(async () => {
    expect(await other.stop()).toBe(0);
  });

  test('on the next request, on every server that had remembered it, regardless of what else is wrong with the request', async () => {
    const here = await anotherKey();
    const there = { ...here, url: other.url };
    for (const one of [here, there]) {
      expect(await postOrder(one, order())).toMatchObject({ status: 200 });
      expect(await get(one, '/orders/balance')).toMatchObject({ status: 200 });
    }
    await revoke(here);
    const requests = (one: TestMerchant) => [
      () => postOrder(one, order()),
      () => postBytes(one, 'not JSON'),
      () => postBytes(one, '{}'),
      () => postBytes(one, signed({ ...one, signingSecret: 'another' })),
      () => postBytes(one, Buffer.alloc(70_000, 'x')),
      () => postOrder(one, order(), { idempotencyKey: null }),
      () => postOrder(one, order({ amount: 0 })),
      () => postOrder(one, order({ walletType: 'x' })),
      () => get(one, '/orders/balance'),
      () => get(one, '/orders/status?merchantOrderRef=x'),
      () => get(one, '/orders/status'),
      () => get(one, '/orders/status?orderReference=a&merchantOrderRef=b'),
      () => get(one, `/orders/${randomUUID()}/status`),
      () => get(one, '/orders/x/status'),
    ];
    for (const one of [there, here])
      for (const request of requests(one)) expectNoKey(await request());
  });

  test('each kind of request is the first after the revocation', async () => {
    const kinds: ((one: TestMerchant) => ReturnType<typeof get>)[] = [
      (one) => postOrder(one, order()),
      (one) => postBytes(one, 'not JSON'),
      (one) => postBytes(one, Buffer.alloc(70_000, 'x')),
      (one) => postOrder(one, order(), { idempotencyKey: null }),
    ];
    for (const kind of kinds) {
      const one = { ...(await anotherKey()), url: other.url };
      expect(await postOrder(one, order())).toMatchObject({ status: 200 });
      await revoke(one);
      expectNoKey(await kind(one));
    }
  });

  test('an order made with it stays readable by the other keys, and its idempotency key is gone with it', async () => {
    const old = await anotherKey();
    const body = order({ merchantOrderRef: randomUUID() });
    const idempotencyKey = randomUUID();
    const { json } = await postOrder(old, body, { idempotencyKey });
    await revoke(old);
    const fresh = await anotherKey();
    expect((await get(fresh, `/orders/${json.data.orderId}/status`)).json.data).toMatchObject({
      orderId: json.data.orderId,
    });
    expect(await postOrder(fresh, body, { idempotencyKey })).toMatchObject({ status: 409 });
  });
});

describe('Idempotency-Key header', () => {
  const post = (headers: readonly Header[], body = signed()) =>
    rawPost(merchant, [['SVC-API-Key', merchant.apiKey], ...headers], { body });
  const utf8 = (text: string) => Buffer.from(text).toString('latin1');

  test.each<[string, Header[]]>([
    ['absent', []],
    ['empty', [['Idempotency-Key', '']]],
    ['spaces only', [['Idempotency-Key', '   ']]],
    ['101 characters', [['Idempotency-Key', 'k'.repeat(101)]]],
    ['101 emoji', [['Idempotency-Key', utf8('🔑'.repeat(101))]]],
    ['5,000 characters', [['Idempotency-Key', 'k'.repeat(5_000)]]],
    [
      'sent twice',
      [
        ['Idempotency-Key', 'a'],
        ['Idempotency-Key', 'b'],
      ],
    ],
    [
      'sent twice, equal',
      [
        ['Idempotency-Key', 'a'],
        ['idempotency-key', 'a'],
      ],
    ],
  ])('400 problem details: %s', async (_name, headers) => {
    expectProblem(replyOfRaw(await post(headers)), 400, ['Idempotency-Key']);
  });

  test.each<[string, string]>([
    ['1 character', '1'],
    ['100 characters', 'k'.repeat(100)],
    ['100 emoji in UTF-8', utf8('🔑'.repeat(100))],
    ['100 accented letters in UTF-8', utf8('é'.repeat(100))],
    ['Latin-1, not UTF-8', 'caf\xe9'],
    [
      'every byte from 128',
      Array.from({ length: 100 }, (_, at) => String.fromCharCode(128 + at)).join(''),
    ],
    ['punctuation', `a,b;c="d" 'e' \\ %00 <f>`],
    ['a null word', 'null'],
  ])('accepted, and the same again answers the same order: %s', async (_name, key) => {
    const body = signed();
    const [first, second] = [
      replyOfRaw(await post([['Idempotency-Key', key]], body)),
      replyOfRaw(await post([['Idempotency-Key', key]], body)),
    ];
    expect(first).toMatchObject({ status: 200 });
    expect(second.text).toBe(first.text);
  });

  test('its case counts, and so does every character', async () => {
    const keys = ['Key-a', 'key-a', 'key-A', 'key-a.'];
    const ids = await Promise.all(
      keys.map(async (key) => replyOfRaw(await post([['Idempotency-Key', key]])).json.data.orderId),
    );
    expect(new Set(ids).size).toBe(keys.length);
  });

  test('its error comes together with the binding errors, and before validation', async () => {
    const wrong = signBody({ orderType: 'x', amount: 0, walletType: 'y' }, merchant.signingSecret);
    expectProblem(replyOfRaw(await post([], wrong)), 400, [
      'Idempotency-Key',
      '$.orderType',
      '$.walletType',
    ]);
    const invalid = signBody(order({ amount: 0 }), merchant.signingSecret);
    expectProblem(replyOfRaw(await post([], invalid)), 400, ['Idempotency-Key']);
  });

  test('a request without an acceptable key records nothing: the body can still be sent with a good one', async () => {
    const body = signed();
    expectProblem(replyOfRaw(await post([], body)), 400, ['Idempotency-Key']);
    expectProblem(replyOfRaw(await post([['Idempotency-Key', 'k'.repeat(101)]], body)), 400, [
      'Idempotency-Key',
    ]);
    expect(await post([['Idempotency-Key', randomUUID()]], body)).toMatchObject({ status: 200 });
    expectProblem(replyOfRaw(await post([], body)), 400, ['Idempotency-Key']);
  });
});

describe('trace ids', () => {
  test('the traceId of an answer is that of a line in the log, and no line holds a key, a secret or a signature', async () => {
    const lines: string[] = [];
    const config = {
      ...readConfig({ PORT: '0', CLOCK: 'sandbox', MASTER_KEY, ROLES: 'http' }),
      masterKey: MASTER_KEY,
    };
    const app = await createApp(
      config,
      service.database,
      pino({ level: 'debug' }, { write: (line: string) => lines.push(line) }),
    );
    const one = { ...merchant, url: await app.listen() };
    const body = signed();
    const replies = [
      await postBytes(one, 'not JSON'),
      await postBytes(one, '{}'),
      await postBytes(one, Buffer.alloc(70_000, 'x')),
      await postOrder(one, order({ walletType: 'x' })),
      await postBytes(one, body),
      await postBytes(one, body),
    ];
    await app.close();
    const logged = lines.map(
      (line) => JSON.parse(line) as { traceId?: string; path?: string; status?: number },
    );
    for (const { json, status } of replies.filter((reply) => reply.status !== 200)) {
      expect(logged).toContainEqual(
        expect.objectContaining({ traceId: json.traceId, path: '/api/merchant/orders', status }),
      );
    }
    expect(new Set(logged.flatMap(({ traceId }) => traceId ?? [])).size).toBe(replies.length);
    const signature = (JSON.parse(body) as { signature: string }).signature;
    for (const secret of [one.apiKey, one.signingSecret, signature])
      expect(lines.join('')).not.toContain(secret);
  });

  test('a caller cannot choose the traceId', async () => {
    const answer = replyOfRaw(
      await rawPost(
        merchant,
        [
          ['SVC-API-Key', merchant.apiKey],
          ['Request-Id', 'mine'],
          ['X-Request-Id', 'mine'],
        ],
        { body: '{}' },
      ),
    );
    expectSignatureError(answer, 401, 'SIGNATURE_REQUIRED');
  });
});

describe('merchants see their own orders only', () => {
  test('another merchant’s key finds nothing, by id or by reference', async () => {
    const stranger = await createMerchant(service);
    const { json } = await postOrder(merchant, order({ merchantOrderRef: 'mine-only' }));
    const { orderId, orderReference } = json.data;
    for (const path of [
      `/orders/${orderId}/status`,
      `/orders/${orderReference}/status`,
      '/orders/status?merchantOrderRef=mine-only',
      `/orders/status?orderReference=${orderReference}`,
    ]) {
      expect(await get(merchant, path)).toMatchObject({ status: 200 });
      expectMessage(await get(stranger, path), 404, 'Order not found.');
    }
  });
});
