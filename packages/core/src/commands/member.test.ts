import { describe, expect, test } from 'vitest';
import type { Command, Order } from '../index.ts';
import { money } from '../money.ts';
import { checkInvariants } from '../testing/invariants.ts';
import {
  account,
  DAY,
  deposit,
  type Given,
  MINUTE,
  member,
  NOW,
  OPERATOR,
  withdrawal,
} from '../testing/literals.ts';
import { createWorld, type World } from '../testing/memory-view.ts';
import { effectsOf, expectRefusal } from '../testing/observe.ts';

const given = { commandId: 'c1', orderId: 'ord1' } as const;
const confirm = (memberId: string, receivedAmount: bigint | null = null) =>
  ({
    kind: 'member-confirm',
    ...given,
    memberId,
    receivedAmount,
    transactionReference: 'TX1',
  }) as const satisfies Command;
const reject = (memberId: string) =>
  ({ kind: 'member-reject', ...given, memberId, reason: 'no' }) as const satisfies Command;
const report = (memberId: string, reason = 'odd') =>
  ({ kind: 'member-report', ...given, memberId, reason }) as const satisfies Command;
const release = (memberId: string) =>
  ({ kind: 'member-release', ...given, memberId, reason: 'no' }) as const satisfies Command;
const needOf = (orderType: 'Deposit' | 'Withdrawal') =>
  ({
    orderType,
    walletType: 'ProviderA',
    currency: 'PKR',
    amount: 1_000_000n,
    floatAmount: 1_000_000n,
    heldBy: null,
    heldBefore: [],
  }) as const;
const deadline = {
  kind: 'pass-deadline',
  ...given,
  need: needOf('Withdrawal'),
} as const satisfies Command;
const current = (world: World) => world.orders.get('ord1') as Order;
const three = () => [
  member({ memberId: 'm1' }),
  member({ memberId: 'm2' }),
  member({ memberId: 'm3' }),
];

describe('one transaction completes one order of an account', () => {
  const completed = (given: Partial<Order> = {}) =>
    withdrawal({
      orderId: 'ord0',
      orderReference: 'ORD-OTHER',
      status: 'Completed',
      completedAt: NOW,
      dueAt: null,
      liveReference: null,
      memberTransactionReference: '28311906999',
      ...given,
    });
  const waits = withdrawal();
  const worldWith = (other: Order) => createWorld({ members: three(), orders: [other, waits] });
  const saying = (transactionReference: string | null) =>
    ({ ...confirm('m1'), transactionReference }) as const;

  test.each([
    '28311906999',
    'TID: 28311906999',
    'tid 2831-1906-999',
    '\u202a28311906999\u200b',
    'Sent to Ali. Trx ID: 28311906999 on 29 Nov',
  ])('%j is refused with the order that it has completed', (text) => {
    const world = worldWith(completed());
    expect(world.run(saying(text))).toMatchObject({
      ok: false,
      refusal: { code: 'transaction-used', message: expect.stringContaining('order ORD-OTHER') },
    });
    expect(current(world)).toEqual(waits);
  });

  test.each<[string, Order, string | null]>([
    ['another transaction', completed(), '28311906998'],
    ['no transaction', completed(), null],
    ['one of another account', completed({ accountId: 'm1-b' }), '28311906999'],
    ['one of an order that failed', completed({ status: 'Cancelled' }), '28311906999'],
  ])('but not %s', (_what, other, text) => {
    expect(worldWith(other).run(saying(text))).toMatchObject({ ok: true });
  });

  test('it is stored as its ID', () => {
    const world = worldWith(completed({ accountId: 'm1-b' }));
    world.run(saying(' tid: 2831 1906 999 '));
    expect(current(world).memberTransactionReference).toBe('28311906999');
  });
});

describe('every action of a suspended member is refused', () => {
  const waits = deposit({ status: 'AwaitingMemberConfirmation' });
  test.each<[string, Order, Command]>([
    ['a receipt', waits, confirm('m1')],
    [
      'a confirmation that was made already',
      deposit({ status: 'Completed', completedAt: NOW, dueAt: null }),
      confirm('m1'),
    ],
    ['a payout', withdrawal(), confirm('m1')],
    ['a rejection', waits, reject('m1')],
    ['a report', withdrawal(), report('m1')],
    ['a release', deposit({ status: 'Queued' }), release('m1')],
    [
      'coming online',
      waits,
      {
        kind: 'update-member',
        commandId: 'c1',
        memberId: 'm1',
        online: true,
        actor: { kind: 'member', id: 'm1' },
      },
    ],
    [
      'what a former holder reports',
      withdrawal({ memberId: 'm2', accountId: 'm2-a', formerMemberIds: ['m1'], reassignments: 1 }),
      report('m1'),
    ],
  ])('%s', (_name, order, command) => {
    const world = createWorld({
      orders: [order],
      members: [member({ memberId: 'm1', status: 'suspended' }), member({ memberId: 'm2' })],
    });
    expectRefusal(world, command, 'suspended', 'This account is suspended.');
  });
});

describe('confirming', () => {
  test('again answers the same order and settles nothing more (I7)', () => {
    const world = createWorld({
      orders: [deposit({ status: 'AwaitingMemberConfirmation' })],
      members: three(),
    });
    const first = world.run(confirm('m1'));
    expect(world.run(confirm('m1'))).toMatchObject({
      ok: true,
      changes: {},
      result: first.ok && first.result,
    });
    expect(world.postings).toHaveLength(1);
    expect(world.deliveries).toHaveLength(1);
  });

  test.each([
    ['a deposit', deposit({ status: 'AwaitingMemberConfirmation', holderSince: NOW - 2 })],
    ['a withdrawal', withdrawal({ holderSince: NOW - 2 })],
  ])('%s held since before a recovery link was used goes into review', (_, order) => {
    const recoveredAt = (at: number) =>
      createWorld({ orders: [order], members: [member({ memberId: 'm1', recoveredAt: at })] });
    const world = recoveredAt(NOW - 1);
    expect(world.run(confirm('m1'))).toMatchObject({
      ok: true,
      result: { status: 'ManualReview' },
    });
    expect(current(world)).toMatchObject({ memberTransactionReference: null, dueAt: null });
    expect(world.moves.at(-1)).toMatchObject({
      note: 'Confirmed with transaction TX1 after the member was given another way to sign in.',
    });
    expect(world.postings).toEqual([]);
    checkInvariants(world);
    const later = recoveredAt(NOW - 3);
    expect(later.run(confirm('m1'))).toMatchObject({ ok: true, result: { status: 'Completed' } });
  });

  test('a deposit keeps the customer’s sentAt, a withdrawal’s is the member’s confirmation', () => {
    const paid = createWorld({
      orders: [deposit({ status: 'AwaitingMemberConfirmation' })],
      members: three(),
    });
    paid.run(confirm('m1'));
    expect(current(paid)).toMatchObject({
      sentAt: NOW - 2 * MINUTE,
      completedAt: NOW,
      memberTransactionReference: 'TX1',
      dueAt: null,
    });
    const sent = createWorld({ orders: [withdrawal()], members: three() });
    sent.run(confirm('m1'));
    expect(current(sent)).toMatchObject({ sentAt: NOW, completedAt: NOW });
  });

  test('another received amount changes nothing; the amount itself is fine', () => {
    const world = createWorld({
      orders: [deposit({ status: 'AwaitingMemberConfirmation' })],
      members: three(),
    });
    expectRefusal(
      world,
      confirm('m1', money('99.5')),
      'unprocessable',
      "The received amount PKR\u00a099.50 is not the order's PKR\u00a0100; nothing was changed. Reject the order, or ask an operator.",
    );
    expect(world.run(confirm('m1', money('100.00')))).toMatchObject({
      ok: true,
      result: { status: 'Completed' },
    });
  });

  test('after the payout window, while nobody else has it, still counts', () => {
    const world = createWorld({ orders: [withdrawal()], members: three(), now: NOW + 3 * DAY });
    expect(world.run(confirm('m1'))).toMatchObject({ ok: true, result: { status: 'Completed' } });
  });

  test('keeps the reference live and the completed order’s usage of the day', () => {
    const world = createWorld({
      orders: [deposit({ status: 'AwaitingMemberConfirmation' })],
      members: three(),
    });
    world.run(confirm('m1'));
    expect(current(world).liveReference).toBe('ref1');
    expect(world.members.get('m1')).toMatchObject({
      openOrders: 0,
      floatBalance: money('900'),
      floatHeld: 0n,
      accounts: [{ dayAmount: money('100') }],
    });
  });
});

describe('S9: a stranger learns nothing and changes nothing', () => {
  const orders = [
    deposit({ status: 'AwaitingMemberConfirmation' }),
    withdrawal(),
    withdrawal({ status: 'Awaiting' }),
    deposit({ status: 'ManualReview' }),
  ];
  test.each([confirm('m9'), reject('m9'), report('m9'), release('m9')])('$kind', (command) => {
    for (const order of orders)
      expectRefusal(
        createWorld({ orders: [order], members: three() }),
        command,
        'not-found',
        'Order not found.',
      );
  });
});

describe('a payout that its member says they are sending', () => {
  const sending = { kind: 'member-sending', ...given, memberId: 'm1' } as const;
  const paying = (order: Given<Order> = {}, sendingGraceMs = 5 * MINUTE) =>
    createWorld({
      orders: [withdrawal(order)],
      members: three(),
      settings: { sendingGraceMs },
    });

  test.each([
    ['the grace, once however often it is said', 5 * MINUTE],
    ['nothing without a grace', 0],
  ])('has its deadline moved by %s', (_by, grace) => {
    const world = paying({}, grace);
    const { dueAt } = withdrawal();
    for (const at of [NOW, NOW + MINUTE]) {
      world.now = at;
      expect(world.run(sending)).toMatchObject({ ok: true });
    }
    expect(current(world).dueAt).toBe((dueAt as number) + grace);
    expect([...world.notes.values()]).toMatchObject([{ kind: 'sending', number: 1, at: NOW }]);
  });

  test('is theirs again where the same member has it a second time', () => {
    const world = paying();
    world.run(sending);
    const dueAt = NOW + 60 * MINUTE;
    world.now = NOW + MINUTE;
    world.orders.set('ord1', { ...current(world), holderSince: world.now, dueAt });
    for (let time = 0; time < 2; time += 1) world.run(sending);
    expect(current(world).dueAt).toBe(dueAt + 5 * MINUTE);
    expect([...world.notes.values()]).toMatchObject([{ number: 1 }, { number: 2, at: world.now }]);
  });

  test('is refused to a former member, and once the time to pay has run out', () => {
    const other = paying({
      memberId: 'm2',
      accountId: 'm2-a',
      formerMemberIds: ['m1'],
      reassignments: 1,
    });
    expectRefusal(other, sending, 'wrong-state', /another member/);
    const late = paying();
    late.now = current(late).dueAt as number;
    expectRefusal(late, sending, 'wrong-state', /has run out/);
  });
});

describe('reassigning a withdrawal', () => {
  const handed = () => {
    const world = createWorld({ orders: [withdrawal()], members: three(), now: NOW + 55 * MINUTE });
    world.run(deadline);
    return world;
  };

  test.each([
    [2, 4, ['m1', 'm2', 'm3']],
    [3, 2, ['m1', 'm2', 'm1', 'm2']],
    [3, 3, ['m1', 'm2', 'm3', 'm1']],
    [10, 2, ['m1', 'm2', 'm1', 'm2', 'm1', 'm2', 'm1', 'm2', 'm1', 'm2', 'm1']],
    [3, 1, ['m1']],
  ])('%i retries among %i members: %j, then the operators', (maxRetryCount, count, expected) => {
    const world = createWorld({
      orders: [withdrawal({ maxRetryCount })],
      members: [...three(), member({ memberId: 'm4' })].slice(0, count),
      now: NOW + 55 * MINUTE,
    });
    const holders: (string | null)[] = [];
    while (current(world).status === 'AwaitingMemberPayout') {
      holders.push(current(world).memberId);
      world.run(deadline);
      world.now += 60 * MINUTE;
    }
    expect(holders).toEqual(expected);
    expect(current(world)).toMatchObject({
      status: 'ManualReview',
      reassignments: expected.length - 1,
      formerMemberIds: expected.slice(0, -1),
      memberId: expected.at(-1),
      dueAt: null,
    });
    expect(world.deliveries).toEqual([]);
  });

  test('who has it again may confirm it: a payout that they made before counts', () => {
    const world = createWorld({
      orders: [withdrawal()],
      members: three().slice(0, 2),
      now: NOW + 55 * MINUTE,
    });
    world.run(deadline);
    world.now += 60 * MINUTE;
    world.run(deadline);
    expect(world.run(confirm('m1'))).toMatchObject({
      result: { status: 'Completed', memberId: 'm1' },
    });
    expectRefusal(world, confirm('m2'), 'wrong-state', /handed to another member/);
  });

  test('maxRetryCount 0: straight to the operators', () => {
    const world = createWorld({
      orders: [withdrawal({ maxRetryCount: 0 })],
      members: three(),
      now: NOW + 55 * MINUTE,
    });
    expect(world.run(deadline)).toMatchObject({
      result: { status: 'ManualReview', reassignments: 0, memberId: 'm1' },
    });
  });

  test('assignedAt stays the first assignment; the payout window starts again', () => {
    expect(current(handed())).toMatchObject({
      assignedAt: NOW - 5 * MINUTE,
      holderSince: NOW + 55 * MINUTE,
      dueAt: NOW + 115 * MINUTE,
    });
  });

  test('the former member can no longer confirm or reject it', () => {
    expectRefusal(
      handed(),
      confirm('m1'),
      'wrong-state',
      'This order was handed to another member. If you have already paid it, report it.',
    );
    expectRefusal(
      handed(),
      reject('m1'),
      'wrong-state',
      'This order was handed to another member.',
    );
    const world = handed();
    world.run(confirm('m2'));
    expectRefusal(
      world,
      confirm('m1'),
      'wrong-state',
      'This order was handed to another member and is Completed now. If you have already paid it, tell an operator.',
    );
  });

  test('in review a member’s reports are kept once each, ten at most', () => {
    const world = createWorld({
      orders: [
        withdrawal({
          status: 'ManualReview',
          dueAt: null,
          formerMemberIds: ['m2'],
          reassignments: 1,
        }),
      ],
      members: three(),
    });
    for (let times = 0; times < 2; times += 1) {
      for (let word = 1; word <= 10; word += 1)
        expect(world.run(report('m1', `word ${word}`))).toMatchObject({ ok: true });
    }
    expect([...world.notes.values()].map(({ number, text }) => `${number} ${text}`)).toEqual(
      Array.from({ length: 10 }, (_, at) => `${at + 1} word ${at + 1}`),
    );
    expectRefusal(
      world,
      report('m1', 'one more'),
      'too-many',
      'You have reported this order 10 times. An operator is looking at it.',
    );
    expect(world.run(report('m2', 'I paid it'))).toMatchObject({
      ok: true,
      changes: { notes: [{ number: 1 }] },
    });
  });

  test('the former member’s report brings it to review with both members’ reports', () => {
    const world = handed();
    expect(world.run(report('m1', 'I paid it at noon'))).toMatchObject({
      ok: true,
      result: { status: 'ManualReview', memberId: 'm2' },
    });
    expect(world.run(report('m2', 'I paid it too'))).toMatchObject({
      ok: true,
      result: { status: 'ManualReview' },
    });
    expect(world.moves.at(-1)).toMatchObject({
      trigger: 'member-reported',
      note: 'I paid it at noon',
      actor: { kind: 'member', id: 'm1' },
    });
    expect([...world.notes.values()]).toMatchObject([
      { text: 'I paid it too', actor: { kind: 'member', id: 'm2' } },
    ]);
  });

  test('capacity moves with it; usage goes back to the former member’s account', () => {
    const world = handed();
    expect(world.members.get('m1')).toMatchObject({ openOrders: 0, accounts: [{ dayAmount: 0n }] });
    expect(world.members.get('m2')).toMatchObject({
      openOrders: 1,
      lastAssignedAt: NOW + 55 * MINUTE,
      accounts: [{ dayAmount: money('100') }],
    });
  });

  test('in review the holder keeps the capacity in use, and only operators end the order', () => {
    const world = createWorld({ orders: [withdrawal()], members: three() });
    world.run(report('m1'));
    expect(world.members.get('m1')?.openOrders).toBe(1);
    expectRefusal(
      world,
      confirm('m1'),
      'wrong-state',
      'The order is ManualReview and cannot be confirmed now.',
    );
    expectRefusal(
      world,
      reject('m1'),
      'wrong-state',
      'The order is ManualReview and cannot be rejected now.',
    );
  });
});

describe('member commands in the wrong state', () => {
  test.each([
    [
      'a deposit is not reported',
      deposit({ status: 'AwaitingMemberConfirmation' }),
      report('m1'),
      'Only withdrawals are reported; confirm or reject a deposit.',
    ],
    [
      'a withdrawal is not released',
      withdrawal(),
      release('m1'),
      'A withdrawal is not released; reject or report it.',
    ],
    [
      'a confirmed deposit is not released',
      deposit({ status: 'AwaitingMemberConfirmation' }),
      release('m1'),
      /AwaitingMemberConfirmation and cannot be released/,
    ],
    [
      'an unpaid deposit is not confirmed',
      deposit({ status: 'AwaitingCustomerPayment' }),
      confirm('m1'),
      /AwaitingCustomerPayment and cannot be confirmed/,
    ],
    ['an unpaid deposit is not rejected', deposit(), reject('m1'), /Queued and cannot be rejected/],
  ] as const)('%s', (_, order, command, text) => {
    expectRefusal(createWorld({ orders: [order], members: three() }), command, 'wrong-state', text);
  });

  test.each([
    ['reject', deposit({ status: 'AwaitingMemberConfirmation' }), reject('m1')],
    ['release', deposit(), release('m1')],
  ])('%s again answers the same order', (_, order, command) => {
    const world = createWorld({ orders: [order], members: three() });
    world.run(command);
    expect(world.run(command)).toMatchObject({ ok: true, changes: {} });
  });
});

describe('what decides whether a member gets orders', () => {
  const update = (change: object, actor: object = OPERATOR) =>
    ({ kind: 'update-member', commandId: 'c1', memberId: 'm1', actor, ...change }) as Command & {
      kind: 'update-member';
    };

  test('only what is named changes', () => {
    const world = createWorld({
      members: [member({ memberId: 'm1', online: false, maxOpenOrders: 3 })],
    });
    const before = world.members.get('m1');
    world.run(update({ online: true }));
    expect(world.members.get('m1')).toEqual({ ...before, online: true });
    world.run(update({ maxOpenOrders: 7 }));
    expect(world.members.get('m1')).toEqual({ ...before, online: true, maxOpenOrders: 7 });
    world.run(update({ account: { accountId: 'm1-a', status: 'suspended' } }));
    expect(world.members.get('m1')?.accounts).toMatchObject([{ status: 'suspended' }]);
  });

  test('an operator’s act is audited, a member’s own presence is not', () => {
    const world = createWorld({ members: [member({ memberId: 'm1' })] });
    world.run(update({ online: false }, { kind: 'member', id: 'm1' }));
    expect(world.audit).toEqual([]);
    world.run(update({ status: 'suspended' }));
    expect(world.audit).toMatchObject([
      { action: 'member.update', target: 'm1', actor: OPERATOR, detail: { status: 'suspended' } },
    ]);
  });

  test('a suspended member cannot come online; a reinstated one can', () => {
    const world = createWorld({
      members: [member({ memberId: 'm1', status: 'suspended', online: false })],
    });
    expectRefusal(
      world,
      update({ online: true }),
      'wrong-state',
      'This member is suspended and cannot come online.',
    );
    expect(world.run(update({ online: true, status: 'active' }))).toMatchObject({
      ok: true,
      result: { online: true, status: 'active' },
    });
  });

  test('an unknown member, or another member’s account, is not found', () => {
    expectRefusal(createWorld(), update({ online: true }), 'not-found', 'Member not found.');
    const world = createWorld({ members: three() });
    expectRefusal(
      world,
      update({ account: { accountId: 'm2-a', status: 'approved' } }),
      'not-found',
      'Account not found.',
    );
  });

  test('open orders are kept when the capacity is lowered below them', () => {
    const world = createWorld({ orders: [deposit()], members: [member({ memberId: 'm1' })] });
    expect(world.run(update({ maxOpenOrders: 0 }))).toMatchObject({
      ok: true,
      result: { openOrders: 1, maxOpenOrders: 0 },
    });
  });
});

describe('a member is suspended or an account withdrawn', () => {
  const withdraw = {
    kind: 'withdraw-member',
    ...given,
    need: needOf('Deposit'),
  } as const satisfies Command;

  test.each([
    ['the member is suspended', member({ memberId: 'm1', status: 'suspended' })],
    [
      'the account is suspended',
      member({ memberId: 'm1', accounts: [account({ accountId: 'm1-a', status: 'suspended' })] }),
    ],
    [
      'the account waits for approval again',
      member({ memberId: 'm1', accounts: [account({ accountId: 'm1-a', status: 'pending' })] }),
    ],
  ])('%s: an unseen deposit moves on, a seen one ends', (_, holder) => {
    const unseen = createWorld({
      orders: [deposit()],
      members: [holder, member({ memberId: 'm2' })],
    });
    expect(unseen.run(withdraw)).toMatchObject({
      result: { status: 'Queued', memberId: 'm2', accountId: 'm2-a', dueAt: NOW + 10 * MINUTE },
    });
    const seen = createWorld({
      orders: [deposit({ status: 'AwaitingCustomerPayment' })],
      members: [holder, member({ memberId: 'm2' })],
    });
    expect(seen.run(withdraw)).toMatchObject({
      result: { status: 'CancelledAuto', cancelledAt: null },
    });
  });

  test('another account of the same member may get the deposit', () => {
    const accounts = [
      account({ accountId: 'm1-a', status: 'suspended' }),
      account({ accountId: 'm1-b' }),
    ];
    const world = createWorld({
      orders: [deposit()],
      members: [member({ memberId: 'm1', accounts, maxOpenOrders: 1, floatBalance: money('100') })],
    });
    expect(effectsOf(world, withdraw)).toEqual({
      status: 'Queued',
      stage: 'Assigned',
      notices: ['m1 withdrawn', 'm1 assigned'],
    });
    expect(current(world).accountId).toBe('m1-b');
  });

  test('nothing happens if both are usable again', () => {
    expect(createWorld({ orders: [deposit()], members: three() }).run(withdraw)).toMatchObject({
      ok: true,
      changes: {},
    });
  });

  test('a paid deposit stays with the member', () => {
    const world = createWorld({
      orders: [deposit({ status: 'AwaitingMemberConfirmation' })],
      members: [member({ memberId: 'm1', status: 'suspended' })],
    });
    expect(world.run(withdraw)).toMatchObject({ ok: true, changes: {} });
  });
});
