import type { Member, MemberId, Need, WalletType } from '@munshi/core';
import { describe, expect, test } from 'vitest';
import { createMemberGroup, placeOf } from './member-group.ts';
import { createMemberIndex } from './member-index.ts';

const AT = 1_000_000;
const member = (
  memberId: string,
  openOrders: number,
  lastAssignedAt: number | null = null,
  more: Partial<Member> = {},
): Member => ({
  memberId: memberId as MemberId,
  status: 'active',
  online: true,
  maxOpenOrders: 10,
  openOrders,
  floatBalance: 10_000_000n,
  floatHeld: 0n,
  floatOverdrawn: false,
  lastAssignedAt,
  recoveredAt: null,
  accounts: [account(`account of ${memberId}`, 'ProviderA')],
  ...more,
});
const account = (accountId: string, walletType: WalletType) => ({
  accountId,
  walletType,
  accountNumber: '1',
  accountTitle: 'x',
  qrPayload: null,
  status: 'approved' as const,
  paused: false,
  currencies: null,
  minimumPerOrder: null,
  maximumPerOrder: null,
  maximumPerDay: null,
  day: 0,
  dayAmount: 0n,
});
const need = (more: Partial<Need> = {}): Need => ({
  orderType: 'Deposit',
  walletType: 'ProviderA',
  currency: 'PKR',
  amount: 100n,
  floatAmount: 100n,
  heldBy: null,
  heldBefore: [],
  ...more,
});
const indexOf = (...members: readonly Member[]) => {
  const index = createMemberIndex();
  for (const each of members) index.put(each);
  return index;
};

describe('candidates', () => {
  test('come by turn: fewest open orders, then longest since the last assignment', () => {
    const index = indexOf(member('c', 2), member('a', 1, 500), member('b', 1, 400));
    expect(index.candidates([need()], AT)).toEqual(['b', 'a', 'c']);
  });

  test('for many needs are as many as take turns, and four spares', () => {
    const index = indexOf(...Array.from({ length: 50 }, (_, n) => member(`m${n}`, 0, n)));
    const chosen = index.candidates([need(), need(), need()], AT);
    expect(chosen).toEqual(['m0', 'm1', 'm2', 'm3', 'm4', 'm5', 'm6']);
  });

  test('for very many needs are all whom they take, and as many spares as are asked for, also where those are busier', () => {
    const index = indexOf(
      ...Array.from({ length: 500 }, (_, n) => member(`m${n}`, n < 100 ? 0 : 5, n)),
    );
    const chosen = index.candidates(Array(100).fill(need()), AT, 300);
    expect(chosen).toEqual(Array.from({ length: 400 }, (_, n) => `m${n}`));
  });

  test('stay the same for a second call: thinking of members takes nothing from them', () => {
    const index = indexOf(...Array.from({ length: 20 }, (_, n) => member(`m${n}`, 0, n)));
    expect(index.candidates([need(), need()], AT)).toEqual(index.candidates([need(), need()], AT));
  });

  test('leave out the offline, the suspended, the full and those without the method or the float', () => {
    const index = indexOf(
      member('offline', 0, null, { online: false }),
      member('suspended', 0, null, { status: 'suspended' }),
      member('full', 10),
      member('other method', 0, null, { accounts: [account('x', 'TillID')] }),
      member('eligible', 5),
    );
    expect(index.candidates([need()], AT)).toEqual(['eligible']);
    expect(index.candidates([need({ heldBy: 'eligible' })], AT)).toEqual(['eligible']); // a spare: the locked row decides
    expect(
      indexOf(member('poor', 0, null, { floatBalance: 50n })).candidates([need(), need()], AT),
    ).toEqual(['poor']);
  });

  test('have those who have not held a payout first, beyond any number who have', () => {
    const held = Array.from({ length: 10 }, (_, n) => member(`held ${n}`, n));
    const payout = need({
      orderType: 'Withdrawal',
      heldBefore: held.map(({ memberId }) => memberId),
    });
    const [chosen] = indexOf(...held, member('fresh', 9, 500)).candidates([payout], AT);
    expect(chosen).toBe('fresh');
    expect(indexOf(...held).candidates([payout], AT)[0]).toBe('held 0');
  });

  test('of a withdrawal are members with any account of the provider', () => {
    const index = indexOf(
      member('till', 0, null, { accounts: [account('x', 'ProviderBQR')] }),
      member('a', 0),
    );
    expect(index.candidates([need({ orderType: 'Withdrawal', walletType: 'TillID' })], AT)).toEqual(
      ['till'],
    );
  });
});

describe('rows', () => {
  test('replace the ones before: a member who has become busy waits their new turn', () => {
    const index = indexOf(
      member('a', 0),
      member('b', 1),
      member('c', 2),
      member('d', 3),
      member('e', 4),
      member('f', 5),
    );
    index.put(member('a', 9));
    expect(index.candidates([need()], AT)).toEqual(['b', 'c', 'd', 'e', 'f']);
  });

  test('taken back are not hinted at until they come again', () => {
    const index = indexOf(member('a', 0), member('b', 1));
    index.forget('a');
    expect(index.candidates([need()], AT)).toEqual(['b']);
    index.refresh(member('a', 0), index.mark());
    expect(index.candidates([need()], AT)).toEqual(['a', 'b']);
  });

  test('read without a lock do not undo what was written since the reading began', () => {
    const full = member('a', 10, 100);
    const index = indexOf(full, member('b', 1));
    index.written('a');
    const mark = index.mark();
    // The member completes an order: nothing in the row shows that the one which is read below is
    // older.
    index.put(member('a', 0, 100));
    index.refresh(full, mark);
    expect(index.candidates([need()], AT), 'while the write is on its way').toEqual(['a', 'b']);
    index.written('a');
    index.refresh(full, mark);
    expect(index.candidates([need()], AT), 'once it is committed').toEqual(['a', 'b']);
    index.refresh(full, index.mark());
    expect(index.candidates([need()], AT), 'what another process has written since').toEqual(['b']);
  });

  test('loaded with some of the accounts keep the others', () => {
    const both = [account('x', 'ProviderA'), account('y', 'TillID')];
    const index = indexOf(member('a', 0, null, { accounts: both }));
    index.put(member('a', 1, null, { accounts: [both[0] as (typeof both)[0]] }));
    expect(index.candidates([need({ walletType: 'TillID' })], AT)).toEqual(['a']);
  });
});

describe('whether an order could be taken', () => {
  const full = { maxOpenOrders: 1, openOrders: 1 };

  test('is so while somebody there covers it, by the newest that is known of them', () => {
    const index = indexOf(member('a', 0), member('b', 0, null, { online: false }));
    expect(index.couldBeTaken(need(), AT, null)).toBe(true);
    expect(index.couldBeTaken(need({ walletType: 'TillID' }), AT, null)).toBe(false);
    expect(index.couldBeTaken(need({ floatAmount: 10_000_001n }), AT, null)).toBe(false);
    index.put(member('a', 0, null, { online: false }));
    expect(index.couldBeTaken(need(), AT, null)).toBe(false);
    index.put(member('b', 0));
    expect(index.couldBeTaken(need(), AT, null)).toBe(true);
  });

  test('counts its holder as free of it, with the float that it holds', () => {
    const held = { ...full, floatBalance: 100n, floatHeld: 100n };
    const index = indexOf(member('a', 1, null, held), member('b', 1, null, full));
    expect(index.couldBeTaken(need(), AT, null)).toBe(false);
    expect(index.couldBeTaken(need(), AT, 'a')).toBe(true);
    expect(index.couldBeTaken(need({ walletType: 'TillID' }), AT, 'a')).toBe(false);
  });

  test('is not denied where not everybody was looked at', () => {
    const poor = Array.from({ length: 1_000 }, (_, n) => member(`m${n}`, 0, n));
    const large = need({ floatAmount: 10_000_001n });
    expect(indexOf(...poor.slice(1)).couldBeTaken(large, AT, null)).toBe(false);
    expect(indexOf(...poor).couldBeTaken(large, AT, null)).toBe(true);
  });
});

test('what is kept of turns does not grow with the orders that members take and end', () => {
  const newest = new Map<string, Member>(
    Array.from({ length: 20 }, (_, n) => [`m${n}`, member(`m${n}`, 0, n)]),
  );
  const group = createMemberGroup(newest);
  for (const each of newest.values()) group.enter(placeOf(each));
  for (let at = 20; at < 10_000; at += 1) {
    const taken = group.take() as Member;
    newest.set(taken.memberId, { ...taken, openOrders: 1, lastAssignedAt: at });
    group.putBack(taken.memberId);
    const ended = member(taken.memberId, 0, at);
    newest.set(taken.memberId, ended);
    group.enter(placeOf(ended));
  }
  expect(group.size()).toBeLessThan(200);
  expect(Array.from({ length: 20 }, () => group.take()?.memberId)).toEqual(
    Array.from({ length: 20 }, (_, n) => `m${n}`),
  );
});
