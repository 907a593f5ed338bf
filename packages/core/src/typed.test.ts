import { expect, test } from 'vitest';
import { formatMoney } from './money.ts';
import { plainDigits, readTypedAmount } from './typed.ts';

test.each([
  ['2500', '2500'],
  [' 2500 ', '2500'],
  ['-2500', '-2500'],
  ['2500.50', '2500.5'],
  ['1,500.50', '1500.5'],
  ['1,000,000', '1000000'],
  ['10,00,000', '1000000'],
  ['1,00,00,000.25', '10000000.25'],
  ['۲۵۰۰', '2500'],
  ['٢٬٥٠٠٫٥', '2500.5'],
  ['۲،۵۰۰', '2500'],
  ['२५००', '2500'],
  ['২,৫০০.৫০', '2500.5'],
  ['\u200f۲۵۰۰\u200e', '2500'],
  ['5 000', '5000'],
  ['1\u00a0000\u202f000.5', '1000000.5'],
  ['500/-', '500'],
  ['1,500 /-', '1500'],
  ['500/=', '500'],
])('%j is the amount %s', (typed, amount) => {
  const read = readTypedAmount(typed);
  expect(read === undefined ? undefined : formatMoney(read)).toBe(amount);
});

test.each([
  '',
  '1,00,0',
  '1,5',
  '1,50',
  '1,0000',
  '1000,000',
  '1,,000',
  ',000',
  '1,000,',
  '10,00,00',
  '1,000,00,000',
  '1,000.5,0',
  '1e3',
  '1 00',
  '1, 000',
  '1 000,000',
  '500-',
  '5/00',
  '1.00001',
  '100000000000000',
  '-100,000,000,000,000',
  '½',
])('%j is no amount', (typed) => {
  expect(readTypedAmount(typed)).toBeUndefined();
});

test('digits of every script are plain ones, and letters stay', () => {
  expect(plainDigits('۰۹ ٠٩ ०९ ০৯ ०abc 09')).toBe('09 09 09 09 0abc 09');
  expect(plainDigits('\u200e8123\u202c990\u200f')).toBe('8123990');
});
