import { type Currency, METHODS, type WalletType } from './method.ts';
import { DIRECTION, plainDigits, SCRIPT_ZEROS } from './typed.ts';

/**
 * One reading of account numbers: mobile numbers, IBANs, cards, UPI IDs and bank accounts, as people
 * type them, read them aloud and copy them from chats and PDF files. `accountKeyOf` of the server
 * says the same in SQL, made of the constants below.
 */

/** The digits of every script that people type, each script from 0 to 9. */
export const SCRIPT_DIGITS = SCRIPT_ZEROS.map((zero) =>
  String.fromCodePoint(...Array.from({ length: 10 }, (_, digit) => zero + digit)),
).join('');

const characters = (first: number, last: number) =>
  String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, at) => first + at));

/** Every dash, the plain hyphen apart. */
export const DASHES = `${characters(0x2010, 0x2015)}\u2212\ufe63\uff0d`;

/**
 * What groups a number or comes along unseen, dots and dashes apart: spaces, brackets, marks of
 * direction and of zero width.
 */
export const NUMBER_SEPARATORS = [
  ' /+()[]\t\n\r',
  '\u00a0\u00ad\u061c',
  characters(0x2000, 0x200f), // spaces and marks of zero width
  characters(0x2028, 0x202f), // breaks, marks of direction, the narrow space
  characters(0x205f, 0x2064),
  characters(0x2066, 0x2069),
  '\u3000\ufeff\uff0b',
].join('');

/** Dots and hyphens, but not those of a UPI ID's user, which are a part of the name. */
export const GROUP_MARKS = '[.-](?=[^@]*$)';

/**
 * What comes before the ten digits of a mobile number of Pakistan, India or Bangladesh: the zero of
 * calls within the country, or the country's code. A bank account of this length and form has the
 * same key as the mobile number; it is stored as it is (readAccountNumber).
 */
export const MOBILE_PREFIX = [
  '^(?:(?:00)?920?|0)(?=3[0-9]{9}$)',
  '^(?:(?:00)?910?|0)(?=[6-9][0-9]{9}$)',
  '^(?:(?:00)?8800?|0)(?=1[3-9][0-9]{8}$)',
].join('|');

const DASH = new RegExp(`[${DASHES}]`, 'g');
const SEPARATOR = new RegExp(`[${NUMBER_SEPARATORS.replaceAll(/[\]\\[]/g, '\\$&')}]`, 'g');
const GROUP_MARK = new RegExp(GROUP_MARKS, 'g');
const PREFIX = new RegExp(MOBILE_PREFIX);

/** A number in capitals, without what groups it, and with digits from 0 to 9. */
export const withoutGroups = (text: string): string =>
  plainDigits(text.replaceAll(DASH, '-').replaceAll(SEPARATOR, ''))
    .toUpperCase()
    .replaceAll(GROUP_MARK, '');

/**
 * Equal for every way to write one account number. `+92 300 123-4567`, `00923001234567` and
 * `03001234567` are `3001234567`.
 */
export const accountKey = (text: string): string => withoutGroups(text).replace(PREFIX, '');

const MOBILES: Readonly<Record<Currency, { readonly key: RegExp; readonly zero: string }>> = {
  PKR: { key: /^3\d{9}$/, zero: '0' },
  INR: { key: /^[6-9]\d{9}$/, zero: '' },
  BDT: { key: /^1[3-9]\d{8}$/, zero: '0' },
};

/** A mobile number as it is written in the currency's country; undefined for everything else. */
export function localMobile(text: string, currency: Currency): string | undefined {
  const { key, zero } = MOBILES[currency];
  const number = accountKey(text);
  return key.test(number) ? zero + number : undefined;
}

/** Marks of no width. The joiners are none of them: words of our customers' scripts have them. */
const UNSEEN = /[\u00ad\u200b\u2060-\u2064\ufeff]/g;

/** Single spaces and plain hyphens, without marks of direction and of no width. */
export const seenLine = (text: string): string =>
  text
    .replaceAll(DIRECTION, '')
    .replaceAll(UNSEEN, '')
    .replaceAll(DASH, '-')
    .replaceAll(/\s+/g, ' ')
    .trim();
/** The same with digits from 0 to 9. */
export const plainLine = (text: string): string => plainDigits(seenLine(text));

const IBAN = /^[A-Z]{2}\d{2}[A-Z]{4}[A-Z0-9]{8,26}$/;

/** Turns the text behind it around. Contacts and chats add others, which are harmless. */
const RIGHT_TO_LEFT_OVERRIDE = '\u202e';

/**
 * The number of an account as it is stored. A mobile wallet's is written as its country writes
 * mobile numbers, another number or an IBAN without groups, a UPI ID without spaces. Words stay,
 * such as the name of a bank. A text with an override stays as it is, and is refused.
 */
export function readAccountNumber(
  text: string,
  { currency, walletType }: { readonly currency: Currency; readonly walletType: WalletType },
): string {
  if (text.includes(RIGHT_TO_LEFT_OVERRIDE)) return text;
  const mobile = METHODS[walletType].namedBy === 'mobile' ? localMobile(text, currency) : undefined;
  const number = withoutGroups(text);
  if (mobile !== undefined || /^\d+$/.test(number) || IBAN.test(number)) return mobile ?? number;
  const line = plainLine(text);
  return line.includes('@') ? line.replaceAll(' ', '') : line;
}
