import { describe, expect, test } from 'vitest';
import {
  type Approval,
  movedAlone,
  movedOn,
  needsSecondOperator,
  newApproval,
  refuseApproval,
  refuseOwnPayout,
} from './four-eyes.ts';
import { money } from './money.ts';
import {
  deposit,
  NOW,
  OPERATOR,
  OTHER_OPERATOR,
  SETTINGS,
  withdrawal,
} from './testing/literals.ts';

const DAY = 86_400_000;

describe('whether money waits for a second operator', () => {
  const waits = (
    required: boolean,
    limit: string | null,
    act: Partial<Parameters<typeof needsSecondOperator>[1]> & { readonly amount: bigint },
  ) =>
    needsSecondOperator(
      {
        ...SETTINGS,
        requireSecondOperator: required,
        adjustmentApprovalLimit: limit === null ? null : money(limit),
      },
      { kind: 'adjustment', today: 0n, ...act },
    );

  test('D46: without the setting, a single adjustment above the limit and nothing else', () => {
    expect(waits(false, '100', { amount: money('100') })).toBe(false);
    expect(waits(false, '100', { amount: money('100.0001') })).toBe(true);
    expect(waits(false, '100', { amount: money('100'), today: money('1000') })).toBe(false);
    expect(waits(false, null, { amount: money('1000000') })).toBe(false);
    for (const kind of ['float-adjustment', 'order-confirm', 'order-resolve'] as const)
      expect(waits(false, '100', { kind, amount: money('1000'), unattested: true })).toBe(false);
  });

  test('D66: with it, whatever is above the limit, alone or with the day; no limit is 0', () => {
    for (const kind of [
      'adjustment',
      'float-adjustment',
      'order-confirm',
      'order-resolve',
    ] as const) {
      expect(waits(true, '100', { kind, amount: money('100') })).toBe(false);
      expect(waits(true, '100', { kind, amount: money('100.0001') })).toBe(true);
      expect(waits(true, null, { kind, amount: 1n })).toBe(true);
      expect(waits(true, '100', { kind, amount: 1n, today: money('100') })).toBe(true);
    }
  });

  test('D67: a payment that nobody has confirmed is above every limit', () => {
    expect(waits(true, '100', { kind: 'order-resolve', amount: 1n, unattested: true })).toBe(true);
  });
});

test('the sum of a day starts at zero with the next day, UTC', () => {
  const first = movedAlone({ operatorId: 'op1', day: 0, amount: money('7') }, money('5'), NOW);
  expect(movedOn(first, NOW)).toBe(money('5'));
  expect(movedOn(movedAlone(first, money('1'), NOW), NOW)).toBe(money('6'));
  expect(movedOn(first, NOW + DAY)).toBe(0n);
});

test('a request is approved by another operator, while it waits and for a day', () => {
  const approval = newApproval('adjustment', 'a1', 'a1', {}, OPERATOR, NOW);
  const refused = (
    change: Partial<Approval>,
    by: typeof OPERATOR | typeof OTHER_OPERATOR = OTHER_OPERATOR,
    at = NOW,
  ) => refuseApproval({ ...approval, ...change }, by, at)?.refusal.code;
  expect(refused({})).toBeUndefined();
  expect(refused({}, OPERATOR)).toBe('second-operator');
  expect(refused({}, OTHER_OPERATOR, NOW + DAY - 1)).toBeUndefined();
  expect(refused({}, OTHER_OPERATOR, NOW + DAY)).toBe('wrong-state');
  for (const status of ['approved', 'done', 'declined', 'withdrawn', 'fallen'] as const)
    expect(refused({ status })).toBe('wrong-state');
});

describe('a withdrawal that its member may have paid is not cancelled by who let people in at its merchant', () => {
  test.each([
    ['a withdrawal with a member', withdrawal({ memberId: 'm1' }), true, true, 'second-operator'],
    ['of a merchant of others', withdrawal({ memberId: 'm1' }), false, true, undefined],
    ['while none is required', withdrawal({ memberId: 'm1' }), true, false, undefined],
    ['without a member', withdrawal({ memberId: null }), true, true, undefined],
    ['a deposit', deposit({ memberId: 'm1' }), true, true, undefined],
  ] as const)('%s', (_, order, ofMerchant, requireSecondOperator, code) => {
    const standing = { holders: ['op1'], otherMembers: ['m1'], ofMerchant };
    const objection = refuseOwnPayout(order, standing, { ...SETTINGS, requireSecondOperator });
    expect(objection?.refusal.code).toBe(code);
  });
});
