import { describe, expect, test } from 'vitest';
import { isOpenToLateClaims, LATE_CLAIM_WINDOW_MS, readClaimedDigits } from './late-claim.ts';
import { hasSucceeded, STATUSES, type Status } from './order.ts';

const EXPIRES = Date.UTC(2026, 0, 15, 12, 15);
const DEPOSIT = {
  orderType: 'Deposit',
  status: 'Expired',
  sentAt: null,
  expiresAt: EXPIRES,
} as const;

describe('which orders a customer may claim late', () => {
  test('an unconfirmed deposit from the moment of expiry until 30 days later', () => {
    expect(LATE_CLAIM_WINDOW_MS).toBe(2_592_000_000);
    const open = (now: number) => isOpenToLateClaims(DEPOSIT, now);
    expect([
      open(EXPIRES - 1),
      open(EXPIRES),
      open(EXPIRES + LATE_CLAIM_WINDOW_MS - 1),
      open(EXPIRES + LATE_CLAIM_WINDOW_MS),
    ]).toEqual([false, true, true, false]);
  });

  test.each(STATUSES)('%s: unless it has completed', (status: Status) => {
    expect(isOpenToLateClaims({ ...DEPOSIT, status }, EXPIRES)).toBe(!hasSucceeded(status));
  });

  test('none that the customer confirmed in time, and no withdrawal', () => {
    expect(
      isOpenToLateClaims({ ...DEPOSIT, status: 'Rejected', sentAt: EXPIRES - 1 }, EXPIRES),
    ).toBe(false);
    expect(
      isOpenToLateClaims(
        { ...DEPOSIT, orderType: 'Withdrawal', status: 'CancelledTimeout' },
        EXPIRES,
      ),
    ).toBe(false);
  });
});

describe('the digits of a claim', () => {
  test.each([
    ['1234', '1234'],
    [' 0012 3456-7890 ', '001234567890'],
    ['1234\u20135678\u00a09', '123456789'],
    ['1'.repeat(20), '1'.repeat(20)],
  ])('%j reads as %s', (text, digits) => {
    expect(readClaimedDigits(text)).toBe(digits);
  });

  test.each([
    '',
    '   ',
    '123',
    '1-2-3',
    '1'.repeat(21),
    '12a4',
    '1234.5',
    '+1234',
    '١٢٣٤',
    '1234\0',
    '12\u202e34',
  ])('%j is refused', (text) => {
    expect(readClaimedDigits(text)).toBeUndefined();
  });
});
