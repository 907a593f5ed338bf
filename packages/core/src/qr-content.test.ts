import { describe, expect, test } from 'vitest';
import { withAmount } from './emv-qr.ts';
import { money } from './money.ts';
import { qrWarnings, readQrContent } from './qr-content.ts';

const object = (id: string, value: string) =>
  `${id}${String(value.length).padStart(2, '0')}${value}`;

/** As EMVCo lays it out, with its checksum made by the code that puts an amount in. */
function emvCode(number: string, name: string): string {
  const text = [
    object('00', '01'),
    object('01', '11'),
    object('28', object('00', 'pk.raast') + object('01', number)),
    object('52', '0000'),
    object('53', '586'),
    object('58', 'PK'),
    object('59', name),
    object('60', 'Lahore'),
  ].join('');
  return `${text}6304${checksum(`${text}6304`)}`;
}

/** CRC-16/CCITT-FALSE, bit by bit. */
function checksum(text: string): string {
  let crc = 0xffff;
  for (const character of text)
    for (let bit = 7; bit >= 0; bit -= 1) {
      const flips = ((crc >> 15) ^ (character.charCodeAt(0) >> bit)) & 1;
      crc = ((crc << 1) & 0xffff) ^ (flips === 1 ? 0x1021 : 0);
    }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}

const account = { accountNumber: '0300 1234567', accountTitle: 'Sana Iqbal' };
const warningsOf = (qrPayload: string | null, given: Partial<typeof account> = {}) =>
  qrWarnings({ ...account, ...given, qrPayload });

test('a merchant’s code is read: whom it names and which accounts', () => {
  expect(readQrContent(emvCode('923001234567', 'SANA IQBAL'))).toEqual({
    form: 'EMVCo',
    name: 'SANA IQBAL',
    numbers: ['923001234567'],
    amount: null,
  });
});

test('a UPI link is read', () => {
  expect(readQrContent('upi://pay?pa=sana@okbank&pn=Sana%20Iqbal&am=10.00')).toEqual({
    form: 'UPI',
    name: 'Sana Iqbal',
    numbers: ['sana@okbank'],
    amount: '10.00',
  });
});

describe('a code that fits its account has no warning', () => {
  test.each([
    ['none', null, {}],
    ['the number with the country', emvCode('923001234567', 'Sana Iqbal'), {}],
    ['a name that was cut', emvCode('03001234567', 'Sana Iqb'), {}],
    ['other letters of the name', emvCode('03001234567', 'SANA-IQBAL'), {}],
    [
      'an IBAN around the number',
      emvCode('PK36SCBL0000001123456702', 'Sana Iqbal'),
      {
        accountNumber: '1123456702',
      },
    ],
    ['a UPI link', 'upi://pay?pa=sana@okbank&pn=Sana Iqbal', { accountNumber: 'SANA@okbank' }],
    ['the plain number', 'tel:0300-1234567', {}],
  ])('%s', (_name, payload, given) => {
    expect(warningsOf(payload, given)).toEqual([]);
  });
});

describe('a code that does not fit is named', () => {
  test.each([
    ['another number', emvCode('923009999999', 'Sana Iqbal'), ['number-differs']],
    ['another name', emvCode('03001234567', 'Bilal Khan'), ['title-differs']],
    ['both', emvCode('1', 'Bilal'), ['number-differs', 'title-differs']],
    ['one without any account', 'upi://pay?pn=Sana%20Iqbal', ['number-differs']],
    ['a wrong checksum', `${emvCode('923009999999', 'S').slice(0, -4)}0000`, ['unreadable']],
    ['something else', 'https://shop.example/pay', ['unreadable']],
  ])('%s', (_name, payload, warnings) => {
    expect(warningsOf(payload)).toEqual(warnings);
  });

  test('one that asks for an amount', () => {
    const filled = withAmount(emvCode('03001234567', 'Sana Iqbal'), money('25'), 'PKR');
    expect(readQrContent(filled).amount).toBe('25.00');
    expect(warningsOf(filled)).toEqual(['has-amount']);
  });
});

test('a code made to break the reading is only unreadable', () => {
  for (const payload of ['', '000201', '00020163041234', '0002010299', '28990011', '\u0000'])
    expect(() => warningsOf(payload)).not.toThrow();
});
