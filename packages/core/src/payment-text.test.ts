import { describe, expect, test } from 'vitest';
import { parseMoney } from './money.ts';
import { idAlone, PAYMENT_TEXT_MAX, readPaymentText } from './payment-text.ts';
import { INCOMING, OUTGOING, UNSAID } from './testdata/payment-texts.ts';

describe.each([
  ['out', OUTGOING],
  ['in', INCOMING],
  [undefined, UNSAID],
] as const)('messages of money that went %s', (direction, samples) => {
  test.each(samples)('%s: %s', (_from, text, ids, amounts) => {
    expect(readPaymentText(text)).toEqual({ ids, amounts: amounts.map(parseMoney), direction });
  });
});

describe('the IDs of a text', () => {
  test.each([
    ['28311906999', ['28311906999']],
    ['TID: 2831 1906 999', ['28311906999']],
    ['BFD9KRC2ZA', ['BFD9KRC2ZA']],
    ['\u202a283\u200b11906999\u202c', ['28311906999']],
    ['My ID is 38129381293', ['38129381293']],
    ['TID hai 28311906999 bhai', ['28311906999']],
    [
      'Send Money Tk 500.00 to 01712345678 successful. Ref TrxID 9AB8C7D6E5. Fee Tk 5.00. TrxID DCK1B9P81H at 07/06/2026 22:45',
      ['9AB8C7D6E5', 'DCK1B9P81H'],
    ],
    [
      'PKR 500 received from ALI A/C *1234 on 07-Jun-26 Ref # 960855 Remarks: TID 28311906999 sent',
      ['960855', '28311906999'],
    ],
    ['Ref 28311906999. TrxID ABC1234XYZ', ['28311906999', 'ABC1234XYZ']],
    ['TID 28311906999, Trx ID 28311906999', ['28311906999']],
  ])('%j: %j', (text, ids) => {
    expect(readPaymentText(text).ids).toEqual(ids);
  });

  test.each([
    '',
    'I paid 100 today',
    '07/06/2026 22:45',
    '07-06-2026',
    '07-Jun-2026',
    '2026-06-07',
    '07Jun26',
    '03001234567',
    '+92 300 1234567',
    '01712345678',
    '9876543210',
    'PK36SCBL0000001123456702',
    'XX1234567',
    'Rs500000',
    '500',
    'Txn of Rs.500000 on 07-06-2026 at 22:45:10',
    'Transaction 150000.00 is done',
    'Trans Date: 07-06-2026 Txn 07-Jun-2026 Ref 2026-06-07 22:45',
    'Sent to A/C 01234567890123, IBAN PK36SCBL0000001123456702',
    'A/C *123456 XX123456 0101xxx9901234 debited. Ref XX123456',
    'Ref 03001234567. ID 01712345678',
    'UPI ID 9876543210@ybl. VPA 987654321012@upi. Till ID 981234567. Customer ID 38129381293',
    'Raast ID 923001234567, UPI 919876543210',
    'NEFT HDFC0001234',
    '482913 is your OTP. Call 111-111-425 or 18002586161.',
    'Balance Rs 123456789. Fee 1234567890',
    `TID 28311906999${' '.repeat(PAYMENT_TEXT_MAX)}`,
    'TID 283\u202e11906999',
  ])('%j names none', (text) => {
    expect(readPaymentText(text).ids).toEqual([]);
  });
});

describe('the amounts of a text', () => {
  test.each([
    ['Rs.500 paid twice: Rs 500.00 and PKR500', ['500']],
    ['500 rupay bhej diye, 20/- Rs kharcha', ['500', '20']],
    ['Fee deducted Rs 5. Received PKR 1,00,000.50', ['100000.5']],
    ['Avl. Bal. Rs 500; total limit INR 9,000; Rs. 5 charged, Rs 7 fee deducted', ['5']],
    ['A/C 1234 PKR 500 TID 28311906999 Rs 20', ['500', '20']],
    ['PKR 55.000.00 sent, Rs 1,2,3 too', []],
    ['28311906999 at 22:45', []],
  ])('%s: %j', (text, amounts) => {
    expect(readPaymentText(text).amounts).toEqual(amounts.map(parseMoney));
  });
});

describe('whose money it was', () => {
  test.each([
    ['Rs 500 sent to you by Ali', 'in'],
    ['Rs 500 transferred to your wallet', 'in'],
    ['Rs 500 transferred from your wallet', 'out'],
    ['Your transaction of Rs 500 to Ali was declined. Amount debited is reversed', undefined],
    ['28311906999', undefined],
  ])('%s: %s', (text, direction) => {
    expect(readPaymentText(text).direction).toBe(direction);
  });
});

describe('an ID alone', () => {
  test.each([
    ['4821', '4821'],
    ['TrxID 4711', '4711'],
    ['TX-0012 3456 7890', 'TX-001234567890'],
    ['\u06f1\u06f2\u06f3\u06f4', '1234'],
    ['03001234567', '03001234567'],
    ['paid it 5', undefined],
    ['07-06-2026', undefined],
    ['1234.5', undefined],
    ['1234\0', undefined],
    ['12\u202e34', undefined],
    ['PK36SCBL0000001123456702', undefined],
  ])('%j: %s', (text, id) => {
    expect(idAlone(text)).toBe(id);
  });
});
