import { describe, expect, test } from 'vitest';
import { needsTwo, newApproval, type WhyTwo } from '../four-eyes.ts';
import type { Adjustment, Command, Order, Settings, Status, Wallet } from '../index.ts';
import { money } from '../money.ts';
import { checkInvariants } from '../testing/invariants.ts';
import {
  BY_OPERATOR,
  creation,
  deposit,
  MINUTE,
  member,
  message,
  NOW,
  OPERATOR,
  OTHER_OPERATOR,
  withdrawal,
} from '../testing/literals.ts';
import { createWorld, type World } from '../testing/memory-view.ts';
import { effectsOf, expectRefusal } from '../testing/observe.ts';

/** What two have decided. */
const BY_TWO = {
  actor: OTHER_OPERATOR,
  sumOf: null,
  asked: {
    ...newApproval('write', 'r1', 'r1', { internalNote: 'For us.' }, BY_OPERATOR, NOW),
    note: 'I have called them.',
  },
} as const;
const needed = (why: WhyTwo) => ({ ok: true, result: needsTwo(why), changes: {} });

const given = { commandId: 'c1', orderId: 'ord1' } as const;
const confirm = (more: Partial<Extract<Command, { kind: 'operator-confirm' }>> = {}) =>
  ({
    kind: 'operator-confirm',
    ...given,
    note: 'bank statement',
    memberId: null,
    ...BY_OPERATOR,
    ...more,
  }) as const satisfies Command;
const cancel = {
  kind: 'operator-cancel',
  ...given,
  note: 'n',
  ...BY_OPERATOR,
} as const satisfies Command;
const escalate = {
  kind: 'operator-escalate',
  ...given,
  note: 'n',
  ...BY_OPERATOR,
} as const satisfies Command;
const resolve = (outcome: 'Completed' | 'Cancelled') =>
  ({
    kind: 'operator-resolve',
    ...given,
    outcome,
    memberId: null,
    note: 'n',
    ...BY_OPERATOR,
  }) as const satisfies Command;
const current = (world: World) => world.orders.get('ord1') as Order;
const ended = (status: Status) =>
  ({
    status,
    failedAt: NOW - MINUTE,
    dueAt: null,
    liveReference: null,
    failureReason: 'as it was',
  }) as const;
const members = () => [member({ memberId: 'm1' }), member({ memberId: 'm2' })];

describe('cancelling', () => {
  const refusals: [order: Order, text: string][] = [
    [
      deposit({ status: 'AwaitingMemberConfirmation' }),
      'The customer has paid: escalate the order, then resolve it.',
    ],
    [deposit({ status: 'ManualReview' }), 'The order is in ManualReview: resolve it.'],
    [withdrawal({ status: 'ManualReview' }), 'The order is in ManualReview: resolve it.'],
    [deposit(ended('Expired')), 'The order is Expired and cannot be cancelled.'],
    [
      deposit({ status: 'Completed', completedAt: NOW, dueAt: null }),
      'The order is Completed and cannot be cancelled.',
    ],
  ];
  test.each(refusals)('$status is refused', (order, text) => {
    expectRefusal(
      createWorld({ orders: [order], members: members() }),
      cancel,
      'wrong-state',
      text,
    );
  });

  test.each([cancel, escalate, resolve('Cancelled'), resolve('Completed'), confirm()])(
    '$kind keeps what is for operators in the audit log alone',
    (command) => {
      const was = {
        'operator-resolve': { status: 'ManualReview' },
        'operator-confirm': ended('Expired'),
        'operator-cancel': {},
        'operator-escalate': {},
      } as const;
      const order = deposit(was[command.kind]);
      const world = createWorld({ orders: [order], members: members() });
      world.run({ ...command, internalNote: 'for ourselves' });
      expect(world.audit).toMatchObject([{ detail: { internalNote: 'for ourselves' } }]);
      expect(world.moves.map(({ note }) => note)).toEqual([command.note]);
      expect(current(world).failureReason).not.toBe('for ourselves');
    },
  );

  test('is audited with its note', () => {
    const world = createWorld({ orders: [deposit()], members: members() });
    world.run(cancel);
    expect(world.audit).toMatchObject([
      { action: 'order.cancel', target: 'ord1', actor: OPERATOR, detail: { note: 'n' }, at: NOW },
    ]);
  });
});

describe('a withdrawal that its member may have paid, while a second operator is required', () => {
  const world = (status: 'AwaitingMemberPayout' | 'ManualReview', limit: string) =>
    createWorld({
      orders: ['ord1', 'ord2'].map((orderId) =>
        withdrawal({ orderId, status, merchantOrderRef: null, liveReference: null }),
      ),
      members: members(),
      settings: { requireSecondOperator: true, adjustmentApprovalLimit: money(limit) },
    });
  const MORE =
    'Its member may have paid, and it is more than you decide alone today: escalate it, and resolve it as Cancelled. Another operator approves that.';

  test('is cancelled alone up to the limit, with all that was decided alone that day', () => {
    const held = world('AwaitingMemberPayout', '150');
    expect(held.run(cancel)).toMatchObject({ ok: true });
    expectRefusal(held, { ...cancel, orderId: 'ord2' }, 'second-operator', MORE);
    expectRefusal(world('AwaitingMemberPayout', '99'), cancel, 'second-operator', MORE);
  });

  test('is resolved as Cancelled alone up to it, and above it by two', () => {
    const held = world('ManualReview', '150');
    expect(held.run(resolve('Cancelled'))).toMatchObject({ result: { status: 'resolved' } });
    const second = { ...resolve('Cancelled'), orderId: 'ord2', commandId: 'c2' };
    expect(held.run(second)).toEqual(needed('day-sum'));
    expect(held.run({ ...second, ...BY_TWO })).toMatchObject({
      result: { order: { status: 'Cancelled', failureReason: 'n' } }, // the asker’s
    });
    checkInvariants(held);
  });

  test('is cancelled by one while nobody holds it', () => {
    const waiting = withdrawal({
      ...{ status: 'Awaiting', memberId: null, accountId: null, holderSince: null },
    });
    const settings = { requireSecondOperator: true, adjustmentApprovalLimit: 0n };
    const alone = createWorld({ orders: [waiting], members: members(), settings });
    expect(alone.run(cancel)).toMatchObject({ ok: true });
  });
});

describe('escalating', () => {
  test('an order that nobody holds is refused', () => {
    const nobody = deposit({ memberId: null, accountId: null, holderSince: null });
    expectRefusal(
      createWorld({ orders: [nobody], members: members() }),
      escalate,
      'wrong-state',
      'Nobody holds this order; there is nothing to review. Cancel it instead.',
    );
    for (const order of [deposit({ status: 'Awaiting' }), withdrawal({ status: 'Awaiting' })]) {
      expectRefusal(
        createWorld({ orders: [order], members: members() }),
        escalate,
        'wrong-state',
        'The order is Awaiting and cannot be escalated.',
      );
    }
  });

  test('the member’s capacity and float stay in use until it is resolved', () => {
    const world = createWorld({ orders: [deposit()], members: members() });
    world.run(escalate);
    expect(world.members.get('m1')).toMatchObject({ openOrders: 1, floatHeld: money('100') });
    expect(world.audit).toMatchObject([{ action: 'order.escalate' }]);
    expect(effectsOf(world, resolve('Cancelled'))).toMatchObject({
      members: { m1: { open: -1, held: '-100', used: '-100' } },
    });
  });

  test('a deposit in review does not expire, and its customer can no longer confirm it', () => {
    const world = createWorld({
      orders: [deposit({ status: 'AwaitingCustomerPayment' })],
      members: members(),
    });
    world.run(escalate);
    expect(current(world).dueAt).toBeNull();
    expectRefusal(
      world,
      { kind: 'confirm-payment', ...given, transactionDigits: '1234' },
      'wrong-state',
      'This payment cannot be confirmed now.',
    );
  });
});

describe('resolving', () => {
  test('only from ManualReview, and once', () => {
    expectRefusal(
      createWorld({ orders: [deposit()], members: members() }),
      resolve('Completed'),
      'wrong-state',
      'The order is Queued; only an order in ManualReview can be resolved.',
    );
    const world = createWorld({
      orders: [deposit({ status: 'ManualReview' })],
      members: members(),
    });
    world.run(resolve('Completed'));
    expectRefusal(
      world,
      resolve('Cancelled'),
      'wrong-state',
      /Completed; only an order in ManualReview/,
    );
    expect(world.audit).toMatchObject([
      { action: 'order.resolve', detail: { outcome: 'Completed', note: 'n' } },
    ]);
  });

  test('a withdrawal resolved as Completed is sent at that moment, a deposit nobody paid is never sent', () => {
    const paidOut = createWorld({
      orders: [withdrawal({ status: 'ManualReview' })],
      members: members(),
    });
    paidOut.run(resolve('Completed'));
    expect(current(paidOut)).toMatchObject({ sentAt: NOW, completedAt: NOW });
    const unpaid = createWorld({
      orders: [deposit({ status: 'ManualReview' })],
      members: members(),
    });
    unpaid.run(resolve('Completed'));
    expect(current(unpaid)).toMatchObject({ sentAt: null, completedAt: NOW });
  });
});

describe('resolving as Completed for another member than the holder', () => {
  test('moves the float of who paid the withdrawal, and frees the holder', () => {
    const order = withdrawal({ status: 'ManualReview', formerMemberIds: ['m2'], reassignments: 1 });
    const world = createWorld({ orders: [order], members: members() });
    expect(effectsOf(world, { ...resolve('Completed'), memberId: 'm2' })).toMatchObject({
      holder: 'm2',
      members: { m1: { open: -1, used: '-100' }, m2: { float: '100' } },
      posting: { wallet: '-102', float: '100', member: 'm2' },
      notices: ['m1 withdrawn'],
    });
    expect(current(world)).toMatchObject({ memberId: 'm2', accountId: null });
  });

  test('takes the float of who received the deposit, also below what is held there', () => {
    const order = deposit({ status: 'ManualReview', sentAt: NOW - MINUTE });
    const poor = member({ memberId: 'm2', floatBalance: 0n, floatHeld: 0n });
    const world = createWorld({ orders: [order], members: [member({ memberId: 'm1' }), poor] });
    expect(effectsOf(world, { ...resolve('Completed'), memberId: 'm2' })).toMatchObject({
      holder: 'm2',
      members: { m1: { open: -1, held: '-100', used: '-100' }, m2: { float: '-100' } },
      notices: ['m1 withdrawn'],
    });
    checkInvariants(world);
  });

  test('refuses a member who does not exist, and a name beside Cancelled', () => {
    const world = createWorld({
      orders: [withdrawal({ status: 'ManualReview' })],
      members: members(),
    });
    expectRefusal(
      world,
      { ...resolve('Completed'), memberId: 'm9' },
      'unprocessable',
      'There is no member with this memberId.',
    );
    expectRefusal(
      world,
      { ...resolve('Cancelled'), memberId: 'm2' },
      'unprocessable',
      'Only an order that is completed names who received or paid the money.',
    );
  });
});

describe('an order that failed can later be confirmed by the operator after a dispute', () => {
  test.each(['Rejected', 'Expired', 'CancelledTimeout', 'Cancelled', 'CancelledAuto'] as const)(
    'a deposit that was %s',
    (status) => {
      const stamps =
        status === 'Rejected'
          ? { rejectedAt: NOW - MINUTE }
          : status === 'Cancelled'
            ? { cancelledAt: NOW - MINUTE }
            : {};
      const world = createWorld({
        orders: [deposit({ ...ended(status), ...stamps })],
        members: members(),
      });
      expect(effectsOf(world, confirm())).toEqual({
        status: 'Completed',
        stage: 'Completed',
        stamped: ['completedAt'],
        wallet: { balance: '98' },
        members: { m1: { float: '-100' } },
        posting: { wallet: '98', float: '-100', fees: '2', member: 'm1' },
        event: 'order.completed',
      });
      expect(current(world)).toMatchObject({
        failedAt: NOW - MINUTE,
        ...stamps,
        liveReference: 'ref1',
      });
      expect(world.audit).toMatchObject([
        { action: 'order.confirm', detail: { note: 'bank statement', memberId: 'm1' } },
      ]);
      expectRefusal(
        world,
        confirm(),
        'wrong-state',
        'The order is Completed; only an order that failed can be confirmed after a dispute.',
      );
    },
  );

  test.each(['Rejected', 'CancelledTimeout', 'Cancelled', 'CancelledAuto'] as const)(
    'a withdrawal that was %s',
    (status) => {
      const world = createWorld({ orders: [withdrawal(ended(status))], members: members() });
      expect(effectsOf(world, confirm())).toEqual({
        status: 'Completed',
        stage: 'Completed',
        stamped: ['sentAt', 'completedAt'],
        wallet: { balance: '-102' },
        members: { m1: { float: '100' } },
        posting: { wallet: '-102', float: '100', fees: '2', member: 'm1' },
        event: 'order.completed',
      });
    },
  );

  test('order.completed then follows the earlier order.failed', () => {
    const world = createWorld({ members: members() });
    const created = world.run(creation(message()));
    const orderId = created.ok ? created.result.orderId : '';
    world.now = NOW + 15 * MINUTE;
    world.run({ kind: 'pass-deadline', commandId: 'c2', orderId, need: undefined });
    world.now += MINUTE;
    world.run(confirm({ orderId }));
    expect(world.deliveries.map(({ eventType }) => eventType)).toEqual([
      'order.failed',
      'order.completed',
    ]);
    checkInvariants(world);
  });

  test('the operator names the member who received it, though another held it', () => {
    const world = createWorld({ orders: [deposit(ended('Expired'))], members: members() });
    expect(effectsOf(world, confirm({ memberId: 'm2' }))).toMatchObject({
      holder: 'm2',
      members: { m2: { float: '-100' } },
      posting: { member: 'm2' },
    });
    expect(current(world)).toMatchObject({ memberId: 'm2', accountId: null });
  });

  test('what nobody held settles against the adjustments account unless a member is named', () => {
    const nobody = deposit({
      ...ended('CancelledTimeout'),
      memberId: null,
      accountId: null,
      assignedAt: null,
      holderSince: null,
    });
    const world = createWorld({ orders: [nobody], members: members() });
    expect(effectsOf(world, confirm())).toMatchObject({
      wallet: { balance: '98' },
      posting: { wallet: '98', fees: '2', adjustments: '-100', member: null },
    });
    const named = createWorld({ orders: [nobody], members: members() });
    expect(effectsOf(named, confirm({ memberId: 'm1' }))).toMatchObject({
      holder: 'm1',
      members: { m1: { float: '-100' } },
    });
    expectRefusal(
      createWorld({ orders: [nobody] }),
      confirm({ memberId: 'm9' }),
      'unprocessable',
      'There is no member with this memberId.',
    );
  });

  test('a late deposit may take the member’s float below what is held', () => {
    const open = deposit({
      orderId: 'ord2',
      orderReference: 'ORD-2',
      amount: money('980'),
      floatAmount: money('980'),
      settlementAmount: money('978'),
      merchantOrderRef: null,
      liveReference: null,
    });
    const world = createWorld({ orders: [deposit(ended('Expired')), open], members: members() });
    expect(world.run(confirm())).toMatchObject({ ok: true });
    expect(world.members.get('m1')).toMatchObject({
      floatBalance: money('900'),
      floatHeld: money('980'),
      floatOverdrawn: true,
    });
    world.run({ ...cancel, orderId: 'ord2' });
    expect(world.members.get('m1')).toMatchObject({ floatHeld: 0n, floatOverdrawn: false });
    checkInvariants(world);
  });

  describe('a newer order that took the reference', () => {
    const world = () =>
      createWorld({
        orders: [
          deposit(ended('Expired')),
          deposit({
            orderId: 'newer',
            orderReference: 'ORD-2',
            idempotencyKey: 'idem2',
            status: 'Awaiting',
          }),
        ],
        members: members(),
      });

    test('never blocks the money that was received; the reference stays the newer order’s', () => {
      const here = world();
      expect(here.run(confirm())).toMatchObject({
        ok: true,
        result: { order: { status: 'Completed', liveReference: null } },
      });
      expect(here.orders.get('newer')?.liveReference).toBe('ref1');
      checkInvariants(here);
    });

    test('a completed order that has its reference again blocks a later creation', () => {
      const here = createWorld({ orders: [deposit(ended('Expired'))], members: members() });
      here.run(confirm());
      expect(
        here.run(creation(message({ merchantOrderRef: 'ref1' }), { idempotencyKey: 'k2' })),
      ).toMatchObject({
        ok: false,
        refusal: { code: 'reference-live' },
      });
    });
  });
});

describe('a late confirmation that overdraws the wallet takes two operators', () => {
  const poor = (balance = '101.9999', more: Partial<Wallet> = {}) =>
    createWorld({
      orders: [withdrawal(ended('Rejected'))],
      members: members(),
      wallets: [{ balance: money(balance), ...more }],
    });
  const approve = confirm(BY_TWO);

  test('one operator changes neither status nor money; two do', () => {
    const world = poor();
    expect(world.run(confirm())).toEqual(needed('below-zero'));
    checkInvariants(world);
    expect(world.run(approve)).toMatchObject({
      ok: true,
      result: { status: 'confirmed', order: { status: 'Completed' } },
    });
    expect(world.wallets.get('mer1')).toMatchObject({ balance: money('-0.0001'), overdrawn: true });
    expect(world.moves.at(-1)?.note).toBe(
      'bank statement Asked for by Asma, approved by Bilal. I have called them.',
    );
    expect(world.audit).toMatchObject([
      {
        action: 'order.confirm-approve',
        detail: { note: 'I have called them.', requestedBy: 'op1', askedInternalNote: 'For us.' },
      },
    ]);
    checkInvariants(world);
  });

  test('the approval pays the member whom the request named', () => {
    const world = poor();
    expect(world.run({ ...approve, memberId: 'm2' })).toMatchObject({
      ok: true,
      result: { order: { memberId: 'm2' } },
    });
    expect(world.postings).toMatchObject([{ memberId: 'm2', memberFloat: money('100') }]);
    checkInvariants(world);
  });

  test('then and only then: with exactly enough, one operator does', () => {
    expect(poor('102').run(confirm())).toMatchObject({ result: { status: 'confirmed' } });
  });

  test('what withdrawals in progress reserve is not available', () => {
    const inProgress = withdrawal({
      orderId: 'ord2',
      orderReference: 'ORD-2',
      merchantOrderRef: null,
      liveReference: null,
    });
    const world = createWorld({
      orders: [withdrawal(ended('Rejected')), inProgress],
      members: members(),
      wallets: [{ balance: money('203') }],
    });
    expect(world.run(confirm())).toEqual(needed('below-zero'));
    world.run(approve);
    expect(world.wallets.get('mer1')).toMatchObject({
      balance: money('101'),
      reserved: money('102'),
      overdrawn: true,
    });
    expect(
      world.run(
        creation(message({ orderType: 'Withdrawal', amount: 1n }), { idempotencyKey: 'k2' }),
      ),
    ).toMatchObject({
      refusal: {
        message:
          'Insufficient merchant balance: -1 PKR available, 0.0001 PKR required for this withdrawal (amount + fee). 102 PKR is reserved by withdrawals in progress.',
      },
    });
    world.run({
      kind: 'adjust-wallet',
      commandId: 'a1',
      merchantId: 'mer1',
      adjustment: 'credit',
      amount: money('1'),
      reason: 'top-up',
      ...BY_OPERATOR,
    });
    expect(world.wallets.get('mer1')?.overdrawn).toBe(false);
    checkInvariants(world);
  });

  test('a deposit never needs two', () => {
    const world = createWorld({
      orders: [deposit(ended('Rejected'))],
      members: members(),
      wallets: [{ balance: 0n }],
    });
    expect(world.run(confirm())).toMatchObject({ result: { status: 'confirmed' } });
  });

  test('topped up in between, the confirmation asked for takes one operator', () => {
    const world = poor();
    world.run(confirm());
    world.run({
      kind: 'adjust-wallet',
      commandId: 'a1',
      merchantId: 'mer1',
      adjustment: 'credit',
      amount: money('1'),
      reason: 'top-up',
      ...BY_OPERATOR,
    });
    expect(world.run(confirm())).toMatchObject({ result: { status: 'confirmed' } });
  });
});

describe('adjusting a merchant’s wallet', () => {
  const adjust = (
    adjustment: 'credit' | 'debit' | 'freeze' | 'unfreeze',
    amount: string,
    commandId = `${adjustment} ${amount}`,
  ) =>
    ({
      kind: 'adjust-wallet',
      commandId,
      merchantId: 'mer1',
      adjustment,
      amount: money(amount),
      reason: 'because',
      ...BY_OPERATOR,
    }) as const satisfies Command;
  /** Balance 1000, of which a withdrawal in progress reserves 102; 50 frozen. */
  const world = (settings: Partial<Settings> = {}) =>
    createWorld({
      orders: [withdrawal({ status: 'Awaiting' })],
      wallets: [{ frozen: money('50') }],
      settings,
    });

  test.each([
    ['credit', '10', '1010', '50'],
    ['debit', '898', '102', '50'],
    ['freeze', '898', '102', '948'],
    ['unfreeze', '50', '1050', '0'],
  ] as const)('%s %s: balance %s, frozen %s', (kind, amount, balance, frozen) => {
    const here = world();
    expect(here.run(adjust(kind, amount))).toMatchObject({
      ok: true,
      result: { status: 'applied', requestedBy: 'op1', approvedBy: null },
    });
    expect(here.wallets.get('mer1')).toMatchObject({
      balance: money(balance),
      frozen: money(frozen),
      reserved: money('102'),
    });
    expect(here.postings).toMatchObject([
      { kind, orderId: null, note: 'because', postingId: `${kind} ${amount}` },
    ]);
    expect(here.audit).toMatchObject([
      { action: `wallet.${kind}`, target: 'mer1', detail: { amount, reason: 'because' } },
    ]);
    checkInvariants(here);
  });

  test.each([
    ['debit', 'Only PKR\u00a0898 is available; PKR\u00a0898.0001 cannot be taken.', '898.0001'],
    ['freeze', 'Only PKR\u00a0898 is available; PKR\u00a0898.0001 cannot be taken.', '898.0001'],
    ['unfreeze', 'Only PKR\u00a050 is frozen; PKR\u00a050.0001 cannot be released.', '50.0001'],
  ] as const)('%s beyond what is there is refused', (kind, text, amount) => {
    expectRefusal(world(), adjust(kind, amount), 'unprocessable', text);
  });

  test('the same command again is applied once', () => {
    const here = world();
    here.run(adjust('credit', '10', 'a1'));
    expect(here.run(adjust('credit', '10', 'a1'))).toMatchObject({
      ok: true,
      changes: {},
      result: { adjustmentId: 'a1' },
    });
    expect(here.postings).toHaveLength(1);
  });

  test('one that the version before keeps waiting is not applied', () => {
    const [here, applied] = [world(), world()];
    applied.run(adjust('credit', '10', 'a1'));
    const kept = applied.adjustments.get('a1') as Adjustment;
    here.adjustments.set('a1', { ...kept, status: 'pendingApproval' });
    const message = 'The version before keeps this adjustment: ask for it again.';
    expectRefusal(here, adjust('credit', '10', 'a1'), 'wrong-state', message);
  });

  describe('above the platform’s limit', () => {
    const limited = () => world({ adjustmentApprovalLimit: money('100') });
    const approve = { ...adjust('debit', '500', 'a1'), ...BY_TWO };

    test('the limit itself needs nobody else, a ten-thousandth more does', () => {
      expect(limited().run(adjust('debit', '100'))).toMatchObject({
        result: { status: 'applied' },
      });
      expect(limited().run(adjust('debit', '100.0001'))).toEqual(needed('amount'));
    });

    test('two operators apply it, and it says who asked and who approved', () => {
      const here = limited();
      here.now = NOW + MINUTE;
      expect(here.run(approve)).toMatchObject({
        result: {
          status: 'applied',
          requestedBy: 'op1',
          requestedAt: NOW,
          approvedBy: 'op2',
          approvedAt: NOW + MINUTE,
        },
      });
      expect(here.wallets.get('mer1')?.balance).toBe(money('500'));
      expect(here.postings).toMatchObject([
        {
          postingId: 'a1',
          wallet: money('-500'),
          adjustments: money('500'),
          postedAt: NOW + MINUTE,
        },
      ]);
      expect(here.audit).toMatchObject([
        { action: 'wallet.approve', detail: { requestedBy: 'op1', askedInternalNote: 'For us.' } },
      ]);
      checkInvariants(here);
    });

    test('what is no longer available when it is approved is refused then', () => {
      const here = limited();
      for (let at = 0; at < 4; at += 1) here.run(adjust('debit', '100', `b${at}`));
      expectRefusal(
        here,
        approve,
        'unprocessable',
        'Only PKR\u00a0498 is available; PKR\u00a0500 cannot be taken.',
      );
    });
  });
});

describe('adjusting a member’s float', () => {
  const adjust = (amount: string, memberId = 'm1') =>
    ({
      kind: 'adjust-float',
      commandId: 'f1',
      memberId,
      amount: money(amount),
      reason: 'cash handed over',
      ...BY_OPERATOR,
    }) as const satisfies Command;

  test('adds and takes against the adjustments account', () => {
    for (const [amount, after] of [
      ['250', '1250'],
      ['-900', '100'],
    ] as const) {
      const world = createWorld({ orders: [deposit()], members: members() });
      expect(world.run(adjust(amount))).toMatchObject({
        ok: true,
        result: {
          status: 'applied',
          member: { floatBalance: money(after), floatHeld: money('100') },
        },
      });
      expect(world.postings).toMatchObject([
        {
          postingId: 'f1',
          kind: 'float',
          memberId: 'm1',
          memberFloat: money(amount),
          adjustments: -money(amount),
          wallet: 0n,
        },
      ]);
      expect(world.audit).toMatchObject([
        { action: 'member.float', target: 'm1', detail: { amount, reason: 'cash handed over' } },
      ]);
      checkInvariants(world);
    }
  });

  test('what open deposits hold cannot be taken', () => {
    expectRefusal(
      createWorld({ orders: [deposit()], members: members() }),
      adjust('-900.0001'),
      'unprocessable',
      'At most PKR\u00a0900 can be taken from this float: open deposits hold PKR\u00a0100 of its PKR\u00a01,000.',
    );
  });

  test('an unknown member is not found', () => {
    expectRefusal(createWorld(), adjust('1', 'm9'), 'not-found', 'Member not found.');
  });
});

describe('what an operator decides alone counts in the sum of the day', () => {
  const settings = { requireSecondOperator: true, adjustmentApprovalLimit: money('1000') };
  const review = (change: Partial<Order>) => deposit({ status: 'ManualReview', ...change });
  const inReview = withdrawal({ status: 'ManualReview' });
  test.each<[string, Order, Partial<Extract<Command, { kind: 'operator-resolve' }>>, string]>([
    ['a completion that the customer spoke of', review({ sentAt: NOW }), {}, '100'],
    ['a completion that nobody spoke of', review({ sentAt: null }), {}, '100'],
    ['a completion by another member', review({}), { memberId: 'm2' }, '100'],
    ['a payout given back', inReview, { outcome: 'Cancelled' }, '100'],
    ['a deposit cancelled', review({}), { outcome: 'Cancelled' }, '0'],
  ])('%s', (_, order, change, amount) => {
    const world = createWorld({ orders: [order], members: members(), settings });
    const done = world.run({ ...resolve('Completed'), ...change } as Command);
    expect(done).toMatchObject({ ok: true, result: { status: 'resolved' } });
    expect(world.sums.get(OPERATOR.id)?.amount ?? 0n).toBe(money(amount));
  });
});
