import { describe, expect, test } from 'vitest';
import type { OperatorRole } from './capability.ts';
import { type AccountLimits, approvalNeedsTwo, widensLimits } from './member-account.ts';
import { asking } from './testing/literals.ts';

describe('a change of limits', () => {
  const limits: AccountLimits = {
    currencies: ['PKR', 'BDT'],
    minimumPerOrder: 100n,
    maximumPerOrder: 500n,
    maximumPerDay: 1000n,
  };
  const open: AccountLimits = {
    currencies: null,
    minimumPerOrder: null,
    maximumPerOrder: null,
    maximumPerDay: null,
  };
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
    expect(widens({ currencies: null })).toBe(true);
    expect(widens({ currencies: ['PKR', 'INR', 'BDT'] })).toBe(true);
    expect(widens({ currencies: ['INR'] })).toBe(true);
  });

  test('narrows them, or leaves them, where none could', () => {
    expect(widens({})).toBe(false);
    expect(widens({ minimumPerOrder: 101n, maximumPerOrder: 499n, maximumPerDay: 999n })).toBe(
      false,
    );
    expect(widens({ currencies: ['BDT'] })).toBe(false);
    expect(widens({ currencies: ['BDT', 'PKR'] })).toBe(false);
    expect(widens({ currencies: ['PKR', 'INR', 'BDT'] }, open)).toBe(false);
    expect(widens({}, open)).toBe(false);
    expect(widens({ minimumPerOrder: 0n }, open)).toBe(false);
    expect(widens({ minimumPerOrder: 1n, maximumPerOrder: 1n, maximumPerDay: 1n }, open)).toBe(
      false,
    );
  });
});

describe('an approval of an account waits for another operator', () => {
  const account = { status: 'pending', createdBy: 'op2', credentialBy: 'op3' } as const;
  const waits = (change: object, role: OperatorRole) =>
    approvalNeedsTwo({ ...account, ...change }, undefined, asking('op1', role));
  test.each([
    ['by an approver who has nothing to do with it', {}, 'approver', false],
    ['by an approver, of an account that its member added', { createdBy: null }, 'approver', false],
    ['by an admin', {}, 'admin', true],
    ['by an approver who added it', { createdBy: 'op1' }, 'approver', true],
    ['by an approver who let its member in', { credentialBy: 'op1' }, 'approver', true],
    ['active again', { status: 'suspended' }, 'approver', true],
  ] as const)('%s', (_, change, role, expected) => {
    expect(waits(change, role)).toBe(expected);
  });
});
