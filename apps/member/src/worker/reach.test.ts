import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MEMBER_CONFIRM_ORDER } from '@munshi/api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createReach } from './reach.ts';

/** A service at which `second` is signed in on this phone. It finds no order. */
const written: string[] = [];
const session = {
  member: { memberId: 'second', username: 'second', name: 'Second' },
  csrfToken: 'token',
  expiresAt: '2026-01-01T00:00:00.000Z',
};
const refusal = { code: 'not-found', error: 'There is no such order.' };
const service = createServer(({ method, headers }, response) => {
  if (method === 'POST') written.push(String(headers['idempotency-key']));
  response.writeHead(method === 'POST' ? 404 : 200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(method === 'POST' ? refusal : { data: session }));
});
beforeAll(() => new Promise<void>((resolve) => service.listen(0, resolve)));
afterAll(() => new Promise((resolve) => service.close(resolve)));

test('a write goes out under the sign-in of the member who made it, and under no other', async () => {
  const { port } = service.address() as AddressInfo;
  const { write } = await createReach(`http://localhost:${port}/member/`);
  const params = { orderId: 'A' };
  const ofFirst = { params, body: {}, idempotencyKey: 'of the first' };
  const ofSecond = { params, body: {}, idempotencyKey: 'of the second' };
  expect(await write(MEMBER_CONFIRM_ORDER, ofFirst, 'first')).toBeUndefined();
  await write(MEMBER_CONFIRM_ORDER, ofSecond, 'second');
  expect(written).toEqual(['of the second']);
});
