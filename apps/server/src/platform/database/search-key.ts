import { MOBILE_PREFIX, NUMBER_SEPARATORS, SCRIPT_DIGITS } from '@munshi/core';

/** What core's transactionKey makes of a transaction ID as it is stored, as SQL. */
export const transactionKeyOf = (column: string) => `upper(translate(${column}, ' -./+', ''))`;

const literal = (text: string) =>
  `E'${text.replaceAll(
    /[^ -&(-[\]-~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )}'`;
const FROM = literal(SCRIPT_DIGITS + NUMBER_SEPARATORS);
const DIGITS = '0123456789'.repeat(SCRIPT_DIGITS.length / 10);

/** What core's accountKey makes of an account number, as SQL. */
export const accountKeyOf = (column: string) =>
  `regexp_replace(upper(translate(${column}, ${FROM}, '${DIGITS}')), '${MOBILE_PREFIX}', '')`;
