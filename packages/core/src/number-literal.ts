/**
 * A JSON number by its digits: `0.` + `digits` × 10^`integerDigits`, so that `-1.50e3` is
 * `{digits: '15', integerDigits: 4}`. Size and precision are known without building the number:
 * `1e999999999` costs no more than `1`.
 */
export interface NumberLiteral {
  readonly hasExponent: boolean;
  /** The literal has neither a decimal point nor an exponent. */
  readonly isInteger: boolean;
  /** Below zero; `-0` is not. */
  readonly negative: boolean;
  /** Significant digits, without zeros at either end; empty for zero. */
  readonly digits: string;
  /**
   * How many digits stand before the decimal point; zero or less for values below 1. Can be
   * ±Infinity.
   */
  readonly integerDigits: number;
}

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/**
 * Reads the source of a JSON number. Throws on any other text: the scanner has recognised the
 * number.
 */
export function readNumberLiteral(source: string): NumberLiteral {
  const match = NUMBER.exec(source);
  if (match === null) throw new Error(`not a JSON number: ${source.slice(0, 50)}`);
  const [, sign, integer = '', fraction, exponent] = match;
  const all = integer + (fraction ?? '');
  let start = 0;
  while (all.charCodeAt(start) === 0x30) start += 1;
  let end = all.length;
  while (end > start && all.charCodeAt(end - 1) === 0x30) end -= 1;
  return {
    hasExponent: exponent !== undefined,
    isInteger: fraction === undefined && exponent === undefined,
    negative: sign === '-' && end > start,
    digits: all.slice(start, end),
    integerDigits: end === start ? 0 : integer.length - start + Number(exponent ?? 0),
  };
}

/** Decimal places after trailing zeros are dropped: 1 for `1.50000`. */
export function decimalPlaces({ digits, integerDigits }: NumberLiteral): number {
  return Math.max(0, digits.length - integerDigits);
}

/**
 * Whether the value lies within `min` to `max`, whole numbers of at most nine digits and not below
 * zero.
 */
export function isBetween(
  { negative, digits, integerDigits }: NumberLiteral,
  { min, max }: { readonly min: number; readonly max: number },
): boolean {
  if (negative || integerDigits > 9) return false;
  const whole =
    integerDigits <= 0 ? 0 : Number(digits.slice(0, integerDigits).padEnd(integerDigits, '0'));
  const hasFraction = digits.length > integerDigits;
  return whole >= min && (whole < max || (whole === max && !hasFraction));
}
