import { expect, test } from 'vitest';
import {
  addMoney,
  amountText,
  basisPointsOf,
  compareMoney,
  groupedAmount,
  isSentFor,
  isZero,
  localAmountText,
  payableAmount,
  plainAmount,
  readAmount,
  roundedAmount,
  shareOf,
  subtractMoney,
} from './money.ts';

const MOST = '99999999999999.9999';

test('sums keep every digit of the largest amounts', () => {
  expect(addMoney(MOST, MOST, '0.0001')).toBe('199999999999999.9999');
  expect(subtractMoney('0', MOST)).toBe(`-${MOST}`);
  expect([compareMoney(MOST, '99999999999999.9998'), compareMoney('1', '1.0')]).toEqual([1, 0]);
  expect([isZero('0.0000'), isZero('-0.0001')]).toEqual([true, false]);
});

test.each([
  ['1500', '1,500'],
  ['1500.5', '1,500.50'],
  ['0.0001', '0.0001'],
  ['-1234567.25', '\u22121,234,567.25'],
  [MOST, '99,999,999,999,999.9999'],
])('%s is shown as %s', (amount, shown) => {
  expect(groupedAmount(amount)).toBe(shown);
});

test('of an order with more decimals people send two', () => {
  const deposit = { orderType: 'Deposit', amount: '200.7647' } as const;
  expect([payableAmount(deposit), roundedAmount(deposit)]).toEqual(['200.77', '200.77']);
  const even = { orderType: 'Withdrawal', amount: '200.5' } as const;
  expect([payableAmount(even), roundedAmount(even)]).toEqual(['200.5', null]);
  expect(['200.77', '200.7647', '200.76'].map((sent) => isSentFor(deposit, sent))).toEqual([
    true,
    true,
    false,
  ]);
});

test('the currency stands first and does not part from its digits', () => {
  expect(amountText('1500.5', 'PKR')).toBe('PKR\u00a01,500.50');
  expect(amountText('-5', 'PKR')).toBe('\u2212PKR\u00a05');
});

test.each([
  ['2500', 'INR', '₹2,500'],
  ['150000', 'INR', '₹1,50,000'],
  ['12345678.5', 'INR', '₹1,23,45,678.50'],
  ['-100000', 'INR', '\u2212₹1,00,000'],
  ['999', 'INR', '₹999'],
  ['150000', 'BDT', '৳150,000'],
  ['-0.25', 'BDT', '\u2212৳0.25'],
  ['150000', 'PKR', 'PKR\u00a0150,000'],
])('%s of %s is %s where it is paid', (amount, currency, text) => {
  expect(localAmountText(amount, currency)).toBe(text);
});

test('what is copied is plain', () => {
  expect(plainAmount('1500.5000')).toBe('1500.5');
});

test.each([
  ['1,500.50', '1500.5'],
  [' 2500 ', '2500'],
  ['۲٬۵۰۰', '2500'],
  ['1,00,0', undefined],
  ['1e3', undefined],
  ['1.00001', undefined],
  ['', undefined],
])('%j is typed for %j', (typed, amount) => {
  expect(readAmount(typed)).toBe(amount);
});

test('text that is no amount is a mistake of ours', () => {
  expect(() => addMoney('1', 'one')).toThrow(RangeError);
});

test('a share is exact to four decimals, however large the amounts', () => {
  expect(shareOf('2500', '10000')).toBe(0.25);
  expect(shareOf('33333333333333.3333', '99999999999999.9999')).toBe(0.3333);
  expect(shareOf('0', '5')).toBe(0);
});

test('hundredths of a percent are rounded to two decimals', () => {
  expect(basisPointsOf('20700', 50)).toBe('103.5');
  expect(basisPointsOf('99999999999999.9999', 33)).toBe('330000000000');
  expect(basisPointsOf('1', 50)).toBe('0.01');
  expect(basisPointsOf('0.99', 50)).toBe('0');
});
