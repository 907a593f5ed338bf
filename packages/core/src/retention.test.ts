import { describe, expect, test } from 'vitest';
import { STATUSES } from './order.ts';
import { type Concluded, isDoneWith, keptSince, RETENTION_DAYS_MIN } from './retention.ts';

const BEFORE = 1_000_000;
const over: Concluded = {
  status: 'Completed',
  createdAt: 1,
  awaitingAt: null,
  assignedAt: 2,
  holderSince: 2,
  sentAt: 3,
  completedAt: 4,
  failedAt: null,
  hasOpenClaim: false,
  hasDeliveryDue: false,
};

describe('what is deleted of an order', () => {
  test.each<[string, Partial<Concluded>, boolean]>([
    ['it was over long ago', {}, true],
    ['it failed long ago', { status: 'Expired', completedAt: null, failedAt: 4 }, true],
    ['it was over just before', { completedAt: BEFORE - 1 }, true],
    ['it was over just then', { completedAt: BEFORE }, false],
    ['it failed long ago, and was confirmed since', { failedAt: 3, completedAt: BEFORE }, false],
    ['it was assigned since', { holderSince: BEFORE }, false],
    ['its customer waits for an answer', { hasOpenClaim: true }, false],
    ['its merchant has not been notified', { hasDeliveryDue: true }, false],
  ])('%s: %j may go: %s', (_, changed, may) => {
    expect(isDoneWith({ ...over, ...changed }, BEFORE)).toBe(may);
  });

  test('nothing of an order that is not over', () => {
    const may = STATUSES.filter((status) => isDoneWith({ ...over, status }, BEFORE));
    expect(may).toEqual([
      'Completed',
      'Rejected',
      'Expired',
      'CancelledTimeout',
      'Cancelled',
      'CancelledAuto',
      'Confirmed',
    ]);
  });
});

test('days are of 24 hours, and never so few that a customer may still claim a payment', () => {
  expect(keptSince(Date.parse('2026-11-23T10:00:00Z'), 35)).toBe(
    Date.parse('2026-10-19T10:00:00Z'),
  );
  expect(RETENTION_DAYS_MIN).toBe(35);
});
