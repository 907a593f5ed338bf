import { describe, expect, test } from 'vitest';
import type { OrderType } from './method.ts';
import { isLegacy, STATUSES, type Status } from './order.ts';
import { findsNobody, playOf, reachable, stepTowards } from './sandbox.ts';

const FINAL = 'Completed Rejected Expired CancelledTimeout Cancelled CancelledAuto';

/** Where each status leads in a sandbox, copied by hand. */
const REACHED: Readonly<Record<OrderType, Readonly<Partial<Record<Status, string>>>>> = {
  Deposit: {
    Awaiting: `AwaitingCustomerPayment AwaitingMemberConfirmation ManualReview ${FINAL}`,
    Queued:
      'AwaitingCustomerPayment AwaitingMemberConfirmation ManualReview Completed Rejected Expired Cancelled CancelledAuto',
    AwaitingCustomerPayment:
      'AwaitingMemberConfirmation ManualReview Completed Rejected Expired Cancelled CancelledAuto',
    AwaitingMemberConfirmation: 'ManualReview Completed Rejected Cancelled',
    ManualReview: 'Completed Cancelled',
    Completed: '',
    Rejected: 'Completed',
    Expired: 'Completed',
    CancelledTimeout: 'Completed',
    Cancelled: 'Completed',
    CancelledAuto: 'Completed',
  },
  Withdrawal: {
    Awaiting:
      'AwaitingMemberPayout ManualReview Completed Rejected CancelledTimeout Cancelled CancelledAuto',
    AwaitingMemberPayout: 'ManualReview Completed Rejected Cancelled',
    ManualReview: 'Completed Cancelled',
    Completed: '',
    Rejected: 'Completed',
    CancelledTimeout: 'Completed',
    Cancelled: 'Completed',
    CancelledAuto: 'Completed',
  },
};

const rows = (['Deposit', 'Withdrawal'] as const).flatMap((orderType) =>
  STATUSES.map((status) => [orderType, status, REACHED[orderType][status] ?? ''] as const),
);

describe('a sandbox moves an order', () => {
  test.each(rows)('%s from %s to "%s"', (orderType, status, reached) => {
    const order = { orderType, status, memberId: 'm', customerAccountNumber: null };
    const expected = reached === '' ? [] : reached.split(' ');
    expect(reachable(order)).toEqual(
      STATUSES.filter((to) => expected.includes(to) && !isLegacy(to)),
    );
  });

  test.each([
    ['Deposit', 'Awaiting', 'Completed', 'customer-opened-page'],
    ['Deposit', 'Queued', 'Completed', 'customer-opened-page'],
    ['Deposit', 'AwaitingCustomerPayment', 'Completed', 'customer-confirmed'],
    ['Deposit', 'Queued', 'Expired', 'link-expired'],
    ['Deposit', 'AwaitingMemberConfirmation', 'Cancelled', 'operator-escalated'],
    ['Deposit', 'Rejected', 'Completed', 'operator-confirmed'],
    ['Withdrawal', 'Awaiting', 'Completed', 'customer-submitted-account'],
    ['Withdrawal', 'AwaitingMemberPayout', 'Completed', 'member-confirmed'],
  ] as const)('%s from %s to %s first by %s', (orderType, status, to, trigger) => {
    const order = { orderType, status, memberId: 'm', customerAccountNumber: null };
    expect(stepTowards(order, to)?.trigger).toBe(trigger);
  });

  test('as its account allows', () => {
    const order = { orderType: 'Withdrawal', status: 'Awaiting', memberId: null } as const;
    const given = { ...order, customerAccountNumber: '0300' };
    expect(reachable(given)).not.toContain('CancelledAuto');
  });
});

describe('a member who plays themselves', () => {
  const NOW = 1_000_000;
  const deposit = {
    orderType: 'Deposit',
    status: 'AwaitingMemberConfirmation',
    customerAccountNumber: null,
    payerAccount: null,
    holderSince: NOW - 60_000,
    sentAt: NOW - 2_000,
    rejectedAt: null,
    reassignments: 0,
  } as const;
  const given = (transactionDigits: string) => ({ ...deposit, transactionDigits });
  const payout = (customerAccountNumber: string, reassignments = 0) => ({
    ...deposit,
    orderType: 'Withdrawal' as const,
    status: 'AwaitingMemberPayout' as const,
    transactionDigits: null,
    customerAccountNumber,
    sentAt: null,
    reassignments,
  });
  const move = (to: Status, reasonCode: string | null = null) => ({ act: 'move', to, reasonCode });

  test.each([
    ['anything else', given('1234'), move('Completed')],
    ['0002', given('0002'), move('Rejected', 'notReceived')],
    ['more digits', given('12340002'), move('Rejected', 'notReceived')],
    ['0003', given('0003'), move('Rejected', 'otherAmount')],
    ['0004', given('0004'), undefined],
    ['0005', given('0005'), move('ManualReview')],
    ['0005, in review', { ...given('0005'), status: 'ManualReview' }, move('Completed')],
    ['0006, in review', { ...given('0006'), status: 'ManualReview' }, move('Cancelled')],
    ['anything else, in review', { ...given('1234'), status: 'ManualReview' }, undefined],
    ['0007', given('0007'), move('Rejected', 'notReceived')],
    [
      '0007, rejected five seconds ago',
      { ...given('0007'), status: 'Rejected', rejectedAt: NOW - 5_000 },
      move('Completed'),
    ],
    [
      '0007, rejected just now',
      { ...given('0007'), status: 'Rejected', rejectedAt: NOW - 4_999 },
      undefined,
    ],
    ['0002, rejected', { ...given('0002'), status: 'Rejected', rejectedAt: 0 }, undefined],
    [
      'a QR payer',
      { ...given('1'), transactionDigits: null, payerAccount: '030002' },
      move('Rejected', 'notReceived'),
    ],
    ['a payout', payout('03001234567'), move('Completed')],
    ['a payout to 0002', payout('03000000002'), move('Rejected', 'notReceived')],
    ['a payout to 0008', payout('PK36SCBL0000001123450008'), { act: 'reassign' }],
    ['a payout to 0008, passed on', payout('0008', 1), move('Completed')],
    ['less than two seconds', { ...given('1234'), sentAt: NOW - 1_999 }, undefined],
  ] as const)('%s', (_, order, expected) => {
    expect(playOf(order, NOW)).toEqual(expected);
  });

  test('a payout to 0009 finds nobody', () => {
    const to = (customerAccountNumber: string | null, orderType: OrderType = 'Withdrawal') =>
      findsNobody({ orderType, customerAccountNumber });
    expect([to('03000000009'), to('03000000008'), to(null)]).toEqual([true, false, false]);
    expect(to('03000000009', 'Deposit')).toBe(false);
  });
});
