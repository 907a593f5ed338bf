import { once } from 'node:events';
import { maxHeaderSize } from 'node:http';
import { connect, type Socket } from 'node:net';
import { pino } from 'pino';
import { describe, expect } from 'vitest';
import { createApp } from '../../apps/server/src/app/app.ts';
import { readConfig } from '../../apps/server/src/platform/config.ts';
import { createHttpServer } from '../../apps/server/src/platform/http/server.ts';
import { createMerchant, createOrder, signBody } from '../support/fixtures.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { MASTER_KEY, OPERATOR_TOKEN } from '../support/service.ts';
import { serviceTest } from '../support/service-test.ts';

const { test, service } = await serviceTest();
const merchant = await createMerchant(service);

/**
 * Everything that comes back for these bytes until the server ends the connection, and how many
 * answers that is.
 */
const converse = (url: string, ...pieces: readonly string[]) => talk(url, pieces, false);

async function talk(url: string, pieces: readonly string[], halfClose: boolean) {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  socket.on('error', () => {}); // a reset ends the conversation too
  socket.setTimeout(PATIENCE_MS, () => socket.destroy());
  let received = '';
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString('latin1');
  });
  for (const piece of pieces) socket.write(Buffer.from(piece, 'latin1'));
  if (halfClose) socket.end();
  await once(socket, 'close');
  return {
    received,
    statuses: [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status)),
  };
}

const TOO_SLOW = 'The request did not arrive in time.';
const line = 'POST /api/merchant/orders HTTP/1.1\r\nHost: x\r\n';
/** What a smuggler hides: if it were read as a request of its own, it would be answered. */
const HIDDEN = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';
const chunkedHidden = `0\r\n\r\n${HIDDEN}`;

describe('two readings of where a request ends: 400, the connection is closed, and nothing behind it is read', () => {
  test.each<[string, string]>([
    [
      'a length and chunks',
      `${line}Content-Length: ${chunkedHidden.length}\r\nTransfer-Encoding: chunked\r\n\r\n${chunkedHidden}`,
    ],
    [
      'chunks and a length',
      `${line}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n${chunkedHidden}`,
    ],
    [
      'two lengths',
      `${line}Content-Length: 0\r\nContent-Length: ${HIDDEN.length}\r\n\r\n${HIDDEN}`,
    ],
    ['a list of lengths', `${line}Content-Length: 0, ${HIDDEN.length}\r\n\r\n${HIDDEN}`],
    ['a length with a sign', `${line}Content-Length: +0\r\n\r\n${HIDDEN}`],
    ['a length in hex', `${line}Content-Length: 0x10\r\n\r\n${HIDDEN}`],
    ['a space before the colon', `${line}Transfer-Encoding : chunked\r\n\r\n${chunkedHidden}`],
    [
      'chunks that are not last',
      `${line}Transfer-Encoding: chunked, identity\r\n\r\n${chunkedHidden}`,
    ],
    [
      'chunks twice',
      `${line}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n${chunkedHidden}`,
    ],
    ['another spelling of chunked', `${line}Transfer-Encoding: xchunked\r\n\r\n${chunkedHidden}`],
    [
      'chunked behind a vertical tab',
      `${line}Transfer-Encoding: \x0bchunked\r\n\r\n${chunkedHidden}`,
    ],
    ['a folded header', `${line}Transfer-Encoding:\r\n chunked\r\n\r\n${chunkedHidden}`],
    ['a bare line feed', `${line}X: a\nContent-Length: 0\r\n\r\n${HIDDEN}`],
    ['a bare line feed at the end of the head', `${line}Content-Length: 0\n\n${HIDDEN}`],
    ['a bare carriage return', `${line}X: a\rContent-Length: 5\r\n\r\n${HIDDEN}`],
    [
      'a chunk size with a line feed alone',
      `${line}Transfer-Encoding: chunked\r\n\r\n0\n\n${HIDDEN}`,
    ],
    [
      'a chunk extension with a line feed',
      `${line}Transfer-Encoding: chunked\r\n\r\n1;a\nb\r\nx\r\n${chunkedHidden}`,
    ],
    ['a chunk size of words', `${line}Transfer-Encoding: chunked\r\n\r\nzz\r\n${HIDDEN}`],
    ['a negative chunk', `${line}Transfer-Encoding: chunked\r\n\r\n-1\r\n${HIDDEN}`],
    ['a NUL in a header', `${line}X: a\0b\r\n\r\n${HIDDEN}`],
  ])('%s', async (_name, bytes) => {
    const { received, statuses } = await converse(service.url, bytes);
    expect(received).not.toContain('{"status":"ok"}');
    // Nothing waited for more bytes.
    expect(received).not.toContain(TOO_SLOW);
    // Without a key the head alone may have been answered before the body was found out.
    expect([[400], [401]]).toContainEqual(statuses);
  });

  test('two hosts, or none', async () => {
    for (const hosts of ['Host: x\r\nHost: y\r\n', '']) {
      const { statuses } = await converse(
        service.url,
        `GET /healthz HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`,
      );
      expect(statuses, hosts).toEqual([400]);
    }
  });

  test('the body of a refused request is never read as the next one', async () => {
    // A GET whose body is a request: the length says that it is a body, and so it stays.
    const body = HIDDEN.repeat(3);
    const get = `GET /api/merchant/orders/balance HTTP/1.1\r\nHost: x\r\nSVC-API-Key: ${merchant.apiKey}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const { received, statuses } = await converse(
      service.url,
      get,
      'GET /readyz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    );
    expect(statuses).toEqual([200, 200]);
    expect(received).toContain('{"status":"ready"}');
    expect(received).not.toContain('{"status":"ok"}');
  });
});

describe('a request that cannot be meant as it is written: 400, the connection closed', () => {
  test.each<[string, string]>([
    [
      'compression inside the chunks',
      `${line}Transfer-Encoding: gzip, chunked\r\n\r\n${chunkedHidden}`,
    ],
    ['somebody and a path in the host', 'GET /healthz HTTP/1.1\r\nHost: a@b/c?d\r\n\r\n'],
    ['a path in the host', 'GET /healthz HTTP/1.1\r\nHost: a/b\r\n\r\n'],
    ['a space in the host', 'GET /healthz HTTP/1.1\r\nHost: a b\r\n\r\n'],
    ['a port of letters', 'GET /healthz HTTP/1.1\r\nHost: a:b\r\n\r\n'],
    ['an asterisk as the path', 'GET * HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a path behind an asterisk', 'GET */healthz HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a tunnel', 'CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n'],
  ])('%s', async (_name, bytes) => {
    const { received, statuses } = await converse(service.url, bytes);
    expect(statuses).toEqual([400]);
    expect(received).toMatch(/^connection: close\r$/im);
    expect(received).toContain('The request could not be read.');
  });

  test.each(['x', 'x.example:8080', '127.0.0.1:3000', '[::1]:3000', 'a_b-c.example', ''])(
    'the host %j is a host',
    async (host) => {
      const { statuses } = await converse(
        service.url,
        `GET /healthz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
      );
      expect(statuses).toEqual([200]);
    },
  );

  test('an asterisk is for OPTIONS, and an address may be whole', async () => {
    for (const [start, status] of [
      ['OPTIONS *', 404],
      ['GET http://x/healthz', 200],
    ] as const) {
      const { statuses } = await converse(
        service.url,
        `${start} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      );
      expect(statuses, start).toEqual([status]);
    }
  });

  test('the answer to what is no HTTP has the headers of every answer', async () => {
    const { received } = await converse(service.url, 'noise\r\n\r\n');
    expect(received).toMatch(
      /^content-security-policy: default-src 'none'; frame-ancestors 'none'\r$/im,
    );
    expect(received).toMatch(/^x-content-type-options: nosniff\r$/im);
    expect(received).toMatch(/^cache-control: no-store\r$/im);
  });
});

describe('what is due is answered before the connection is closed', () => {
  /** A signed order, as it goes over the wire. */
  function order(reference: string, headers = '') {
    const body = signBody(
      { orderType: 'Deposit', amount: 5, walletType: 'ProviderA', merchantOrderRef: reference },
      merchant.signingSecret,
    );
    return `${line}SVC-API-Key: ${merchant.apiKey}\r\nIdempotency-Key: ${reference}\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`;
  }
  const countOrders = async (reference: string) => {
    const { rows } = await service.database.pool.query(
      'select count(*)::integer as count from orders where merchant_order_ref = $1',
      [reference],
    );
    return rows[0].count;
  };

  test.each<[string, string]>([
    ['noise', '\x00\xff noise\r\n\r\n'],
    ['an unknown method', 'GRAB / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a tunnel', 'CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n'],
    ['a megabyte of noise', 'x'.repeat(1_000_000)],
  ])('an order with %s behind it in the same packet is answered', async (name, behind) => {
    const reference = `before ${name}`;
    const { statuses, received } = await converse(service.url, order(reference) + behind);
    expect(statuses).toEqual([200]);
    expect(received).toContain(reference);
    expect(await countOrders(reference)).toBe(1);
  });

  test('so are two orders, and one whose client has said that it is the last', async () => {
    const two = await converse(service.url, `${order('one')}${order('two')}noise\r\n\r\n`);
    expect(two.statuses).toEqual([200, 200]);
    const last = await converse(
      service.url,
      `${order('last', 'Connection: close\r\n')}${order('behind the last')}`,
    );
    expect(last.statuses).toEqual([200]);
    expect(await countOrders('behind the last')).toBe(0);
  });

  test('a whole order is answered where the next breaks off in its body', async () => {
    const broken = `${line}SVC-API-Key: ${merchant.apiKey}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`;
    const { statuses } = await converse(service.url, order('whole') + broken);
    expect(statuses).toEqual([200]);
    const { statuses: halfClosed } = await talk(
      service.url,
      [order('whole too') + order('half').slice(0, -1)],
      true,
    );
    expect(halfClosed).toEqual([200]);
    expect(await countOrders('half')).toBe(0);
  });

  test('a client that sends no more after its request gets its answer', async () => {
    for (const [bytes, statuses] of [
      ['GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n', [200]],
      ['GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(3), [200, 200, 200]],
      [order('half closed'), [200]],
      ['POST /nope HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc', [404]],
      ['POST /nope HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nabc', [404]],
    ] as const)
      expect((await talk(service.url, [bytes], true)).statuses, bytes).toEqual(statuses);
  });

  test('a payment page that waits and sends no more is answered with what is', async () => {
    const page = await createOrder(merchant, { orderType: 'Deposit', walletType: 'ProviderA' });
    const { pathname, search } = new URL(page.paymentPageUrl);
    const path = (query: string) =>
      `GET ${pathname}/state${search}${query} HTTP/1.1\r\nHost: x\r\n\r\n`;
    const { received } = await talk(service.url, [path('')], true);
    const version = /"version":"([^"]+)"/.exec(received)?.[1];
    const { statuses } = await talk(service.url, [path(`&wait=25&since=${version}`)], true);
    expect(statuses).toEqual([200]);
  });

  test('an event stream ends when its reader sends no more', async () => {
    const head = `GET /api/operator/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${OPERATOR_TOKEN}\r\n\r\n`;
    const { statuses, received } = await talk(service.url, [head], true);
    expect(statuses).toEqual([200]);
    expect(received).not.toContain('event: heartbeat');
    expect((await converse(service.url, `${head}noise\r\n\r\n`)).statuses).toEqual([200]);
  });
});

describe('header injection', () => {
  test('line breaks in what comes back as a header stay data', async () => {
    const attack = encodeURIComponent('x\r\nSet-Cookie: stolen=1\r\n\r\n<script>');
    for (const path of [
      `/pay/${attack}?expires=1&token=${attack}&lang=${attack}`,
      `/docs?x=${attack}`,
      `/api/merchant/orders/${attack}/status`,
    ]) {
      const { received } = await converse(
        service.url,
        `GET ${path} HTTP/1.1\r\nHost: x\r\nSVC-API-Key: ${merchant.apiKey}\r\nConnection: close\r\n\r\n`,
      );
      expect(received.split('\r\n\r\n')[0]).not.toContain('stolen');
    }
  });
});

describe('sockets that do not come to an end', () => {
  test('none has longer than the time of a whole request, however it stands still', async () => {
    // The same server with less time, beside one with the service's own.
    const patient = createHttpServer(pino({ level: 'silent' }));
    const hurried = createHttpServer(pino({ level: 'silent' }), { requestMs: 600 });
    const stalled = [
      '',
      'GE',
      'GET / HTTP/1.1\r\nHost: x\r\nX-Sl',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9',
      `${line}Expect: 100-continue\r\nX`,
      'GET /x HTTP/1.1\r\nHost: x\r\n\r\nGET',
    ];
    const open = new Set<number>();
    const ends: Promise<unknown>[] = [];
    const sockets: Socket[] = [];
    for (const server of [patient, hurried]) {
      const { port } = new URL(await server.listen({ port: 0 }));
      for (const [at, bytes] of stalled.entries()) {
        const socket = connect(Number(port));
        socket.on('error', () => {}).resume();
        socket.write(bytes);
        sockets.push(socket);
        const end = once(socket, 'close');
        if (server === hurried) ends.push(end);
        else {
          open.add(at);
          end.then(() => open.delete(at));
        }
      }
    }
    await Promise.all(ends);
    expect(open.size).toBe(stalled.length);
    const { server } = service.app.http;
    expect([server.requestTimeout, server.headersTimeout, maxHeaderSize]).toEqual([
      30_000, 30_000, 16_384,
    ]);
    for (const socket of sockets) socket.destroy();
    await Promise.all([hurried.close(), patient.close()]);
  });

  test('are cut when the time is up: in the request line, a header, a body, a chunk', async () => {
    // The same server with less patience.
    const config = {
      ...readConfig({ PORT: '0', CLOCK: 'sandbox', MASTER_KEY, ROLES: 'http' }),
      masterKey: MASTER_KEY,
    };
    const app = await createApp(config, service.database, pino({ level: 'silent' }));
    Object.assign(app.http.server, {
      requestTimeout: 300,
      headersTimeout: 300,
      connectionsCheckingInterval: 50,
    });
    const url = await app.listen();
    const signed = signBody(
      { orderType: 'Deposit', amount: 5, walletType: 'ProviderA', merchantOrderRef: 'slow' },
      merchant.signingSecret,
    );
    const head = `${line}SVC-API-Key: ${merchant.apiKey}\r\nIdempotency-Key: slow\r\n`;
    const stalled = [
      'GE',
      `${line}X-Sl`,
      `${head}Content-Length: ${signed.length}\r\n\r\n${signed.slice(0, -1)}`,
      `${head}Transfer-Encoding: chunked\r\n\r\n${(signed.length + 1).toString(16)}\r\n${signed}`,
    ];
    const answers = await Promise.all(stalled.map((bytes) => converse(url, bytes)));
    expect(answers.map(({ statuses }) => statuses)).toEqual([[400], [400], [400], [400]]);
    for (const { received } of answers) expect(received).toContain(TOO_SLOW);
    const { rows } = await service.database.pool.query(
      `select count(*)::integer as count from orders where merchant_order_ref = 'slow'`,
    );
    expect(rows[0].count).toBe(0);
    await app.close();
  });
});
