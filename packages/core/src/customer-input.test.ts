import { describe, expect, test } from 'vitest';
import { lastDigits } from './customer-input.ts';

describe('the last digits of a transaction ID', () => {
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
  ] as const)('%s, last %i: %s', (typed, count, digits) => {
    expect(lastDigits(typed, count)).toBe(digits);
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
  ])('%j is no whole ID with letters, and has fewer than 4', (typed) => {
    expect(lastDigits(typed, 4)).toBeUndefined();
  });
});
