/** The model's own money: whole ten-thousandths of a unit of currency. */
export type Units = bigint;

/**
 * Reads a decimal as it is written in a request or a table of the specification; beyond the fourth
 * decimal there are only zeros.
 */
export function units(text: string): Units {
  const negative = text.startsWith('-');
  const [whole = '0', decimals = ''] = text.replace('-', '').split('.');
  const value = BigInt(whole + decimals.padEnd(4, '0').slice(0, 4));
  return negative ? -value : value;
}

/** The shortest exact decimal (merchant-api.md#conventions). */
export function plain(value: Units): string {
  const sign = value < 0n ? '-' : '';
  const size = value < 0n ? -value : value;
  const decimals = String(size % 10_000n)
    .padStart(4, '0')
    .replace(/0+$/, '');
  return `${sign}${size / 10_000n}${decimals && `.${decimals}`}`;
}

/** A factor such as a rate or a percentage, as an exact fraction. */
export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

export function fraction(text: string): Fraction {
  const [whole = '0', decimals = ''] = text.split('.');
  return { numerator: BigInt(whole + decimals), denominator: 10n ** BigInt(decimals.length) };
}

/**
 * `value × factor`, rounded once, half up, to a ten-thousandth (decision 3, merchant-api.md#fees).
 * Nothing that is rounded here is negative.
 */
export function times(value: Units, { numerator, denominator }: Fraction): Units {
  const exact = value * numerator;
  const below = exact / denominator;
  return (exact - below * denominator) * 2n >= denominator ? below + 1n : below;
}
