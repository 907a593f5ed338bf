import { expect, test } from 'vitest';
import { isMasked, maskAccount, maskForGood, maskLogin, maskName, withKeptLogin } from './mask.ts';

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

test.each([
  ['https://user:password@shop.example/hook?a=b@c', 'https://***@shop.example/hook?a=b@c'],
  ['https://token@shop.example', 'https://***@shop.example'],
  ['HTTP://:p@ss@shop.example:81#x', 'HTTP://***@shop.example:81#x'],
  ['https://@shop.example/', 'https://***@shop.example/'],
  ['https://***@shop.example/', 'https://***@shop.example/'],
  ['https://shop.example/@user', 'https://shop.example/@user'],
  ['https://shop.example?to=a@b', 'https://shop.example?to=a@b'],
  ['owner@shop.example', 'owner@shop.example'],
])('the URL %s is shown as %s', (url, shown) => {
  expect(maskLogin(url)).toBe(shown);
});

const KEPT = 'https://user:p%40ss@shop.example/hook';
test.each([
  ['https://***@shop.example/hook', KEPT, KEPT],
  ['https://***@shop.example/other?a=b', KEPT, 'https://user:p%40ss@shop.example/other?a=b'],
  ['https://***@SHOP.example:443/hook', KEPT, 'https://user:p%40ss@SHOP.example:443/hook'],
  ['https://***@shop.example/', 'https://$&:$1@shop.example/', 'https://$&:$1@shop.example/'],
  ['https://new:login@shop.example/hook', KEPT, 'https://new:login@shop.example/hook'],
  ['https://shop.example/hook', KEPT, 'https://shop.example/hook'],
  ['https://***@thief.example/hook', KEPT, undefined],
  ['http://***@shop.example/hook', KEPT, undefined],
  ['https://***@shop.example:8443/hook', KEPT, undefined],
  ['https://***@shop.example/hook', 'https://shop.example/hook', undefined],
  ['https://***@shop.example/hook', null, undefined],
])('%s, sent where %s is kept, means %s', (sent, kept, meant) => {
  expect(withKeptLogin(sent, kept)).toBe(meant);
});
