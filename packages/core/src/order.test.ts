import { describe, expect, test } from 'vitest';
import {
  hasFailed,
  hasSucceeded,
  isFinal,
  isLegacy,
  latestStamp,
  lifecycleOf,
  type Order,
  reservedBy,
  STATUSES,
  type Stage,
  type Status,
  shortReference,
  stageOf,
} from './order.ts';
import { deposit, NOW, withdrawal } from './testing/literals.ts';

/** Every status with its stage (merchant-api.md#statuses). */
const ROWS: [
  status: Status,
  final: 'no' | 'success' | 'failed',
  deposit: Stage | null,
  withdrawal: Stage | null,
][] = [
  ['Awaiting', 'no', 'Awaiting', 'Awaiting'],
  ['Queued', 'no', 'Assigned', null],
  ['AwaitingCustomerPayment', 'no', 'Assigned', null],
  ['AwaitingMemberConfirmation', 'no', 'Sent', null],
  ['AwaitingMemberPayout', 'no', null, 'Assigned'],
  ['ManualReview', 'no', 'Assigned', 'Assigned'],
  ['Completed', 'success', 'Completed', 'Completed'],
  ['Rejected', 'failed', 'Failed', 'Failed'],
  ['Expired', 'failed', 'Failed', null],
  ['CancelledTimeout', 'failed', 'Failed', 'Failed'],
  ['Cancelled', 'failed', 'Failed', 'Failed'],
  ['CancelledAuto', 'failed', 'Failed', 'Failed'],
  ['Assigned', 'no', 'Assigned', 'Assigned'],
  ['Frozen', 'no', 'Assigned', 'Assigned'],
  ['Confirmed', 'success', 'Completed', 'Completed'],
];

describe('statuses', () => {
  test('the table is whole', () =>
    expect(STATUSES.toSorted()).toEqual(ROWS.map(([status]) => status).toSorted()));

  test.each(ROWS)(
    '%s: final %s, stage of a deposit %s, of a withdrawal %s',
    (status, final, ofDeposit, ofWithdrawal) => {
      expect([isFinal(status), hasSucceeded(status), hasFailed(status)]).toEqual([
        final !== 'no',
        final === 'success',
        final === 'failed',
      ]);
      if (ofDeposit !== null) expect(stageOf(deposit({ status }))).toBe(ofDeposit);
      if (ofWithdrawal !== null) expect(stageOf(withdrawal({ status }))).toBe(ofWithdrawal);
    },
  );

  test('in review a deposit whose customer confirmed is Sent, and nothing else is', () => {
    expect(stageOf(deposit({ status: 'ManualReview', sentAt: NOW }))).toBe('Sent');
    expect(stageOf(deposit({ status: 'ManualReview', sentAt: null }))).toBe('Assigned');
    expect(stageOf(withdrawal({ status: 'ManualReview', sentAt: NOW }))).toBe('Assigned');
  });
});

describe('the lifecycle of an order', () => {
  const at = (given: Partial<Order>) =>
    lifecycleOf(deposit({ createdAt: 1, awaitingAt: 2, assignedAt: 3, sentAt: 4, ...given }));

  test('approval is stamped with completion', () => {
    expect(at({ status: 'Completed', completedAt: 5 })).toEqual({
      stage: 'Completed',
      createdAt: 1,
      awaitingAt: 2,
      assignedAt: 3,
      sentAt: 4,
      approvedAt: 5,
      rejectedAt: null,
      completedAt: 5,
      failedAt: null,
    });
  });

  test('rejection is stamped with failure; a later dispute keeps both and adds completedAt, and the stage decides', () => {
    expect(at({ status: 'Rejected', rejectedAt: 5, failedAt: 5 })).toMatchObject({
      stage: 'Failed',
      approvedAt: null,
      rejectedAt: 5,
      failedAt: 5,
    });
    expect(at({ status: 'Completed', rejectedAt: 5, failedAt: 5, completedAt: 6 })).toMatchObject({
      stage: 'Completed',
      approvedAt: 6,
      rejectedAt: 5,
      completedAt: 6,
      failedAt: 5,
    });
  });
});

test('a withdrawal not completed or failed reserves amount + fee, a deposit never', () => {
  for (const status of STATUSES) {
    expect(reservedBy(withdrawal({ status }))).toBe(isFinal(status) ? 0n : 1_020_000n);
    expect(reservedBy(deposit({ status }))).toBe(0n);
  }
});

test('of the older statuses the open ones are legacy', () => {
  expect(STATUSES.filter(isLegacy)).toEqual(['Assigned', 'Frozen']);
});

test('people call an order by the last part of its reference', () => {
  expect(['ORD-20261126074119-XABC4Y', 'XABC4Y'].map(shortReference)).toEqual(['XABC4Y', 'XABC4Y']);
});

test.each([
  'createdAt',
  'awaitingAt',
  'assignedAt',
  'holderSince',
  'sentAt',
  'completedAt',
  'failedAt',
] as const)('the latest stamp may be %s', (name) => {
  const none = {
    ...{ createdAt: 1, awaitingAt: null, assignedAt: null, holderSince: null },
    ...{ sentAt: null, completedAt: null, failedAt: null },
  };
  expect(latestStamp({ ...none, [name]: NOW })).toBe(NOW);
});
