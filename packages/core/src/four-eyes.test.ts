import { describe, expect, test } from 'vitest';
import type { Approval } from './approval.ts';
import { type CredentialEntry, controlFrom } from './control.ts';
import type { Context, View } from './decision.ts';
import {
  askedWith,
  hasExpired,
  isOwnMember,
  movedAlone,
  movedOn,
  movedToday,
  needsSecondOperator,
  newApproval,
  noteOfTwo,
  refuseApproval,
  refuseDecline,
  refuseFetch,
  refuseFetchByMerchant,
  refuseOutdated,
  refuseOwnPayout,
  waitingFor,
  withdrawn,
} from './four-eyes.ts';
import { money } from './money.ts';
import {
  BY_OPERATOR,
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

  test('without the setting, a single adjustment above the limit and nothing else', () => {
    expect(waits(false, '100', { amount: money('100') })).toBe(false);
    expect(waits(false, '100', { amount: money('100.0001') })).toBe(true);
    expect(waits(false, '100', { amount: money('100'), today: money('1000') })).toBe(false);
    expect(waits(false, null, { amount: money('1000000') })).toBe(false);
    for (const kind of ['float-adjustment', 'order-confirm', 'order-resolve'] as const)
      expect(waits(false, '100', { kind, amount: money('1000'), unattested: true })).toBe(false);
  });

  test('with it, everything above the limit, alone or with the day; no limit is 0', () => {
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

  test('a payment that nobody has confirmed is above every limit', () => {
    expect(waits(true, '100', { kind: 'order-resolve', amount: 1n, unattested: true })).toBe(true);
  });
});

test('the sum of a day starts at zero with the next day, UTC', () => {
  const first = movedAlone({ operatorId: 'op1', day: 0, amount: money('7') }, money('5'), NOW);
  expect(movedOn(first, NOW)).toBe(money('5'));
  expect(movedOn(movedAlone(first, money('1'), NOW), NOW)).toBe(money('6'));
  expect(movedOn(first, NOW + DAY)).toBe(0n);
  expect(movedOn(first, NOW - 2 * DAY)).toBe(0n); // of a clock that was wrong
});

test('where clocks differ at midnight the sum of a day goes on', () => {
  const tomorrow = NOW + DAY;
  const ahead = movedAlone({ operatorId: 'op1', day: 0, amount: 0n }, money('5'), tomorrow);
  expect(movedOn(ahead, NOW)).toBe(money('5'));
  const behind = movedAlone(ahead, money('1'), NOW);
  expect(movedOn(behind, tomorrow)).toBe(money('6'));
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

const REQUEST = newApproval('adjustment', 'a1', 'a1', {}, BY_OPERATOR, NOW);
const MERCHANT_ADMIN = { id: 'p1' };

test('what others who act in one’s name have moved counts: the most of it', () => {
  const moved = new Map([
    ['op1', { operatorId: 'op1', day: Math.floor(NOW / DAY), amount: money('7') }],
    ['op2', { operatorId: 'op2', day: Math.floor(NOW / DAY), amount: money('9') }],
    ['op3', { operatorId: 'op3', day: Math.floor(NOW / DAY) - 1, amount: money('99') }],
  ]);
  const view = { movedAlone: (id: string) => moved.get(id) } as unknown as View;
  const of = (...holders: readonly string[]) =>
    movedToday({ holders, otherMembers: [], ofMerchant: false }, view, NOW);
  expect([of(), of('op1'), of('op1', 'op2'), of('op2', 'op1'), of('op1', 'op3')]).toEqual(
    ['0', '7', '9', '9', '7'].map(money),
  );
});

test('a member is one’s own unless they are known to be another', () => {
  const standing = { holders: [], otherMembers: ['m1'], ofMerchant: false };
  expect(['m1', 'm2', null].map((id) => isOwnMember(standing, id))).toEqual([false, true, false]);
});

test('of requests about the same, one’s own is replaced, and the one that was read approved', () => {
  const theirs = { ...REQUEST, approvalId: 'a2', requestedBy: OTHER_OPERATOR.id };
  const found = (actor: typeof OPERATOR | typeof OTHER_OPERATOR, approvalId?: string) =>
    waitingFor([REQUEST, theirs], { actor, approvalId })?.approvalId;
  expect([
    found(OPERATOR),
    found(OTHER_OPERATOR),
    found(OTHER_OPERATOR, 'a1'),
    found(OTHER_OPERATOR, 'a0'),
  ]).toEqual(['a1', 'a2', 'a1', undefined]);
});

const ASKED = { endpoint: 'POST /x', params: {}, body: null };
test.each<
  [
    what: string,
    asked: Approval['asked'],
    request: Approval['request'],
    now: Approval['request'],
    beside: Approval['request'] | undefined,
    isOutdated: boolean,
  ]
>([
  ['the same', ASKED, { a: 1, b: 'x' }, { a: 1, b: 'x' }, undefined, false],
  ['another value', ASKED, { a: 1 }, { a: 2 }, undefined, true],
  ['another value of one of two', ASKED, { a: 1, b: 2 }, { a: 1, b: 3 }, undefined, true],
  ['a value that was not shown', ASKED, { a: 1 }, { a: 1, b: 2 }, undefined, true],
  ['a value that is gone', ASKED, { a: 1, b: 2 }, { a: 1 }, undefined, true],
  ['what changes all the time', ASKED, { a: 1, b: 2 }, { a: 1, b: 3 }, { b: 3 }, false],
  ['what changes all the time, and another', ASKED, { a: 1, b: 2 }, { a: 2, b: 3 }, { b: 3 }, true],
  ['the version before names a part', null, { a: 1 }, { a: 1, b: 2 }, undefined, false],
  [
    'the version before does not say who let them in',
    ASKED,
    { a: 1 },
    { a: 1, letInBy: 'b' },
    undefined,
    false,
  ],
  ['the version before, changed', null, { a: 1 }, { a: 2, b: 2 }, undefined, true],
])('outdated: %s', (_, asked, request, now, beside, isOutdated) => {
  const objection = refuseOutdated({ ...REQUEST, asked, request }, now, beside);
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
const NAMED = {
  ...{ fetchedByIds: 'p1, p2', fetchedBy: 'Ali, Sana' },
  ...{ letInByIds: 'op2, op9', letInBy: 'Omar, Rabia' },
};

test('an approved secret is fetched by its asker, once and for a day', () => {
  const refused = (
    approval: Partial<Approval>,
    who: { readonly id: string } = OPERATOR,
    at = NOW,
  ) => refuseFetch({ ...APPROVED, ...approval }, who, at)?.refusal;
  expect(refused({})).toBeUndefined();
  expect(refused({}, OPERATOR, NOW + DAY - 1)).toBeUndefined();
  const reasons = [
    refused({}, OTHER_OPERATOR),
    refused({ request: NAMED }),
    refused({ request: { fetchedBy: 'Ali' } }),
    refused({ request: { fetchedByIds: 'p1' } }),
    refused({ status: 'pending' }),
    refused({}, OPERATOR, NOW + DAY),
  ];
  expect(reasons).toEqual([
    { code: 'second-operator', message: 'Only the operator who asked for it can fetch it.' },
    {
      code: 'second-operator',
      message: 'The merchant’s own admins fetch this key in their portal.',
    },
    undefined,
    undefined,
    { code: 'wrong-state', message: 'This request is pending; there is nothing to fetch.' },
    { code: 'wrong-state', message: 'The approval has expired. It has to be asked for again.' },
  ]);
});

describe('a key that a merchant’s admin fetches', () => {
  const act = (action: CredentialEntry['action'], id: string, at: number): CredentialEntry => ({
    ...{ action, actor: { id }, at, target: MERCHANT_ADMIN.id },
    detail: { fields: 'name, password' },
  });
  const letInBy = (id: string) => controlFrom([act('portal-user.create', id, NOW - 1)]);
  test.each([
    ['let in by another operator, and named', 'op9', { request: NAMED }, undefined],
    ['let in by another operator', 'op9', {}, 'second-operator'],
    [
      'let in by the asker, and named',
      OPERATOR.id,
      { request: { ...NAMED, letInByIds: OPERATOR.id } },
      'second-operator',
    ],
    ['let in by the approver, and named', 'op2', { request: NAMED }, undefined],
    [
      'let in by the approver, and others named',
      'op2',
      { request: { ...NAMED, fetchedByIds: 'p11, p2' } },
      'second-operator',
    ],
    [
      'given a way to sign in by somebody whom the request does not name',
      'op7',
      { request: NAMED },
      'second-operator',
    ],
    [
      'named by the version before, which does not say who let them in',
      'op7',
      { request: { fetchedByIds: 'p1, p2', fetchedBy: 'Ali, Sana' } },
      undefined,
    ],
    ['not approved', 'op9', { status: 'pending', request: NAMED }, 'wrong-state'],
  ] as const)('%s', (_, by, change, code) => {
    const approval = { ...APPROVED, ...change };
    const objection = refuseFetchByMerchant(approval, MERCHANT_ADMIN, NOW, letInBy(by));
    expect(objection?.refusal.code).toBe(code);
  });

  test.each([
    ['a link of the operator who let them in', 'portal-user.recovery-link', 'op9', NOW + 1, false],
    ['a password of that operator', 'portal-user.update', 'op9', NOW + 1, false],
    ['an earlier link that is used now', 'portal-user.recover', 'p1', NOW + 1, false],
    ['a password of their own', 'portal-user.update', 'p1', NOW + 1, true],
    ['a password of that operator before', 'portal-user.update', 'op9', NOW - 1, true],
  ] as const)('since it was asked for, %s', (_, action, by, at, may) => {
    const control = controlFrom([act('portal-user.create', 'op9', NOW - 2), act(action, by, at)]);
    const approval = { ...APPROVED, request: NAMED };
    const objection = refuseFetchByMerchant(approval, MERCHANT_ADMIN, NOW + 2, control);
    expect(objection === undefined).toBe(may);
  });
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

test('a newer request replaces the asker’s own that waits', () => {
  const ctx = { now: NOW + 1 } as Context;
  expect(withdrawn(undefined, OTHER_OPERATOR, ctx)).toEqual([]);
  expect(withdrawn(REQUEST, OTHER_OPERATOR, ctx)).toEqual([
    {
      ...REQUEST,
      status: 'withdrawn',
      decidedBy: OTHER_OPERATOR.id,
      decidedName: OTHER_OPERATOR.name,
      decidedAt: NOW + 1,
      note: 'A newer request has taken its place.',
    },
  ]);
});

test('what two have done says who asked for it, with their notes', () => {
  const asked = { ...REQUEST, request: { note: 'One.', internalNote: 'For us.' } };
  const between = `Asked for by ${OPERATOR.name}, approved by ${OTHER_OPERATOR.name}.`;
  expect(noteOfTwo(asked, OTHER_OPERATOR, 'Two.')).toBe(`One. ${between} Two.`);
  expect(noteOfTwo({ ...asked, request: { note: null } }, OTHER_OPERATOR, null)).toBe(between);
  expect(askedWith(asked)).toEqual({ requestedBy: OPERATOR.id, askedInternalNote: 'For us.' });
  expect(askedWith(REQUEST)).toEqual({ requestedBy: OPERATOR.id });
});
