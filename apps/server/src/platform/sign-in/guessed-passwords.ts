import { dictionary } from '@zxcvbn-ts/language-common';

/** Shorter passwords are refused for their length. */
const LENGTH_MIN = 8;
/**
 * The commonest of what was leaked, in lower case. What follows a pattern is not in the list: the
 * rules below stand for it.
 */
const COMMON = new Set(dictionary['passwords-common'].filter(({ length }) => length >= LENGTH_MIN));
const REPEATED = /^(.{1,6}?)\1+$/su;
/** Dates, telephone and identity numbers. A member's telephone number is what customers pay to. */
const NUMBER = /^\d{1,13}$/;
const ROWS = ['abcdefghijklmnopqrstuvwxyz', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'].flatMap((row) => [
  row,
  [...row].toReversed().join(''),
]);

/**
 * Whether a password is among the first that are tried: a common one, a short text again and again,
 * a row of keys, or a number.
 */
export function isGuessedFirst(password: string): boolean {
  const plain = password.normalize('NFC').toLowerCase();
  return (
    COMMON.has(plain) ||
    REPEATED.test(plain) ||
    NUMBER.test(plain) ||
    ROWS.some((row) => row.includes(plain))
  );
}
