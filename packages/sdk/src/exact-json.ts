const AMOUNTS: ReadonlySet<string> = new Set([
  'amount',
  'fee',
  'availableBalance',
  'reservedBalance',
  'frozenBalance',
]);

/** A string, with the number that follows it as a value; or a number by itself. */
const STRING_OR_NUMBER = /"((?:[^"\\]|\\.)*)"(?:(\s*:\s*)(-?\d[\d.eE+-]*))?|-?\d[\d.eE+-]*/g;

/** Every decimal of so many digits survives as a JavaScript number. */
const SAFE_DIGITS = 15;

/**
 * Parses JSON with amounts as the text that stands in it, digit for digit. Works on every Node,
 * also where `JSON.parse` does not give the source text. Throws SyntaxError when the text is not
 * JSON, and RangeError when another number has more digits than JavaScript can hold.
 */
export function parseExact(text: string): unknown {
  return JSON.parse(
    text.replaceAll(STRING_OR_NUMBER, (token, key?: string, colon?: string, value?: string) => {
      if (key === undefined) return exact(token);
      if (value === undefined) return token;
      return AMOUNTS.has(key) ? `"${key}"${colon}"${value}"` : `"${key}"${colon}${exact(value)}`;
    }),
  );
}

function exact(number: string): string {
  const digits = number.replace(/[eE].*/, '').replaceAll(/\D/g, '');
  if (digits.replaceAll(/^0+|0+$/g, '').length > SAFE_DIGITS)
    throw new RangeError(`JavaScript would lose digits of ${number}; use a newer @munshi/sdk`);
  return number;
}
