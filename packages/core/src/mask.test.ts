import { expect, test } from 'vitest';
import { maskAccount, maskName } from './mask.ts';

test.each([
  ['03001234567', '…4567'],
  ['4567', '4567'],
  ['PK36SCBL0000001123456702', '…6702'],
])('the account %s is shown as %s', (account, shown) => {
  expect(maskAccount(account)).toBe(shown);
});

test.each([
  ['Sana Iqbal', 'S… I…'],
  ['  Ali ', 'A…'],
  ['সানা', 'স…'],
])('the name %s is shown as %s', (name, shown) => {
  expect(maskName(name)).toBe(shown);
});
