import { once } from 'node:events';
import { maxHeaderSize } from 'node:http';
import { connect } from 'node:net';
import { pino } from 'pino';
import { describe, expect } from 'vitest';
import { createApp } from '../../apps/server/src/app.ts';
import { readConfig } from '../../apps/server/src/config.ts';
import { createMerchant, signBody } from '../support/fixtures.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { MASTER_KEY } from '../support/service.ts';
import { serviceTest } from '../support/service-test.ts';

const { test, service } = await serviceTest();
const merchant = await createMerchant(service);

/**
 * Everything that comes back for these bytes until the server ends the connection, and how many
 * answers that is.
 */
async function converse(url: string, ...pieces: readonly string[]) {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  socket.on('error', () => {}); // a reset ends the conversation too
  socket.setTimeout(PATIENCE_MS, () => socket.destroy());
  let received = '';
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString('latin1');
  });
  for (const piece of pieces) socket.write(Buffer.from(piece, 'latin1'));
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
  test('the limits are those of the service: 30 seconds for a whole request, of a head of 16 KB', () => {
    const { server } = service.app.http;
    expect([server.requestTimeout, maxHeaderSize]).toEqual([30_000, 16_384]);
    expect(server.headersTimeout).toBeLessThanOrEqual(60_000);
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
