import { describe, expect, test } from 'vitest';
import type { Command, Member, Order } from '../index.ts';
import {
  BY_OPERATOR,
  creation,
  MINUTE,
  member,
  NOW,
  payout,
  withdrawal,
  withdrawalWithoutAccount,
} from '../testing/literals.ts';
import { createWorld } from '../testing/memory-view.ts';
import { type Effects, effectsOf } from '../testing/observe.ts';

/** The withdrawal of every row is 100 with a fee of 2: 102 is reserved. */
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
  orderType: 'Withdrawal',
  walletType: 'ProviderA',
  currency: 'PKR',
  amount: 1_000_000n,
  floatAmount: 1_000_000n,
  heldBy: null,
  heldBefore: [],
} as const;
const submit: Row['command'] = {
  kind: 'submit-account',
  ...given,
  accountNumber: '0300',
  accountName: 'C. Customer',
  need,
};
const deadline: Row['command'] = { kind: 'pass-deadline', ...given, need };
const assign: Row['command'] = { kind: 'assign-waiting', ...given, need };
const nobody = [member({ memberId: 'm1', online: false })];
const held = { m1: { open: 1, used: '100' } };
const freed = { m1: { open: -1, used: '-100' } };
const released = { wallet: { reserved: '-102' } };
const debited = {
  wallet: { balance: '-102', reserved: '-102' },
  posting: { wallet: '-102', float: '100', fees: '2', member: 'm1' },
};
const paid = { m1: { open: -1, float: '100' } };
const lapsed = (reason: string): Effects => ({
  status: 'CancelledTimeout',
  stage: 'Failed',
  stamped: ['failedAt'],
  due: null,
  ...released,
  event: 'order.failed',
  reason,
});

const SPEC: readonly Row[] = [
  {
    row: 'Awaiting (no account) | customer submits account on hosted page | member available | AwaitingMemberPayout',
    order: withdrawalWithoutAccount(),
    command: submit,
    gives: {
      status: 'AwaitingMemberPayout',
      stage: 'Assigned',
      stamped: ['assignedAt'],
      due: 60,
      holder: 'm1',
      members: held,
      notices: ['m1 assigned'],
    },
  },
  {
    row: 'Awaiting (no account) | customer submits account | no member available | Awaiting (120-minute window starts then)',
    order: withdrawalWithoutAccount(),
    command: submit,
    members: nobody,
    gives: { status: 'Awaiting', stage: 'Awaiting', due: 120 },
  },
  {
    row: 'Awaiting (no account) | 15 minutes pass without submission | | CancelledTimeout',
    order: withdrawalWithoutAccount(),
    command: deadline,
    at: NOW + 10 * MINUTE,
    gives: lapsed('the customer did not provide their withdrawal account in time'),
  },
  {
    row: 'Awaiting | member becomes available | | AwaitingMemberPayout',
    order: withdrawal({ status: 'Awaiting' }),
    command: assign,
    gives: {
      status: 'AwaitingMemberPayout',
      stage: 'Assigned',
      stamped: ['assignedAt'],
      due: 60,
      holder: 'm1',
      members: held,
      notices: ['m1 assigned'],
    },
  },
  {
    row: 'Awaiting | the once-a-minute check finds nobody | | Awaiting',
    order: withdrawal({ status: 'Awaiting' }),
    command: assign,
    members: nobody,
    gives: { status: 'Awaiting', stage: 'Awaiting' },
  },
  {
    row: 'Awaiting | 120 minutes (platform setting) pass without member | | CancelledTimeout',
    order: withdrawal({ status: 'Awaiting' }),
    command: deadline,
    at: NOW + 115 * MINUTE,
    gives: lapsed('no eligible member became available in time'),
  },
  {
    row: 'AwaitingMemberPayout | member confirms payout | | Completed (wallet debited amount + fee)',
    order: withdrawal(),
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
      stamped: ['sentAt', 'completedAt'],
      due: null,
      ...debited,
      members: paid,
      event: 'order.completed',
      notices: ['m1 completed'],
    },
  },
  {
    row: 'AwaitingMemberPayout | member rejects | | Rejected (reservation returned)',
    order: withdrawal(),
    command: {
      kind: 'member-reject',
      ...given,
      memberId: 'm1',
      reason: 'the account does not exist',
    },
    gives: {
      status: 'Rejected',
      stage: 'Failed',
      stamped: ['rejectedAt', 'failedAt'],
      due: null,
      ...released,
      members: freed,
      event: 'order.failed',
      reason: 'the account does not exist',
      notices: ['m1 withdrawn'],
    },
  },
  {
    row: 'AwaitingMemberPayout | member reports abnormal payment | | ManualReview (no webhook until resolved)',
    order: withdrawal(),
    command: { kind: 'member-report', ...given, memberId: 'm1', reason: 'unsure if sent' },
    gives: { status: 'ManualReview', stage: 'Assigned', due: null },
  },
  {
    row: 'AwaitingMemberPayout | payout window passes | retries left | AwaitingMemberPayout (reassigned to another member; no webhook)',
    order: withdrawal(),
    command: deadline,
    at: NOW + 55 * MINUTE,
    members: [member({ memberId: 'm1' }), member({ memberId: 'm2' })],
    gives: {
      status: 'AwaitingMemberPayout',
      stage: 'Assigned',
      due: 60,
      holder: 'm2',
      members: { ...freed, m2: { open: 1, used: '100' } },
      notices: ['m1 withdrawn', 'm2 assigned'],
    },
  },
  {
    row: 'AwaitingMemberPayout | payout window passes | no retries left | ManualReview (no webhook until resolved)',
    order: withdrawal({ maxRetryCount: 1, reassignments: 1, formerMemberIds: ['m0'] }),
    command: deadline,
    at: NOW + 55 * MINUTE,
    members: [member({ memberId: 'm1' }), member({ memberId: 'm2' })],
    gives: { status: 'ManualReview', stage: 'Assigned', due: null },
  },
  {
    row: 'ManualReview | resolved by the operator | | Completed',
    order: withdrawal({ status: 'ManualReview' }),
    command: {
      kind: 'operator-resolve',
      ...given,
      outcome: 'Completed',
      memberId: null,
      note: 'paid',
      ...BY_OPERATOR,
    },
    gives: {
      status: 'Completed',
      stage: 'Completed',
      stamped: ['sentAt', 'completedAt'],
      ...debited,
      members: paid,
      event: 'order.completed',
      notices: ['m1 completed'],
    },
  },
  {
    row: 'ManualReview | resolved by the operator | | Cancelled',
    order: withdrawal({ status: 'ManualReview' }),
    command: {
      kind: 'operator-resolve',
      ...given,
      outcome: 'Cancelled',
      memberId: null,
      note: 'not paid',
      ...BY_OPERATOR,
    },
    gives: {
      status: 'Cancelled',
      stage: 'Failed',
      stamped: ['failedAt', 'cancelledAt'],
      ...released,
      members: freed,
      event: 'order.failed',
      reason: 'not paid',
      notices: ['m1 withdrawn'],
    },
  },
];

const cancelled: Effects = {
  status: 'Cancelled',
  stage: 'Failed',
  stamped: ['failedAt', 'cancelledAt'],
  due: null,
  ...released,
  event: 'order.failed',
  reason: 'asked by the merchant',
};
const byOperator: Row['command'] = {
  kind: 'operator-cancel',
  ...given,
  note: 'asked by the merchant',
  ...BY_OPERATOR,
};

const DECIDED: readonly Row[] = [
  {
    row: 'Awaiting (no account) | customer presses Cancel | CancelledAuto',
    order: withdrawalWithoutAccount(),
    command: { kind: 'cancel-by-customer', ...given },
    gives: {
      ...cancelled,
      status: 'CancelledAuto',
      stamped: ['failedAt'],
      reason: 'cancelled by the customer',
    },
  },
  {
    row: 'Awaiting | operator cancels | Cancelled',
    order: withdrawal({ status: 'Awaiting' }),
    command: byOperator,
    gives: cancelled,
  },
  {
    row: 'AwaitingMemberPayout | operator cancels | Cancelled',
    order: withdrawal(),
    command: byOperator,
    gives: { ...cancelled, members: freed, notices: ['m1 withdrawn'] },
  },
  {
    row: 'AwaitingMemberPayout | operator escalates | ManualReview',
    order: withdrawal(),
    command: { kind: 'operator-escalate', ...given, note: 'look at it', ...BY_OPERATOR },
    gives: { status: 'ManualReview', stage: 'Assigned', due: null, notices: ['m1 withdrawn'] },
  },
  {
    row: 'AwaitingMemberPayout | payout window passes, everybody else eligible has held it | AwaitingMemberPayout, with one of them',
    order: withdrawal({ reassignments: 1, formerMemberIds: ['m2'] }),
    command: deadline,
    at: NOW + 55 * MINUTE,
    members: [member({ memberId: 'm1' }), member({ memberId: 'm2' })],
    gives: {
      status: 'AwaitingMemberPayout',
      stage: 'Assigned',
      due: 60,
      holder: 'm2',
      members: { ...freed, m2: { open: 1, used: '100' } },
      notices: ['m1 withdrawn', 'm2 assigned'],
    },
  },
  {
    row: 'AwaitingMemberPayout | payout window passes, nobody else is eligible | ManualReview',
    order: withdrawal({ reassignments: 1, formerMemberIds: ['m2'] }),
    command: deadline,
    at: NOW + 55 * MINUTE,
    members: [member({ memberId: 'm1' }), member({ memberId: 'm2', online: false })],
    gives: { status: 'ManualReview', stage: 'Assigned', due: null },
  },
  {
    row: 'AwaitingMemberPayout | a former member reports having paid | ManualReview, the holder is notified',
    order: withdrawal({ reassignments: 1, formerMemberIds: ['m2'] }),
    command: { kind: 'member-report', ...given, memberId: 'm2', reason: 'I paid it' },
    members: [member({ memberId: 'm1' }), member({ memberId: 'm2' })],
    gives: { status: 'ManualReview', stage: 'Assigned', due: null, notices: ['m1 withdrawn'] },
  },
];

describe('withdrawal transitions', () => {
  test('(creation) | create order | funding check passed and member available | AwaitingMemberPayout (stage Assigned), amount + fee reserved', () => {
    const world = createWorld({ members: [member({ memberId: 'm1' })] });
    const decision = world.run(creation(payout()));
    expect(decision).toMatchObject({
      ok: true,
      result: { status: 'AwaitingMemberPayout', assignedAt: NOW, awaitingAt: null, sentAt: null },
    });
    expect(decision).toMatchObject({
      result: { dueAt: NOW + 60 * MINUTE, expiresAt: NOW + 15 * MINUTE },
    });
    expect(world.wallets.get('mer1')).toMatchObject({ balance: 10_000_000n, reserved: 1_000_000n });
    expect(world.members.get('m1')).toMatchObject({
      openOrders: 1,
      floatHeld: 0n,
      floatBalance: 10_000_000n,
    });
    expect(world.notices).toMatchObject([{ memberId: 'm1', event: 'assigned' }]);
  });

  test('(creation) | create order | no eligible member | Awaiting (stage Awaiting), amount + fee reserved; 120 minutes to find one', () => {
    const world = createWorld({ members: nobody });
    expect(world.run(creation(payout()))).toMatchObject({
      ok: true,
      result: { status: 'Awaiting', awaitingAt: NOW, dueAt: NOW + 120 * MINUTE },
    });
    expect(world.wallets.get('mer1')).toMatchObject({ reserved: 1_000_000n });
  });

  test('(creation) | create order | customerAccountNumber not sent | Awaiting, amount + fee reserved; 15 minutes to submit; nobody is looked for', () => {
    const world = createWorld({ members: [member({ memberId: 'm1' })] });
    const decision = world.run(
      creation(payout({ customerAccountNumber: null, customerAccountName: null })),
    );
    expect(decision).toMatchObject({
      ok: true,
      result: { status: 'Awaiting', memberId: null, awaitingAt: NOW, dueAt: NOW + 15 * MINUTE },
    });
    expect(world.wallets.get('mer1')).toMatchObject({ reserved: 1_000_000n });
    expect(
      world.run({
        kind: 'assign-waiting',
        commandId: 'c2',
        orderId: decision.ok ? decision.result.orderId : '',
        need,
      }),
    ).toMatchObject({
      ok: true,
      changes: {},
    });
  });

  test.each(SPEC)('$row', check);
});

describe('withdrawal transitions that the decisions add', () => {
  test.each(DECIDED)('$row', check);
});

function check({ order, command, at = NOW, members = [member({ memberId: 'm1' })], gives }: Row) {
  const world = createWorld({ orders: [order], members, now: at });
  expect(effectsOf(world, command)).toEqual(gives);
}

describe('the reservation of a withdrawal', () => {
  test.each(['Awaiting', 'AwaitingMemberPayout', 'ManualReview'] as const)(
    '%s keeps amount + fee reserved',
    (status) => {
      expect(
        createWorld({
          orders: [withdrawal({ status })],
          members: [member({ memberId: 'm1' })],
        }).wallets.get('mer1')?.reserved,
      ).toBe(1_020_000n);
    },
  );

  test.each(['Completed', 'Rejected', 'CancelledTimeout', 'Cancelled', 'CancelledAuto'] as const)(
    '%s reserves nothing',
    (status) => {
      expect(
        createWorld({ orders: [withdrawal({ status, dueAt: null })] }).wallets.get('mer1')
          ?.reserved,
      ).toBe(0n);
    },
  );
});

describe('the waits of a withdrawal end at their very moment', () => {
  test('an account submitted at expiresAt is too late; a millisecond earlier it is in time', () => {
    const at = (now: number) =>
      createWorld({
        orders: [withdrawalWithoutAccount()],
        members: [member({ memberId: 'm1' })],
        now,
      });
    expect(at(NOW + 10 * MINUTE).run(submit)).toMatchObject({
      ok: false,
      refusal: { code: 'link-expired' },
      changes: {},
    });
    expect(at(NOW + 10 * MINUTE - 1).run(submit)).toMatchObject({
      ok: true,
      result: { status: 'AwaitingMemberPayout' },
    });
  });

  test('a member found when the 120 minutes are over is too late; a millisecond earlier in time', () => {
    const at = (now: number) =>
      createWorld({
        orders: [withdrawal({ status: 'Awaiting' })],
        members: [member({ memberId: 'm1' })],
        now,
      });
    expect(at(NOW + 115 * MINUTE).run(assign)).toMatchObject({
      ok: true,
      changes: {},
      result: { status: 'Awaiting' },
    });
    expect(at(NOW + 115 * MINUTE - 1).run(assign)).toMatchObject({
      ok: true,
      result: { status: 'AwaitingMemberPayout' },
    });
    expect(at(NOW + 115 * MINUTE - 1).run(deadline)).toMatchObject({
      ok: true,
      changes: {},
      result: { status: 'Awaiting' },
    });
  });
});
