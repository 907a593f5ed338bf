import { expect, test } from 'vitest';
import { isMasked, maskAccount, maskForGood, maskName } from './mask.ts';

test.each([
  ['03001234567', '…4567'],
  ['4567', '4567'],
  ['PK36SCBL0000001123456702', '…6702'],
  ['ayesha.khan@okbank', '…an@okbank'],
  ['9812345678@ybl', '…78@ybl'],
  ['sana@okbank', '…@okbank'],
  ['…an@okbank', '…an@okbank'],
  ['Meezan @ Gulberg 0012345678901', '…8901'],
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

test.each([
  [
    ['03001234567', 'Sana Iqbal', null],
    ['…4567', 'S… I…', null],
  ],
  [
    ['1234', null, '03007654321'],
    ['…', null, '…4321'],
  ],
  [
    [null, null, '6702'],
    [null, null, '6702'],
  ],
  [
    ['…4567', 'S… I…', '…4321'],
    ['…4567', 'S… I…', '…4321'],
  ],
] as const)('of %j stays %j for good', ([number, name, payer], [shown, initials, shownPayer]) => {
  const masked = maskForGood({
    customerAccountNumber: number,
    customerAccountName: name,
    payerAccount: payer,
  });
  expect(masked).toEqual({
    customerAccountNumber: shown,
    customerAccountName: initials,
    payerAccount: shownPayer,
  });
  if (shown !== null) expect(isMasked(shown)).toBe(true);
});
