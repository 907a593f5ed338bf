import { describe, expect, test } from 'vitest';
import type { WhitelistEntry } from './ip.ts';
import { merchantNeedsTwo } from './needs-two.ts';

describe('a whitelist needs two operators where it lets more callers in', () => {
  const list = (
    enabled: boolean,
    ...entries: readonly (readonly [string, WhitelistEntry['scope']])[]
  ) => ({
    ipWhitelist: { enabled, entries: entries.map(([address, scope]) => ({ address, scope })) },
  });
  const before = list(true, ['203.0.113.0/24', 'Both'], ['2001:db8::1', 'Deposit']);
  const rows: [
    what: string,
    before: ReturnType<typeof list>,
    after: Partial<ReturnType<typeof list>>,
    two: boolean,
  ][] = [
    ['it is not touched', before, {}, false],
    ['it is turned off', before, list(false, ['203.0.113.0/24', 'Both']), true],
    ['it is turned on', list(false), list(true), false],
    ['it was off', list(false), list(false, ['0.0.0.0/0', 'Both']), false],
    ['it stays', before, before, false],
    ['an entry goes', before, list(true, ['203.0.113.0/24', 'Both']), false],
    [
      'an entry is added',
      before,
      list(true, ['203.0.113.0/24', 'Both'], ['8.8.8.8', 'Both']),
      true,
    ],
    ['an entry lies within another one', before, list(true, ['203.0.113.7', 'Withdrawal']), false],
    ['a block grows', before, list(true, ['203.0.112.0/23', 'Both']), true],
    ['an entry is for more orders', before, list(true, ['2001:db8::1', 'Both']), true],
    ['an entry is written otherwise', before, list(true, [' 2001:DB8:0::1 ', 'Deposit']), false],
  ];
  test.each(rows)('%s', (_what, from, to, two) => expect(merchantNeedsTwo(from, to)).toBe(two));
});
