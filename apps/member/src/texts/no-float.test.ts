import { expect, test } from 'vitest';
import { bn } from './bn.ts';
import { en } from './en.ts';
import { hi } from './hi.ts';
import { ur } from './ur.ts';

/** By language: its words for `finish`, and its word for the operator. */
test.each([
  [en, /finish/i, 'operator'],
  [ur, /مکمل/, 'آپریٹر'],
  [hi, /पूर[ाे]/, 'ऑपरेटर'],
  [bn, /শেষ/, 'অপারেটর'],
])(
  'who has no free float is not asked to finish deposits, which frees none',
  (texts, finish, operator) => {
    expect(texts.noOrders.full(10)).toMatch(finish); // the word that this language has for it
    expect(texts.noOrders.noFloat).not.toMatch(finish);
    expect(texts.noOrders.noFloat).toContain(operator);
  },
);
