import { createHash, createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import {
  AuthenticationError,
  type ClientOptions,
  ConflictError,
  ConnectionError,
  createClient,
  MunshiError,
  type NewOrder,
  NotFoundError,
  RefusedError,
  ServiceError,
  SignatureError,
  signedBody,
  signOrderBody,
  ValidationError,
  WebhookSignatureError,
  webhooks,
} from './index.ts';

const SECRET = 'sksec_0123456789abcdefghijklmnopqrstuvwxyzABCD';
const ORDER: NewOrder = {
  orderType: 'Deposit',
  amount: '99999999999999.9999',
  walletType: 'ProviderA',
  merchantOrderRef: 'ref-1',
};

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** A service that gives the listed answers in turn, and records the requests. */
async function serve(
  answers: readonly [status: number, body: string, headers?: Record<string, string>][],
  options: Partial<ClientOptions> = {},
) {
  const asked: { headers: IncomingMessage['headers']; url: string; body: string }[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    asked.push({ headers: request.headers, url: request.url ?? '', body });
    const [status, text, headers] = answers[
      Math.min(asked.length, answers.length) - 1
    ] as (typeof answers)[number];
    if (status !== SILENT)
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(() => {
    server.close();
    server.closeAllConnections();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    asked,
    client: createClient({ baseUrl, apiKey: 'mk_live_key', signingSecret: SECRET, ...options }),
  };
}

/** In place of a status: the request is never answered. */
const SILENT = 0;

describe('signing', () => {
  const { secret, vectors } = JSON.parse(
    readFileSync(
      new URL('../../core/src/testdata/signature-vectors.json', import.meta.url),
      'utf8',
    ),
  ) as {
    secret: string;
    vectors: { name: string; body: string; signature: string }[];
  };
  test.each(vectors)('agrees with openssl: $name', ({ body, signature }) => {
    expect(signOrderBody(body, secret)).toBe(signature);
  });

  test('refuses a body that the service would refuse for a second reading', () => {
    const order = { ...ORDER, merchantOrderRef: '1&metadata=x' };
    expect(() => signedBody(order, SECRET)).toThrow('merchantorderref could be read as another');
  });

  test('an amount is sent digit for digit as it was given', () => {
    const body = signedBody(ORDER, SECRET);
    expect(body).toContain('"amount":99999999999999.9999,');
    const canonical = `amount=99999999999999.9999&merchantorderref=ref-1&ordertype=Deposit&wallettype=ProviderA${SECRET}`;
    expect(body).toContain(`"signature":"${createHash('md5').update(canonical).digest('hex')}"`);
  });
});

describe('a webhook', () => {
  const body =
    '{"eventType":"order.completed","orderId":"one","amount":99999999999999.9999,"fee":null,"reason":"\\"amount\\":5"}';
  const headers = {
    'x-svc-signature': `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`,
  };

  test('is read once its signature matches, with exact amounts', () => {
    const event = {
      eventType: 'order.completed',
      orderId: 'one',
      amount: '99999999999999.9999',
      fee: null,
      reason: '"amount":5',
    };
    expect(webhooks.verify(body, headers, SECRET)).toEqual(event);
    expect(webhooks.verify(Buffer.from(body), new Headers(headers), SECRET)).toEqual(event);
    expect(
      webhooks.verify(body, { 'X-SVC-Signature': [webhooks.sign(body, SECRET)] }, SECRET),
    ).toEqual(event);
  });

  test('may be signed with the old or the new secret during a rotation', () => {
    expect(webhooks.verify(body, headers, ['sksec_new', SECRET])).toMatchObject({ orderId: 'one' });
  });

  test('is refused when its body, its signature or the secret differs', () => {
    expect(() => webhooks.verify(`${body} `, headers, SECRET)).toThrow(WebhookSignatureError);
    expect(() => webhooks.verify(body, {}, SECRET)).toThrow('no X-SVC-Signature header');
    expect(() => webhooks.verify(body, { 'x-svc-signature': 'sha256=00' }, SECRET)).toThrow(
      WebhookSignatureError,
    );
    expect(() => webhooks.verify(body, headers, [])).toThrow(WebhookSignatureError);
  });
});

describe('the client', () => {
  test('retries an order with the same Idempotency-Key and body while the service is away', async () => {
    const { asked, client } = await serve([
      [503, '{}'],
      [500, '{}'],
      [200, '{"data":{"orderId":"one"}}'],
    ]);
    expect(await client.createOrder(ORDER)).toEqual({ orderId: 'one' });
    expect(
      new Set(asked.map(({ headers, body }) => `${headers['idempotency-key']} ${body}`)).size,
    ).toBe(1);
    expect(asked).toHaveLength(3);
  });

  test('gives an attempt up that is not answered in time, and tries again', async () => {
    const { asked, client } = await serve(
      [
        [SILENT, ''],
        [200, '{"data":{"orderId":"one"}}'],
      ],
      { timeoutMs: 1_000 },
    );
    expect(await client.createOrder(ORDER)).toEqual({ orderId: 'one' });
    expect(new Set(asked.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  });

  test('throws the last failure when the attempts are used up', async () => {
    const { asked, client } = await serve([[503, '{"title":"Away."}', { 'retry-after': '0' }]], {
      attemptsMax: 2,
    });
    await expect(client.balance()).rejects.toMatchObject({ status: 503, message: 'Away.' });
    expect(asked).toHaveLength(2);
  });

  test.each<[kind: typeof MunshiError, status: number, body: string, said: object]>([
    [ValidationError, 400, '{"error":"Amount is wrong."}', { message: 'Amount is wrong.' }],
    [
      ValidationError,
      400,
      '{"title":"Could not be read.","errors":{"$.walletType":["unknown"],"Idempotency-Key":["missing"]},"traceId":"t"}',
      {
        message: 'Could not be read.',
        fields: { walletType: ['unknown'], 'Idempotency-Key': ['missing'] },
        traceId: 't',
      },
    ],
    [AuthenticationError, 401, '', { message: 'the service answered 401' }],
    [
      SignatureError,
      401,
      '{"success":false,"error":"Signed twice.","code":"SIGNATURE_REPLAYED","traceId":"t"}',
      { code: 'SIGNATURE_REPLAYED', message: 'Signed twice.', traceId: 't' },
    ],
    [RefusedError, 403, '{"error":"Suspended."}', {}],
    [NotFoundError, 404, '{"error":"Order not found."}', {}],
    [ConflictError, 409, '{"error":"Used."}', {}],
    [ValidationError, 413, '{"code":"PAYLOAD_TOO_LARGE"}', { code: 'PAYLOAD_TOO_LARGE' }],
    [RefusedError, 422, '{"error":"Too little."}', {}],
    [ServiceError, 501, '<html>', { message: 'the service answered 501' }],
    [ServiceError, 200, '<html>', { message: 'the service answered 200 without JSON' }],
  ])('throws a %o for %i %s, without another attempt', async (kind, status, body, said) => {
    const { asked, client } = await serve([[status, body]]);
    const error = await client.createOrder(ORDER).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(MunshiError);
    expect(error).toMatchObject({ name: kind.name, status, fields: {}, ...said });
    expect(asked).toHaveLength(1);
  });

  test('throws a ConnectionError with its reason when no answer came', async () => {
    const client = createClient({
      baseUrl: 'http://127.0.0.1:1',
      apiKey: 'mk_live_key',
      signingSecret: SECRET,
      attemptsMax: 1,
    });
    const error = await client.balance().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({
      status: undefined,
      message: expect.stringMatching(/^no answer from http:\/\/127\.0\.0\.1:1: \S/),
    });
  });

  test('throws nothing before its promise, and names the field of an order that it does not send', async () => {
    const { asked, client } = await serve([[200, '{}']]);
    const amounts = ['1e3', '', '-1', ' 1', 1500.5, 10n, null, undefined];
    const orders = amounts.map((amount) => client.createOrder({ ...ORDER, amount } as NewOrder));
    for (const order of orders)
      await expect(order).rejects.toMatchObject({
        name: 'ValidationError',
        status: undefined,
        fields: { amount: [expect.stringContaining('decimal text')] },
      });
    await expect(client.createOrder(undefined as never)).rejects.toThrow();
    await expect(client.orderStatus('\ud800')).rejects.toThrow('URI malformed');
    expect(asked).toEqual([]);
  });

  test('keeps amounts exact that a JavaScript number cannot hold', async () => {
    const { client } = await serve([
      [
        200,
        '{"data":{"availableBalance":99999999999999.9999,"reservedBalance":0,"frozenBalance":0.1,"currency":"PKR"}}',
      ],
    ]);
    expect(await client.balance()).toEqual({
      availableBalance: '99999999999999.9999',
      reservedBalance: '0',
      frozenBalance: '0.1',
      currency: 'PKR',
    });
  });

  test('refuses an answer with a number of which JavaScript would lose digits', async () => {
    const { client } = await serve([[200, '{"data":{"refunded":99999999999999.9999}}']]);
    await expect(client.balance()).rejects.toThrow('would lose digits of 99999999999999.9999');
  });

  test('moves an order of a sandbox, and has outcomes sent again', async () => {
    const { asked, client } = await serve([
      [200, '{"data":{"status":"Rejected","amount":1500.50}}'],
      [200, '{"data":{"orders":3}}'],
    ]);
    expect(await client.sandbox.move('ORD-1', { to: 'Rejected', reason: 'not received' })).toEqual({
      status: 'Rejected',
      amount: '1500.50',
    });
    expect(await client.resendEvents(new Date(0))).toEqual({ orders: 3 });
    expect(asked.map(({ url, body }) => [url, body])).toEqual([
      ['/api/merchant/sandbox/orders/ORD-1', '{"to":"Rejected","reason":"not received"}'],
      ['/api/merchant/events/resend', '{"since":"1970-01-01T00:00:00.000Z"}'],
    ]);
  });

  test('writes references into the query as they are', async () => {
    const { asked, client } = await serve([[200, '{"data":{}}']]);
    await client.orderStatusByReference('a b&c=ü');
    expect(asked[0]?.url).toBe('/api/merchant/orders/status?merchantOrderRef=a%20b%26c%3D%C3%BC');
  });
});
