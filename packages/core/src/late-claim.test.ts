import { describe, expect, test } from 'vitest';
import {
  isOpenToLateClaims,
  LATE_CLAIM_WINDOW_MS,
  readClaimedDigits,
  readClaimedPayment,
  wasShownWhereToPay,
} from './late-claim.ts';
import { hasFailed, hasSucceeded, isFinal, STATUSES } from './order.ts';

const EXPIRES = Date.UTC(2026, 0, 15, 12, 15);
const DEPOSIT = {
  orderType: 'Deposit',
  status: 'AwaitingCustomerPayment',
  sentAt: null,
  failedAt: null,
  expiresAt: EXPIRES,
} as const;
const END = EXPIRES + LATE_CLAIM_WINDOW_MS;

describe('which orders a customer may claim late', () => {
  test('an unconfirmed deposit from the moment of expiry until 30 days later', () => {
    expect(LATE_CLAIM_WINDOW_MS).toBe(2_592_000_000);
    const open = (now: number) => isOpenToLateClaims(DEPOSIT, now);
    expect([open(EXPIRES - 1), open(EXPIRES), open(END - 1), open(END)]).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  test.each(STATUSES.filter(hasFailed))('%s: at once, whether confirmed or not', (status) => {
    for (const sentAt of [null, EXPIRES - 2])
      expect(
        isOpenToLateClaims({ ...DEPOSIT, status, sentAt, failedAt: EXPIRES - 1 }, EXPIRES - 1),
      ).toBe(true);
  });

  test('one confirmed in time that failed after its expiry: for 30 days from then', () => {
    const rejected = {
      ...DEPOSIT,
      status: 'Rejected',
      sentAt: EXPIRES - 1,
      failedAt: EXPIRES + 500,
    } as const;
    expect([END, END + 499, END + 500].map((now) => isOpenToLateClaims(rejected, now))).toEqual([
      true,
      true,
      false,
    ]);
  });

  test('one that was not confirmed and whose expiry was written late: for 30 days from its expiry', () => {
    const expired = { ...DEPOSIT, status: 'Expired', failedAt: EXPIRES + 500 } as const;
    expect([END - 1, END].map((now) => isOpenToLateClaims(expired, now))).toEqual([true, false]);
  });

  test.each(STATUSES.filter((status) => !isFinal(status)))(
    '%s, confirmed in time: not while it is decided',
    (status) => {
      expect(isOpenToLateClaims({ ...DEPOSIT, status, sentAt: EXPIRES - 1 }, EXPIRES)).toBe(false);
    },
  );

  test.each(STATUSES.filter(hasSucceeded))('%s: never', (status) => {
    expect(isOpenToLateClaims({ ...DEPOSIT, status }, EXPIRES)).toBe(false);
  });

  test('no withdrawal', () => {
    expect(
      isOpenToLateClaims(
        { ...DEPOSIT, orderType: 'Withdrawal', status: 'CancelledTimeout', failedAt: EXPIRES },
        EXPIRES,
      ),
    ).toBe(false);
  });
});

describe('whose customer was shown where to pay', () => {
  test.each([
    ['an account method, opened', 'ProviderA', null, null, 1, true],
    ['a Till ID, opened', 'TillID', null, null, 1, true],
    ['one that was never opened', 'ProviderA', null, null, 0, false],
    ['a QR method whose payer was not given', 'ProviderAQR', null, null, 1, false],
    ['a QR method whose payer was given', 'ProviderAQR', '03001234567', null, 1, true],
    ['the other QR method', 'ProviderBQR', null, null, 1, false],
    ['a QR method after another method', 'ProviderBQR', null, null, 2, true],
    ['one that was confirmed, its steps removed', 'ProviderA', null, EXPIRES - 1, 0, true],
    ['a list of methods of which none was picked', 'BankAccount', null, null, 0, false],
  ] as const)('%s', (_which, walletType, payerAccount, sentAt, openings, shown) => {
    expect(wasShownWhereToPay({ walletType, payerAccount, sentAt }, openings)).toBe(shown);
  });
});

describe('what a claim says', () => {
  test.each([
    ['', null, undefined],
    ['47 11', null, { transactionDigits: '4711', payerAccount: null }],
    ['', '03001234567', { transactionDigits: null, payerAccount: '03001234567' }],
    [' ', '0071', { transactionDigits: null, payerAccount: '0071' }],
    ['4711', '0071', { transactionDigits: '4711', payerAccount: '0071' }],
    ['12', '0071', undefined],
    ['none', '0071', undefined],
    ['TID 28311906999, UTR 615822450001', null, undefined],
  ])('digits %j, of an order whose payer is %s: %j', (entered, payerAccount, said) => {
    expect(readClaimedPayment({ payerAccount }, entered)).toEqual(said);
  });
});

describe('the digits of a claim', () => {
  test.each([
    ['1234', '1234'],
    [' 0012 3456-7890 ', '001234567890'],
    ['1234\u20135678\u00a09', '123456789'],
    ['1'.repeat(20), '1'.repeat(20)],
    ['T2606072245123456789012', '06072245123456789012'],
    ['\u0661\u0662\u0663\u0664', '1234'],
    ['5C8300HJ6V', '583006'],
    ['TrxID 4711', '4711'],
    ['BFD9KRC2ZA', '0092'],
  ])('%j reads as %s', (text, digits) => {
    expect(readClaimedDigits(text).map((meant) => meant.digits)).toEqual([digits]);
  });

  test.each([
    '',
    '   ',
    '123',
    '1-2-3',
    '12a4',
    'K2ZA',
    'abcde',
    '1234.5',
    '+1234',
    '1234\0',
    '12\u202e34',
  ])('%j is refused', (text) => {
    expect(readClaimedDigits(text)).toEqual([]);
  });
});
