import { describe, expect, test } from 'vitest';
import type { Command, Member, Order } from '../index.ts';
import {
  BY_OPERATOR,
  creation,
  deposit,
  MINUTE,
  member,
  message,
  NOW,
  SECOND,
} from '../testing/literals.ts';
import { createWorld } from '../testing/memory-view.ts';
import { type Effects, effectsOf } from '../testing/observe.ts';

/** The deposit of every row is 100 with a fee of 2; the fee leaves 98 for the wallet. */
interface Row {
  readonly row: string;
  readonly order: Order;
  readonly command: Command & { readonly orderId: string };
  readonly at?: number;
  readonly members?: readonly Member[];
  readonly gives: Effects;
}

const given = { commandId: 'c1', orderId: 'ord1' } as const;
const need = {
  orderType: 'Deposit',
  walletType: 'ProviderA',
  currency: 'PKR',
  amount: 1_000_000n,
  floatAmount: 1_000_000n,
  heldBy: null,
  heldBefore: [],
} as const;
const open: Row['command'] = { kind: 'open-page', ...given, need };
const deadline: Row['command'] = { kind: 'pass-deadline', ...given, need: undefined };
const expiry = NOW + 10 * MINUTE;
const freed = { m1: { open: -1, held: '-100', used: '-100' } };
const settled = {
  wallet: { balance: '98' },
  posting: { wallet: '98', float: '-100', fees: '2', member: 'm1' },
};
const settledMember = { m1: { open: -1, held: '-100', float: '-100' } };

const SPEC: readonly Row[] = [
  {
    row: 'Awaiting | customer opens page | an online member with an account of the method is assigned | AwaitingCustomerPayment',
    order: deposit({ status: 'Awaiting' }),
    command: open,
    gives: {
      status: 'AwaitingCustomerPayment',
      stage: 'Assigned',
      stamped: ['assignedAt'],
      holder: 'm1',
      members: { m1: { open: 1, held: '100', used: '100' } },
      notices: ['m1 assigned'],
    },
  },
  {
    row: 'Awaiting | customer opens page | nobody is eligible: it keeps waiting and asks again | Awaiting',
    order: deposit({ status: 'Awaiting' }),
    command: open,
    members: [member({ memberId: 'm1', online: false })],
    gives: { status: 'Awaiting', stage: 'Awaiting' },
  },
  {
    row: 'Awaiting | link expires (15 min) | no member assigned | CancelledTimeout',
    order: deposit({ status: 'Awaiting' }),
    command: deadline,
    at: expiry,
    gives: {
      status: 'CancelledTimeout',
      stage: 'Failed',
      stamped: ['failedAt'],
      due: null,
      event: 'order.failed',
      reason: 'no eligible member became available in time',
    },
  },
  {
    row: 'Queued | customer opens page | method picked | AwaitingCustomerPayment',
    order: deposit(),
    command: open,
    gives: { status: 'AwaitingCustomerPayment', stage: 'Assigned' },
  },
  {
    row: 'Queued | link expires | customer never opened or paid | Expired',
    order: deposit(),
    command: deadline,
    at: expiry,
    gives: {
      status: 'Expired',
      stage: 'Failed',
      stamped: ['failedAt'],
      due: null,
      members: freed,
      event: 'order.failed',
      reason: 'checkout expired before payment',
      notices: ['m1 withdrawn'],
    },
  },
  {
    row: 'AwaitingCustomerPayment | customer confirms payment on page | | AwaitingMemberConfirmation (stage Sent; sentAt set)',
    order: deposit({ status: 'AwaitingCustomerPayment' }),
    command: { kind: 'confirm-payment', ...given, transactionDigits: '1234' },
    gives: {
      status: 'AwaitingMemberConfirmation',
      stage: 'Sent',
      stamped: ['sentAt'],
      due: 30,
      notices: ['m1 customer-confirmed'],
    },
  },
  {
    row: 'AwaitingCustomerPayment | page expires | | Expired',
    order: deposit({ status: 'AwaitingCustomerPayment' }),
    command: deadline,
    at: expiry,
    gives: {
      status: 'Expired',
      stage: 'Failed',
      stamped: ['failedAt'],
      due: null,
      members: freed,
      event: 'order.failed',
      reason: 'checkout expired before payment',
      notices: ['m1 withdrawn'],
    },
  },
  {
    row: 'AwaitingMemberConfirmation | member confirms receipt | | Completed (wallet credited amount - fee)',
    order: deposit({ status: 'AwaitingMemberConfirmation' }),
    command: {
      kind: 'member-confirm',
      ...given,
      memberId: 'm1',
      receivedAmount: null,
      transactionReference: 'TX1',
    },
    gives: {
      status: 'Completed',
      stage: 'Completed',
      stamped: ['completedAt'],
      due: null,
      ...settled,
      members: settledMember,
      event: 'order.completed',
      notices: ['m1 completed'],
    },
  },
  {
    row: 'AwaitingMemberConfirmation | member rejects | e.g. no matching payment | Rejected',
    order: deposit({ status: 'AwaitingMemberConfirmation' }),
    command: { kind: 'member-reject', ...given, memberId: 'm1', reason: 'no matching payment' },
    gives: {
      status: 'Rejected',
      stage: 'Failed',
      stamped: ['rejectedAt', 'failedAt'],
      due: null,
      members: freed,
      event: 'order.failed',
      reason: 'no matching payment',
      notices: ['m1 withdrawn'],
    },
  },
  {
    row: 'AwaitingMemberConfirmation | member does not act in time | | ManualReview (no webhook until resolved)',
    order: deposit({ status: 'AwaitingMemberConfirmation' }),
    command: deadline,
    at: NOW + 28 * MINUTE,
    gives: { status: 'ManualReview', stage: 'Sent', due: null },
  },
  {
    row: 'ManualReview | resolved by the operator | | Completed',
    order: deposit({ status: 'ManualReview', sentAt: NOW - MINUTE }),
    command: {
      kind: 'operator-resolve',
      ...given,
      outcome: 'Completed',
      memberId: null,
      note: 'seen on the statement',
      ...BY_OPERATOR,
    },
    gives: {
      status: 'Completed',
      stage: 'Completed',
      stamped: ['completedAt'],
      ...settled,
      members: settledMember,
      event: 'order.completed',
      notices: ['m1 completed'],
    },
  },
  {
    row: 'ManualReview | resolved by the operator | | Cancelled',
    order: deposit({ status: 'ManualReview', sentAt: NOW - MINUTE }),
    command: {
      kind: 'operator-resolve',
      ...given,
      outcome: 'Cancelled',
      memberId: null,
      note: 'no money came',
      ...BY_OPERATOR,
    },
    gives: {
      status: 'Cancelled',
      stage: 'Failed',
      stamped: ['failedAt', 'cancelledAt'],
      members: freed,
      event: 'order.failed',
      reason: 'no money came',
      notices: ['m1 withdrawn'],
    },
  },
];

const failed = (reason: string, cancelled: boolean): Partial<Effects> => ({
  stage: 'Failed',
  stamped: cancelled ? ['failedAt', 'cancelledAt'] : ['failedAt'],
  due: null,
  event: 'order.failed',
  reason,
});
const away = { members: freed, notices: ['m1 withdrawn'] };
const cancel: Row['command'] = { kind: 'cancel-by-customer', ...given };
const byOperator: Row['command'] = {
  kind: 'operator-cancel',
  ...given,
  note: 'asked by the merchant',
  ...BY_OPERATOR,
};
const release: Row['command'] = {
  kind: 'member-release',
  ...given,
  memberId: 'm1',
  reason: 'my account is full',
};
const escalate: Row['command'] = {
  kind: 'operator-escalate',
  ...given,
  note: 'look at it',
  ...BY_OPERATOR,
};
const withdrawn: Row['command'] = { kind: 'withdraw-member', ...given, need };
const suspended = member({ memberId: 'm1', status: 'suspended' });

const DECIDED: readonly Row[] = [
  ...(['Awaiting', 'Queued', 'AwaitingCustomerPayment'] as const).flatMap((status): Row[] => [
    {
      row: `${status} | customer presses Cancel | CancelledAuto`,
      order: deposit({ status }),
      command: cancel,
      gives: {
        status: 'CancelledAuto',
        ...failed('cancelled by the customer', false),
        ...(status !== 'Awaiting' && away),
      } as Effects,
    },
    {
      row: `${status} | operator cancels | Cancelled`,
      order: deposit({ status }),
      command: byOperator,
      gives: {
        status: 'Cancelled',
        ...failed('asked by the merchant', true),
        ...(status !== 'Awaiting' && away),
      } as Effects,
    },
  ]),
  ...(['Queued', 'AwaitingCustomerPayment'] as const).flatMap((status): Row[] => [
    {
      row: `${status} | member releases it | Cancelled`,
      order: deposit({ status }),
      command: release,
      gives: { status: 'Cancelled', ...failed('my account is full', true), ...away } as Effects,
    },
    {
      row: `${status} | operator escalates | ManualReview, stage Assigned as nobody has paid`,
      order: deposit({ status }),
      command: escalate,
      gives: { status: 'ManualReview', stage: 'Assigned', due: null, notices: ['m1 withdrawn'] },
    },
  ]),
  {
    row: 'AwaitingMemberConfirmation | operator escalates | ManualReview, stage Sent as the customer has paid',
    order: deposit({ status: 'AwaitingMemberConfirmation' }),
    command: escalate,
    gives: { status: 'ManualReview', stage: 'Sent', due: null, notices: ['m1 withdrawn'] },
  },
  {
    row: 'AwaitingCustomerPayment | the receiving account is withdrawn | CancelledAuto',
    order: deposit({ status: 'AwaitingCustomerPayment' }),
    command: withdrawn,
    members: [suspended, member({ memberId: 'm2' })],
    gives: {
      status: 'CancelledAuto',
      ...failed('the receiving account was withdrawn before payment', false),
      ...away,
    } as Effects,
  },
  {
    row: 'Queued | its member is withdrawn | Queued with another member at once',
    order: deposit(),
    command: withdrawn,
    members: [suspended, member({ memberId: 'm2' })],
    gives: {
      status: 'Queued',
      stage: 'Assigned',
      holder: 'm2',
      members: { ...freed, m2: { open: 1, held: '100', used: '100' } },
      notices: ['m1 withdrawn', 'm2 assigned'],
    },
  },
  {
    row: 'Queued | its member is withdrawn and nobody is eligible | Queued with nobody',
    order: deposit(),
    command: withdrawn,
    members: [suspended],
    gives: { status: 'Queued', stage: 'Assigned', holder: null, ...away },
  },
  {
    row: 'Queued with nobody | customer opens page | AwaitingCustomerPayment, assignedAt stays the first assignment',
    order: deposit({ memberId: null, accountId: null, holderSince: null }),
    command: open,
    gives: {
      status: 'AwaitingCustomerPayment',
      stage: 'Assigned',
      holder: 'm1',
      members: { m1: { open: 1, held: '100', used: '100' } },
      notices: ['m1 assigned'],
    },
  },
  {
    row: 'Queued with nobody | link expires | Expired, as it was assigned at creation',
    order: deposit({ memberId: null, accountId: null, holderSince: null }),
    command: deadline,
    at: expiry,
    gives: { status: 'Expired', ...failed('checkout expired before payment', false) } as Effects,
  },
];

describe('deposit transitions', () => {
  test('(creation) | create order | member eligible | Queued (stage Assigned), member notified', () => {
    const world = createWorld({ members: [member({ memberId: 'm1' })] });
    const decision = world.run(creation(message()));
    expect(decision).toMatchObject({
      ok: true,
      result: {
        status: 'Queued',
        assignedAt: NOW,
        awaitingAt: null,
        memberId: 'm1',
        expiresAt: NOW + 15 * MINUTE,
      },
    });
    expect(world.members.get('m1')).toMatchObject({
      openOrders: 1,
      floatHeld: 1_000_000n,
      floatBalance: 10_000_000n,
    });
    expect(world.notices).toMatchObject([{ memberId: 'm1', event: 'assigned' }]);
    expect(world.wallets.get('mer1')).toMatchObject({ balance: 10_000_000n, reserved: 0n });
  });

  test('(creation) | create order | no eligible member | Awaiting (stage Awaiting), accepted with 200', () => {
    const world = createWorld({ members: [member({ memberId: 'm1', online: false })] });
    const decision = world.run(creation(message()));
    expect(decision).toMatchObject({
      ok: true,
      result: {
        status: 'Awaiting',
        assignedAt: null,
        awaitingAt: NOW,
        memberId: null,
        dueAt: NOW + 15 * MINUTE,
      },
    });
    expect(world.notices).toEqual([]);
  });

  test.each(SPEC)('$row', check);
});

describe('deposit transitions that the decisions add', () => {
  test.each(DECIDED)('$row', check);
});

function check({ order, command, at = NOW, members = [member({ memberId: 'm1' })], gives }: Row) {
  const world = createWorld({ orders: [order], members, now: at });
  expect(effectsOf(world, command)).toEqual(gives);
}

describe('the clock decides at the very moment', () => {
  const rows = [
    ['Awaiting', 'open', open],
    ['Queued', 'open', open],
    [
      'AwaitingCustomerPayment',
      'confirm',
      { kind: 'confirm-payment', ...given, transactionDigits: '1234' },
    ],
    ['Awaiting', 'cancel', cancel],
    ['Queued', 'cancel', cancel],
    ['AwaitingCustomerPayment', 'cancel', cancel],
  ] as const satisfies (readonly [Order['status'], string, Row['command']])[];
  test.each(rows)('%s: at expiresAt %s is too late and the expiry is not', (status, _, command) => {
    const world = createWorld({
      orders: [deposit({ status })],
      members: [member({ memberId: 'm1' })],
      now: expiry,
    });
    expect(world.run(command)).toMatchObject({
      ok: false,
      refusal: { code: 'link-expired', message: 'This payment link has expired.' },
    });
    expect(world.run(deadline)).toMatchObject({
      ok: true,
      result: { failedAt: expiry, dueAt: null },
    });
  });

  test.each(rows)(
    '%s: a millisecond earlier %s is in time and the expiry is not',
    (status, _, command) => {
      const world = createWorld({
        orders: [deposit({ status })],
        members: [member({ memberId: 'm1' })],
        now: expiry - 1,
      });
      expect(world.run(deadline)).toMatchObject({ ok: true, changes: {}, result: { status } });
      expect(world.run(command)).toMatchObject({
        ok: true,
        changes: { orders: [expect.anything()] },
      });
    },
  );

  test('a tick that comes late or twice changes nothing more', () => {
    const world = createWorld({
      orders: [deposit()],
      members: [member({ memberId: 'm1' })],
      now: expiry + 5 * SECOND,
    });
    expect(world.run(deadline)).toMatchObject({ ok: true, result: { status: 'Expired' } });
    expect(world.run(deadline)).toMatchObject({
      ok: true,
      changes: {},
      result: { status: 'Expired' },
    });
  });
});
