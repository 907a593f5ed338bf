import { describe, expect, test } from 'vitest';
import { type AccountLimits, widensLimits } from './member-account.ts';

describe('a change of limits', () => {
  const limits: AccountLimits = {
    minimumPerOrder: 100n,
    maximumPerOrder: 500n,
    maximumPerDay: 1000n,
  };
  const open: AccountLimits = { minimumPerOrder: null, maximumPerOrder: null, maximumPerDay: null };
  const widens = (change: Partial<AccountLimits>, before = limits) =>
    widensLimits(before, { ...before, ...change });

  test('widens them where one order or one day more could be taken', () => {
    expect(widens({ minimumPerOrder: 99n })).toBe(true);
    expect(widens({ minimumPerOrder: null })).toBe(true);
    expect(widens({ maximumPerOrder: 501n })).toBe(true);
    expect(widens({ maximumPerOrder: null })).toBe(true);
    expect(widens({ maximumPerDay: 1001n })).toBe(true);
    expect(widens({ maximumPerDay: null })).toBe(true);
    expect(widens({ maximumPerOrder: 400n, maximumPerDay: 1001n })).toBe(true);
  });

  test('narrows them, or leaves them, where none could', () => {
    expect(widens({})).toBe(false);
    expect(widens({ minimumPerOrder: 101n, maximumPerOrder: 499n, maximumPerDay: 999n })).toBe(
      false,
    );
    expect(widens({}, open)).toBe(false);
    expect(widens({ minimumPerOrder: 0n }, open)).toBe(false);
    expect(widens({ minimumPerOrder: 1n, maximumPerOrder: 1n, maximumPerDay: 1n }, open)).toBe(
      false,
    );
  });
});
