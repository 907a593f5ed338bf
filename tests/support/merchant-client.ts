import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { signBody, type TestMerchant } from './fixtures.ts';
import { type RawAnswer, rawRequest } from './raw-http.ts';

/** An answer of the merchant face, its body as text and, where it is JSON, parsed. */
export interface Reply {
  readonly status: number;
  readonly contentType: string | null;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly json: any;
}

interface Sending {
  /** Undefined sends a new one, null none. */
  readonly idempotencyKey?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Posts these bytes to order creation with the merchant's key. */
export async function postBytes(
  merchant: TestMerchant,
  body: string | Buffer,
  { idempotencyKey, headers }: Sending = {},
): Promise<Reply> {
  const key = idempotencyKey === undefined ? randomUUID() : idempotencyKey;
  const response = await fetch(`${merchant.url}/api/merchant/orders`, {
    method: 'POST',
    headers: {
      'SVC-API-Key': merchant.apiKey,
      ...(key === null ? {} : { 'Idempotency-Key': key }),
      'Content-Type': 'application/json',
      ...headers,
    },
    body: new Uint8Array(Buffer.from(body)),
  });
  return replyOf(response);
}

/** Signs and posts an order. `JSON.rawJSON` values are sent as written. */
export const postOrder = (
  merchant: TestMerchant,
  body: Readonly<Record<string, unknown>>,
  sending?: Sending,
) => postBytes(merchant, signBody(body, merchant.signingSecret), sending);

export async function get(
  merchant: Pick<TestMerchant, 'url' | 'apiKey'>,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  return replyOf(
    await fetch(`${merchant.url}/api/merchant${path}`, {
      headers: { 'SVC-API-Key': merchant.apiKey, ...headers },
    }),
  );
}

async function replyOf(response: Response): Promise<Reply> {
  return {
    ...parsed(await response.text()),
    status: response.status,
    contentType: response.headers.get('content-type'),
  };
}

/** A raw answer in the same shape. */
export const replyOfRaw = (answer: RawAnswer): Reply => ({
  ...parsed(answer.text),
  status: answer.status,
  contentType: answer.header('content-type') ?? null,
});

const parsed = (text: string) => ({
  text,
  json: text.startsWith('{') ? JSON.parse(text) : undefined,
});

/** Posts with exactly these headers and bytes. */
export const rawPost = (
  merchant: TestMerchant,
  headers: readonly (readonly [string, string])[],
  more: Omit<Parameters<typeof rawRequest>[1], 'headers'>,
) => rawRequest(merchant.url, { method: 'POST', path: '/api/merchant/orders', headers, ...more });

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * The four body formats (merchant-api.md#errors), each held to its exact shape and content type.
 */
export function expectMessage(reply: Reply, status: number, error: string): void {
  expect(reply).toMatchObject({
    status,
    contentType: 'application/json; charset=utf-8',
    json: { error },
  });
  expect(Object.keys(reply.json)).toEqual(['error']);
}

export function expectSignatureError(reply: Reply, status: 401 | 413, code: string): void {
  expect(reply).toMatchObject({
    status,
    contentType: 'application/json; charset=utf-8',
    json: { success: false, code },
  });
  expect(Object.keys(reply.json).sort()).toEqual(['code', 'error', 'success', 'traceId']);
  expect(reply.json.error).toMatch(/\S/);
  expect(reply.json.traceId).toMatch(UUID);
}

/** Answers the `errors` object, which must have exactly these keys. */
export function expectProblem(
  reply: Reply,
  status: 400 | 500 | 503,
  fields: readonly string[] = [],
): Record<string, string[]> {
  expect(reply).toMatchObject({
    status,
    contentType: 'application/problem+json; charset=utf-8',
    json: { status },
  });
  expect(Object.keys(reply.json).sort()).toEqual(['errors', 'status', 'title', 'traceId', 'type']);
  expect(reply.json.type).toMatch(/^https:\/\/tools\.ietf\.org\/html\/rfc9110#section-15\.\d\.\d$/);
  expect(reply.json.traceId).toMatch(UUID);
  expect(Object.keys(reply.json.errors).sort()).toEqual([...fields].sort());
  for (const messages of Object.values(reply.json.errors))
    expect(messages).toEqual(expect.arrayContaining([expect.stringMatching(/\S/)]));
  return reply.json.errors;
}

export function expectNoKey(reply: Pick<Reply, 'status' | 'text' | 'contentType'>): void {
  expect({ status: reply.status, text: reply.text, contentType: reply.contentType }).toEqual({
    status: 401,
    text: '',
    contentType: null,
  });
}
