import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  accountObjection,
  byTurn,
  canTakeMore,
  chooseMember,
  couldTake,
  covers,
  dayOf,
  isAvailable,
  type Member,
  type MemberAccount,
  memberObjection,
  type Need,
  serves,
  startOfUtcDay,
  usedOn,
} from './matching.ts';
import { METHODS, WALLET_TYPES, type WalletType } from './method.ts';
import { money } from './money.ts';
import { needOf, needOfAnother } from './step.ts';
import { account, deposit, member, NOW } from './testing/literals.ts';

const need = (given: Partial<Need> = {}): Need => ({
  orderType: 'Deposit',
  walletType: 'ProviderA',
  currency: 'PKR',
  amount: money('100'),
  floatAmount: money('100'),
  heldBy: null,
  heldBefore: [],
  ...given,
});
const choose = (
  members: readonly Member[],
  given: Partial<Need> = {},
  withEqual: readonly string[] = [],
  at = NOW,
) =>
  chooseMember(members.toSorted(byTurn), need(given), at, (accountId) =>
    withEqual.includes(accountId),
  )?.account.accountId;

describe('which account serves', () => {
  const providers = {
    ProviderA: ['ProviderA', 'ProviderATillID', 'ProviderAQR'],
    ProviderB: ['ProviderB', 'TillID', 'ProviderBQR'],
    Bank: ['BankAccount'],
  } as const;

  test.each(WALLET_TYPES)('a deposit by %s: an account of exactly it', (walletType) => {
    for (const own of WALLET_TYPES)
      expect(serves({ walletType: own }, { orderType: 'Deposit', walletType })).toBe(
        own === walletType,
      );
  });

  test.each(WALLET_TYPES.filter((method) => METHODS[method].withdrawal))(
    'a withdrawal by %s: any account with its provider',
    (walletType) => {
      const family: readonly WalletType[] = providers[METHODS[walletType].provider];
      for (const own of WALLET_TYPES)
        expect(serves({ walletType: own }, { orderType: 'Withdrawal', walletType })).toBe(
          family.includes(own),
        );
    },
  );
});

describe('who is available', () => {
  const rows: [text: string, given: Partial<Member>, need: Partial<Need>, available: boolean][] = [
    ['online, active, with room and float', {}, {}, true],
    ['offline', { online: false }, {}, false],
    ['suspended', { status: 'suspended' }, {}, false],
    ['one free slot', { openOrders: 9 }, {}, true],
    ['no free slot', { openOrders: 10 }, {}, false],
    ['more open orders than the lowered capacity', { openOrders: 5, maxOpenOrders: 3 }, {}, false],
    [
      'float exactly covers a deposit',
      { floatBalance: money('150'), floatHeld: money('50') },
      {},
      true,
    ],
    ['held float does not', { floatBalance: money('150'), floatHeld: money('50.0001') }, {}, false],
    ['a withdrawal needs no float', { floatBalance: 0n }, { orderType: 'Withdrawal' }, true],
    [
      'float is asked in PKR, not in the order’s currency',
      { floatBalance: money('340') },
      { amount: money('100'), floatAmount: money('350') },
      false,
    ],
    ['held the order before', {}, { heldBefore: ['m0', 'm1'] }, true],
    ['has it and is to lose it', {}, { heldBy: 'm1' }, false],
  ];
  test.each(rows)('%s', (_, given, asked, available) =>
    expect(isAvailable(member({ memberId: 'm1', ...given }), need(asked))).toBe(available),
  );
});

describe('which account covers', () => {
  const today = dayOf(NOW);
  const rows: [text: string, given: Partial<MemberAccount>, covered: boolean][] = [
    ['approved, no limits', {}, true],
    ['pending', { status: 'pending' }, false],
    ['suspended', { status: 'suspended' }, false],
    ['paused', { paused: true }, false],
    ['another method', { walletType: 'ProviderAQR' }, false],
    ['at the minimum', { minimumPerOrder: money('100') }, true],
    ['below the minimum', { minimumPerOrder: money('100.0001') }, false],
    ['at the maximum', { maximumPerOrder: money('100') }, true],
    ['above the maximum', { maximumPerOrder: money('99.9999') }, false],
    [
      'the rest of the day exactly',
      { maximumPerDay: money('300'), day: today, dayAmount: money('200') },
      true,
    ],
    [
      'more than the rest of the day',
      { maximumPerDay: money('300'), day: today, dayAmount: money('200.0001') },
      false,
    ],
    [
      'yesterday’s usage is over',
      { maximumPerDay: money('100'), day: today - 1, dayAmount: money('100') },
      true,
    ],
  ];
  test.each(rows)('%s', (_, given, covered) =>
    expect(covers(account({ accountId: 'a', ...given }), need(), NOW)).toBe(covered),
  );

  test('the day is UTC’s and turns at midnight', () => {
    const midnight = Date.UTC(2026, 0, 16);
    const full = account({
      accountId: 'a',
      maximumPerDay: money('100'),
      day: today,
      dayAmount: money('100'),
    });
    expect(covers(full, need(), midnight - 1)).toBe(false);
    expect(covers(full, need(), midnight)).toBe(true);
    expect([usedOn(full, midnight - 1), usedOn(full, midnight)]).toEqual([money('100'), 0n]);
    expect([dayOf(0), dayOf(-1), dayOf(midnight) - today]).toEqual([0, -1, 1]);
    expect([startOfUtcDay(0), startOfUtcDay(today + 1)]).toEqual([0, midnight]);
  });

  test('limits are held against PKR', () => {
    const limited = account({ accountId: 'a', maximumPerOrder: money('200') });
    expect(covers(limited, need({ amount: money('100'), floatAmount: money('350') }), NOW)).toBe(
      false,
    );
  });
});

describe('who may be given a waiting withdrawal that they could not before', () => {
  const today = dayOf(NOW);
  const own = (given: Partial<MemberAccount>) => ({
    accounts: [account({ accountId: 'a' }), account({ accountId: 'b', ...given })],
  });
  const used = (dayAmount: string, day = today) =>
    own({ maximumPerDay: money('300'), day, dayAmount: money(dayAmount) });
  const rows: [text: string, before: Partial<Member>, after: Partial<Member>, more: boolean][] = [
    ['came online', { online: false }, {}, true],
    ['went offline', {}, { online: false }, false],
    ['activated', { status: 'suspended' }, {}, true],
    ['full, and free again', { openOrders: 10 }, { openOrders: 9 }, true],
    ['over capacity, and still full', { openOrders: 12 }, { openOrders: 11 }, false],
    ['capacity raised', { openOrders: 10 }, { openOrders: 10, maxOpenOrders: 11 }, true],
    ['had room before', { openOrders: 9 }, { openOrders: 8 }, false],
    [
      'free again, but offline',
      { openOrders: 10, online: false },
      { openOrders: 9, online: false },
      false,
    ],
    ['an account approved', own({ status: 'pending' }), own({}), true],
    ['an account added', { accounts: [account({ accountId: 'a' })] }, own({}), false],
    ['an account suspended', own({}), own({ status: 'suspended' }), false],
    ['got some of the day back', used('300'), used('200'), true],
    [
      'got it back of an account without a limit for the day',
      own({ day: today, dayAmount: money('9') }),
      own({ day: today, dayAmount: 0n }),
      false,
    ],
    ['took some of the day', used('100'), used('200'), false],
    ['used as much of the day', used('100'), used('100'), false],
    ['nothing changed', {}, {}, false],
  ];
  test.each(rows)('%s', (_, before, after, more) =>
    expect(
      canTakeMore(member({ memberId: 'm1', ...before }), member({ memberId: 'm1', ...after }), NOW),
    ).toBe(more),
  );
});

describe('the choice among the eligible', () => {
  const busy = (memberId: string, openOrders: number, lastAssignedAt: number | null = null) =>
    member({ memberId, openOrders, lastAssignedAt });
  const rows: [text: string, members: Member[], chosen: string | undefined][] = [
    ['nobody', [], undefined],
    ['fewest open orders', [busy('m1', 2), busy('m2', 1), busy('m3', 3)], 'm2-a'],
    [
      'then the longest since the last assignment',
      [busy('m1', 1, NOW - 1), busy('m2', 1, NOW - 9), busy('m3', 1, NOW - 5)],
      'm2-a',
    ],
    ['never assigned is the longest', [busy('m1', 1, 0), busy('m2', 1, null)], 'm2-a'],
    ['then the lower id', [busy('m3', 0), busy('m1', 0), busy('m2', 0)], 'm1-a'],
    ['fewest comes before longest', [busy('m1', 0, NOW), busy('m2', 1, null)], 'm1-a'],
    ['the eligible alone', [member({ memberId: 'm1', online: false }), busy('m2', 9)], 'm2-a'],
    [
      'the lower account of one member',
      [
        member({
          memberId: 'm1',
          accounts: [account({ accountId: 'b' }), account({ accountId: 'a' })],
        }),
      ],
      'a',
    ],
  ];
  test.each(rows)('%s', (_, members, chosen) => expect(choose(members)).toBe(chosen));

  test('the account that covers the order is chosen, though another of the member does not', () => {
    const accounts = [
      account({ accountId: 'a', maximumPerOrder: money('1') }),
      account({ accountId: 'b' }),
    ];
    expect(choose([member({ memberId: 'm1', accounts })])).toBe('b');
  });

  test.each([
    ['m1', [], 'm2-a'],
    ['m1', ['m2'], 'm3-a'],
    ['m1', ['m3', 'm2'], 'm2-a'],
    ['m2', ['m1', 'm2', 'm3'], 'm1-a'],
  ])(
    'a payout that %s loses and %j have held goes to %s: former holders come last',
    (heldBy, heldBefore, chosen) => {
      const members = [busy('m1', 0), busy('m2', 1), busy('m3', 2)];
      expect(choose(members, { orderType: 'Withdrawal', heldBy, heldBefore })).toBe(chosen);
    },
  );

  test('a payout whose only eligible member loses it goes to nobody', () => {
    expect(
      choose([busy('m1', 0)], { orderType: 'Withdrawal', heldBy: 'm1', heldBefore: ['m1'] }),
    ).toBeUndefined();
  });

  test('the same in any order of the candidates, and everybody gets a turn', () => {
    const some = fc.record({
      openOrders: fc.nat(3),
      lastAssignedAt: fc.option(fc.nat(3)),
      online: fc.boolean(),
      equal: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(some, { maxLength: 8 }), (given) => {
        const members = given.map((each, at) => member({ memberId: `m${at}`, ...each }));
        const withEqual = given.flatMap(({ equal }, at) => (equal ? [`m${at}-a`] : []));
        const chosen = choose(members, {}, withEqual);
        expect(choose(members.toReversed(), {}, withEqual)).toBe(chosen);
        expect(chosen === undefined).toBe(!members.some(({ online }) => online));
        const sorted = members.toSorted(byTurn);
        for (const [at, later] of sorted.slice(1).entries())
          expect(byTurn(sorted[at] as Member, later)).toBeLessThan(0);
      }),
    );
  });

  test('fair: ten orders to five equal members are two each', () => {
    let members = ['m1', 'm2', 'm3', 'm4', 'm5'].map((memberId) => member({ memberId }));
    for (let turn = 0; turn < 10; turn += 1) {
      const found = chooseMember(
        members.toSorted(byTurn),
        need({ orderType: 'Withdrawal' }),
        NOW,
        () => false,
      );
      members = members.map((each) =>
        each.memberId === found?.member.memberId
          ? { ...each, openOrders: each.openOrders + 1, lastAssignedAt: NOW + turn }
          : each,
      );
    }
    expect(members.map(({ openOrders }) => openOrders)).toEqual([2, 2, 2, 2, 2]);
  });
});

describe('two open deposits of one amount on one account', () => {
  const accounts = [account({ accountId: 'a' }), account({ accountId: 'b' })];

  test('an account without an equal deposit comes first, even of a busier member', () => {
    expect(choose([member({ memberId: 'm1', accounts })], {}, ['a'])).toBe('b');
    expect(
      choose([member({ memberId: 'm1' }), member({ memberId: 'm2', openOrders: 7 })], {}, ['m1-a']),
    ).toBe('m2-a');
  });

  test('the account with the lower id comes first, in any order of a member’s accounts', () => {
    for (const withEqual of [[], ['a', 'b']])
      for (const own of [accounts, accounts.toReversed()])
        expect(choose([member({ memberId: 'm1', accounts: own })], {}, withEqual)).toBe('a');
  });

  test('of several members with an equal deposit it is the first in turn', () => {
    const members = [
      member({ memberId: 'm1', accounts: [account({ accountId: 'z' })] }),
      member({ memberId: 'm2', openOrders: 7, accounts: [account({ accountId: 'a' })] }),
    ];
    expect(choose(members, {}, ['z', 'a'])).toBe('z');
  });

  test('the choice says whether the account has one', () => {
    const chosen = (equal: boolean) =>
      chooseMember([member({ memberId: 'm1', accounts })], need(), NOW, () => equal)?.equalDeposit;
    expect([chosen(true), chosen(false)]).toEqual([true, false]);
  });

  test('without another choice the account is used again', () => {
    expect(choose([member({ memberId: 'm1', accounts })], {}, ['a', 'b'])).toBe('a');
    expect(
      choose([member({ memberId: 'm1' }), member({ memberId: 'm2', online: false })], {}, ['m1-a']),
    ).toBe('m1-a');
  });

  test('withdrawals may be equal on one account', () => {
    expect(
      choose(
        [member({ memberId: 'm1' }), member({ memberId: 'm2', openOrders: 7 })],
        { orderType: 'Withdrawal' },
        ['m1-a'],
      ),
    ).toBe('m1-a');
  });

  test('the amount is the one the customer sends, in the order’s currency', () => {
    const asked: bigint[] = [];
    chooseMember(
      [member({ memberId: 'm1' })],
      need({ amount: money('10'), floatAmount: money('35') }),
      NOW,
      (_, amount) => asked.push(amount) > 9,
    );
    expect(asked).toEqual([money('10')]);
  });
});

test('an order’s needs follow from the order itself', () => {
  const order = deposit({
    amount: money('7'),
    floatAmount: money('24.5'),
    walletType: 'TillID',
    currency: 'BDT',
    memberId: 'm2',
    formerMemberIds: ['m1'],
  });
  const needed = {
    orderType: 'Deposit',
    walletType: 'TillID',
    currency: 'BDT',
    amount: money('7'),
    floatAmount: money('24.5'),
  };
  expect(needOf(order)).toEqual({ ...needed, heldBy: null, heldBefore: [] });
  expect(needOfAnother(order)).toEqual({ ...needed, heldBy: 'm2', heldBefore: ['m1'] });
});

describe('why an order has no member', () => {
  const small = { floatBalance: money('99'), floatHeld: money('0') };
  test.each([
    ['suspended', { status: 'suspended', online: false, ...small }],
    ['offline', { online: false, openOrders: 5, maxOpenOrders: 5, ...small }],
    ['full', { openOrders: 5, maxOpenOrders: 5, ...small }],
    ['float-too-small', { ...small, memberId: 'holder' }],
    ['has-it', { memberId: 'holder' }],
    [undefined, {}],
  ] as const)('%s comes before what follows', (objection, given) => {
    const asked = need({ heldBy: 'holder' });
    expect(memberObjection(member({ memberId: 'm1', ...given }), asked)).toBe(objection);
    expect(isAvailable(member({ memberId: 'm1', ...given }), asked)).toBe(objection === undefined);
  });

  const full = { maximumPerDay: money('150'), day: dayOf(NOW), dayAmount: money('51') };
  test.each([
    ['other-method', { walletType: 'TillID', currencies: ['BDT'] }],
    ['other-currency', { currencies: ['BDT', 'INR'], status: 'pending' }],
    ['not-approved', { status: 'pending', paused: true }],
    ['paused', { paused: true, minimumPerOrder: money('101') }],
    ['below-minimum', { minimumPerOrder: money('101'), ...full }],
    ['above-maximum', { maximumPerOrder: money('99'), ...full }],
    ['day-used-up', full],
    [undefined, { currencies: ['BDT', 'PKR'] }],
    [undefined, {}],
  ] as const)('of an account %s comes before what follows', (objection, given) => {
    const own = account({ accountId: 'a', ...given });
    expect(accountObjection(own, need(), NOW)).toBe(objection);
    expect(covers(own, need(), NOW)).toBe(objection === undefined);
  });
});

describe('an order that is not priced yet', () => {
  const unpriced = { ...need(), floatAmount: null };

  test('no float is too small for, not even an overdrawn one', () => {
    const overdrawn = member({ memberId: 'm1', floatBalance: 0n, floatHeld: 1n });
    expect(memberObjection(overdrawn, unpriced)).toBeUndefined();
  });

  test('no limit of an account is against', () => {
    const limited = account({
      ...{ accountId: 'a', minimumPerOrder: money('1'), maximumPerOrder: money('1') },
      ...{ maximumPerDay: 0n, day: dayOf(NOW), dayAmount: money('1') },
    });
    expect(accountObjection(limited, unpriced, NOW)).toBeUndefined();
  });
});

describe('an order could be taken', () => {
  const suspended = account({ accountId: 'a', status: 'suspended' });
  const other = account({ accountId: 'b' });
  test.each([
    ['by a member with one account that covers it', { accounts: [suspended, other] }, true],
    ['by no account that does not', { accounts: [suspended] }, false],
    ['by no member without an account', { accounts: [] }, false],
    ['by no member who is offline', { online: false }, false],
  ] as const)('%s', (_, given, taken) => {
    expect(couldTake(member({ memberId: 'm1', ...given }), need(), NOW)).toBe(taken);
  });
});

test.each([
  ['fewer open orders', { openOrders: 1 }, { openOrders: 2 }, -1],
  ['never served', { lastAssignedAt: null }, { lastAssignedAt: 1 }, -1],
  ['served earlier', { lastAssignedAt: 1 }, { lastAssignedAt: 2 }, -1],
  ['the lower id', { memberId: 'm1' }, { memberId: 'm2' }, -1],
  ['the same', {}, {}, 0],
] as const)('first comes who has %s', (_, first, second, sign) => {
  const turn = (of: object) => member({ memberId: 'm1', ...of });
  expect(Math.sign(byTurn(turn(first), turn(second)))).toBe(sign);
  expect(Math.sign(byTurn(turn(second), turn(first)))).toBe(sign === 0 ? 0 : -sign);
});
