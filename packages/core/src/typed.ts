import { AMOUNT_MAX, type Money, parseMoney } from './money.ts';

/** What people type, on a keyboard of any script. */

/** The zeros of the scripts of our customers and members, and of keyboards of wide letters. */
export const SCRIPT_ZEROS = [
  0x660, 0x6f0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xff10,
];

/** Marks of direction that keyboards and copied texts bring along. */
export const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * The text without marks of direction and with every digit as 0 to 9: `۱۰۰۰`, `१०००`, `১০০০` and
 * `١٠٠٠` are `1000`.
 */
export const plainDigits = (text: string): string =>
  text.replaceAll(DIRECTION, '').replaceAll(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    const zero = SCRIPT_ZEROS.find((each) => code >= each && code < each + 10);
    return zero === undefined ? digit : String(code - zero);
  });

/** Groups of three, as in `1,000,000`, or of two before the last three, as in `10,00,000`. */
const GROUPED = /^-?(?:\d{1,3}(?:,\d{3})+|\d{1,2}(?:,\d{2})*,\d{3})(?:\.\d+)?$/;

/**
 * Reads an amount. Digits may be of any script and grouped as people group them, by commas or
 * spaces; `/-` or `/=` may follow, as shops write it. Undefined for everything else (commas in other places
 * may be meant as a decimal point), and for more than `AMOUNT_MAX`, which no column holds.
 */
export function readTypedAmount(typed: string): Money | undefined {
  const amount = readGrouped(typed);
  return amount === undefined || amount > AMOUNT_MAX || amount < -AMOUNT_MAX ? undefined : amount;
}

function readGrouped(typed: string): Money | undefined {
  const text = plainDigits(typed)
    .trim()
    .replace(/ ?\/[-=]$/, '')
    .replaceAll(/[\u060c\u066c]/g, ',')
    .replaceAll('\u066b', '.');
  const grouped = text.includes(',') ? text : text.replaceAll(/[ \u00a0\u202f]/g, ',');
  if (!grouped.includes(',')) return parseMoney(grouped);
  return GROUPED.test(grouped) ? parseMoney(grouped.replaceAll(',', '')) : undefined;
}
