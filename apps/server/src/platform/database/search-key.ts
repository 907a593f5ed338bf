import { DASHES, GROUP_MARKS, MOBILE_PREFIX, NUMBER_SEPARATORS, SCRIPT_DIGITS } from '@munshi/core';

/** What core's transactionKey makes of a transaction ID as it is stored, as SQL. */
export const transactionKeyOf = (column: string) => `upper(translate(${column}, ' -./+', ''))`;

const literal = (text: string) =>
  `E'${text.replaceAll(
    /[^ -&(-[\]-~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )}'`;
const FROM = literal(SCRIPT_DIGITS + DASHES + NUMBER_SEPARATORS);
const TO = '0123456789'.repeat(SCRIPT_DIGITS.length / 10) + '-'.repeat(DASHES.length);

/** Letters that Arabic keyboards have in place of those of Urdu. */
const ARABIC = '\u064a\u0649\u0643\u0647';
const URDU = '\u06cc\u06cc\u06a9\u06c1';
/** Joiners, the tatweel and vowel marks: written by some, seen as the same. */
const LEFT_OUT = '\u200c\u200d\u0640\u064b\u064c\u064d\u064e\u064f\u0650\u0651\u0652';

/** A name however it is typed, to look for a part of it: in any case, on any keyboard. */
export const nameKeyOf = (name: string) =>
  `translate(normalize(lower(${name}), NFC), ${literal(ARABIC + LEFT_OUT)}, ${literal(URDU)})`;

/** What core's accountKey makes of an account number, as SQL. */
export const accountKeyOf = (column: string) =>
  `regexp_replace(regexp_replace(upper(translate(${column}, ${FROM}, '${TO}')), '${GROUP_MARKS}', '', 'g'), '${MOBILE_PREFIX}', '')`;
