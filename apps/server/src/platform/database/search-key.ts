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

/** What core's accountKey makes of an account number, as SQL. */
export const accountKeyOf = (column: string) =>
  `regexp_replace(regexp_replace(upper(translate(${column}, ${FROM}, '${TO}')), '${GROUP_MARKS}', '', 'g'), '${MOBILE_PREFIX}', '')`;
