import { describe, expect, test } from 'vitest';
import type { Approval, MoneyKind, MovedAlone } from './approval.ts';
import type { AskingOperator } from './capability.ts';
import type { View } from './decision.ts';
import {
  askedWith,
  daySumOf,
  hasExpired,
  historyNote,
  limitAlone,
  movedBy,
  movedOn,
  newApproval,
  ownNote,
  refuseApproval,
  refuseDecline,
  refuseFetch,
  refuseFetchByMerchant,
  refuseGiver,
  refuseOneMore,
  refuseOutdated,
  whyMoneyWaits,
} from './four-eyes.ts';
import { money } from './money.ts';
import {
  asking,
  BY_OPERATOR,
  NOW,
  OPERATOR,
  OTHER_OPERATOR,
  SETTINGS,
} from './testing/literals.ts';

const DAY = 86_400_000;

describe('why money waits for a second operator', () => {
  const waits = (
    required: boolean,
    limit: string | null,
    act: Partial<Parameters<typeof whyMoneyWaits>[1]> & { readonly amount: bigint },
  ) =>
    whyMoneyWaits(
      {
        ...SETTINGS,
        requireSecondOperator: required,
        adjustmentApprovalLimit: limit === null ? null : money(limit),
      },
      { kind: 'adjustment', today: 0n, ...act },
    );

  test('without the setting, a single adjustment above the limit and nothing else', () => {
    expect(waits(false, '100', { amount: money('100') })).toBe(null);
    expect(waits(false, '100', { amount: money('100.0001') })).toBe('amount');
    expect(waits(false, '100', { amount: money('100'), today: money('1000') })).toBe(null);
    expect(waits(false, null, { amount: money('1000000') })).toBe(null);
    for (const kind of ['float-adjustment', 'order-confirm', 'order-resolve'] as const)
      expect(waits(false, '100', { kind, amount: money('1000') })).toBe(null);
  });

  test('with it, everything above the limit, alone or with the day; no limit is 0', () => {
    for (const kind of [
      'adjustment',
      'float-adjustment',
      'order-confirm',
      'order-resolve',
    ] as const) {
      expect(waits(true, '100', { kind, amount: money('100') })).toBe(null);
      expect(waits(true, '100', { kind, amount: money('100.0001') })).toBe('amount');
      expect(waits(true, null, { kind, amount: 1n })).toBe('no-limit');
      expect(waits(true, '100', { kind, amount: 1n, today: money('100') })).toBe('day-sum');
    }
  });
});

describe('what one operator decides alone', () => {
  const limit = (required: boolean, amount: string | null, kind: MoneyKind, today = '0') =>
    limitAlone(
      {
        requireSecondOperator: required,
        adjustmentApprovalLimit: amount === null ? null : money(amount),
      },
      { kind, today: money(today) },
    );
  const rows: [found: ReturnType<typeof limit>, left: string | null | undefined][] = [
    [limit(true, '100', 'order-confirm', '30.5'), '69.5'],
    [limit(true, '100', 'adjustment', '130'), '0'],
    [limit(true, null, 'adjustment'), undefined],
    [limit(false, '100', 'adjustment', '30'), null],
    [limit(false, '100', 'float-adjustment'), undefined],
  ];
  test.each(rows)('%s: %s of it is left', (found, left) =>
    expect(found?.left).toBe(typeof left === 'string' ? money(left) : left),
  );
});

test.each([
  ['viewer', 'operators'],
  ['support', 'operators'],
  ['admin', 'operators'],
  ['approver', 'op1'],
] as const)('what a %s decides alone counts in the sum of %s', (role, sum) => {
  expect(daySumOf(asking('op1', role))).toBe(sum);
});

describe('the sum of a day', () => {
  const viewOf = (sum: { readonly day: number; readonly amount: bigint }) =>
    ({ sums: { get: (operatorId: string) => ({ operatorId, ...sum }) } }) as unknown as View;
  const plus = (
    sum: { readonly day: number; readonly amount: bigint },
    amount: string,
    now = NOW,
  ) => movedBy('op1', viewOf(sum), money(amount), now)[0] as MovedAlone;

  test('starts at zero with the next day, UTC', () => {
    const first = plus({ day: 0, amount: money('7') }, '5');
    expect(movedOn(first, NOW)).toBe(money('5'));
    expect(movedOn(plus(first, '1'), NOW)).toBe(money('6'));
    expect(movedOn(first, NOW + DAY)).toBe(0n);
    expect(movedOn(first, NOW - 2 * DAY)).toBe(0n); // of a clock that was wrong
  });

  test('goes on where clocks differ at midnight', () => {
    const tomorrow = NOW + DAY;
    const ahead = plus({ day: 0, amount: 0n }, '5', tomorrow);
    expect(movedOn(ahead, NOW)).toBe(money('5'));
    expect(movedOn(plus(ahead, '1'), tomorrow)).toBe(money('6'));
  });

  test('has nothing of what two operators decide', () => {
    const view = viewOf({ day: Math.floor(NOW / DAY), amount: money('7') });
    expect(movedBy(null, view, money('5'), NOW)).toEqual([]);
  });
});

test('a request is approved by another operator, while it waits and for a day', () => {
  const approval = newApproval('adjustment', 'a1', 'a1', {}, BY_OPERATOR, NOW);
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

const REQUEST = newApproval('adjustment', 'a1', 'a1', {}, BY_OPERATOR, NOW);

test.each([
  ['nobody', [], undefined],
  ['another operator', ['op2', null], undefined],
  ['this operator, of one of them', ['op2', 'op1'], 'second-operator'],
] as const)('the people of a request got their password or link from %s', (_, givenBy, code) => {
  expect(refuseGiver(givenBy, OPERATOR)?.refusal.code).toBe(code);
});

test('of one asker twenty requests wait at most', () => {
  expect(refuseOneMore(19)).toBeUndefined();
  expect(refuseOneMore(20)?.refusal).toEqual({
    code: 'wrong-state',
    message: '20 of your requests wait for a second operator. Withdraw one, or have one decided.',
  });
});

test.each<
  [
    what: string,
    request: Approval['request'],
    now: Approval['request'],
    beside: Approval['request'] | undefined,
    isOutdated: boolean,
  ]
>([
  ['the same', { a: 1, b: 'x' }, { a: 1, b: 'x' }, undefined, false],
  ['another value', { a: 1 }, { a: 2 }, undefined, true],
  ['another value of one of two', { a: 1, b: 2 }, { a: 1, b: 3 }, undefined, true],
  ['a value that was not shown', { a: 1 }, { a: 1, b: 2 }, undefined, true],
  ['a value that is gone', { a: 1, b: 2 }, { a: 1 }, undefined, true],
  ['what changes all the time', { a: 1, b: 2 }, { a: 1, b: 3 }, { b: 3 }, false],
  ['what changes all the time, and another', { a: 1, b: 2 }, { a: 2, b: 3 }, { b: 3 }, true],
])('outdated: %s', (_, request, now, beside, isOutdated) => {
  const objection = refuseOutdated({ ...REQUEST, request }, now, beside);
  expect(objection?.refusal.code).toBe(isOutdated ? 'wrong-state' : undefined);
});

test('what waits or is approved can be declined, and nothing else', () => {
  const refused = (status: Approval['status']) => refuseDecline({ ...REQUEST, status });
  expect([refused('pending'), refused('approved')]).toEqual([undefined, undefined]);
  for (const status of ['done', 'declined', 'withdrawn', 'fallen'] as const)
    expect(refused(status)?.refusal).toEqual({
      code: 'wrong-state',
      message: `This request is ${status} already.`,
    });
});

const APPROVED: Approval = { ...REQUEST, status: 'approved', decidedBy: 'op2', decidedAt: NOW };
const ASKER = asking(OPERATOR.id, 'admin');
const APPROVER = asking(OTHER_OPERATOR.id, 'approver');

test.each<
  [
    what: string,
    approval: Partial<Approval>,
    who: AskingOperator,
    at: number,
    code: string | undefined,
  ]
>([
  ['a link by its asker', { kind: 'operator-recovery' }, ASKER, NOW, undefined],
  ['a link at the end of the day', { kind: 'operator-recovery' }, ASKER, NOW + DAY - 1, undefined],
  ['a link after a day', { kind: 'operator-recovery' }, ASKER, NOW + DAY, 'wrong-state'],
  ['a link by an approver', { kind: 'operator-recovery' }, APPROVER, NOW, 'second-operator'],
  ['what still waits', { kind: 'operator-recovery', status: 'pending' }, ASKER, NOW, 'wrong-state'],
  ['a key by its asker', { kind: 'api-key' }, ASKER, NOW, 'second-operator'],
  [
    'a key by an approver who asked for it',
    { kind: 'api-key', requestedBy: APPROVER.id },
    APPROVER,
    NOW,
    'second-operator',
  ],
  [
    'a key by another admin',
    { kind: 'api-key', requestedBy: 'op9' },
    ASKER,
    NOW,
    'second-operator',
  ],
  ['a key by an approver', { kind: 'api-key' }, APPROVER, NOW, undefined],
  ['a key by an approver after a day', { kind: 'api-key' }, APPROVER, NOW + DAY, 'wrong-state'],
])('fetching %s', (_, change, who, at, code) => {
  const rules = {
    fetcher: change.kind === 'api-key' ? 'approver' : 'asker',
    giver: undefined,
  } as const;
  expect(refuseFetch({ ...APPROVED, ...change }, rules, who, at)?.refusal.code).toBe(code);
});

test.each([
  ['an admin of its merchant fetches', { fetcher: 'merchant', giver: undefined }],
  [
    'an operator asked for whom the approver let in',
    { fetcher: 'approver', giver: refuseGiver([APPROVER.id], APPROVER) },
  ],
] as const)('no approver fetches a key that %s', (_, rules) => {
  const key = { ...APPROVED, kind: 'api-key' } as const;
  expect(refuseFetch(key, rules, APPROVER, NOW)?.refusal.code).toBe('second-operator');
});

test.each([
  ['let in by another operator', 'op9', {}, undefined],
  ['let in by nobody', null, {}, undefined],
  ['let in by the approver', 'op2', {}, undefined],
  ['let in by the asker', OPERATOR.id, {}, 'second-operator'],
  ['of a key that was not approved', 'op9', { status: 'pending' }, 'wrong-state'],
] as const)('a key is fetched by a merchant’s admin %s', (_, credentialBy, change, code) => {
  const key = { ...APPROVED, ...change };
  const objection = refuseFetchByMerchant(key, OPERATOR.id, { credentialBy }, NOW);
  expect(objection?.refusal.code).toBe(code);
});

test.each([
  ['pending', NOW + DAY - 1, false],
  ['pending', NOW + DAY, true],
  ['approved', NOW + 2 * DAY - 1, false],
  ['approved', NOW + 2 * DAY, true],
  ['done', NOW + 9 * DAY, false],
] as const)('%s, read at %s, has expired: %s', (status, at, expired) => {
  const decidedAt = status === 'pending' ? null : NOW + DAY;
  expect(hasExpired({ ...REQUEST, status, decidedAt }, at)).toBe(expired);
});

test('what two have done says who asked for it, with their notes', () => {
  const request = { internalNote: 'For us.' };
  const asked: Approval = { ...REQUEST, request, note: 'Two.' };
  const by = { actor: OTHER_OPERATOR, note: 'One.' };
  const between = `Asked for by ${OPERATOR.name}, approved by ${OTHER_OPERATOR.name}.`;
  expect(historyNote({ ...by, asked })).toBe(`One. ${between} Two.`);
  expect(historyNote({ ...by, asked: REQUEST })).toBe(`One. ${between}`);
  expect([ownNote({ ...by, asked }), ownNote({ ...by, asked: REQUEST })]).toEqual(['Two.', null]);
  expect(askedWith({ asked })).toEqual({ requestedBy: OPERATOR.id, askedInternalNote: 'For us.' });
  expect(askedWith({ asked: REQUEST })).toEqual({ requestedBy: OPERATOR.id });
});

test('what one has done has their note alone', () => {
  const alone = { actor: OPERATOR, asked: null, note: 'One.' };
  expect([historyNote(alone), ownNote(alone)]).toEqual(['One.', 'One.']);
  expect({ ...askedWith(alone) }).toEqual({});
});
