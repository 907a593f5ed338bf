import { expect, test } from 'vitest';
import { type Attention, type AttentionFacts, attentionOf } from './attention.ts';

const DAY_MS = 86_400_000;
const NOW = 400 * DAY_MS;
const keyOf = (days: number, lastUsedAt: number | null) => ({
  ...{ prefix: 'mk_1', createdAt: NOW - days * DAY_MS, lastUsedAt },
});
const CALM: AttentionFacts = {
  failingReceivers: [],
  available: 100n,
  withdrawnYesterday: 100n,
  lastHour: { completed: 90, failed: 10 },
  yesterday: { completed: 900, failed: 100 },
  refused: 9,
  hasCallbackUrl: true,
  activeKeys: [keyOf(364, NOW - 29 * DAY_MS)],
  limits: { lowBalance: null },
};

test('nothing needs attention on a usual day', () => {
  expect(attentionOf(CALM, NOW)).toEqual([]);
});

const DEAF = { host: 'shop.example', since: NOW - DAY_MS, lastError: 'Refused.' };

test.each<[string, Partial<AttentionFacts>, Attention]>([
  ['no callback URL', { hasCallbackUrl: false }, { kind: 'no-callback-url' }],
  ['a receiver that fails', { failingReceivers: [DEAF] }, { kind: 'webhook-failing', ...DEAF }],
  [
    'a low balance',
    { available: 99n },
    { kind: 'low-balance', available: 99n, limit: null, withdrawnYesterday: 100n },
  ],
  [
    'a balance below the merchant’s own limit',
    { limits: { lowBalance: 101n } },
    { kind: 'low-balance', available: 100n, limit: 101n, withdrawnYesterday: 100n },
  ],
  [
    'many failures',
    { lastHour: { completed: 5, failed: 5 } },
    { kind: 'many-failures', failed: 5, ended: 10 },
  ],
  ['many refusals', { refused: 10 }, { kind: 'many-refusals', refused: 10 }],
  [
    'an unused key',
    { activeKeys: [keyOf(30, null)] },
    { kind: 'key-unused', prefix: 'mk_1', createdAt: NOW - 30 * DAY_MS },
  ],
  [
    'an old key',
    { activeKeys: [keyOf(365, NOW)] },
    { kind: 'key-old', prefix: 'mk_1', createdAt: NOW - 365 * DAY_MS },
  ],
  [
    'an old key that is not used',
    { activeKeys: [keyOf(365, null)] },
    { kind: 'key-unused', prefix: 'mk_1', createdAt: NOW - 365 * DAY_MS },
  ],
])('%s needs attention', (_name, change, need) => {
  expect(attentionOf({ ...CALM, ...change }, NOW)).toEqual([need]);
});

test.each<[string, Partial<AttentionFacts>]>([
  ['few orders', { lastHour: { completed: 0, failed: 9 } }],
  [
    'as many as usual',
    { yesterday: { completed: 70, failed: 30 }, lastHour: { completed: 5, failed: 5 } },
  ],
  ['less than half', { lastHour: { completed: 51, failed: 49 } }],
])('failures are not many: %s', (_name, change) => {
  expect(attentionOf({ ...CALM, ...change }, NOW)).toEqual([]);
});
