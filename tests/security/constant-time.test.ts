import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, beforeEach, expect } from 'vitest';
import { webhooks } from '../../packages/sdk/src/index.ts';
import { createMember, createMerchant, createOrder, signBody } from '../support/fixtures.ts';
import { postBytes } from '../support/merchant-client.ts';
import { OPERATOR_TOKEN } from '../support/service.ts';
import { serviceTest } from '../support/service-test.ts';

/** What `timingSafeEqual` has answered since the test began; the service runs in this process. */
const compared: boolean[] = [];
const { timingSafeEqual } = crypto;
const exportInstead = (compare: typeof timingSafeEqual) => {
  Object.assign(crypto, { timingSafeEqual: compare });
  syncBuiltinESMExports();
};
exportInstead((one, other) => {
  compared.push(timingSafeEqual(one, other));
  return compared.at(-1) as boolean;
});
afterAll(() => exportInstead(timingSafeEqual));
beforeEach(() => void compared.splice(0));

const METRICS_TOKEN = 'a-long-enough-metrics-token';
const PASSWORD = 'correct horse';
const { test, service } = await serviceTest({ METRICS_TOKEN });
const merchant = await createMerchant(service);
const member = await createMember(service, { password: PASSWORD });

const signIn = (username: string, password: string) =>
  fetch(`${service.url}/api/member/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username, password }),
  });
const bearer = async (path: string, token: string) =>
  (await fetch(service.url + path, { headers: { Authorization: `Bearer ${token}` } })).status;

/** Another secret of the same length that is wrong in its last character alone. */
const changed = (secret: string) => secret.slice(0, -1) + (secret.endsWith('0') ? '1' : '0');

/** Answers the status for the right secret, or for one that is wrong at its end. */
type Guess = (change: (secret: string) => string) => Promise<number>;

const GUESSES: readonly (readonly [what: string, refusal: number, guess: Guess])[] = [
  [
    'the signature of an order',
    401,
    async (change) => {
      const order = { orderType: 'Deposit', amount: 1, walletType: 'ProviderA' };
      const { signature, ...rest } = JSON.parse(signBody(order, merchant.signingSecret));
      const body = JSON.stringify({ ...rest, signature: change(signature) });
      return (await postBytes(merchant, body)).status;
    },
  ],
  [
    'the token of a payment link',
    403,
    async (change) => {
      const url = new URL((await createOrder(merchant)).paymentPageUrl);
      compared.splice(0);
      url.searchParams.set('token', change(url.searchParams.get('token') as string));
      return (await fetch(url, { headers: { Accept: 'application/json' } })).status;
    },
  ],
  [
    'the anti-forgery token of a session',
    403,
    async (change) => {
      const signedIn = await signIn(member.username, PASSWORD);
      const { data } = (await signedIn.json()) as { data: { csrfToken: string } };
      compared.splice(0);
      const answer = await fetch(`${service.url}/api/member/presence`, {
        method: 'POST',
        headers: {
          Cookie: signedIn.headers.get('set-cookie')?.split(';')[0] as string,
          'X-CSRF-Token': change(data.csrfToken),
          'Content-Type': 'application/json',
        },
        body: '{"online":true}',
      });
      return answer.status;
    },
  ],
  ['the token of /metrics', 401, (change) => bearer('/metrics', change(METRICS_TOKEN))],
  [
    'a script token of the environment',
    401,
    (change) => bearer('/api/operator/merchants', change(OPERATOR_TOKEN)),
  ],
  ['a password', 401, async (change) => (await signIn(member.username, change(PASSWORD))).status],
];

test.each(GUESSES)(
  '%s is compared in constant time, right or wrong in its last character',
  async (_what, refusal, guess) => {
    expect(await guess((secret) => secret)).toBe(200);
    expect(compared).toContain(true);
    compared.splice(0);
    expect(await guess(changed)).toBe(refusal);
    expect(new Set(compared)).toEqual(new Set([false]));
  },
);

test('the password of somebody who does not exist is compared like anybody’s', async () => {
  expect((await signIn('nobody', PASSWORD)).status).toBe(401);
  expect(compared).toEqual([false]);
});

test('the SDK compares the signature of a webhook in constant time', () => {
  const signature = webhooks.sign('{}', 'secret');
  webhooks.verify('{}', { 'x-svc-signature': signature }, 'secret');
  expect(() =>
    webhooks.verify('{}', { 'x-svc-signature': changed(signature) }, 'secret'),
  ).toThrow();
  expect(compared).toEqual([true, false]);
});
