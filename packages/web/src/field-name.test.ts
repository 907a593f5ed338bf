import { expect, test } from 'vitest';
import { fieldName } from './field-name.ts';

test.each([
  ['payoutWindowSeconds', 'Payout window seconds'],
  ['amount', 'Amount'],
  ['defaultCallbackURL', 'Default callback URL'],
  ['ipWhitelist', 'Ip whitelist'],
  ['creditOf10000', 'Credit of 10000'],
  ['late-claims', 'Late claims'],
  ['', ''],
])('the field %j is called %j', (name, label) => {
  expect(fieldName(name)).toBe(label);
});
