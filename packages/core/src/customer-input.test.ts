import { describe, expect, test } from 'vitest';
import { readDigits } from './customer-input.ts';

describe('the last digits that a text means', () => {
  test.each([
    ['4821', 4, '4821'],
    ['120098344821', 4, '4821'],
    ['120098344821', 8, '98344821'],
    ['TID 12009834', 4, '9834'],
    ['5C8300HJ6V', 4, '3006'],
    ['BFD9KRC2ZA', 4, '0092'],
    ['aahkz7xobc', 4, '0007'],
    ['71D7YXQK', 4, '0717'],
    ['BFD9KRC2ZA', 8, '00000092'],
    ['\u06f1\u06f2\u06f3\u06f4', 4, '1234'],
    ['Tk 500 sent. TrxID BFD9KRC2ZA at 07/06/2026 22:45', 4, '0092'],
  ] as const)('%s, last %i: %s', (typed, count, digits) => {
    expect(readDigits(typed, count).map((meant) => meant.digits)).toEqual([digits]);
  });

  test.each([
    '',
    '12',
    '123',
    '0',
    'K2Z',
    'D7YXQK1',
    'AAHKZGXOBC',
    'paid it 5',
    'I paid 100 today',
    '07/06/2026 22:45',
    'Tk 5000 sent. Balance Tk 2245.00',
  ])('%j is no whole ID with letters, and has fewer than 4', (typed) => {
    expect(readDigits(typed, 4)).toEqual([]);
  });

  test('are asked for where a message names several IDs, once each', () => {
    const text = 'Ref TID 28311906999. TrxID AB12CD34EF, UTR 615822456999';
    expect(readDigits(text, 4)).toEqual([
      { id: '28311906999', digits: '6999' },
      { id: 'AB12CD34EF', digits: '1234' },
    ]);
  });
});
