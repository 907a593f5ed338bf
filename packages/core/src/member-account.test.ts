import { describe, expect, test } from 'vitest';
import { type AccountLimits, refuseWiderAccount, widensLimits } from './member-account.ts';

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

describe('a new account', () => {
  const account = (
    maximumPerDay: bigint | null,
    status: 'pending' | 'approved' | 'suspended',
    walletType: 'TillID' | 'ProviderA' = 'TillID',
  ) => ({ maximumPerDay, minimumPerOrder: null, maximumPerOrder: null, status, walletType });
  const none = account(null, 'pending');
  const some = account(1000n, 'pending');
  test.each([
    ['the first', none, [], true, true],
    ['wider than the other', none, [account(1000n, 'approved')], true, false],
    ['wider than a suspended one', none, [account(1000n, 'suspended')], true, false],
    ['no wider', some, [account(1000n, 'approved')], true, true],
    [
      'no wider than one',
      none,
      [account(1000n, 'approved'), account(null, 'approved')],
      true,
      true,
    ],
    ['the first of its provider', none, [account(1000n, 'approved', 'ProviderA')], true, true],
    ['beside one that nobody has approved', none, [account(1000n, 'pending')], true, true],
    ['while one operator is enough', none, [account(1000n, 'approved')], false, true],
  ] as const)('%s', (_, own, others, requireSecondOperator, may) => {
    const objection = refuseWiderAccount(own, others, { requireSecondOperator });
    expect(objection === undefined).toBe(may);
  });

  test('that was approved before is approved again as it is', () => {
    const others = [account(1000n, 'approved')];
    const again = refuseWiderAccount(account(null, 'suspended'), others, {
      requireSecondOperator: true,
    });
    expect(again).toBeUndefined();
  });
});
