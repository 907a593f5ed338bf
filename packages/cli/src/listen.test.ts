import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createClient, webhooks } from '../../sdk/src/index.ts';
import { type ListenOptions, listen } from './listen.ts';

const SECRET = 'sksec_0123456789abcdefghijklmnopqrstuvwxyzABCD';

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

type Handler = Parameters<typeof createServer>[1];
async function start(handler: Handler): Promise<string> {
  const server = createServer(handler as never);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const delivery = (orderReference: string, secret = SECRET) => {
  const body = `{"eventType":"order.failed","orderReference":"${orderReference}","merchantOrderRef":"INV-1","amount":1500.50,"status":"Rejected","reason":"not received · رقم"}`;
  return {
    deliveryId: `of ${orderReference}`,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'X-SVC-Signature': webhooks.sign(body, secret),
      'X-SVC-Delivery-Id': `of ${orderReference}`,
    },
    body,
  };
};

/**
 * Listens to a service that gives these pages after its first answer, undefined where the
 * connection is lost; ends once it has given all.
 */
async function listenTo(
  pages: readonly (readonly object[] | undefined)[],
  options: Partial<ListenOptions> = {},
) {
  const asked: string[] = [];
  const stop = new AbortController();
  const baseUrl = await start((request, response) => {
    const query = new URL(request.url ?? '', 'http://any').searchParams;
    asked.push(`${query.get('after')} ${query.get('wait')}`);
    const at = asked.length - 2;
    if (at < 0) return response.end('{"data":[],"next":"c0"}');
    if (at >= pages.length) return stop.abort();
    const data = pages[at];
    if (data === undefined) return response.destroy();
    return response.end(JSON.stringify({ data, next: `c${at + 1}` }));
  });
  const client = createClient({
    baseUrl,
    apiKey: 'mk_live_key',
    signingSecret: SECRET,
    attemptsMax: 1,
  });
  const lines: string[] = [];
  const all = { signingSecret: SECRET, all: false, json: false, signal: stop.signal };
  await listen(client, { ...all, ...options }, (line) => lines.push(line));
  return { asked, lines };
}

test('events are pulled from now on, verified and printed with their body', async () => {
  const { asked, lines } = await listenTo([[delivery('ORD-1'), delivery('ORD-2', 'another')]]);
  expect(asked).toEqual(['now 0', 'c0 25', 'c1 25']);
  expect(lines[0]).toBe('Listening. Ctrl+C ends it.');
  expect(lines[1]).toContain(
    'order.failed ORD-1 (INV-1) Rejected, "not received · رقم": the signature matches',
  );
  expect(lines[2]).toBe(`   ${delivery('ORD-1').body}`);
  expect(lines[3]).toContain('ORD-2');
  expect(lines[3]).toContain('DOES NOT MATCH');
});

test('forwarded events are byte for byte as they would be sent, and the answer is printed', async () => {
  const received: { headers: object; body: string }[] = [];
  const receiver = await start(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push({ headers: request.headers, body });
    response.writeHead(received.length === 1 ? 200 : 503).end();
  });
  const pages = [[delivery('ORD-1')], [delivery('ORD-2')]];
  const forwardTo = new URL(`${receiver}/hook`);
  const { lines } = await listenTo(pages, { forwardTo });
  const { body, headers } = delivery('ORD-1');
  expect(received[0]).toEqual({
    body,
    headers: expect.objectContaining({
      'content-type': headers['Content-Type'],
      'x-svc-signature': headers['X-SVC-Signature'],
      'x-svc-delivery-id': 'of ORD-1',
    }),
  });
  expect(lines[2]).toMatch(/^ {3}→ 200 in \d+ ms$/);
  expect(lines[4]).toMatch(/^ {3}→ 503 in \d+ ms$/);
});

test('a receiver that is not there ends nothing', async () => {
  const { lines } = await listenTo([[delivery('ORD-1')], [delivery('ORD-2')]], {
    forwardTo: new URL('http://127.0.0.1:1/'),
  });
  expect(lines.filter((line) => /→ no answer: .*ECONNREFUSED/.test(line))).toHaveLength(2);
});

test('after a lost connection, of which it speaks once, it goes on where it was', async () => {
  const { asked, lines } = await listenTo([
    [delivery('ORD-1')],
    undefined,
    undefined,
    [delivery('ORD-2')],
  ]);
  expect(asked.slice(2, 5)).toEqual(['c1 25', 'c1 25', 'c1 25']);
  expect(lines.filter((line) => line.endsWith('; trying again'))).toHaveLength(1);
  expect(lines.join('\n')).toMatch(/ORD-1[\s\S]*no answer from .*; trying again[\s\S]*ORD-2/);
});

test('--json gives a line for each event, --all begins with the oldest', async () => {
  const { asked, lines } = await listenTo([[delivery('ORD-1')]], { json: true, all: true });
  expect(asked[0]).toBe('null 0');
  expect(lines.map((line) => JSON.parse(line))).toEqual([{ ...delivery('ORD-1'), verified: true }]);
});

test('what is wrong at the first answer is thrown', async () => {
  const client = createClient({
    baseUrl: 'http://127.0.0.1:1',
    apiKey: 'mk_live_key',
    signingSecret: SECRET,
    attemptsMax: 1,
  });
  const options = { signingSecret: SECRET, all: false, json: false };
  await expect(listen(client, options, () => {})).rejects.toThrow('no answer from');
});
