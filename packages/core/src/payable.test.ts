import { describe, expect, test } from 'vitest';
import { AMOUNT_MAX, formatMoney, money } from './money.ts';
import { amountsRoundedTo, codeAmount, isSentFor, payableAmount } from './payable.ts';

describe('what is sent of an order', () => {
  test.each([
    ['200.7647', '200.77', '200.76'],
    ['200.7601', '200.77', '200.76'],
    ['200.76', '200.76', '200.76'],
    ['200.7', '200.7', '200.7'],
    ['200', '200', '200'],
    ['199.9999', '200', '199.99'],
    ['0.0199', '0.02', '0.01'],
    ['0.01', '0.01', '0.01'],
    ['0.0099', '0.01', '0.01'],
    ['0.0001', '0.01', '0.01'],
    [formatMoney(AMOUNT_MAX), '100000000000000', '99999999999999.99'],
  ])('of %s is %s in and %s out', (amount, deposit, withdrawal) => {
    const payable = (orderType: 'Deposit' | 'Withdrawal') =>
      formatMoney(payableAmount({ orderType, amount: money(amount) }));
    expect([payable('Deposit'), payable('Withdrawal')]).toEqual([deposit, withdrawal]);
  });

  test.each([
    ['200.7647', true],
    ['200.77', true],
    ['200.76', false],
    ['200.7648', false],
    ['200.78', false],
  ])('%s for a deposit of 200.7647: %s', (sent, fits) => {
    expect(isSentFor({ orderType: 'Deposit', amount: money('200.7647') }, money(sent))).toBe(fits);
  });
});

describe('the amounts of which one is payable, without itself', () => {
  const ends = (sent: string, orderType: 'Deposit' | 'Withdrawal') => {
    const found = amountsRoundedTo(money(sent), orderType).map(formatMoney);
    return [found[0], found.at(-1), found.length];
  };
  test('of deposits lie below it, of withdrawals above', () => {
    expect(ends('200.77', 'Deposit')).toEqual(['200.7601', '200.7699', 99]);
    expect(ends('200.77', 'Withdrawal')).toEqual(['200.7701', '200.7799', 99]);
  });
  test('of withdrawals of 0.01 lie below it too', () => {
    expect(ends('0.01', 'Deposit')).toEqual(['0.0001', '0.0099', 99]);
    expect(ends('0.01', 'Withdrawal')).toEqual(['0.0001', '0.0199', 198]);
  });
  test('are none where it cannot be sent', () => {
    expect(amountsRoundedTo(money('200.7647'), 'Deposit')).toEqual([]);
  });
});

test.each([
  ['1500.5', '1500.50'],
  ['1500', '1500.00'],
  ['200.77', '200.77'],
  ['0.01', '0.01'],
])('a code has %s as %s', (amount, text) => {
  expect(codeAmount(money(amount))).toBe(text);
});
