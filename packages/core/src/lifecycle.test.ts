import { describe, expect, test } from 'vitest';
import { MOVES, movesTo } from './lifecycle.ts';
import { hasFailed, isFinal, STATUS, STATUSES, type Status } from './order.ts';

/** The specification's transitions without their triggers, copied by hand. */
const SPEC = {
  Deposit: [
    'created → Queued',
    'created → Awaiting',
    'Awaiting → AwaitingCustomerPayment',
    'Awaiting → CancelledTimeout',
    'Queued → AwaitingCustomerPayment',
    'Queued → Expired',
    'AwaitingCustomerPayment → AwaitingMemberConfirmation',
    'AwaitingCustomerPayment → Expired',
    'AwaitingMemberConfirmation → Completed',
    'AwaitingMemberConfirmation → Rejected',
    'AwaitingMemberConfirmation → ManualReview',
    'ManualReview → Completed',
    'ManualReview → Cancelled',
  ],
  Withdrawal: [
    'created → AwaitingMemberPayout',
    'created → Awaiting',
    'Awaiting → AwaitingMemberPayout',
    'Awaiting → Awaiting',
    'Awaiting → CancelledTimeout',
    'AwaitingMemberPayout → Completed',
    'AwaitingMemberPayout → Rejected',
    'AwaitingMemberPayout → ManualReview',
    'AwaitingMemberPayout → AwaitingMemberPayout',
    'ManualReview → Completed',
    'ManualReview → Cancelled',
  ],
} as const;

/** Open orders of the older statuses. */
const LEGACY = [
  'Assigned → Cancelled',
  'Assigned → Completed',
  'Frozen → Cancelled',
  'Frozen → Completed',
] as const;

/** What the decisions add. */
const DECIDED = {
  Deposit: [
    // Picking a method again, and matched again
    'AwaitingCustomerPayment → AwaitingCustomerPayment',
    'Queued → Queued',
    // Cancelled by the customer, the member, the operator or a withdrawn account
    'Awaiting → CancelledAuto',
    'Queued → CancelledAuto',
    'AwaitingCustomerPayment → CancelledAuto',
    'Awaiting → Cancelled',
    'Queued → Cancelled',
    'AwaitingCustomerPayment → Cancelled',
    // Escalated
    'Queued → ManualReview',
    'AwaitingCustomerPayment → ManualReview',
    ...LEGACY,
  ],
  Withdrawal: [
    'Awaiting → CancelledAuto',
    'Awaiting → Cancelled',
    'AwaitingMemberPayout → Cancelled',
    ...LEGACY,
  ],
} as const;

describe.each(['Deposit', 'Withdrawal'] as const)('S1: the moves of a %s', (orderType) => {
  const mine = MOVES.filter((move) => move.orderType === orderType);

  test('are the specification’s, those of the decisions, and late confirmations; nothing else', () => {
    const late = STATUSES.filter(
      (status) =>
        hasFailed(status) &&
        (STATUS[status].appliesTo === 'both' || STATUS[status].appliesTo === orderType),
    );
    const expected = [
      ...SPEC[orderType],
      ...DECIDED[orderType],
      ...late.map((from) => `${from} → Completed`),
    ];
    expect(
      [...new Set(mine.map(({ from, to }) => `${from ?? 'created'} → ${to}`))].toSorted(),
    ).toEqual(expected.toSorted());
  });

  test('each is listed once and only between statuses of the type', () => {
    expect(new Set(mine.map((move) => JSON.stringify(move))).size).toBe(mine.length);
    const own = (status: Status | null) =>
      status === null ||
      STATUS[status].appliesTo === 'both' ||
      STATUS[status].appliesTo === orderType;
    expect(mine.filter(({ from, to }) => !own(from) || !own(to))).toEqual([]);
  });

  test('S2: out of a final status only the operator leads, from a failure to Completed', () => {
    const out = mine.filter(({ from }) => from !== null && isFinal(from));
    expect(
      out.every(
        ({ from, trigger, to }) =>
          hasFailed(from as Status) && trigger === 'operator-confirmed' && to === 'Completed',
      ),
    ).toBe(true);
  });

  test('legacy statuses are never written, and an operator alone ends the open ones', () => {
    expect(mine.filter(({ to }) => ['Assigned', 'Frozen', 'Confirmed'].includes(to))).toEqual([]);
    const left = mine.filter(({ from }) => from !== null && 'legacy' in STATUS[from]);
    expect(left.map(({ from, trigger, to }) => `${from} ${trigger} ${to}`).toSorted()).toEqual(
      ['Assigned', 'Frozen'].flatMap((from) => [
        `${from} operator-cancelled Cancelled`,
        `${from} operator-resolved Cancelled`,
        `${from} operator-resolved Completed`,
      ]),
    );
  });

  test('every status can be reached, and every open one can complete and can fail', () => {
    const reach = (start: Status | null) => {
      const seen = new Set<Status | null>([start]);
      for (const at of seen) for (const { from, to } of mine) if (from === at) seen.add(to);
      return seen;
    };
    const own = STATUSES.filter(
      (status) =>
        !('legacy' in STATUS[status]) &&
        (STATUS[status].appliesTo === 'both' || STATUS[status].appliesTo === orderType),
    );
    expect(own.filter((status) => !reach(null).has(status))).toEqual([]);
    const open = own.filter((status) => !isFinal(status));
    expect(
      open.filter(
        (status) =>
          !reach(status).has('Completed') ||
          ![...reach(status)].some((to) => to !== null && hasFailed(to)),
      ),
    ).toEqual([]);
  });
});

test('a trigger that has no row leads nowhere', () => {
  expect(movesTo('Deposit', 'Awaiting', 'member-confirmed')).toEqual([]);
  expect(movesTo('Withdrawal', 'Queued', 'customer-opened-page')).toEqual([]);
  expect(movesTo('Withdrawal', 'Expired', 'operator-confirmed')).toEqual([]);
});
