import { describe, expect, test } from 'vitest';
import { accountKey, localMobile, readAccountNumber } from './account-number.ts';

describe('one number however it is written', () => {
  test.each([
    [
      '3001234567',
      [
        '03001234567',
        '3001234567',
        '923001234567',
        '+923001234567',
        '00923001234567',
        '+92 (0) 300 1234567',
        '+92 300-123-4567',
        '+92\u00a0300\u2011123\u20114567',
        '\u202a+92\u202f300\u202f1234567\u202c',
        '0300\u200b1234567',
        '۰۳۰۰۱۲۳۴۵۶۷',
        '＋９２３００１２３４５６７',
      ],
    ],
    ['9812345678', ['9812345678', '09812345678', '919812345678', '+91 98123 45678']],
    ['1712345678', ['01712345678', '8801712345678', '+880 1712-345678', '+88 01712-345678']],
    [
      'PK36SCBL0000001123456702',
      [
        'PK36SCBL0000001123456702',
        'pk36 scbl 0000 0011 2345 6702',
        'PK36\u00a0SCBL\u200b0000001123456702',
      ],
    ],
    [
      '4111111111111111',
      ['4111 1111 1111 1111', '4111-1111-1111-1111', '4111\u20111111\u20111111\u20111111'],
    ],
    ['AYESHA.KHAN@OKBANK', ['ayesha.khan@okbank', 'Ayesha.Khan@okbank', ' ayesha.khan @okbank']],
  ])('%s', (key, written) => {
    for (const text of written) expect(accountKey(text), JSON.stringify(text)).toBe(key);
  });

  test('dots and hyphens distinguish UPI IDs', () => {
    const ids = ['ayesha.khan@okbank', 'ayeshakhan@okbank', 'ayesha-khan@okbank'];
    expect(new Set(ids.map(accountKey)).size).toBe(3);
    expect(accountKey('ayesha\u2011khan@okbank')).toBe(accountKey('ayesha-khan@okbank'));
  });

  test('other numbers keep their zeros and their length', () => {
    for (const number of ['0012345678901', '30012345678', '0300123456', '981234', '92300123456'])
      expect(accountKey(number)).toBe(number);
  });
});

test.each([
  ['PKR', '+92 300 1234567', '03001234567'],
  ['PKR', '3001234567', '03001234567'],
  ['PKR', '+91 98123 45678', undefined],
  ['INR', '+91 98123 45678', '9812345678'],
  ['INR', '09812345678', '9812345678'],
  ['BDT', '8801712345678', '01712345678'],
  ['BDT', '01212345678', undefined],
  ['PKR', '981234', undefined],
] as const)('a mobile number of %s: %s is %s', (currency, text, number) => {
  expect(localMobile(text, currency)).toBe(number);
});

describe('an account is stored', () => {
  test.each([
    ['as its country writes it', 'PKR', 'ProviderA', '+92\u00a0300\u2011123 4567', '03001234567'],
    ['without groups', 'PKR', 'TillID', '98 12-34', '981234'],
    ['as it is where it may be no mobile', 'PKR', 'BankAccount', '923001234567', '923001234567'],
    [
      'as an IBAN',
      'PKR',
      'BankAccount',
      'pk36 scbl 0000 0011 2345 6702',
      'PK36SCBL0000001123456702',
    ],
    [
      'with its bank',
      'PKR',
      'BankAccount',
      ' Meezan\u00a0Bank  0012345\u200b678901 ',
      'Meezan Bank 0012345678901',
    ],
    ['as a UPI ID', 'INR', 'TillID', 'ayesha.khan @okbank', 'ayesha.khan@okbank'],
  ] as const)('%s', (_how, currency, walletType, text, stored) => {
    expect(readAccountNumber(text, { currency, walletType })).toBe(stored);
  });
});
