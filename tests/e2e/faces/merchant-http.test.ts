import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { afterEach, describe, expect } from 'vitest';
import { createMerchant, signBody } from '../../support/fixtures.ts';
import {
  expectMessage,
  expectProblem,
  expectSignatureError,
  get,
  postOrder,
  rawPost,
  replyOfRaw,
} from '../../support/merchant-client.ts';
import { rawRequest, sendBytes } from '../../support/raw-http.ts';
import { serviceTest } from '../../support/service-test.ts';

/**
 * What is no endpoint, and what is no HTTP: answered plainly, and never at the cost of anybody
 * else.
 */
const { test, service } = await serviceTest();
const merchant = await createMerchant(service);
// After every one of them the service serves others as before.
afterEach(async () => {
  expect(
    await postOrder(merchant, {
      orderType: 'Deposit',
      amount: 1,
      walletType: 'ProviderA',
      customerReference: randomUUID(),
    }),
  ).toMatchObject({
    status: 200,
  });
  expect(await get(merchant, '/orders/balance')).toMatchObject({ status: 200 });
});

const BASE = '/api/merchant/orders';
const key = (): [string, string] => ['SVC-API-Key', merchant.apiKey];

describe('unknown paths and methods: 404 {error}', () => {
  const paths: readonly (readonly [string, string])[] = [
    ['GET', '/api'],
    ['GET', '/api/merchant'],
    ['GET', '/api/merchant/'],
    ['GET', BASE],
    ['GET', `${BASE}/`],
    ['POST', `${BASE}/`],
    ['POST', `${BASE}//`],
    ['POST', '/api//merchant/orders'],
    ['POST', '/api/merchant/order'],
    ['POST', '/API/merchant/orders'],
    ['POST', '/api/merchant/Orders'],
    ['POST', '/api/merchant/orders/status'],
    ['POST', '/api/merchant/orders/balance'],
    ['POST', `${BASE}/${randomUUID()}/status`],
    ['GET', `${BASE}/balance/`],
    ['GET', `${BASE}/${randomUUID()}`],
    ['GET', `${BASE}/${randomUUID()}/status/`],
    ['GET', `${BASE}/${randomUUID()}/statuses`],
    ['PUT', BASE],
    ['PATCH', BASE],
    ['DELETE', BASE],
    ['OPTIONS', BASE],
    ['TRACE', BASE],
    ['PURGE', BASE],
    ['PROPFIND', BASE],
    ['SEARCH', BASE],
    ['QUERY', BASE],
    ['REPORT', BASE],
    ['PUT', `${BASE}/balance`],
    ['DELETE', `${BASE}/${randomUUID()}/status`],
    ['OPTIONS', `${BASE}/balance`],
  ];
  test.each(paths)('%s %s', async (method, path) => {
    for (const headers of [[], [key()], [key(), ['Content-Type', 'application/json']]] as [
      string,
      string,
    ][][]) {
      expectMessage(
        replyOfRaw(await rawRequest(service.url, { method, path, headers })),
        404,
        'Not found.',
      );
    }
  });

  test.each([
    ['no content type', []],
    ['JSON', [['Content-Type', 'application/json']]],
    ['XML', [['Content-Type', 'text/xml']]],
    ['no media type', [['Content-Type', 'x']]],
  ] as [string, [string, string][]][])(
    'with a body of %s, good or bad, small or large',
    async (_name, headers) => {
      for (const body of ['{}', '{', 'x', Buffer.alloc(2_000_000, 'x')]) {
        for (const [method, path] of [
          ['POST', '/nowhere'],
          ['PUT', BASE],
          ['DELETE', BASE],
          ['OPTIONS', BASE],
          ['QUERY', BASE],
          ['POST', '/api/merchant/nowhere'],
        ] as const) {
          expectMessage(
            replyOfRaw(
              await rawRequest(service.url, { method, path, headers: [key(), ...headers], body }),
            ),
            404,
            'Not found.',
          );
        }
      }
    },
  );

  test('HEAD on known paths answers as GET does, without a body', async () => {
    const head = (path: string, headers: [string, string][]) =>
      rawRequest(service.url, { method: 'HEAD', path, headers });
    expect(await head(`${BASE}/balance`, [key()])).toMatchObject({ status: 200, text: '' });
    expect(await head(`${BASE}/x/status`, [key()])).toMatchObject({ status: 404, text: '' });
    expect(await head(`${BASE}/status`, [key()])).toMatchObject({ status: 400, text: '' });
    expect(await head(`${BASE}/balance`, [])).toMatchObject({ status: 401, text: '' });
    expect(await head(BASE, [key()])).toMatchObject({ status: 404, text: '' });
  });

  test.each([
    ['GET', `${BASE}/balance`, 200],
    ['GET', `${BASE}/x/status`, 404],
  ])('%s %s with a body: the body is not looked at', async (method, path, status) => {
    for (const body of ['{', Buffer.alloc(100_000, 'x')]) {
      expect(
        await rawRequest(service.url, {
          method,
          path,
          headers: [key(), ['Content-Type', 'application/json']],
          body,
        }),
      ).toMatchObject({ status });
    }
  });

  test('a path of 15 KB is 404, one beyond what a request head may be is 400', async () => {
    expectMessage(
      replyOfRaw(await rawRequest(service.url, { path: `/${'x'.repeat(15_000)}` })),
      404,
      'Not found.',
    );
    expectProblem(
      replyOfRaw(await rawRequest(service.url, { path: `/${'x'.repeat(100_000)}` })),
      400,
      ['$'],
    );
  });
});

describe('malformed HTTP: 400 problem details, the connection closed', () => {
  const line = `POST ${BASE} HTTP/1.1\r\nHost: x\r\n`;
  test.each<[string, string]>([
    ['noise', '\x00\x01\x02\xff\xfe noise \r\n\r\n'],
    ['a TLS hello', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
    ['HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['an unknown method', `GRAB ${BASE} HTTP/1.1\r\nHost: x\r\n\r\n`],
    ['an unknown version', `GET ${BASE} HTTP/9.9\r\nHost: x\r\n\r\n`],
    ['a header without colon', `${line}Broken\r\n\r\n`],
    ['a space before the colon', `${line}Content-Length : 5\r\n\r\nhello`],
    ['a NUL in a header', `${line}X: a\0b\r\n\r\n`],
    ['a folded header', `${line}X: a\r\n b\r\n\r\n`],
    ['a bare line feed between headers', `${line}X: a\nY: b\r\n\r\n`],
    ['a length of words', `${line}Content-Length: abc\r\n\r\n`],
    ['a negative length', `${line}Content-Length: -1\r\n\r\n`],
    ['two lengths', `${line}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello`],
    ['a length beyond numbers', `${line}Content-Length: 99999999999999999999999\r\n\r\n`],
    [
      'a length and chunks',
      `${line}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['no host', `GET ${BASE} HTTP/1.1\r\n\r\n`],
    ['two hosts', `${line}Host: y\r\n\r\n`],
    ['40 KB of headers', `${line}X: ${'x'.repeat(40_000)}\r\n\r\n`],
  ])('%s', async (_name, bytes) => {
    const answer = await sendBytes(service.url, [bytes]);
    expectProblem(replyOfRaw(answer), 400, ['$']);
    expect(answer.header('connection')).toBe('close');
  });

  test.each<[string, string[]]>([
    ['a chunk size of words', ['zz\r\nhello\r\n0\r\n\r\n']],
    ['a chunk longer than it says', ['2\r\nhello\r\n0\r\n\r\n']],
    ['a chunk of 2^64 bytes', ['10000000000000000\r\n']],
    ['an endless chunk extension', [`1;${'x'.repeat(40_000)}\r\na\r\n`]],
  ])('in the body: %s', async (_name, chunks) => {
    const head = `${line}SVC-API-Key: ${merchant.apiKey}\r\nIdempotency-Key: ${randomUUID()}\r\nTransfer-Encoding: chunked\r\n\r\n`;
    expectProblem(replyOfRaw(await sendBytes(service.url, [head, ...chunks])), 400, ['$']);
  });

  test('a body of an unknown transfer encoding', async () => {
    const head = `${line}SVC-API-Key: ${merchant.apiKey}\r\nIdempotency-Key: ${randomUUID()}\r\nTransfer-Encoding: gzip\r\n\r\n`;
    expectProblem(replyOfRaw(await sendBytes(service.url, [head])), 400, ['$']);
  });

  test('HTTP/1.0 knows no hosts', async () => {
    expect(await sendBytes(service.url, ['GET /healthz HTTP/1.0\r\n\r\n'])).toMatchObject({
      status: 200,
    });
  });

  test('connections that end in the middle of a request harm nobody', async () => {
    const { hostname, port } = new URL(service.url);
    const body = signBody(
      { orderType: 'Deposit', amount: 1, walletType: 'ProviderA', customerReference: 'cut' },
      merchant.signingSecret,
    );
    const whole = `${line}SVC-API-Key: ${merchant.apiKey}\r\nIdempotency-Key: cut\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    for (const cut of [1, 20, line.length, whole.length - body.length, whole.length - 1]) {
      await new Promise<void>((resolve) => {
        const socket = connect(Number(port), hostname, () =>
          socket.write(whole.slice(0, cut), () => socket.resetAndDestroy()),
        );
        socket.on('close', () => resolve());
        socket.on('error', () => {});
      });
    }
    expectMessage(
      await get(merchant, '/orders/status?merchantOrderRef=cut'),
      404,
      'Order not found.',
    );
    expect(
      (await service.database.pool.query(`select from orders where idempotency_key = 'cut'`))
        .rowCount,
    ).toBe(0);
  });

  test('requests sent one behind the other on a connection are answered in their order', async () => {
    const { hostname, port } = new URL(service.url);
    const request = (amount: number) => {
      const body = signBody(
        { orderType: 'Deposit', amount, walletType: 'ProviderA', customerReference: randomUUID() },
        merchant.signingSecret,
      );
      return `${line}SVC-API-Key: ${merchant.apiKey}\r\nIdempotency-Key: ${randomUUID()}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    };
    const large = `${line}SVC-API-Key: ${merchant.apiKey}\r\nIdempotency-Key: a\r\nContent-Length: 70000\r\n\r\n${'x'.repeat(70_000)}`;
    const last = `GET ${BASE}/balance HTTP/1.1\r\nHost: x\r\nSVC-API-Key: ${merchant.apiKey}\r\nConnection: close\r\n\r\n`;
    const received = await new Promise<string>((resolve, reject) => {
      let text = '';
      const socket = connect(Number(port), hostname, () =>
        socket.write(request(1) + large + request(0) + request(2) + last),
      );
      socket.on('data', (chunk) => {
        text += chunk.toString();
      });
      socket.on('end', () => resolve(text));
      socket.on('error', reject);
    });
    expect(received.match(/HTTP\/1\.1 \d{3}/g)).toEqual([
      'HTTP/1.1 200',
      'HTTP/1.1 413',
      'HTTP/1.1 400',
      'HTTP/1.1 200',
      'HTTP/1.1 200',
    ]);
  });

  test('200 connections that never finish their request leave others alone', async () => {
    const { hostname, port } = new URL(service.url);
    const sockets = await Promise.all(
      Array.from({ length: 200 }, () => {
        const socket = connect(Number(port), hostname);
        return new Promise<typeof socket>((resolve) =>
          socket.write(
            `${line}SVC-API-Key: ${merchant.apiKey}\r\nContent-Length: 1000\r\n\r\n{"a":`,
            () => resolve(socket),
          ),
        );
      }),
    );
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        rawPost(merchant, [key(), ['Idempotency-Key', 'x']], { body: '{}' }),
      ),
    );
    for (const answer of answers)
      expectSignatureError(replyOfRaw(answer), 401, 'SIGNATURE_REQUIRED');
    for (const socket of sockets) socket.destroy();
  });
});
