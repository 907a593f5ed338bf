import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, Socket } from 'node:net';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Receiver, startReceiver } from '../../../../../tests/support/receiver.ts';
import { createSender, type Sender, type SenderOptions } from './send.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const close of closing.splice(0)) await close();
});

/** A sender that may reach this machine, and resolves only the given hosts. */
function sender(options: Partial<SenderOptions> = {}): Sender {
  const made = createSender({ allowPrivate: true, resolve: async () => ['127.0.0.1'], ...options });
  closing.push(() => made.close());
  return made;
}
const strict = (options: Partial<SenderOptions> = {}) =>
  sender({ allowPrivate: false, ...options });
const receive = async (...behaviour: Parameters<typeof startReceiver>): Promise<Receiver> => {
  const receiver = await startReceiver(...behaviour);
  closing.push(() => receiver.close());
  return receiver;
};
const listen = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  return (server.address() as AddressInfo).port;
};
/** A server that counts connections and handles each as given. */
async function raw(onConnection: (socket: Socket) => void = () => {}) {
  const sockets: Socket[] = [];
  const server = createTcpServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    onConnection(socket);
  });
  const port = await listen(server);
  closing.push(() => sockets.forEach((socket) => void socket.destroy()));
  return { port, sockets };
}
const post = (from: Sender, url: string) =>
  from.send({ url, headers: { 'content-type': 'application/json' }, body: Buffer.from('{"a":1}') });

describe('an attempt', () => {
  test('posts the bytes and reads the status, the beginning of the answer and the time', async () => {
    const receiver = await receive(
      (_, response) => void response.writeHead(202).end(`ok ${'x'.repeat(5_000)}`),
    );
    const result = await post(sender(), `${receiver.url}/hook?a=b#fragment`);
    expect(result).toMatchObject({ outcome: 'acknowledged', responseStatus: 202, error: null });
    expect(result.answer).toBe(`ok ${'x'.repeat(1_021)}`);
    expect(receiver.received[0]).toMatchObject({ url: '/hook?a=b', json: { a: 1 } });
    expect(receiver.received[0]?.headers).not.toHaveProperty('authorization');
  });

  test.each([
    ['user:password@', 'user:password'],
    ['user@', 'user:'],
    [':password@', ':password'],
    ['u%40shop:p%3Aw%2f%25@', 'u@shop:p:w/%'],
    ['ülke:schlüßel@', 'ülke:schlüßel'],
    ['%E0%A4%A4:100%@', 'त:100%'],
  ])('%s of a URL is sent as Basic authentication', async (login, sent) => {
    const receiver = await receive();
    await post(sender(), receiver.url.replace('//', `//${login}`));
    expect(receiver.received[0]?.url).toBe('/');
    expect(receiver.received[0]?.headers).toMatchObject({
      host: `127.0.0.1:${receiver.port}`,
      authorization: `Basic ${Buffer.from(sent).toString('base64')}`,
    });
  });

  test('one connection serves many attempts, one at a time', async () => {
    const receiver = await receive();
    const from = sender();
    for (let n = 0; n < 5; n += 1) await post(from, receiver.url);
    expect(receiver.connections).toBe(1);
    await Promise.all(Array.from({ length: 3 }, () => post(from, receiver.url)));
    expect(receiver.connections).toBe(3);
  });

  test('a receiver that closes each connection after its answer loses nothing', async () => {
    const receiver = await receive(
      (_, response) => void response.writeHead(200, { connection: 'close' }).end(),
    );
    const from = sender();
    const results = await Promise.all(Array.from({ length: 40 }, () => post(from, receiver.url)));
    for (let n = 0; n < 40; n += 1) results.push(await post(from, receiver.url));
    expect(results.map(({ outcome }) => outcome)).toEqual(Array(80).fill('acknowledged'));
  });

  test('control characters in an answer become printable', async () => {
    const receiver = await receive(
      (_, response) =>
        void response.writeHead(400).end(Buffer.from('a\u0000b\u001b[31m\nc\xff', 'latin1')),
    );
    expect((await post(sender(), receiver.url)).answer).toBe('a\ufffdb\ufffd[31m\nc\ufffd');
  });

  test('redirects are not followed', async () => {
    const elsewhere = await receive();
    for (const status of [301, 302, 303, 307, 308]) {
      const receiver = await receive(
        (_, response) => void response.writeHead(status, { location: elsewhere.url }).end(),
      );
      expect(await post(sender(), receiver.url)).toMatchObject({
        outcome: 'answered',
        responseStatus: status,
        error: `The receiver answered ${status}.`,
      });
    }
    expect(elsewhere.connections).toBe(0);
  });
});

describe('receivers that misbehave', () => {
  test('one that never answers: the attempt ends in time, and its connection with it', async () => {
    const { port, sockets } = await raw();
    const closed = new Promise(
      (resolve) =>
        void expect
          .poll(() => sockets[0])
          .toBeDefined()
          .then(() => sockets[0]?.once('close', resolve)),
    );
    const result = await post(sender({ timeoutMs: 200 }), `http://127.0.0.1:${port}/`);
    expect(result).toMatchObject({
      outcome: 'timeout',
      responseStatus: null,
      error: 'No answer within 0.2 seconds.',
    });
    expect(result.durationMs).toBeGreaterThanOrEqual(195);
    sockets[0]?.resume();
    await closed;
  });

  test('one that drips a byte of its status line now and then: five seconds are for all of it', async () => {
    const { port } = await raw((socket) => {
      const timer = setInterval(() => socket.write('H'), 20);
      socket.once('close', () => clearInterval(timer));
    });
    expect((await post(sender({ timeoutMs: 300 }), `http://127.0.0.1:${port}/`)).outcome).not.toBe(
      'acknowledged',
    );
    const slow = await raw((socket) => {
      const text = 'HTTP/1.1 200 OK\r\nx-slow: yes\r\n';
      let at = 0;
      const timer = setInterval(() => socket.write(text[at++ % text.length] ?? ''), 20);
      socket.once('close', () => clearInterval(timer));
    });
    expect(await post(sender({ timeoutMs: 300 }), `http://127.0.0.1:${slow.port}/`)).toMatchObject({
      outcome: 'timeout',
      responseStatus: null,
    });
  });

  test('one that sends interim answers for ever has not answered', async () => {
    const { port } = await raw((socket) => {
      const timer = setInterval(
        () => socket.write('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'),
        10,
      );
      socket.once('close', () => clearInterval(timer));
    });
    expect(await post(sender({ timeoutMs: 200 }), `http://127.0.0.1:${port}/`)).toMatchObject({
      outcome: 'timeout',
      responseStatus: null,
    });
  });

  test('one that sends interim answers that were not asked for, however they arrive', async () => {
    const interim = [
      'HTTP/1.1 100 Continue\r\n\r\n',
      'HTTP/1.1 102 Processing\r\n\r\n',
      'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\nx: y\r\n\r\n',
      'HTTP/1.1 100 Continue\r\nx: y\r\n\r\n',
    ].join('');
    const body = '\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n';
    const text = `${interim}HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
    for (const piece of [1, 7, text.length]) {
      const { port, sockets } = await raw((socket) =>
        socket.setNoDelay(true).on('data', async () => {
          for (let at = 0; at < text.length; at += piece)
            await new Promise((next) => socket.write(text.slice(at, at + piece), next));
        }),
      );
      const from = sender();
      for (let time = 0; time < 2; time += 1)
        expect(await post(from, `http://127.0.0.1:${port}/`)).toMatchObject({
          outcome: 'acknowledged',
          responseStatus: 200,
          answer: body,
        });
      expect(sockets.length).toBe(1);
    }
  });

  test('one that drips its body: the status counts, the body is cut', async () => {
    const { port, sockets } = await raw((socket) => {
      socket.resume();
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
      const timer = setInterval(() => socket.write('1\r\nx\r\n'), 50);
      socket.once('close', () => clearInterval(timer));
    });
    expect(await post(sender(), `http://127.0.0.1:${port}/`)).toMatchObject({
      outcome: 'acknowledged',
      responseStatus: 200,
      answer: expect.stringMatching(/^x+$/),
    });
    await expect.poll(() => sockets[0]?.destroyed).toBe(true);
  });

  test('one that answers a gigabyte: 64 KB of it are read', async () => {
    let written = 0;
    const { port, sockets } = await raw((socket) => {
      socket.resume();
      const chunk = Buffer.alloc(65_536, 'y');
      socket.write('HTTP/1.1 500 No\r\ncontent-length: 1073741824\r\n\r\n');
      const fill = () => {
        while (!socket.destroyed && written < 2 ** 30) {
          written += chunk.length;
          if (!socket.write(chunk)) return;
        }
      };
      socket.on('drain', fill);
      fill();
    });
    const before = process.memoryUsage().rss;
    const result = await post(sender(), `http://127.0.0.1:${port}/`);
    expect(result).toMatchObject({
      outcome: 'answered',
      responseStatus: 500,
      answer: 'y'.repeat(1_024),
    });
    await expect.poll(() => sockets[0]?.destroyed).toBe(true);
    expect(written).toBeLessThan(64 * 2 ** 20);
    expect(process.memoryUsage().rss - before).toBeLessThan(128 * 2 ** 20);
  });

  test('a gzip bomb is not unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(50 * 2 ** 20));
    const receiver = await receive(
      (_, response) =>
        void response
          .writeHead(200, { 'content-encoding': 'gzip', 'content-length': bomb.length })
          .end(bomb),
    );
    const before = process.memoryUsage().rss;
    const { outcome, answer } = await post(sender(), receiver.url);
    expect(outcome).toBe('acknowledged');
    expect(answer?.length).toBeLessThanOrEqual(1_024);
    expect(process.memoryUsage().rss - before).toBeLessThan(40 * 2 ** 20);
  });

  test('one whose answer is not HTTP, or whose headers never end', async () => {
    const nonsense = await raw((socket) => void socket.end('SSH-2.0-OpenSSH_9.2\r\n'));
    expect(await post(sender(), `http://127.0.0.1:${nonsense.port}/`)).toMatchObject({
      outcome: 'failed',
      error: expect.stringMatching(/^The answer is not HTTP/),
    });
    const headers = await raw(
      (socket) =>
        void socket.write(
          `HTTP/1.1 200 OK\r\n${'x: yyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\r\n'.repeat(2_000)}`,
        ),
    );
    expect(await post(sender(), `http://127.0.0.1:${headers.port}/`)).toMatchObject({
      outcome: 'failed',
      error: 'The headers of the answer are too large.',
    });
  });

  test('one that stops in the middle of its body has acknowledged all the same', async () => {
    const { port } = await raw((socket) => {
      socket.resume();
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf');
    });
    expect(await post(sender(), `http://127.0.0.1:${port}/`)).toMatchObject({
      outcome: 'acknowledged',
      responseStatus: 200,
      answer: 'half',
    });
  });

  test('a thousand attempts at a receiver that hangs leave no memory and no connection behind', async () => {
    // each reads, so that it sees its end, also one that is accepted only when its attempt is over
    const { port, sockets } = await raw((socket) => void socket.resume());
    const from = sender({ timeoutMs: 100 });
    const round = () =>
      Promise.all(Array.from({ length: 200 }, () => post(from, `http://127.0.0.1:${port}/`)));
    for (let n = 0; n < 3; n += 1) await round();
    const before = process.memoryUsage().rss;
    const results = [];
    for (let n = 0; n < 5; n += 1) results.push(...(await round()));
    expect(results.map(({ outcome }) => outcome)).toEqual(Array(1_000).fill('timeout'));
    // on a busy machine some attempts are over before they are connected
    expect(sockets.length).toBeGreaterThan(0);
    await expect.poll(() => sockets.filter(({ destroyed }) => !destroyed).length).toBe(0);
    expect(process.memoryUsage().rss - before).toBeLessThan(60 * 2 ** 20);
  });
});

describe('a process that stands still', () => {
  /** A receiver in a thread of its own; it answers on request. */
  async function independent() {
    const thread = new Worker(
      `const { parentPort } = require('node:worker_threads');
      const waiting = [];
      const server = require('node:http').createServer((request, response) => {
        waiting.push(response);
        parentPort.postMessage('received');
      });
      server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
      parentPort.on('message', (answered) => {
        for (const response of waiting) response.end('late');
        Atomics.store(answered, 0, 1);
        Atomics.notify(answered, 0);
      });`,
      { eval: true },
    );
    closing.push(() => thread.terminate());
    const [port] = (await once(thread, 'message')) as [number];
    return {
      url: `http://127.0.0.1:${port}/`,
      received: () => once(thread, 'message'),
      /** Returns when it has answered; nothing else runs here meanwhile. */
      answer() {
        const answered = new Int32Array(new SharedArrayBuffer(4));
        thread.postMessage(answered);
        Atomics.wait(answered, 0, 0);
      },
    };
  }
  const standStill = (ms: number) => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  };

  test('an answer that has arrived when it reads again counts, however late that is', async () => {
    const receiver = await independent();
    const sent = post(sender({ timeoutMs: 2_000, stalledMs: 2_400 }), receiver.url);
    await receiver.received();
    receiver.answer();
    standStill(2_500);
    expect(await sent).toMatchObject({ outcome: 'acknowledged', responseStatus: 200 });
  });

  test('its receiver still has the time to answer that it did not have meanwhile', async () => {
    const receiver = await independent();
    const sent = post(sender({ timeoutMs: 2_000 }), receiver.url);
    await receiver.received();
    standStill(2_500);
    await new Promise((resolve) => setImmediate(resolve));
    receiver.answer();
    expect(await sent).toMatchObject({ outcome: 'acknowledged', answer: 'late' });
  });

  test('it abandons an attempt before its claim ends, without blaming the receiver', async () => {
    const receiver = await independent();
    const sent = post(sender({ timeoutMs: 2_400, stalledMs: 2_000 }), receiver.url);
    await receiver.received();
    standStill(2_500);
    expect(await sent).toMatchObject({
      outcome: 'stalled',
      responseStatus: null,
      error: 'The service was too busy to wait for an answer.',
    });
  });

  test('it goes on with the first address of a name, and does not turn to one that leads nowhere', async () => {
    const receiver = await receive();
    const resolve = async () => ['127.0.0.1', '::1'];
    const sent = post(sender({ resolve }), `http://two.example:${receiver.port}/`);
    await new Promise((connecting) => setImmediate(connecting));
    standStill(700);
    expect(await sent).toMatchObject({ outcome: 'acknowledged' });
  });
});

describe('a name with several addresses', () => {
  test('the next one is connected to where one refuses', async () => {
    const receiver = await receive();
    const resolve = async () => ['127.0.0.2', '::1', '127.0.0.1'];
    const result = await post(sender({ resolve }), `http://many.example:${receiver.port}/`);
    expect(result.outcome).toBe('acknowledged');
  });

  test('where all of them refuse, the attempt fails with the first reason', async () => {
    const { port } = await raw();
    const resolve = async () => ['127.0.0.2', '127.0.0.3'];
    expect(await post(sender({ resolve }), `http://many.example:${port}/`)).toMatchObject({
      outcome: 'failed',
      error: 'The connection was refused.',
    });
  });
});

describe('SSRF: what a name resolves to', () => {
  const listener = () => raw((socket) => void socket.end('HTTP/1.1 200 OK\r\n\r\n'));
  const url = (port: number) => `http://rebind.example:${port}/`;

  test('a private answer is refused, and nothing is connected to', async () => {
    const { port, sockets } = await listener();
    const result = await post(strict(), url(port));
    expect(result).toMatchObject({
      outcome: 'refused',
      error: 'Refused: rebind.example does not resolve to public addresses alone.',
    });
    expect(sockets).toEqual([]);
  });

  test('one bad address among good ones refuses them all, in any place and of either family', async () => {
    const { port, sockets } = await listener();
    for (const answer of [
      ['93.184.216.34', '127.0.0.1'],
      ['127.0.0.1', '93.184.216.34'],
      ['2606:4700::1', '::1'],
      ['93.184.216.34', '::ffff:127.0.0.1'],
      ['93.184.216.34', '64:ff9b::7f00:1'],
      ['93.184.216.34', 'not an address'],
    ]) {
      expect(await post(strict({ resolve: async () => answer }), url(port))).toMatchObject({
        outcome: 'refused',
        responseStatus: null,
      });
    }
    expect(sockets).toEqual([]);
  });

  test('a name that answers public, then private: each connection goes to what was checked for it', async () => {
    const { port, sockets } = await listener();
    const answers = [['93.184.216.34'], ['127.0.0.1'], ['127.0.0.1']];
    let asked = 0;
    const from = strict({ resolve: async () => answers[asked++] ?? [], timeoutMs: 150 });
    expect((await post(from, url(port))).outcome).not.toBe('acknowledged');
    expect(asked).toBe(1); // once for a connection: nothing asks again between the check and the connect
    expect((await post(from, url(port))).outcome).toBe('refused');
    expect(asked).toBe(2);
    expect(sockets).toEqual([]);
  });

  test('an internal name and one that does not exist are refused alike', async () => {
    const resolves: readonly NonNullable<SenderOptions['resolve']>[] = [
      async () => ['10.0.0.5'],
      async () => ['fd00::5', '10.0.0.6'],
      async () => ['93.184.216.34', '10.0.0.5'],
      async () => [],
      () => Promise.reject(Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' })),
    ];
    const errors: (string | null)[] = [];
    for (const resolve of resolves)
      errors.push((await post(strict({ resolve }), url(1_234))).error);
    expect(new Set(errors)).toEqual(
      new Set(['Refused: rebind.example does not resolve to public addresses alone.']),
    );
  });

  test('the socket goes to the checked address, not to what the system resolves', async () => {
    const receiver = await receive();
    const result = await post(
      sender({ resolve: async () => ['127.0.0.1'] }),
      `http://no-such-host.example:${receiver.port}/`,
    );
    expect(result.outcome).toBe('acknowledged');
    expect(receiver.received[0]?.headers['host']).toBe(`no-such-host.example:${receiver.port}`);
  });

  test('the address that was reached is checked again: nothing is sent to another', async () => {
    const received: Buffer[] = [];
    const { port } = await raw((socket) => void socket.on('data', (chunk) => received.push(chunk)));
    // what `remoteAddress` reads
    const socket = Socket.prototype as unknown as { _getpeername(): object };
    vi.spyOn(socket, '_getpeername').mockReturnValue({
      address: '169.254.169.254',
      family: 'IPv4',
      port,
    });
    const result = await post(sender(), `http://127.0.0.1:${port}/`);
    expect(result).toMatchObject({
      outcome: 'refused',
      error: 'Refused: 127.0.0.1 is not a public address.',
    });
    expect(received).toEqual([]);
  });

  test('a name without an address is refused, with the reason', async () => {
    const failing = strict({
      resolve: () =>
        Promise.reject(Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' })),
    });
    expect(await post(failing, 'http://gone.example/')).toMatchObject({
      outcome: 'refused',
      error: 'Refused: gone.example does not resolve to public addresses alone.',
    });
    expect(await post(strict({ resolve: async () => [] }), 'http://gone.example/')).toMatchObject({
      outcome: 'refused',
    });
  });

  test('a name server that does not answer: the attempt ends in time, and no socket is opened later', async () => {
    const { port, sockets } = await listener();
    let answer: (addresses: readonly string[]) => void = () => {};
    const resolve = () =>
      new Promise<readonly string[]>((answered) => {
        answer = answered;
      });
    const from = sender({ resolve, timeoutMs: 100 });
    expect(await post(from, url(port))).toMatchObject({ outcome: 'timeout' });
    answer(['127.0.0.1']);
    await new Promise((resolve) => setImmediate(resolve));
    expect(sockets).toEqual([]);
  });
});

describe('HTTPS', () => {
  const tls = path.join(
    import.meta.dirname,
    '..',
    '..',
    '..',
    '..',
    '..',
    'tests',
    'support',
    'tls',
  );
  const cert = readFileSync(path.join(tls, 'receiver-certificate.pem'), 'utf8');
  const key = readFileSync(path.join(tls, 'receiver-key.pem'), 'utf8');
  const secure = async (sent = cert) => {
    let requests = 0;
    const server = createHttpsServer({ cert: sent, key }, (_request, response) => {
      requests += 1;
      response.end();
    });
    const port = await listen(server);
    closing.push(() => server.closeAllConnections());
    return { port, requests: () => requests };
  };

  test('a certificate that is known and fits the name', async () => {
    const { port, requests } = await secure();
    expect(await post(sender({ ca: cert }), `https://receiver.example:${port}/`)).toMatchObject({
      outcome: 'acknowledged',
    });
    expect(requests()).toBe(1);
  });

  test('a certificate of nobody known, of another name, or none: a failed attempt, and nothing is sent', async () => {
    const { port, requests } = await secure();
    expect(await post(sender(), `https://receiver.example:${port}/`)).toMatchObject({
      outcome: 'failed',
      error: 'The receiver has a self-signed certificate: it needs one of a public authority.',
    });
    expect(await post(sender({ ca: cert }), `https://other.example:${port}/`)).toMatchObject({
      outcome: 'failed',
      error: 'The receiver has a certificate that is not for this host name.',
    });
    expect(await post(sender({ ca: cert }), `https://127.0.0.1:${port}/`)).toMatchObject({
      outcome: 'failed',
      error: 'The receiver has a certificate that is not for this host name.',
    });
    expect(requests()).toBe(0);
    const plain = createHttpServer((_request, response) => void response.end());
    const plainPort = await listen(plain);
    expect(
      await post(sender({ ca: cert }), `https://receiver.example:${plainPort}/`),
    ).toMatchObject({ outcome: 'failed', error: 'The receiver does not speak TLS on this port.' });
  });

  test('a receiver that sends its own certificate alone is shown what it lacks', async () => {
    const leaf = readFileSync(path.join(tls, 'receiver-without-chain.pem'), 'utf8');
    const { port, requests } = await secure(leaf);
    expect(await post(sender(), `https://receiver.example:${port}/`)).toMatchObject({
      outcome: 'failed',
      error: expect.stringMatching(/^The receiver sends no intermediate certificate: install the/),
    });
    expect(requests()).toBe(0);
  });
});
