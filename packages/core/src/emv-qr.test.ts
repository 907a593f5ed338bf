import { describe, expect, test } from 'vitest';
import { withAmount } from './emv-qr.ts';
import type { Currency } from './method.ts';
import { money } from './money.ts';

// Made by a program of its own; its checksum was held to the specification's example below.
const START = '00020101021126280008pk.wallet01110300123456752045999530358';
const STATIC = `${START}65802PK5910Sana Iqbal6006Lahore630455D0`;
const PAID =
  '00020101021226280008pk.wallet01110300123456752045999530358654071500.505802PK5910Sana Iqbal6006Lahore6304509F';

describe('the amount in an EMVCo code', () => {
  test.each([
    ['a code that is used again and again is for one payment', STATIC],
    ['a checksum may be in lower case', STATIC.replace('55D0', '55d0')],
    [
      'a code that does not say so either',
      '00020126280008pk.wallet0111030012345675204599953035865802PK5910Sana Iqbal6006Lahore630488FB',
    ],
    [
      'an amount that is there is replaced',
      '00020101021126280008pk.wallet0111030012345675204599953035865402105802PK5910Sana Iqbal6006Lahore6304A5FC',
    ],
    ['the order’s own code stays', PAID],
  ])('%s', (_name, payload) => {
    expect(withAmount(payload, money('1500.5'), 'PKR')).toBe(PAID);
  });

  test('lengths count characters, and the checksum is of the bytes', () => {
    expect(
      withAmount(
        '00020101021126130009wallet.bd5204599953030505802BD5905Rahim6005Dhaka64150002bn0105রহিমx63048C52',
        money('99'),
        'BDT',
      ),
    ).toBe(
      '00020101021226130009wallet.bd520459995303050540599.005802BD5905Rahim6005Dhaka64150002bn0105রহিমx6304FF02',
    );
  });

  // EMVCo, QR Code Specification for Payment Systems, Merchant-Presented Mode 1.1, annex A: its
  // checksum is right, and its currency is none of ours.
  const SPECIFIED =
    '00020101021229300012D156000000000510A93FO3230Q31280012D15600000001030812345678520441115802CN5914BEST TRANSPORT6007BEIJING64200002ZH0104最佳运输0202北京540523.7253031565502016233030412340603***0708A60086670902ME91320016A0112233449988770708123456786304A13A';
  test.each([
    ['a code of another currency', SPECIFIED],
    ['a wrong checksum', STATIC.replace('55D0', '55D1')],
    ['an order in another currency', STATIC, 'INR'],
    [
      'a tip that the payer adds',
      '00020101021126280008pk.wallet0111030012345675204599953035865502015802PK5910Sana Iqbal6006Lahore6304CD22',
    ],
    ['a length that leads nowhere', `${START.slice(0, 12)}2699x6304A13A`],
    ['a link', 'upi://pay?pa=sana@bank&pn=Sana'],
    [
      'a code that its bank signed in a template of its own, the first',
      '00020101021126280008pk.wallet0111030012345675204599953035865802PK5910Sana Iqbal6006Lahore8012SIGNATURE=ab6304E843',
    ],
    [
      'the last such template',
      '00020101021126280008pk.wallet0111030012345675204599953035865802PK5910Sana Iqbal6006Lahore9904abcd63042F1D',
    ],
    ['a code of the Raast scheme', '00020201021202021004ABCD'],
    ['a text', 'qr:abcdef'],
    ['nothing', ''],
  ] as const)('%s is left as it is', (_name, payload, currency: Currency = 'PKR') => {
    expect(withAmount(payload, money('1500.5'), currency)).toBe(payload);
  });

  test.each([
    ['0.01', '54040.01'],
    ['7', '54047.00'],
    ['1500.5', '54071500.50'],
    ['9999999999.99', '54139999999999.99'],
  ])('%s is %s in it', (amount, object) => {
    expect(withAmount(STATIC, money(amount), 'PKR')).toContain(`${object}5802PK`);
  });

  test('of an amount with more than 13 characters it has none', () => {
    expect(withAmount(STATIC, money('10000000000'), 'PKR')).toBe(STATIC);
  });

  test('a code without room for it is left as it is', () => {
    const long = ['70', '71', '72'].map((id) => `${id}99${'x'.repeat(99)}`).join('');
    const full = `${STATIC.slice(0, -8)}${long}7388${'x'.repeat(88)}6304F5AE`;
    expect(full).toHaveLength(498);
    expect(withAmount(full, money('1'), 'PKR')).toContain('54041.00');
    expect(withAmount(full, money('1234567.89'), 'PKR')).toHaveLength(512);
    expect(withAmount(full, money('12345678.9'), 'PKR')).toBe(full);
  });
});
