import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decimalPlaces, isBetween, readNumberLiteral } from './number-literal.ts';

const rows: [source: string, digits: string, integerDigits: number, places: number][] = [
  ['0', '', 0, 0],
  ['-0.000', '', 0, 0],
  ['0e999999999', '', 0, 0],
  ['1500', '15', 4, 0],
  ['-1.50e3', '15', 4, 0],
  ['1.50000', '15', 1, 1],
  ['0.0001', '1', -3, 4],
  ['1e-5', '1', -4, 5],
  ['100.001e2', '100001', 5, 1],
  ['1E+20', '1', 21, 0],
  ['1e999999999', '1', 1_000_000_000, 0],
  ['1e-999999999', '1', -999_999_998, 999_999_999],
];
test.each(rows)('%s is read by its digits', (source, digits, integerDigits, places) => {
  const literal = readNumberLiteral(source);
  expect(literal).toMatchObject({ digits, integerDigits });
  expect(decimalPlaces(literal)).toBe(places);
});

test.each(['', '+1', '1.', '.5', '1e', '0x1', ' 1', '1 ', 'NaN'])(
  'anything but a JSON number throws: %j',
  (text) => {
    expect(() => readNumberLiteral(text)).toThrow();
  },
);

const ranges: [source: string, inside: boolean][] = [
  ['4', true],
  ['8', true],
  ['3', false],
  ['9', false],
  ['-5', false],
  ['8.0', true],
  ['8.0000000000000000000001', false],
  ['3.9999999999999999999999', false],
  ['4.0000000000000000000001', true],
  ['0.5e1', true],
  ['80e-1', true],
  ['800e-1', false],
  ['1e999999999', false],
  ['1e-999999999', false],
  ['99999999999999999999999', false],
];
test.each(ranges)('%s between 4 and 8: %s', (source, inside) => {
  expect(isBetween(readNumberLiteral(source), { min: 4, max: 8 })).toBe(inside);
});

test('a negative too small for a double is still below 0, a positive one is not', () => {
  expect(isBetween(readNumberLiteral('-1e-999999999'), { min: 0, max: 10 })).toBe(false);
  expect(isBetween(readNumberLiteral('1e-999999999'), { min: 0, max: 10 })).toBe(true);
  expect(isBetween(readNumberLiteral('-0'), { min: 0, max: 10 })).toBe(true);
});

test('agrees with arithmetic wherever a double is exact', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -99_999, max: 99_999 }),
      fc.integer({ min: -3, max: 3 }),
      fc.nat(12),
      fc.nat(12),
      (mantissa, exponent, min, span) => {
        // In thousandths, so that both sides are whole numbers.
        const value = mantissa * 10 ** (exponent + 3);
        const literal = readNumberLiteral(`${mantissa}e${exponent}`);
        expect(literal.negative).toBe(mantissa < 0);
        expect(literal.digits === '').toBe(mantissa === 0);
        expect(isBetween(literal, { min, max: min + span })).toBe(
          value >= min * 1000 && value <= (min + span) * 1000,
        );
      },
    ),
    { numRuns: 2_000 },
  );
});
