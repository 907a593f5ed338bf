import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  EXACT_FORMAT,
  MEMBER_ADD_ACCOUNT,
  MEMBER_LIST_ORDERS,
  MEMBER_SET_PRESENCE,
  problemExample,
} from '@munshi/api';
import Type from 'typebox';
import { afterEach, expect, test } from 'vitest';
import { createApiClient, readExact } from './client.ts';

interface Got {
  readonly line: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}
type Reply = { readonly status: number; readonly body?: object; readonly lost?: true };

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A service that gives these answers, one after the other, and keeps what it was sent. */
async function serve(...replies: Reply[]) {
  const got: Got[] = [];
  const server = createServer(async (request, response) => {
    const chunks = await request.toArray();
    const { method, url, headers } = request;
    got.push({ line: `${method} ${url}`, headers, body: Buffer.concat(chunks).toString() });
    const { status, body = {}, lost } = replies.shift() ?? { status: 404 };
    if (lost) return void response.destroy();
    const type = status === 503 ? 'application/problem+json' : 'application/json';
    response.writeHead(status, { 'content-type': type, 'retry-after': '0' });
    response.end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  closing.push(() => server.close());
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { baseUrl, got };
}

const ACCOUNT = {
  walletType: 'ProviderA',
  accountNumber: '1',
  accountTitle: 'A',
  maximumPerDay: '99999999999999.9999',
} as const;

const ADDED = {
  accountId: '0195e5a0-0000-7000-8000-000000000001',
  ...{
    walletType: 'ProviderA',
    accountNumber: '1',
    accountTitle: 'A',
    qrPayload: null,
    qrAmount: false,
    createdAt: '2026-01-01T00:00:00.000Z',
    paused: false,
    currencies: null,
  },
  ...{ status: 'pending', minimumPerOrder: null, maximumPerOrder: null, maximumPerDay: null },
  usedToday: 0,
};
const AWAY = { ...problemExample(503, 'Away'), code: 'unavailable' };

test('amounts are written and read digit for digit, other numbers as numbers', async () => {
  const { baseUrl, got } = await serve({ status: 200, body: { data: ADDED } });
  await createApiClient({ baseUrl }).call(MEMBER_ADD_ACCOUNT, { body: ACCOUNT });
  expect(got[0]?.body).toContain('"maximumPerDay":99999999999999.9999');

  const amount = Type.Number({ format: EXACT_FORMAT });
  const row = Type.Object({
    amount: Type.Union([amount, Type.Null()]),
    count: Type.Integer(),
  });
  const schema = Type.Object({ data: Type.Array(row) });
  const text = '{"data":[{"amount":99999999999999.9990,"count":3},{"amount":null,"count":0}]}';
  expect(readExact(schema, text)).toEqual({
    data: [
      { amount: '99999999999999.9990', count: 3 },
      { amount: null, count: 0 },
    ],
  });
  const either = Type.Union([
    Type.Object({ a: Type.Optional(amount) }),
    Type.Object({ b: amount }),
  ]);
  expect(readExact(either, '{"b":0.10}')).toEqual({ b: '0.10' });
});

test('an amount that is no decimal text is not sent', async () => {
  const { baseUrl, got } = await serve();
  const body = { ...ACCOUNT, maximumPerDay: '1e3' };
  await expect(createApiClient({ baseUrl }).call(MEMBER_ADD_ACCOUNT, { body })).rejects.toThrow(
    'maximumPerDay must be decimal text',
  );
  expect(got).toEqual([]);
});

test('a write whose answer is lost is repeated with the same Idempotency-Key', async () => {
  const { baseUrl, got } = await serve(
    { status: 200, lost: true },
    { status: 503, body: AWAY },
    { status: 200, body: { data: ADDED } },
  );
  const client = createApiClient({ baseUrl, token: 't', csrfToken: () => 'c' });
  const outcome = await client.call(MEMBER_ADD_ACCOUNT, { body: ACCOUNT });
  expect(outcome).toEqual({ ok: true, answer: { data: { ...ADDED, usedToday: '0' } } });
  const keys = got.map(({ headers }) => headers['idempotency-key']);
  expect(keys).toHaveLength(3);
  expect(new Set(keys).size).toBe(1);
  expect(got[0]?.headers).toMatchObject({ authorization: 'Bearer t', 'x-csrf-token': 'c' });
});

test('a write without a key is sent once', async () => {
  const { baseUrl, got } = await serve({ status: 503, body: AWAY });
  const outcome = await createApiClient({ baseUrl }).call(MEMBER_SET_PRESENCE, {
    body: { online: true },
  });
  expect(outcome).toMatchObject({ ok: false, refusal: { status: 503, code: 'unavailable' } });
  expect(got).toHaveLength(1);
});

test('what an app says with every request is asked again for each', async () => {
  const nothing = { status: 200, body: { data: [], nextCursor: null } };
  const { baseUrl, got } = await serve(nothing, nothing);
  const said = ['yes', 'no'];
  const headers = () => ({ 'X-Unattended': said.shift() ?? '' });
  const client = createApiClient({ baseUrl, headers });
  await client.call(MEMBER_LIST_ORDERS, {});
  await client.call(MEMBER_LIST_ORDERS, {});
  expect(got.map((one) => one.headers['x-unattended'])).toEqual(['yes', 'no']);
});

test('a refusal is a value with its code', async () => {
  const body = { error: 'The session has ended.', code: 'not-signed-in' };
  const { baseUrl, got } = await serve({ status: 401, body });
  const outcome = await createApiClient({ baseUrl: `${baseUrl}/` }).call(MEMBER_LIST_ORDERS, {
    query: { state: 'open', limit: 5 },
  });
  expect(got[0]?.line).toBe('GET /api/member/orders?state=open&limit=5');
  expect(outcome).toEqual({
    ok: false,
    refusal: { status: 401, ...body, errors: {}, traceId: undefined },
  });
});
