import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  AMOUNT_MAX,
  divideHalfUp,
  FACTOR_ONE,
  formatFactor,
  formatMoney,
  money,
  multiply,
  parseFactor,
  parseMoney,
} from './money.ts';

describe('plain decimals are read exactly', () => {
  const rows: [text: string, value: bigint][] = [
    ['0', 0n],
    ['-0', 0n],
    ['1500', 15_000_000n],
    ['1500.50', 15_005_000n],
    ['1.50000', 15_000n],
    ['0.0001', 1n],
    ['-0.5', -5_000n],
    ['007', 70_000n],
    ['99999999999999.9999', AMOUNT_MAX],
    ['100000000000000', AMOUNT_MAX + 1n],
    ['9007199254740993.0001', 90_071_992_547_409_930_001n],
  ];
  test.each(rows)('%s', (text, value) => {
    expect(parseMoney(text)).toBe(value);
    expect(money(text)).toBe(value);
  });
});

test.each([
  '',
  ' 1',
  '1 ',
  '+1',
  '1.',
  '.5',
  '1e3',
  '1,000',
  '1.00005',
  '0x1',
  'NaN',
  'Infinity',
  '١٢',
  '--1',
  '1\n',
])('%j is no money', (text) => {
  expect(parseMoney(text)).toBeUndefined();
  expect(() => money(text)).toThrow();
});

describe('money is printed as the shortest exact decimal', () => {
  const rows: [value: bigint, text: string][] = [
    [0n, '0'],
    [1n, '0.0001'],
    [-1n, '-0.0001'],
    [10_000n, '1'],
    [15_005_000n, '1500.5'],
    [-15_005_010n, '-1500.501'],
    [AMOUNT_MAX, '99999999999999.9999'],
  ];
  test.each(rows)('%s', (value, text) => {
    expect(formatMoney(value)).toBe(text);
  });
});

test('printed money is read back as it was', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 34n), max: 10n ** 34n }), (value) => {
      const text = formatMoney(value);
      expect(parseMoney(text)).toBe(value);
      expect(text).toMatch(/^-?(0|[1-9]\d*)(\.\d{0,3}[1-9])?$/);
    }),
  );
});

test('the same amount prints the same however it was written', () => {
  fc.assert(
    fc.property(
      fc.nat(99_999),
      fc.stringMatching(/^[0-9]{0,4}$/),
      fc.nat(60),
      (whole, decimals, zeros) => {
        const written = `${whole}.${decimals}${'0'.repeat(zeros)}`.replace(/\.$/, '');
        const shortest = decimals.replace(/0+$/, '');
        expect(formatMoney(money(written))).toBe(
          shortest === '' ? `${whole}` : `${whole}.${shortest}`,
        );
      },
    ),
  );
});

describe('rounding is half up, away from zero for negatives', () => {
  const rows: [numerator: bigint, denominator: bigint, rounded: bigint][] = [
    [5n, 2n, 3n],
    [-5n, 2n, -3n],
    [4n, 3n, 1n],
    [5n, 3n, 2n],
    [1n, 2n, 1n],
    [-1n, 2n, -1n],
    [1n, 3n, 0n],
    [0n, 7n, 0n],
    [49_999n, 100_000n, 0n],
    [50_000n, 100_000n, 1n],
  ];
  test.each(rows)('%s / %s is %s', (numerator, denominator, rounded) => {
    expect(divideHalfUp(numerator, denominator)).toBe(rounded);
  });

  test('the result is a nearest whole number, and the farther from zero of two', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
        fc.bigInt({ min: 1n, max: 10n ** 12n }),
        (numerator, denominator) => {
          const rounded = divideHalfUp(numerator, denominator);
          const magnitude = (value: bigint) => (value < 0n ? -value : value);
          // Twice the distance, signed away from zero: in (-denominator, denominator].
          const excess = 2n * (magnitude(rounded) * denominator - magnitude(numerator));
          expect(excess > -denominator && excess <= denominator).toBe(true);
          expect(divideHalfUp(-numerator, denominator)).toBe(-rounded);
        },
      ),
    );
  });
});

describe('factors', () => {
  const rows: [text: string, value: bigint | undefined][] = [
    ['1', FACTOR_ONE],
    ['0.02', 2_000_000n],
    ['3.30000001', 330_000_001n],
    ['1.000000010', 100_000_001n],
    ['1.000000001', undefined],
    ['-1', undefined],
    ['', undefined],
    ['1e2', undefined],
  ];
  test.each(rows)('%j is read as %s', (text, value) => {
    expect(parseFactor(text)).toBe(value);
  });

  test('a printed factor is read back as it was', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 20n }), (value) => {
        expect(parseFactor(formatFactor(value))).toBe(value);
      }),
    );
  });

  test('multiplying rounds once, to four decimals', () => {
    expect(formatMoney(multiply(money('0.0001'), parseFactor('0.5') as bigint))).toBe('0.0001');
    expect(formatMoney(multiply(money('0.0001'), parseFactor('0.49999999') as bigint))).toBe('0');
    expect(formatMoney(multiply(money('99999999999999.9999'), parseFactor('3.3') as bigint))).toBe(
      '329999999999999.9997',
    );
    expect(multiply(money('1500.5'), FACTOR_ONE)).toBe(money('1500.5'));
  });
});

// A pattern that restarts at every zero takes minutes of the processor over this.
test('long decimals are read in linear time', () => {
  const before = process.cpuUsage();
  const zeros = '0'.repeat(250_000);
  expect(parseMoney(`1.${zeros}1`)).toBeUndefined();
  expect(parseFactor(`1.${zeros}1`)).toBeUndefined();
  expect(parseMoney(`1.${zeros}`)).toBe(10_000n);
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(10_000);
});
