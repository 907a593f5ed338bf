import { describe, expect, test } from 'vitest';
import type { Command, Order, WalletType } from '../index.ts';
import { FACTOR_ONE, money, parseFactor } from '../money.ts';
import {
  account,
  DAY,
  deposit,
  MINUTE,
  member,
  merchant,
  NOW,
  withdrawal,
  withdrawalWithoutAccount,
} from '../testing/literals.ts';
import { createWorld, type TimedFeeRule, type World } from '../testing/memory-view.ts';
import { effectsOf, expectRefusal } from '../testing/observe.ts';

const given = { commandId: 'c1', orderId: 'ord1' } as const;
const needFor = (walletType: WalletType, orderType: 'Deposit' | 'Withdrawal' = 'Deposit') =>
  ({
    orderType,
    walletType,
    currency: 'PKR',
    amount: 1_000_000n,
    floatAmount: 1_000_000n,
    heldBy: null,
    heldBefore: [],
  }) as const;
const open = (walletType: WalletType = 'ProviderA') =>
  ({ kind: 'open-page', ...given, need: needFor(walletType) }) as const satisfies Command;
const pick = (walletType: WalletType) =>
  ({
    kind: 'switch-method',
    ...given,
    merchantId: 'mer1',
    walletType,
    need: needFor(walletType),
  }) as const satisfies Command;
const confirm = (transactionDigits: string | null) =>
  ({ kind: 'confirm-payment', ...given, transactionDigits }) as const satisfies Command;
const till = (memberId: string, given: Parameters<typeof member>[0] = { memberId }) =>
  member({ ...given, accounts: [account({ accountId: `${memberId}-t`, walletType: 'TillID' })] });
const current = (world: World) => world.orders.get('ord1') as Order;

describe('opening the page', () => {
  test('a BankAccount deposit opens on the list of methods and stays as it is', () => {
    for (const status of ['Awaiting', 'Queued'] as const) {
      const bank = account({ accountId: 'm1-a', walletType: 'BankAccount' });
      const world = createWorld({
        orders: [deposit({ walletType: 'BankAccount', status })],
        members: [member({ memberId: 'm1', accounts: [bank] })],
      });
      expect(world.run(open('BankAccount'))).toMatchObject({
        ok: true,
        changes: {},
        result: { status },
      });
    }
  });

  test('a Queued deposit keeps its member, though they have gone offline', () => {
    const world = createWorld({
      orders: [deposit()],
      members: [member({ memberId: 'm1', online: false }), member({ memberId: 'm2' })],
    });
    expect(effectsOf(world, open())).toEqual({
      status: 'AwaitingCustomerPayment',
      stage: 'Assigned',
    });
  });

  test('opening again changes nothing', () => {
    const world = createWorld({
      orders: [deposit({ status: 'AwaitingCustomerPayment' })],
      members: [member({ memberId: 'm1' })],
    });
    expect(world.run(open())).toMatchObject({ ok: true, changes: {} });
  });

  test('an Awaiting deposit asks until somebody is there; the deadline stays', () => {
    const world = createWorld({
      orders: [deposit({ status: 'Awaiting' })],
      members: [member({ memberId: 'm1', online: false })],
    });
    expect(world.run(open())).toMatchObject({ ok: true, changes: {} });
    world.run({
      kind: 'update-member',
      commandId: 'c2',
      memberId: 'm1',
      online: true,
      actor: { kind: 'member', id: 'm1' },
    });
    world.now = NOW + 10_000;
    expect(world.run(open())).toMatchObject({
      ok: true,
      result: {
        status: 'AwaitingCustomerPayment',
        assignedAt: NOW + 10_000,
        dueAt: NOW + 10 * MINUTE,
      },
    });
  });

  test('the page of a withdrawal changes nothing', () => {
    const world = createWorld({
      orders: [withdrawal({ status: 'Awaiting' })],
      members: [member({ memberId: 'm1' })],
    });
    expect(world.run({ kind: 'open-page', ...given, need: undefined })).toMatchObject({
      ok: true,
      changes: {},
    });
  });
});

describe('switching the method', () => {
  test('re-matches, frees the member before and keeps the first assignment’s time', () => {
    const world = createWorld({
      orders: [deposit({ status: 'AwaitingCustomerPayment' })],
      members: [member({ memberId: 'm1' }), till('m2')],
    });
    expect(effectsOf(world, pick('TillID'))).toEqual({
      status: 'AwaitingCustomerPayment',
      stage: 'Assigned',
      holder: 'm2',
      members: {
        m1: { open: -1, held: '-100', used: '-100' },
        m2: { open: 1, held: '100', used: '100' },
      },
      notices: ['m1 withdrawn', 'm2 assigned'],
    });
    expect(current(world)).toMatchObject({
      walletType: 'TillID',
      accountId: 'm2-t',
      assignedAt: NOW - 5 * MINUTE,
      holderSince: NOW,
      fee: null,
    });
    expect(current(world).settlementAmount).toBe(money('100'));
  });

  test('the same member may take it on another account, though full and out of float with it', () => {
    const accounts = [
      account({ accountId: 'm1-a' }),
      account({ accountId: 'm1-t', walletType: 'TillID' }),
    ];
    const only = member({ memberId: 'm1', accounts, maxOpenOrders: 1, floatBalance: money('100') });
    const world = createWorld({
      orders: [deposit({ status: 'AwaitingCustomerPayment' })],
      members: [only],
    });
    expect(effectsOf(world, pick('TillID'))).toEqual({
      status: 'AwaitingCustomerPayment',
      stage: 'Assigned',
      notices: ['m1 withdrawn', 'm1 assigned'],
    });
    expect(world.members.get('m1')?.accounts.map(({ dayAmount }) => dayAmount)).toEqual([
      0n,
      money('100'),
    ]);
  });

  test('no member for the new method: the page says so and the present assignment stays', () => {
    const world = createWorld({
      orders: [deposit({ status: 'AwaitingCustomerPayment' })],
      members: [member({ memberId: 'm1' }), till('m2', { memberId: 'm2', online: false })],
    });
    expectRefusal(
      world,
      pick('TillID'),
      'no-member',
      'Nobody can receive a payment by this method right now. Please choose another one or try again shortly.',
    );
    expect(current(world)).toMatchObject({ walletType: 'ProviderA', memberId: 'm1' });
  });

  test('picking a method on the list of a BankAccount deposit assigns at once', () => {
    const world = createWorld({
      orders: [deposit({ status: 'Awaiting', walletType: 'BankAccount' })],
      members: [member({ memberId: 'm1' })],
    });
    expect(effectsOf(world, pick('ProviderA'))).toMatchObject({
      status: 'AwaitingCustomerPayment',
      stamped: ['assignedAt'],
      holder: 'm1',
    });
  });

  test('picking the method that is assigned already opens it and keeps the member, offline or not', () => {
    const world = createWorld({
      orders: [deposit()],
      members: [member({ memberId: 'm1', online: false }), member({ memberId: 'm2' })],
    });
    expect(effectsOf(world, pick('ProviderA'))).toEqual({
      status: 'AwaitingCustomerPayment',
      stage: 'Assigned',
    });
    expect(world.run(pick('ProviderA'))).toMatchObject({ ok: true, changes: {} });
  });

  test('what the payer had entered for the former method is forgotten', () => {
    const order = deposit({
      status: 'AwaitingCustomerPayment',
      walletType: 'ProviderAQR',
      payerAccount: '03001',
    });
    const qr = member({
      memberId: 'm1',
      accounts: [account({ accountId: 'm1-a', walletType: 'ProviderAQR' })],
    });
    const world = createWorld({ orders: [order], members: [qr, till('m2')] });
    world.run(pick('TillID'));
    expect(current(world).payerAccount).toBeNull();
  });

  test('after twenty changes the present method stays, and can be picked', () => {
    const accounts = [
      account({ accountId: 'm1-a' }),
      account({ accountId: 'm1-t', walletType: 'TillID' }),
    ];
    const world = createWorld({
      orders: [deposit()],
      members: [member({ memberId: 'm1', accounts })],
    });
    for (let times = 0; times < 10; times += 1) {
      for (const method of ['TillID', 'ProviderA'] as const)
        expect(world.run(pick(method))).toMatchObject({ ok: true, result: { walletType: method } });
    }
    expectRefusal(
      world,
      pick('TillID'),
      'too-many',
      'The payment method of an order can be changed 20 times. Please pay by the present one.',
    );
    expect(current(world)).toMatchObject({ walletType: 'ProviderA', memberId: 'm1', moves: 20 });
    expect(world.run(pick('ProviderA'))).toMatchObject({ ok: true, changes: {} });
    expect(world.run(confirm('1234'))).toMatchObject({
      ok: true,
      result: { status: 'AwaitingMemberConfirmation' },
    });
  });

  const refusals: [
    text: string,
    order: Order,
    walletType: WalletType,
    code: Parameters<typeof expectRefusal>[2],
  ][] = [
    ['a withdrawal', withdrawal({ status: 'Awaiting' }), 'ProviderB', 'wrong-state'],
    [
      'a deposit that is confirmed',
      deposit({ status: 'AwaitingMemberConfirmation' }),
      'TillID',
      'wrong-state',
    ],
    ['a deposit in review', deposit({ status: 'ManualReview' }), 'TillID', 'wrong-state'],
    ['a deposit at expiresAt', deposit({ expiresAt: NOW }), 'TillID', 'link-expired'],
    ['a method that is not on the page', deposit(), 'BankAccount', 'invalid'],
    ['a method that the merchant has not enabled', deposit(), 'ProviderB', 'invalid'],
  ];
  test.each(refusals)('is refused for %s', (_, order, walletType, code) => {
    const world = createWorld({
      orders: [order],
      members: [member({ memberId: 'm1' }), till('m2')],
      merchants: [merchant({ depositMethods: ['ProviderA', 'TillID', 'BankAccount'] })],
    });
    const command = { ...pick(walletType), need: needFor(walletType, order.orderType) };
    expectRefusal(world, command, code, /./);
  });

  const rule = (given: Partial<TimedFeeRule>): TimedFeeRule => ({
    feeRuleId: 'f',
    merchantId: null,
    orderType: 'Deposit',
    walletType: 'TillID',
    fixed: 0n,
    percent: 0n,
    minimum: null,
    maximum: null,
    fromAmount: null,
    toAmount: null,
    ...given,
  });

  test('the fee is quoted again by the rules in force at acceptance, not by those of now', () => {
    const accepted = NOW - 5 * MINUTE;
    const feeRules = [
      rule({ fixed: money('3'), validUntil: accepted + 1 }),
      rule({ fixed: money('9'), validFrom: accepted + 1 }),
    ];
    const world = createWorld({
      orders: [deposit({ status: 'AwaitingCustomerPayment' })],
      members: [member({ memberId: 'm1' }), till('m2')],
      feeRules,
    });
    world.run(pick('TillID'));
    expect(current(world)).toMatchObject({
      fee: money('3'),
      settlementAmount: money('97'),
      floatAmount: money('100'),
    });
  });

  test('the rate stays the one of acceptance', () => {
    const rate = parseFactor('3.5') as bigint;
    const order = deposit({
      status: 'AwaitingCustomerPayment',
      currency: 'INR',
      rate,
      settlementAmount: money('343'),
      floatAmount: money('350'),
    });
    const world = createWorld({
      orders: [order],
      members: [member({ memberId: 'm1' }), till('m2')],
      rates: { INR: 9n * FACTOR_ONE },
      feeRules: [rule({ fixed: money('10') })],
    });
    world.run(pick('TillID'));
    expect(current(world)).toMatchObject({
      rate,
      fee: money('10'),
      settlementAmount: money('315'),
      floatAmount: money('350'),
    });
  });

  test('usage that was counted on another day stays there', () => {
    const order = deposit({
      status: 'AwaitingCustomerPayment',
      holderSince: NOW - DAY,
      assignedAt: NOW - DAY,
      createdAt: NOW - DAY,
    });
    const today = account({
      accountId: 'm1-a',
      day: Math.floor(NOW / DAY),
      dayAmount: money('40'),
    });
    const world = createWorld({ orders: [order], members: [till('m2')] });
    world.members.set(
      'm1',
      member({ memberId: 'm1', openOrders: 1, floatHeld: money('100'), accounts: [today] }),
    );
    world.run(pick('TillID'));
    expect(world.members.get('m1')).toMatchObject({
      openOrders: 0,
      floatHeld: 0n,
      accounts: [{ dayAmount: money('40') }],
    });
  });

  test('a clock set back to an earlier day never makes usage negative', () => {
    const day = Math.floor(NOW / DAY);
    const world = createWorld({
      orders: [deposit({ status: 'AwaitingCustomerPayment' })],
      members: [till('m2')],
    });
    world.members.set(
      'm1',
      member({
        memberId: 'm1',
        openOrders: 1,
        floatHeld: money('100'),
        accounts: [account({ accountId: 'm1-a', day, dayAmount: money('10') })],
      }),
    );
    world.run(pick('TillID'));
    expect(world.members.get('m1')).toMatchObject({ accounts: [{ dayAmount: 0n }] });
  });
});

describe('what the customer of a deposit submits', () => {
  const waiting = (walletType: WalletType, given: Partial<Order> = {}) =>
    createWorld({
      orders: [deposit({ status: 'AwaitingCustomerPayment', walletType, ...given })],
      members: [member({ memberId: 'm1', accounts: [account({ accountId: 'm1-a', walletType })] })],
    });
  const payer = (accountNumber: string | null, ibanLast4: string | null) =>
    ({ kind: 'submit-payer', ...given, accountNumber, ibanLast4 }) as const satisfies Command;

  test.each(['ProviderA', 'ProviderATillID', 'ProviderB', 'TillID'] as const)(
    '%s: the last digits of the transaction ID, as many as the order asks',
    (walletType) => {
      for (const wrong of [null, '', '123', '12345', '12a4', ' 1234', '１２３４', '1234\n']) {
        expectRefusal(
          waiting(walletType),
          confirm(wrong),
          'invalid',
          'Enter the last 4 digits of the transaction ID.',
        );
      }
      const world = waiting(walletType, { txnRefDigitsRequired: 6 });
      expectRefusal(
        world,
        confirm('1234'),
        'invalid',
        'Enter the last 6 digits of the transaction ID.',
      );
      expect(world.run(confirm('001234'))).toMatchObject({
        ok: true,
        result: { transactionDigits: '001234', payerAccount: null },
      });
    },
  );

  test('ProviderAQR: the customer’s account number before the QR code is shown, no transaction ID', () => {
    const world = waiting('ProviderAQR');
    expectRefusal(
      world,
      confirm(null),
      'wrong-state',
      'Enter your account first; the QR code is shown after it.',
    );
    for (const wrong of [null, '', '1234', 'x'.repeat(11), '1'.repeat(35)])
      expectRefusal(
        world,
        payer(wrong, '1234'),
        'invalid',
        'Enter your account number: digits only.',
      );
    expect(world.run(payer('03001234567', null))).toMatchObject({
      ok: true,
      result: { payerAccount: '03001234567' },
    });
    for (const same of ['03001234567', '+92 300-123 4567'])
      expect(world.run(payer(same, null))).toMatchObject({ ok: true, changes: {} });
    expect(world.run(confirm('9999'))).toMatchObject({
      ok: true,
      result: { status: 'AwaitingMemberConfirmation', transactionDigits: null },
    });
  });

  test('ProviderBQR: the last 4 digits of the customer’s IBAN before the QR code is shown, no transaction ID', () => {
    const world = waiting('ProviderBQR');
    for (const wrong of [null, '', '123', '12345', 'PK12'])
      expectRefusal(
        world,
        payer('03001234567', wrong),
        'invalid',
        'Enter the last 4 digits of your IBAN.',
      );
    expect(world.run(payer(null, '0042'))).toMatchObject({
      ok: true,
      result: { payerAccount: '0042' },
    });
    expect(world.run(confirm(null))).toMatchObject({ ok: true, result: { sentAt: NOW } });
  });

  test('the payer’s account is asked for by QR methods alone, before confirming and before expiry', () => {
    expectRefusal(waiting('ProviderA'), payer('03001234567', null), 'wrong-state', /does not ask/);
    expectRefusal(
      waiting('ProviderAQR', { expiresAt: NOW }),
      payer('03001234567', null),
      'link-expired',
      'This payment link has expired.',
    );
    expectRefusal(
      waiting('ProviderAQR', { status: 'AwaitingMemberConfirmation', sentAt: NOW }),
      payer('03001234567', null),
      'wrong-state',
      /no longer takes/,
    );
  });

  test('confirming again changes nothing, before and after expiry', () => {
    const world = waiting('ProviderA');
    const first = world.run(confirm('1234'));
    world.now = NOW + DAY;
    expect(world.run(confirm('5678'))).toMatchObject({
      ok: true,
      changes: {},
      result: first.ok && { transactionDigits: '1234', sentAt: NOW },
    });
  });

  test('the member’s window is the platform’s setting', () => {
    const world = createWorld({
      orders: [deposit({ status: 'AwaitingCustomerPayment' })],
      members: [member({ memberId: 'm1' })],
      settings: { memberConfirmationWindowMs: 7 * MINUTE },
    });
    expect(world.run(confirm('1234'))).toMatchObject({
      ok: true,
      result: { dueAt: NOW + 7 * MINUTE },
    });
  });

  test('a deposit that is not opened yet, or has ended, cannot be confirmed', () => {
    for (const order of [
      deposit(),
      deposit({
        status: 'Expired',
        failedAt: NOW,
        dueAt: null,
        liveReference: null,
        expiresAt: NOW,
      }),
    ]) {
      expectRefusal(
        createWorld({ orders: [order], members: [member({ memberId: 'm1' })] }),
        confirm('1234'),
        'wrong-state',
        'This payment cannot be confirmed now.',
      );
    }
  });
});

describe('the account of a withdrawal', () => {
  const submit = (accountNumber: string, accountName: string) =>
    ({
      kind: 'submit-account',
      ...given,
      accountNumber,
      accountName,
      need: needFor('ProviderA', 'Withdrawal'),
    }) as const satisfies Command;
  const world = (order = withdrawalWithoutAccount()) =>
    createWorld({ orders: [order], members: [member({ memberId: 'm1', online: false })] });

  test('is final: submitting again has no further effect', () => {
    const here = world();
    expect(here.run(submit(' 0300 ', ' C. Customer '))).toMatchObject({
      ok: true,
      result: { customerAccountNumber: '0300', customerAccountName: 'C. Customer' },
    });
    here.now = NOW + 30 * MINUTE;
    expect(here.run(submit('0999', 'Somebody'))).toMatchObject({
      ok: true,
      changes: {},
      result: { customerAccountNumber: '0300', dueAt: NOW + 120 * MINUTE },
    });
  });

  test('an account sent at creation cannot be changed', () => {
    expect(world(withdrawal({ status: 'Awaiting' })).run(submit('0999', 'Somebody'))).toMatchObject(
      { ok: true, changes: {} },
    );
  });

  test('the 120-minute window starts with the submission and ends in CancelledTimeout', () => {
    const here = world();
    here.now = NOW + 9 * MINUTE;
    here.run(submit('0300', 'C'));
    here.now = NOW + 129 * MINUTE - 1;
    expect(here.run({ kind: 'pass-deadline', ...given, need: undefined })).toMatchObject({
      ok: true,
      changes: {},
    });
    here.now += 1;
    expect(here.run({ kind: 'pass-deadline', ...given, need: undefined })).toMatchObject({
      result: {
        status: 'CancelledTimeout',
        failureReason: 'no eligible member became available in time',
      },
    });
  });

  const wrong: [number: string, name: string, message: string][] = [
    ['', 'C', 'Enter the account number.'],
    ['  ', 'C', 'Enter the account number.'],
    ['0300', '', 'Enter the account holder name.'],
    ['0300', '   ', 'Enter the account holder name.'],
    ['1'.repeat(51), 'C', 'The account number must be 50 characters or fewer.'],
    ['0300', 'n'.repeat(201), 'The account holder name must be 200 characters or fewer.'],
    [
      '03\u000000',
      'C',
      'The account number must not contain control characters, direction marks or other invisible characters.',
    ],
    ['', '', 'Enter the account number.'],
  ];
  test.each(wrong)('%j with the name %j is refused', (number, name, message) => {
    expectRefusal(world(), submit(number, name), 'invalid', message);
  });

  test('lengths count characters', () => {
    expect(world().run(submit('1'.repeat(50), '😀'.repeat(200)))).toMatchObject({ ok: true });
  });

  test('a deposit accepts no account, and neither does an ended withdrawal', () => {
    expectRefusal(
      createWorld({ orders: [deposit()], members: [member({ memberId: 'm1' })] }),
      submit('0300', 'C'),
      'wrong-state',
      'A deposit takes no account.',
    );
    const ended = withdrawalWithoutAccount({
      status: 'CancelledTimeout',
      failedAt: NOW,
      dueAt: null,
      liveReference: null,
    });
    expectRefusal(world(ended), submit('0300', 'C'), 'wrong-state', 'This withdrawal has ended.');
  });
});

describe('the customer presses Cancel', () => {
  const cancel = { kind: 'cancel-by-customer', ...given } as const satisfies Command;

  test('twice: the second answers the same order and changes nothing', () => {
    const world = createWorld({ orders: [deposit()], members: [member({ memberId: 'm1' })] });
    world.run(cancel);
    expect(world.run(cancel)).toMatchObject({
      ok: true,
      changes: {},
      result: { status: 'CancelledAuto', cancelledAt: null },
    });
  });

  test.each([
    ['a confirmed deposit', deposit({ status: 'AwaitingMemberConfirmation' })],
    ['a deposit in review', deposit({ status: 'ManualReview' })],
    ['a withdrawal whose account is submitted', withdrawal({ status: 'Awaiting' })],
    ['a withdrawal with a member', withdrawal()],
  ])('%s can no longer be cancelled', (_, order) => {
    expectRefusal(
      createWorld({ orders: [order], members: [member({ memberId: 'm1' })] }),
      cancel,
      'wrong-state',
      'This order can no longer be cancelled.',
    );
  });

  test('the reference can be used again', () => {
    const world = createWorld({ orders: [deposit()], members: [member({ memberId: 'm1' })] });
    world.run(cancel);
    expect(current(world)).toMatchObject({ merchantOrderRef: 'ref1', liveReference: null });
  });
});
