import { describe, expect, test } from 'vitest';
import { filesOf, read } from '../tidy/sources.ts';

/**
 * How long a comparison takes must not tell how much of a guess was right. Time is no thing to
 * assert on a shared machine; the form of the code is: secrets are compared by `timingSafeEqual`,
 * or looked up by their hash. docs/security.md has a measurement.
 */
const sources = filesOf(
  'apps/server/src/**/*.ts',
  'packages/sdk/src/**/*.ts',
  'packages/core/src/**/*.ts',
).filter((file) => !/\.test\.ts$|testing\//.test(file));

/** Every place that decides whether a secret fits: the function, and what it must be made with. */
const COMPARISONS: readonly (readonly [file: string, name: string, what: string])[] = [
  ['apps/server/src/http/merchant/orders.ts', 'verifySignature', 'the signature of an order'],
  ['apps/server/src/vault.ts', 'isLinkToken', 'the token of a payment link'],
  ['apps/server/src/http/session.ts', 'isSame', 'the anti-forgery token'],
  ['apps/server/src/http/metrics.ts', 'isBearer', 'the token of /metrics'],
  [
    'apps/server/src/http/operator/access.ts',
    'environmentOperators',
    'script tokens of the environment',
  ],
  ['apps/server/src/passwords.ts', 'verifyPassword', 'a password'],
  [
    'packages/sdk/src/webhooks.ts',
    'isWebhookSignature',
    'the signature of a webhook, at the merchant',
  ],
];

/** From the name to the end of the function, by its indentation. */
function functionOf(file: string, name: string): string {
  const lines = read(file).split('\n');
  const start = lines.findIndex(
    (line) =>
      new RegExp(`(function |const |^\\s+)${name}\\b.*[({]`).test(line) && !/^import|;$/.test(line),
  );
  if (start < 0) throw new Error(`${file} has no ${name}`);
  const indent = /^\s*/.exec(lines[start] as string)?.[0] ?? '';
  const end = lines.findIndex((line, at) => at > start && line.startsWith(`${indent}}`));
  return lines.slice(start, end + 1).join('\n');
}

describe.each(COMPARISONS)('%s: %s', (file, name, _what) => {
  test('compares by timingSafeEqual, and by nothing that stops early', () => {
    const body = functionOf(file, name);
    expect(body).toContain('timingSafeEqual(');
    // Lengths are no secret, and absence is no guess.
    const comparisons = body.match(/[\w.)?\]]+ [=!]==? [\w.('"]+/g) ?? [];
    expect(
      comparisons.filter(
        (text) => !/length|undefined|null|'string'|=== 0\b|DERIVED_LINK_KEY/.test(text),
      ),
    ).toEqual([]);
  });
});

test('timingSafeEqual is used in these places and in no other, so that a new one is added above', () => {
  const users = sources.filter((file) => /timingSafeEqual\(/.test(read(file)));
  expect(users).toEqual([...new Set(COMPARISONS.map(([file]) => file))].sort());
});

test('no secret is compared by === anywhere', () => {
  const secret = String.raw`[\w.?]*(?:[tT]oken|[sS]ecret|[sS]ignature|[hH]mac|[pP]assword|apiKey|csrf\w*)\b`;
  const compared = new RegExp(
    `${secret} [=!]==? (?!undefined\\b|null\\b|'')|[=!]==? ${secret}(?![\\w.(])`,
  );
  const lines = sources.flatMap((file) =>
    read(file)
      .split('\n')
      .map((line, at) => `${file}:${at + 1} ${line.trim()}`),
  );
  expect(lines.filter((line) => compared.test(line) && !line.includes('typeof'))).toEqual([]);
  expect(compared.test('if (given.token === expected) return')).toBe(true);
  expect(compared.test('return given !== merchant.signingSecret;')).toBe(true);
});

test('API keys, sessions and script tokens are looked up by their SHA-256, which tells nothing of how near a guess was', () => {
  expect(functionOf('apps/server/src/http/merchant/authenticate.ts', 'keyHash')).toContain(
    "hash('sha256', key)",
  );
  expect(read('apps/server/src/services/sessions.ts')).toContain(
    "hashToken = (token: string): string => hash('sha256', token)",
  );
  const statements = filesOf('apps/server/src/storage/*.ts').map(read).join('\n');
  expect(statements).toMatch(/token_hash = \$1/);
  expect(statements).not.toMatch(/where[^`]*\b(api_key|token|password) = \$/);
});
