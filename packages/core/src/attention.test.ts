import { expect, test } from 'vitest';
import { type AttentionFacts, attentionOf } from './attention.ts';

const DAY_MS = 86_400_000;
const NOW = 400 * DAY_MS;
const CALM: AttentionFacts = {
  failingReceivers: 0,
  available: 100n,
  withdrawnYesterday: 100n,
  lastHour: { completed: 90, failed: 10 },
  yesterday: { completed: 900, failed: 100 },
  refused: 9,
  activeKeys: [{ createdAt: NOW - 364 * DAY_MS, lastUsedAt: NOW - 29 * DAY_MS }],
};

test('nothing needs attention on a usual day', () => {
  expect(attentionOf(CALM, NOW)).toEqual([]);
});

test.each<[string, Partial<AttentionFacts>]>([
  ['webhook-failing', { failingReceivers: 1 }],
  ['low-balance', { available: 99n }],
  ['many-failures', { lastHour: { completed: 5, failed: 5 } }],
  ['many-refusals', { refused: 10 }],
  ['key-unused', { activeKeys: [{ createdAt: NOW - 30 * DAY_MS, lastUsedAt: null }] }],
  ['key-old', { activeKeys: [{ createdAt: NOW - 365 * DAY_MS, lastUsedAt: NOW }] }],
])('%s is told', (code, change) => {
  expect(attentionOf({ ...CALM, ...change }, NOW)).toEqual([code]);
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
