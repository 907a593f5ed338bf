import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createMember,
  createMerchant,
  createOrder,
  signBody,
  type TestMerchant,
} from '../support/fixtures.ts';
import { rawRequest } from '../support/raw-http.ts';
import { type Service, startService } from '../support/service.ts';

/**
 * How long a refusal takes for guesses that are wrong in different ways. Nothing is asserted about
 * time, which depends on the machine; `TIMING_SAMPLES=2000` prints the medians for
 * docs/security.md.
 */
const SAMPLES = Number(process.env['TIMING_SAMPLES'] ?? 10);

let service: Service;
let merchant: TestMerchant;
beforeAll(async () => {
  service = await startService();
  merchant = await createMerchant(service);
});
afterAll(() => service.close());

type Guess = () => Promise<number>;

/** Sends both kinds of guesses in turns; answers the median of each in microseconds. */
async function compare(
  name: string,
  status: number,
  one: Guess,
  other: Guess,
  samples = SAMPLES,
): Promise<void> {
  const times: [number[], number[]] = [[], []];
  for (let at = 0; at < samples; at += 1) {
    for (const [kind, guess] of at % 2 === 0
      ? ([
          [0, one],
          [1, other],
        ] as const)
      : ([
          [1, other],
          [0, one],
        ] as const)) {
      const started = performance.now();
      expect(await guess()).toBe(status);
      times[kind].push((performance.now() - started) * 1000);
    }
  }
  const quantile = (list: number[], part: number) =>
    list.sort((a, b) => a - b)[Math.floor(list.length * part)] as number;
  const [first, second] = times.map((list) => quantile(list, 0.5)) as [number, number];
  const spread = quantile(times[0], 0.75) - quantile(times[0], 0.25);
  if (process.env['TIMING_SAMPLES'] !== undefined) {
    process.stderr.write(
      `${name}: ${first.toFixed(0)} and ${second.toFixed(0)} µs (${(first - second).toFixed(0)}); half of the first lie within ${spread.toFixed(0)} µs; ${samples} of each\n`,
    );
  }
}

const changed = (text: string, at: number) =>
  text.slice(0, at) + (text[at] === '0' ? '1' : '0') + text.slice(at + 1);

test('a signature that is wrong in its first digit, or in its last', async () => {
  const body = JSON.parse(
    signBody(
      { orderType: 'Deposit', amount: 1, walletType: 'ProviderA', merchantOrderRef: 'timing' },
      merchant.signingSecret,
    ),
  ) as {
    signature: string;
  };
  const headers: [string, string][] = [
    ['SVC-API-Key', merchant.apiKey],
    ['Idempotency-Key', 'timing'],
  ];
  const guess =
    (at: number): Guess =>
    async () =>
      (
        await rawRequest(service.url, {
          method: 'POST',
          path: '/api/merchant/orders',
          headers,
          body: JSON.stringify({ ...body, signature: changed(body.signature, at) }),
        })
      ).status;
  await compare('signature', 401, guess(0), guess(31));
});

test('an API key that shares its beginning with one that exists, or nothing', async () => {
  const guess =
    (key: () => string): Guess =>
    async () =>
      (
        await rawRequest(service.url, {
          path: '/api/merchant/orders/balance',
          headers: [['SVC-API-Key', key()]],
        })
      ).status;
  const random = () => createHash('sha256').update(randomUUID()).digest('hex').slice(0, 32);
  await compare(
    'API key',
    401,
    guess(() => `${merchant.apiKey.slice(0, 38)}${random().slice(0, 2)}`),
    guess(() => `mk_live_${random()}`),
  );
});

test('a link token that is wrong in its first letter, or in its last but one', async () => {
  const { pathname, search } = new URL((await createOrder(merchant)).paymentPageUrl);
  const start = search.indexOf('token=') + 6;
  const guess =
    (at: number): Guess =>
    async () =>
      (
        await rawRequest(service.url, {
          path: pathname + changed(search, at),
          headers: [['Accept', 'application/json']],
        })
      ).status;
  await compare('link token', 403, guess(start), guess(search.length - 2));
});

test('a wrong password of somebody, or of nobody', async () => {
  const samples = Math.ceil(SAMPLES / 20);
  const usernames: string[] = [];
  // Ten tries a minute for each name.
  for (let at = 0; at * 9 < samples; at += 1)
    usernames.push(
      (await createMember(service, { password: 'correct horse', online: false })).username,
    );
  let asked = 0;
  const guess =
    (username: () => string): Guess =>
    async () => {
      const body = JSON.stringify({ username: username(), password: 'guess' });
      return (
        await rawRequest(service.url, {
          method: 'POST',
          path: '/api/member/session',
          headers: [['Content-Type', 'application/json']],
          body,
        })
      ).status;
    };
  await compare(
    'password',
    401,
    guess(() => usernames[Math.floor(asked++ / 9)] as string),
    guess(() => `nobody-${randomUUID()}`),
    samples,
  );
});
