/**
 * A number that is money, with its key: up to 18 digits, which a JavaScript number does not always
 * hold. The key of a pair never follows a backslash.
 */
const AMOUNT =
  /(?<!\\)"(amount|fee|availableBalance|reservedBalance|frozenBalance)"(\s*:\s*)(-?\d[\d.eE+-]*)/g;

/**
 * Reads JSON with amounts as the text that stands in it, digit for digit; works on every Node, also
 * where `JSON.parse` gives no source text. Throws SyntaxError when the text is not JSON.
 */
export function parseExact(text: string): unknown {
  return JSON.parse(text.replaceAll(AMOUNT, '"$1"$2"$3"'));
}
