/**
 * An amount of money in ten-thousandths of its currency unit: `15_000_000n` is 1500. Every sum, fee
 * and balance in the service is one of these; no JavaScript number ever holds money
 * (merchant-api.md#conventions).
 */
export type Money = bigint;

const SCALE = 10_000n;
const POINT = 0x2e;
const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;

/** The largest order amount, 99,999,999,999,999.9999 (merchant-api.md#request). */
export const AMOUNT_MAX: Money = 10n ** 18n - 1n;

/**
 * Reads plain decimal text (`1500`, `-0.5`, `1.50000`). Undefined when the text is no plain decimal
 * or has more than four decimal places after trailing zeros are dropped.
 */
export function parseMoney(text: string): Money | undefined {
  const match = DECIMAL.exec(text);
  if (match === null) return undefined;
  const decimals = trimZeros(match[3] ?? '');
  if (decimals.length > 4) return undefined;
  const units = BigInt(match[2] as string) * SCALE + BigInt(decimals.padEnd(4, '0'));
  return match[1] === '-' ? -units : units;
}

/**
 * Reads text that is known to be money, such as a `numeric(…,4)` column. Throws on anything else:
 * that is a bug.
 */
export function money(text: string): Money {
  // The database always writes four decimals, so the digits are the value. This takes a quarter of
  // the general parser's time.
  if (text.charCodeAt(text.length - 5) === POINT) return BigInt(text.slice(0, -5) + text.slice(-4));
  const value = parseMoney(text);
  if (value === undefined) throw new Error(`not an amount of money: ${text}`);
  return value;
}

/** The shortest exact decimal: `15_005_000n` → `1500.5` (merchant-api.md#conventions). */
export function formatMoney(value: Money): string {
  const digits = (value < 0n ? -value : value).toString().padStart(5, '0');
  const decimals = trimZeros(digits.slice(-4));
  return `${value < 0n ? '-' : ''}${digits.slice(0, -4)}${decimals === '' ? '' : `.${decimals}`}`;
}

/**
 * The same for people: `1,500.50`, whole amounts without decimals, others with two to four, and a
 * real minus sign.
 */
export function groupedMoney(value: Money): string {
  const [integer = '', decimals] = formatMoney(value < 0n ? -value : value).split('.');
  const fraction = decimals === undefined ? '' : `.${decimals.padEnd(2, '0')}`;
  return `${value < 0n ? '\u2212' : ''}${integer.replace(/\B(?=(\d{3})+$)/g, ',')}${fraction}`;
}

/** In a sentence: `PKR 1,500.50`, not broken between code and digits; `−PKR 5` below zero. */
export function moneyText(value: Money, currency: string): string {
  const sign = value < 0n ? '\u2212' : '';
  return `${sign}${currency}\u00a0${groupedMoney(value < 0n ? -value : value)}`;
}

/**
 * `numerator / denominator` rounded half up, away from zero for negatives. `denominator` is
 * positive.
 */
export function divideHalfUp(numerator: bigint, denominator: bigint): bigint {
  const magnitude = numerator < 0n ? -numerator : numerator;
  const rounded = (magnitude * 2n + denominator) / (denominator * 2n);
  return numerator < 0n ? -rounded : rounded;
}

/**
 * A dimensionless factor (a percentage, an exchange rate) in hundred-millionths: `100_000_000n` is
 * 1.
 */
export type Factor = bigint;

export const FACTOR_ONE: Factor = 100_000_000n;

/**
 * Reads a plain non-negative decimal with at most eight decimal places; undefined for anything
 * else.
 */
export function parseFactor(text: string): Factor | undefined {
  const match = DECIMAL.exec(text);
  if (match === null || match[1] === '-') return undefined;
  const decimals = trimZeros(match[3] ?? '');
  if (decimals.length > 8) return undefined;
  return BigInt(match[2] as string) * FACTOR_ONE + BigInt(decimals.padEnd(8, '0'));
}

/** The shortest exact decimal of a factor. */
export function formatFactor(value: Factor): string {
  const digits = value.toString().padStart(9, '0');
  const decimals = trimZeros(digits.slice(-8));
  return `${digits.slice(0, -8)}${decimals === '' ? '' : `.${decimals}`}`;
}

/** `value × factor`, rounded once, half up to four decimals (decision 3, merchant-api.md#fees). */
export function multiply(value: Money, factor: Factor): Money {
  return divideHalfUp(value * factor, FACTOR_ONE);
}

/**
 * A loop, because `/0+$/` restarts at every zero: it took three seconds for `1.`, 65,000 zeros and
 * a 1.
 */
function trimZeros(digits: string): string {
  let end = digits.length;
  while (digits.charCodeAt(end - 1) === 0x30) end -= 1;
  return digits.slice(0, end);
}
