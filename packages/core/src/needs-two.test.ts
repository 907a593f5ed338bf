import { describe, expect, test } from 'vitest';
import type { DisplayNames } from './display-names.ts';
import type { WhitelistEntry } from './ip.ts';
import { type AlertSettings, NO_ALERTS } from './merchant-alert.ts';
import {
  admitsMoreAddresses,
  alertsNeedTwo,
  memberNeedsTwo,
  merchantNeedsTwo,
  operatorNeedsTwo,
  personNeedsTwo,
  SAFEGUARDS,
  settingsNeedTwo,
} from './needs-two.ts';

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
  test.each(rows)('%s', (_what, from, to, two) => expect(admitsMoreAddresses(from, to)).toBe(two));
});

describe('a merchant needs two operators for what customers read, where webhooks go, and more orders', () => {
  const before = {
    ...{ name: 'Shop', status: 'active' as const, displayName: null, logo: null },
    ...{ supportEmail: 'a@shop.example', supportPhone: null, supportUrl: null },
    ...{ defaultCallbackUrl: null, ipWhitelist: { enabled: true, entries: [] } },
  };
  const rows: [after: Parameters<typeof merchantNeedsTwo>[1], two: boolean][] = [
    [{}, false],
    [{ name: 'Other' }, true],
    [{ name: 'Shop', supportEmail: 'a@shop.example' }, false],
    [{ displayName: 'Other' }, true],
    [{ logo: 'a hash' }, true],
    [{ supportEmail: null }, true],
    [{ supportPhone: '+92 42 111' }, true],
    [{ supportUrl: 'https://other.example' }, true],
    [{ defaultCallbackUrl: 'https://other.example' }, true],
    [{ ipWhitelist: { enabled: false, entries: [] } }, true],
    [{ status: 'suspended' }, false],
    [{ status: 'closed' }, false],
    [{ status: 'active' }, false],
  ];
  test.each(rows)('%j', (after, two) => expect(merchantNeedsTwo(before, after)).toBe(two));
  test('that is made active again', () =>
    expect(merchantNeedsTwo({ ...before, status: 'suspended' }, { status: 'active' })).toBe(true));
});

test.each<
  [
    what: string,
    before: Parameters<typeof operatorNeedsTwo>[0],
    after: Parameters<typeof operatorNeedsTwo>[1],
    two: boolean,
  ]
>([
  ['a name', admin('b'), {}, false],
  ['more power', { ...admin('b'), role: 'support' }, { role: 'admin' }, true],
  ['less power', admin('b'), { role: 'support' }, false],
  ['a suspension', admin('b'), { status: 'suspended' }, false],
  ['an active status again', { ...admin('b'), status: 'suspended' }, { status: 'active' }, true],
  ['a password for another operator', admin('b'), { password: 'p' }, true],
  ['a password of one’s own', admin('a'), { password: 'p' }, false],
])('%s of an operator', (_what, before, after, two) => {
  expect(operatorNeedsTwo(before, after, { id: 'a' })).toBe(two);
});

test.each([
  ['a new admin', { role: 'admin', lets: true }, true],
  ['an admin’s name', { role: 'admin', lets: false }, false],
  ['a viewer', { role: 'viewer', lets: true }, false],
] as const)('%s of a merchant', (_, after, two) => {
  expect(personNeedsTwo(undefined, after)).toBe(two);
});

test.each([
  ['a password', { status: 'active' }, { password: 'p' }, true],
  ['an active status again', { status: 'suspended' }, { status: 'active' }, true],
  ['a suspension', { status: 'active' }, { status: 'suspended' }, false],
  ['an active status that is there', { status: 'active' }, { status: 'active' }, false],
] as const)('%s of a member', (_, before, after, two) => {
  expect(memberNeedsTwo(before, after)).toBe(two);
});

function admin(operatorId: string) {
  return { operatorId, role: 'admin', status: 'active' } as const;
}

describe('what a merchant is alerted to needs two operators where fewer are alerted, later or never', () => {
  const before: AlertSettings = {
    ...NO_ALERTS,
    alertEmails: ['owner@shop.example', 'desk@shop.example'],
    lowBalance: 1_000_0000n,
  };
  const rows: [what: string, before: AlertSettings, after: Partial<AlertSettings>, two: boolean][] =
    [
      ['nothing is changed', before, {}, false],
      ['an address goes', before, { alertEmails: ['owner@shop.example'] }, true],
      ['an address is another', before, { alertEmails: ['owner@shop.example', 'a@b.pk'] }, true],
      ['an address comes', before, { alertEmails: [...before.alertEmails, 'a@b.pk'] }, false],
      ['one kind raises its alert later', before, { lowBalance: 999_9999n }, true],
      ['one kind raises its alert sooner', before, { lowBalance: 1_000_0001n }, false],
    ];
  test.each(rows)('%s', (_, was, change, two) => {
    expect(alertsNeedTwo(was, change)).toBe(two);
  });
});

describe('settings need two operators where they guard less', () => {
  const before = {
    ...{ payoutWindowSeconds: 3_600, sendingGraceSeconds: 600 },
    ...{ stopWithdrawalsOnBreach: true, requireSecondOperator: true, requireOneTimeCode: true },
    adjustmentApprovalLimit: 1_000n as bigint | null,
    displayNames: {
      methods: { BankPK: 'Bank' },
      currencies: { BDT: { providers: { ProviderA: 'bKash' } } },
    } as DisplayNames,
  };
  const rows: [what: string, after: Partial<typeof before>, two: boolean][] = [
    ['nothing is changed', {}, false],
    ['a higher limit', { adjustmentApprovalLimit: 1_001n }, true],
    ['no limit', { adjustmentApprovalLimit: null }, true],
    ['a lower limit', { adjustmentApprovalLimit: 999n }, false],
    ['everything is sent as it was', before, false],
    ['a payout is taken from its member sooner', { payoutWindowSeconds: 3_599 }, true],
    ['a payout is taken from its member later', { payoutWindowSeconds: 3_601 }, false],
    ['… though they say that they are sending', { sendingGraceSeconds: 0 }, true],
    ['a breach stops nothing', { stopWithdrawalsOnBreach: false }, true],
    ['sign-ins without codes', { requireOneTimeCode: false }, true],
    ['a method has another name', { displayNames: { methods: {}, providers: {} } }, true],
    ['a provider has one in a currency', { displayNames: { currencies: { BDT: {} } } }, true],
    ['names of another kind are sent', { displayNames: { providers: {} } }, false],
    ['one operator decides', { requireSecondOperator: false }, true],
  ];
  test.each(rows)('%s', (_what, after, two) => expect(settingsNeedTwo(before, after)).toBe(two));
  test('each safeguard has a row above', () => {
    const loosened = rows.flatMap(([, after, two]) => (two ? Object.keys(after) : []));
    expect([...new Set(loosened)].sort()).toEqual([...SAFEGUARDS].sort());
  });
  test('what was off before may be sent as off', () => {
    const off = { requireOneTimeCode: false, stopWithdrawalsOnBreach: false };
    expect(settingsNeedTwo({ ...before, ...off }, off)).toBe(false);
  });
  test('and none does while one operator decides', () => {
    for (const [, after] of rows)
      expect(settingsNeedTwo({ ...before, requireSecondOperator: false }, after)).toBe(false);
  });
});
