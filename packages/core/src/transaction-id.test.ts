import fc from 'fast-check';
import { expect, test } from 'vitest';
import { transactionId, transactionKey } from './transaction-id.ts';

test.each([
  ['28311906999', '28311906999'],
  [' 2831 1906 999 ', '28311906999'],
  ['TID: 28311906999', '28311906999'],
  ['tid 28311906999', '28311906999'],
  ['TID:2831 1906 999', '28311906999'],
  ['TID: 28311906999 500', '28311906999'],
  ['Trx ID 28311906999.', '28311906999'],
  ['TrxID: BHK3A7QX2M', 'BHK3A7QX2M'],
  ['bhk3a7qx2m', 'BHK3A7QX2M'],
  ['Txn. No. 28311906999', '28311906999'],
  ['Transaction ID: 28311906999', '28311906999'],
  ['UPI Ref No 412345678901', '412345678901'],
  ['UTR: SBIN412345678901', 'SBIN412345678901'],
  ['Ref#FT24011ABCDE', 'FT24011ABCDE'],
  ['Rs 500 sent to Ali Khan. TID: 28311906999 on 29 Nov', '28311906999'],
  ['\u202a283\u200b11906999\u202c', '28311906999'],
  ['283\u00a011906999', '28311906999'],
  ['۲۸۳۱۱۹۰۶۹۹۹', '28311906999'],
  ['28311906999;', '28311906999'],
  ['TID: REF:28311906999', '28311906999'],
  ['Transaction ID TRX 28311906999', '28311906999'],
  ['ID#38129381293', '38129381293'],
  ['Reference #: 28311906999', '28311906999'],
  ['Transaction number is 28311906999', '28311906999'],
  ['TrxID BHK3A7QX2M at 29/11/2026 10:40', 'BHK3A7QX2M'],
  ['You have received Tk 500.00 from 01712345678. TrxID BHK3A7QX2M', 'BHK3A7QX2M'],
  ['UPI transaction ID 412345678901', '412345678901'],
  ['UPI Ref. No. 412345678901', '412345678901'],
  ['RRN : 412345678901', '412345678901'],
  ['IDEA1234', 'IDEA1234'],
  ['TX12345678', 'TX12345678'],
  ['TXN12345678', 'TXN12345678'],
  ['REF-2024-001', 'REF-2024-001'],
  ['FT 24011/ABC', 'FT24011/ABC'],
])('the ID of %j is %s', (text, id) => {
  expect(transactionId(text)).toBe(id);
  expect(transactionId(id)).toBe(id);
});

test('an ID is read as itself', () => {
  const part = fc.constantFrom(
    ...[
      'TID',
      'Trx ID',
      'REF',
      'UTR',
      ':',
      '#',
      '.',
      '-',
      ' ',
      ',',
      '28311906999',
      '123',
      'AB1',
      'sent',
    ],
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
      const id = transactionId(parts.join(''));
      expect(transactionId(id)).toBe(id);
    }),
    { numRuns: 3_000 },
  );
});

test('keys are equal however an ID is grouped', () => {
  expect(transactionKey('283-1190.6999')).toBe(transactionKey('TID: 2831 1906 999'));
});
