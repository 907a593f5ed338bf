import { expect, test } from 'vitest';
import { isGuessedFirst } from './guessed-passwords.ts';

test.each([
  ...[
    'password',
    'Password1',
    'PASSWORD123',
    'iloveyou',
    'qwertyuiop',
    '1qaz2wsx',
    'trustno1',
    'P@ssw0rd',
    'pakistan',
    'starwars',
    '1q2w3e4r',
  ],
  ...['aaaaaaaa', 'XxXxXxXx', 'qwertyqwerty', '😀😀😀😀', 'abcabcabc'],
  ...['12345678', '19841984', '25121990', '03001234567', '4210112345671'],
  ...['abcdefgh', 'HGFEDCBA', 'poiuytrewq', 'lkjhgfdsa'],
])('%s is guessed first', (password) => {
  expect(isGuessedFirst(password)).toBe(true);
});

test.each([
  'correct horse',
  'a long enough password',
  'password of my own',
  'munshi-2024-Lahore',
  '12345678901234',
  'sunshine on Mall Road',
  'qwerty, but longer',
])('%s is not', (password) => {
  expect(isGuessedFirst(password)).toBe(false);
});
