import { hash, randomUUID } from 'node:crypto';
import { canonicalString, scanObject } from '@munshi/core';
import { expect } from 'vitest';
import { createMember, createMerchant } from '../../support/fixtures.ts';
import { postBytes } from '../../support/merchant-client.ts';
import { rawRequest } from '../../support/raw-http.ts';
import { serviceTest } from '../../support/service-test.ts';
import { SEED, size } from '../../support/size.ts';

/**
 * Bad input by the thousand: always one of the documented answers, never a 500, never a hang.
 * `TEST_SEED=…` replays a run.
 */
const BODIES = size('MUTATED_BODIES', { short: 1_200, deep: 3_000, full: 30_000 });
const HEADS = size('MUTATED_HEADS', { short: 600, deep: 1_500, full: 15_000 });

const { test, service } = await serviceTest();
const merchant = await createMerchant(service, {
  balance: '1000000',
  currencies: ['PKR', 'INR', 'BDT'],
});
await createMember(service, { float: '1000000', maxOpenOrders: 10_000 });

/** Mulberry32: the same numbers for the same seed. */
function randomFrom(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count: number) => Math.floor(next() * count);
  return { below, pick: <T>(list: readonly T[]) => list[below(list.length)] as T };
}
type Random = ReturnType<typeof randomFrom>;

const FIELDS = [
  ...[
    'orderType',
    'amount',
    'walletType',
    'currency',
    'merchantOrderRef',
    'customerReference',
    'customerAccountNumber',
    'customerAccountName',
  ],
  ...[
    'callbackUrl',
    'successUrl',
    'failureUrl',
    'metadata',
    'txnRefDigitsRequired',
    'maxRetryCount',
    'signature',
    '__proto__',
    'constructor',
    '',
    'x',
  ],
];
const VALUES = [
  ...[
    '"Deposit"',
    '"Withdrawal"',
    '0',
    '1',
    '6',
    '7',
    '-1',
    '-0',
    '1.5',
    '1.50000',
    '0.0001',
    '0.00001',
    '1e3',
    '1E-7',
    '99999999999999.9999',
    '100000000000000',
  ],
  ...[
    '9'.repeat(500),
    `0.${'0'.repeat(500)}1`,
    '1e999999999',
    '-1e-999999999',
    'true',
    'false',
    'null',
    '""',
    '" "',
    '"PKR"',
    '"INR"',
    '"ProviderA"',
    '"BankAccount"',
  ],
  ...[
    '{}',
    '[]',
    '[[[]]]',
    '{"signature":"x"}',
    '"https://a.example/"',
    '"javascript:1"',
    '"\\u0000"',
    '"\\ud800"',
    '"\\ud83d\\ude42"',
    '"\u202e"',
    `"${'x'.repeat(300)}"`,
  ],
  ...[
    `"${'🙂'.repeat(60)}"`,
    '"Infinity"',
    'NaN',
    '01',
    '+1',
    '.5',
    '1.',
    "'x'",
    '"a',
    '\u00a0',
    '"\t"',
    `"'; drop table orders --"`,
    '"<script>"',
  ],
];
const TOKENS = [
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"',
  '\\',
  '\0',
  ' ',
  '\n',
  '\ufeff',
  'null',
  '\\u',
  '/*',
  'e',
  '-',
  '.',
  '\x7f',
  'é',
  '\u2028',
];

/** A body of fields and values, good and bad, and then perhaps damaged byte by byte. */
function makeBody(random: Random): Buffer {
  const fields = new Map<string, string>([
    ['orderType', '"Deposit"'],
    ['amount', String(1 + random.below(500))],
    ['walletType', '"ProviderA"'],
    ['customerReference', `"${random.below(1e9)}"`],
  ]);
  for (let times = random.below(4); times > 0; times -= 1)
    fields.set(random.pick(FIELDS), random.pick(VALUES));
  if (random.below(8) === 0) fields.delete(random.pick([...fields.keys()]));
  const text = `{${[...fields].map(([name, value]) => `${JSON.stringify(random.below(20) === 0 ? name.toUpperCase() : name)}:${value}`).join(',')}}`;
  let body = sign(text, random);
  if (random.below(3) === 0) {
    for (let times = 1 + random.below(3); times > 0; times -= 1) body = damage(body, random);
  }
  return body;
}

/** Signs what can be signed, most of the time. */
function sign(text: string, random: Random): Buffer {
  const scan = scanObject(text);
  if (!scan.ok || scan.members.has('signature') || random.below(10) === 0) return Buffer.from(text);
  const signature = hash('md5', canonicalString(scan.members) + merchant.signingSecret);
  return Buffer.from(`${text.slice(0, -1)},"signature":"${signature}"}`);
}

function damage(body: Buffer, random: Random): Buffer {
  const at = random.below(body.length + 1);
  const rest = body.subarray(Math.min(body.length, at + random.below(4)));
  const inserted =
    random.below(2) === 0 ? Buffer.from(random.pick(TOKENS)) : Buffer.from([random.below(256)]);
  return Buffer.concat([
    body.subarray(0, at),
    random.below(3) === 0 ? Buffer.alloc(0) : inserted,
    rest,
  ]);
}

const STATUSES = [200, 400, 401, 403, 404, 409, 413, 422];

test(`${BODIES} bodies, seed ${SEED}`, async () => {
  const random = randomFrom(SEED);
  const seen = new Map<number, number>();
  for (let round = 0; round < BODIES / 30; round += 1) {
    const bodies = Array.from({ length: 30 }, () => ({
      body: makeBody(random),
      idempotencyKey: random.below(15) === 0 ? 'shared' : randomUUID(),
    }));
    const replies = await Promise.all(
      bodies.map(({ body, idempotencyKey }) => postBytes(merchant, body, { idempotencyKey })),
    );
    replies.forEach((reply, at) => {
      expect(STATUSES, `${reply.text} for ${bodies[at]?.body.toString('latin1')}`).toContain(
        reply.status,
      );
      seen.set(reply.status, (seen.get(reply.status) ?? 0) + 1);
    });
  }
  for (const status of [200, 400, 401, 422])
    expect(seen.get(status) ?? 0, `${[...seen]}`).toBeGreaterThan(0);
});

test(`${HEADS} heads, seed ${SEED}`, async () => {
  const random = randomFrom(SEED + 1);
  const bytes = (most: number) =>
    Array.from({ length: random.below(most) }, () => String.fromCharCode(random.below(256))).join(
      '',
    );
  const oddities = [
    '',
    ' ',
    '\t',
    ',',
    ';',
    '=',
    '"',
    '%',
    '%00',
    '\xff',
    'a'.repeat(300),
    '../..',
    'null',
    '0',
    '-1',
    'chunked',
    'close',
    'upgrade',
    '127.0.0.1',
  ];
  const names = [
    'SVC-API-Key',
    'Authorization',
    'Idempotency-Key',
    'Content-Type',
    'Accept',
    'Cookie',
    'X-Forwarded-For',
    'Expect',
    'Range',
    'TE',
    'Upgrade',
    'Origin',
  ];
  const paths = [
    '',
    '/status',
    '/balance',
    '/x/status',
    '/ORD-1/status',
    `/${randomUUID()}/status`,
  ];
  for (let round = 0; round < HEADS / 20; round += 1) {
    const answers = Array.from({ length: 20 }, () => {
      const path = `/api/merchant/orders${random.pick(paths)}${random.below(2) === 0 ? `?${random.pick(['merchantOrderRef', 'orderReference', 'x'])}=${encodeURIComponent(bytes(6))}${random.pick(oddities).trim()}` : ''}`;
      const headers: [string, string][] = [['SVC-API-Key', merchant.apiKey]];
      for (let times = random.below(4); times > 0; times -= 1)
        headers.push([
          random.pick(names),
          random.below(2) === 0 ? random.pick(oddities) : bytes(20),
        ]);
      const method = random.pick(['GET', 'GET', 'POST', 'PUT', 'OPTIONS', 'DELETE']);
      return rawRequest(service.url, {
        method,
        path: path.replaceAll(' ', ''),
        headers,
        ...(method === 'POST' && { body: makeBody(random) }),
      });
    });
    for (const { status, text } of await Promise.all(answers))
      expect(STATUSES, text).toContain(status);
  }
});
