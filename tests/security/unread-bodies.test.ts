import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, describe, expect } from 'vitest';
import { createMerchant } from '../support/fixtures.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { OPERATOR_TOKEN } from '../support/service.ts';
import { serviceTest } from '../support/service-test.ts';

/** Bodies of any caller and route that are not read because the answer was given before. */
const { test, service } = await serviceTest();
const merchant = await createMerchant(service);

/** The service's ends of the connections, by the port of the client's. */
const ends = new Map<number, Socket>();
const note = (socket: Socket) => ends.set(socket.remotePort as number, socket);
service.app.http.server.on('connection', note);
afterAll(() => {
  service.app.http.server.off('connection', note);
});

const open: Socket[] = [];
afterAll(() => {
  for (const socket of open) socket.destroy();
});

/** A connection whose answers are kept as they come. */
async function dial() {
  const { hostname, port } = new URL(service.url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  open.push(socket);
  const client = { socket, received: '', closed: false };
  socket.on('data', (chunk: Buffer) => {
    client.received += chunk.toString('latin1');
  });
  socket.on('error', () => {}); // seen as its close
  socket.once('close', () => {
    client.closed = true;
  });
  socket.setTimeout(PATIENCE_MS, () => socket.destroy());
  await once(socket, 'connect');
  return client;
}

async function closed(client: Awaited<ReturnType<typeof dial>>) {
  if (!client.closed) await once(client.socket, 'close');
}

const statusesOf = ({ received }: { readonly received: string }) =>
  [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)]
    .map(([, status]) => Number(status))
    .filter((status) => status >= 200);

const DRAINED_MAX = 1024 * 1024;
/** The head, a body of the greatest size that is taken, and buffers. */
const ON_THE_WAY = 512 * 1024;
const PUSHED = 24 * 1024 * 1024;
const PIECE = Buffer.alloc(65_536, '0');

/** Sends so much of a body, or until the connection ends; answers how much the service has read. */
async function push(head: string, framing: 'length' | 'chunked') {
  const client = await dial();
  const end = ends.get(client.socket.localPort as number) as Socket;
  const length =
    framing === 'length' ? 'Content-Length: 99999999999' : 'Transfer-Encoding: chunked';
  client.socket.write(`${head}${length}\r\n\r\n`);
  for (let sent = 0; sent < PUSHED && !client.closed; sent += PIECE.length) {
    const pieces =
      framing === 'length' ? [PIECE] : [`${PIECE.length.toString(16)}\r\n`, PIECE, '\r\n'];
    for (const piece of pieces.slice(0, -1)) client.socket.write(piece);
    const last = pieces.at(-1) as string;
    await new Promise((resolve) => client.socket.write(last, resolve));
  }
  if (!client.closed && !end.destroyed) client.socket.destroy();
  if (!end.destroyed) await once(end, 'close');
  return { statuses: statusesOf(client), bytesRead: end.bytesRead };
}

const json = 'Content-Type: application/json\r\n';
const host = 'Host: x\r\n';
const key = `SVC-API-Key: ${merchant.apiKey}\r\n`;
const operator = `Authorization: Bearer ${OPERATOR_TOKEN}\r\n`;
const early: readonly (readonly [name: string, head: string, status: number])[] = [
  ['an unknown address', `POST /nope HTTP/1.1\r\n${host}${json}`, 404],
  ['an unknown address that is no address', `POST /%ff%zz HTTP/1.1\r\n${host}`, 404],
  ['a method that no address has', `PUT /api/merchant/orders HTTP/1.1\r\n${host}${key}`, 404],
  ['a body where none is read', `GET /healthz HTTP/1.1\r\n${host}`, 200],
  ['a body behind a HEAD', `HEAD /healthz HTTP/1.1\r\n${host}`, 200],
  ['the figures', `GET /metrics HTTP/1.1\r\n${host}`, 200],
  ['a file', `GET /console/ HTTP/1.1\r\n${host}`, 200],
  ['operators: not signed in', `POST /api/operator/merchants HTTP/1.1\r\n${host}${json}`, 401],
  ['operators: too large', `POST /api/operator/members HTTP/1.1\r\n${host}${json}${operator}`, 413],
  [
    'operators: no JSON',
    `POST /api/operator/merchants HTTP/1.1\r\n${host}Content-Type: x/y\r\n${operator}`,
    415,
  ],
  ['operators: signing in', `POST /api/operator/session HTTP/1.1\r\n${host}${json}`, 413],
  ['members: not signed in', `POST /api/member/presence HTTP/1.1\r\n${host}${json}`, 401],
  ['portal: not signed in', `POST /api/portal/people HTTP/1.1\r\n${host}${json}`, 401],
  ['merchants: no key', `POST /api/merchant/orders HTTP/1.1\r\n${host}`, 401],
  [
    'merchants: an unknown key',
    `POST /api/merchant/orders HTTP/1.1\r\n${host}SVC-API-Key: mk_live_x\r\n`,
    401,
  ],
  ['merchants: too large', `POST /api/merchant/orders HTTP/1.1\r\n${host}${key}`, 413],
  ['merchants: balance', `GET /api/merchant/orders/balance HTTP/1.1\r\n${host}${key}`, 200],
  ['page: a bad link', `POST /pay/x/confirm HTTP/1.1\r\n${host}${json}`, 413],
  ['two hosts', `POST /nope HTTP/1.1\r\n${host}${host}`, 400],
  [
    'a client that wants no other answer',
    `POST /nope HTTP/1.1\r\n${host}Connection: close\r\n`,
    404,
  ],
  ['HTTP/1.0', 'POST /nope HTTP/1.0\r\n', 404],
  [
    'a client that waits for a go-ahead',
    `POST /nope HTTP/1.1\r\n${host}Expect: 100-continue\r\n`,
    404,
  ],
];

describe('after an early answer at most one megabyte more of the body is read', () => {
  test.each(early)('%s', async (_name, head, status) => {
    for (const framing of ['length', 'chunked'] as const) {
      if (framing === 'chunked' && head.includes('HTTP/1.0')) continue;
      const { statuses, bytesRead } = await push(head, framing);
      expect(statuses, framing).toEqual([status]);
      expect(bytesRead, framing).toBeLessThan(DRAINED_MAX + ON_THE_WAY);
    }
  });
});

describe('a client that sends its body first and reads then gets the answer', () => {
  test.each(early)('%s', async (_name, head, status) => {
    const client = await dial();
    const end = ends.get(client.socket.localPort as number) as Socket;
    client.socket.pause();
    client.socket.write(`${head}Content-Length: 800000\r\n\r\n`);
    await expect.poll(() => end.bytesWritten, { timeout: PATIENCE_MS }).toBeGreaterThan(0);
    for (let sent = 0; sent < 800_000; sent += 50_000)
      await new Promise((resolve) => client.socket.write(Buffer.alloc(50_000, '0'), resolve));
    client.socket.resume();
    client.socket.end();
    await closed(client);
    expect(statusesOf(client)).toEqual([status]);
  });
});

test('a body that is not read and comes to its end leaves the connection to later requests', async () => {
  const client = await dial();
  for (const [, head] of early.slice(0, 4)) {
    client.socket.write(`${head}Content-Length: 100000\r\n\r\n`);
    client.socket.write(Buffer.alloc(100_000, '0'));
  }
  client.socket.write(`GET /readyz HTTP/1.1\r\n${host}Connection: close\r\n\r\n`);
  await closed(client);
  expect(statusesOf(client)).toEqual([404, 404, 404, 200, 200]);
  expect(client.received).toContain('{"status":"ready"}');
});

test('a body that does not come is abandoned long before the time of a whole request', async () => {
  // Beside one that was not answered, which has the whole time.
  const control = await dial();
  control.socket.write(
    `POST /api/merchant/orders HTTP/1.1\r\n${host}${key}Content-Length: 9\r\n\r\n`,
  );
  await Promise.all(
    early.map(async ([name, head, status]) => {
      const client = await dial();
      client.socket.write(`${head}Content-Length: 9999999\r\n\r\n`);
      await closed(client);
      expect(statusesOf(client), name).toEqual([status]);
    }),
  );
  expect(control).toMatchObject({ closed: false, received: '' });
});

test('an order behind an abandoned body is not made', async () => {
  const client = await dial();
  client.socket.write(
    `POST /nope HTTP/1.1\r\n${host}Connection: close\r\nContent-Length: 3\r\n\r\n`,
  );
  while (!client.received.includes('Not found.')) await once(client.socket, 'data');
  client.socket.write(
    `123POST /api/merchant/orders HTTP/1.1\r\n${host}${key}Content-Length: 2\r\n\r\n{}`,
  );
  await closed(client);
  expect(statusesOf(client)).toEqual([404]);
});

test('a client that has sent all is answered 413, and the connection ends with that', async () => {
  const { server } = service.app.http;
  const idleMs = server.keepAliveTimeout;
  server.keepAliveTimeout = 0; // an idle connection is never closed
  try {
    const { socket } = await dial();
    const answer = once(socket, 'data');
    const ended = once(socket, 'end'); // ours, at the end of the patience, has none
    socket.end(
      `POST /api/merchant/orders HTTP/1.1\r\n${host}${key}Content-Length: 66000\r\n\r\n${'0'.repeat(66_000)}`,
    );
    expect(String((await answer)[0])).toMatch(/^HTTP\/1\.1 413 /);
    await ended;
  } finally {
    server.keepAliveTimeout = idleMs;
  }
});
