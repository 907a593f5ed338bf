import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createClient } from '../../sdk/src/index.ts';
import { check } from './check.ts';

const SECRET = 'sksec_0123456789abcdefghijklmnopqrstuvwxyzABCD';
const PREFIX = 'Abcd1234';
/** In place of five seconds, where a receiver does not answer. */
const TIMEOUT_MS = 2_000;

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

async function start(handler: (request: IncomingMessage) => Promise<number | string>) {
  const server = createServer(async (request, response) => {
    const answer = await handler(request).catch(() => 500);
    if (typeof answer === 'string') response.end(answer);
    else response.writeHead(answer).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const ORDER = {
  orderId: '019cebab-8995-7a3e-9c41-5d0f6b2a8e17',
  orderReference: 'ORD-20260314092653-7K2M9Q',
  status: 'Queued',
  stage: 'Assigned',
  amount: 99999999999999.9,
  fee: null,
  currency: 'PKR',
  orderType: 'Deposit',
  merchantOrderRef: 'INV-1001',
  lifecycle: {
    stage: 'Assigned',
    createdAt: '2026-03-14T09:26:53.589Z',
    awaitingAt: null,
    assignedAt: '2026-03-14T09:26:53.589Z',
    sentAt: null,
    approvedAt: null,
    rejectedAt: null,
    completedAt: null,
    failedAt: null,
  },
};

/** The failed trials of a receiver, and the lines of the report. */
async function tryReceiver(
  receiver: (request: IncomingMessage) => Promise<number>,
  timeoutMs?: number,
) {
  const client = createClient({
    baseUrl: await start(async () => JSON.stringify({ data: ORDER })),
    apiKey: `mk_live_${PREFIX}rest`,
    signingSecret: SECRET,
  });
  const url = new URL(`${await start(receiver)}/hook`);
  const options = { url, order: 'ORD-1', ...(timeoutMs && { timeoutMs }) };
  const settings = { baseUrl: '', apiKey: `mk_live_${PREFIX}rest`, signingSecret: SECRET };
  const lines: string[] = [];
  const ok = await check(client, settings, { ...options, json: false }, (line) => lines.push(line));
  const failed = lines.flatMap((line) => /^failed +([^:]+):/.exec(line)?.[1] ?? []);
  expect(ok).toBe(failed.length === 0);
  return { failed, lines };
}

interface Event {
  readonly eventType: string;
  readonly orderId: string;
}

/** The parts of a receiver; a bad one has another of one of them. */
interface Parts {
  read(request: IncomingMessage): Promise<Buffer>;
  /** The bytes that the signature is computed of. */
  signed(body: Buffer): Buffer | string;
  secret(prefix: unknown): string | undefined;
  verifies: boolean;
  duplicate(): number;
  olderAfterNewer(): number;
  /** An order that it does not know. */
  unknown: number;
  remembersFirst: boolean;
  /** Before it answers an event that is new. */
  work(): Promise<void>;
}

const GOOD: Parts = {
  async read(request) {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  },
  signed: (body) => body,
  secret: (prefix) => (prefix === PREFIX ? SECRET : undefined),
  verifies: true,
  duplicate: () => 200,
  olderAfterNewer: () => 200,
  unknown: 500,
  remembersFirst: false,
  work: async () => {},
};

/** As docs/webhooks.md#receive-one and docs/integrate.md describe one. */
function receiver(parts: Partial<Parts> = {}) {
  const its = { ...GOOD, ...parts };
  const known = new Set<string>();
  return async (request: IncomingMessage): Promise<number> => {
    const body = await its.read(request);
    const secret = its.secret(request.headers['x-svc-key-prefix']);
    const expected = (of: string) =>
      `sha256=${createHmac('sha256', of).update(its.signed(body)).digest('hex')}`;
    const matches = secret !== undefined && request.headers['x-svc-signature'] === expected(secret);
    if (its.verifies && !matches) return 401;
    const event = JSON.parse(body.toString()) as Event;
    const key = `${event.orderId} ${event.eventType}`;
    if (known.has(key)) return its.duplicate();
    if (its.remembersFirst) known.add(key);
    if (event.orderId !== ORDER.orderId) return its.unknown;
    known.add(key);
    await its.work();
    const completed = known.has(`${event.orderId} order.completed`);
    return completed && event.eventType === 'order.failed' ? its.olderAfterNewer() : 200;
  };
}

test('a good receiver passes, whether or not it stores events of orders that it does not know', async () => {
  for (const unknown of [500, 404, 200]) {
    const { failed, lines } = await tryReceiver(receiver({ unknown }));
    expect(failed, lines.join('\n')).toEqual([]);
    expect(lines).toHaveLength(9);
    expect(lines.at(-1)).toBe('The receiver is good.');
  }
});

test.each<[what: string, parts: Partial<Parts>, failed: readonly string[]]>([
  [
    'signs what its parser writes again',
    { signed: (body) => JSON.stringify(JSON.parse(body.toString()), null, 1) },
    ['good'],
  ],
  ['verifies nothing', { verifies: false }, ['wrong signature', 'unknown key prefix']],
  [
    'takes no secret for an empty one',
    { secret: (prefix) => (prefix === PREFIX ? SECRET : '') },
    ['unknown key prefix'],
  ],
  ['breaks where it has no secret', { secret: fail }, ['unknown key prefix']],
  ['refuses a duplicate', { duplicate: () => 409 }, ['the same again']],
  ['refuses an older event', { olderAfterNewer: () => 409 }, ['older after newer']],
  ['reads the first piece of a body alone', { read: firstPiece }, ['slow']],
  ['remembers an event before it has stored it', { remembersFirst: true }, ['500, then again']],
  [
    'reads text as Latin-1',
    { signed: (body) => Buffer.from(body.toString('latin1'), 'utf8') },
    ['four scripts'],
  ],
])('a receiver that %s fails its trials alone', async (_what, parts, expected) => {
  const { failed, lines } = await tryReceiver(receiver(parts));
  expect(failed, lines.join('\n')).toEqual(expected);
  expect(lines.at(-1)).toBe(`${expected.length} failed.`);
});

test('a receiver that does its work before it answers fails', async () => {
  const works = receiver({ work: () => new Promise(() => {}) });
  const { failed, lines } = await tryReceiver(works, TIMEOUT_MS);
  expect(failed).toEqual(['good']);
  expect(lines).toContain('not tried the same again');
  expect(lines[0]).toContain('no answer: none within 2000 ms');
});

/** `undefined` of a table of secrets, handed on. */
function fail(prefix: unknown): string {
  if (prefix !== PREFIX) throw new TypeError('The "key" argument must be of type string.');
  return SECRET;
}

function firstPiece(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve) => request.once('data', resolve));
}
