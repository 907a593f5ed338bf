import type { Money } from '@munshi/core';
import { expect, test } from 'vitest';
import { amountText, timeText } from './format.ts';
import { LANGUAGES } from './texts/languages.ts';

const money = (tenThousandths: bigint) => tenThousandths as Money;

test.each([
  ['en', 15_005_000n, 'PKR', 'PKR 1,500.50'],
  ['en', 15_000_000n, 'PKR', 'PKR 1,500'],
  ['en', 1n, 'PKR', 'PKR 0.0001'],
  ['en', 999_999_999_999_999_999n, 'PKR', 'PKR 99,999,999,999,999.9999'],
  ['ur', 15_005_000n, 'PKR', 'PKR 1,500.50'],
  ['hi', 123_456_781_234n, 'INR', '₹1,23,45,678.1234'],
  ['en', 1_500_000_000n, 'INR', '₹1,50,000'],
  ['bn', 15_005_000n, 'BDT', '৳1,500.50'],
  ['en', 25_000_000n, 'BDT', '৳2,500'],
] as const)('%s reads %d ten-thousandths of %s as %s', (code, amount, currency, text) => {
  expect(amountText(money(amount), currency, LANGUAGES[code])).toBe(text);
});

test.each([
  ['PKR', /^11:42\sAM$/],
  ['INR', /^12:12\sPM$/],
  ['BDT', /^12:42\sPM$/],
] as const)('a time is the clock of the country that pays in %s', (currency, text) => {
  expect(timeText(Date.UTC(2026, 10, 21, 6, 42), currency, LANGUAGES.en)).toMatch(text);
});
