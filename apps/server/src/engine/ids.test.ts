import { describe, expect, test } from 'vitest';
import { createIds, randomPermutation } from './ids.ts';

const ids = createIds();
const NOW = Date.parse('2026-11-22T10:20:30.456Z');
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const suffixOf = (reference: string) =>
  [...reference.slice(-6)].reduce((value, letter) => value * 32 + CROCKFORD.indexOf(letter), 0);

/**
 * Whether so many draws at once into so many boxes is what chance would do: chi squared within six
 * deviations.
 */
function isEven(boxes: readonly number[]): boolean {
  const expected = boxes.reduce((sum, count) => sum + count, 0) / boxes.length;
  const chiSquared = boxes.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  return Math.abs(chiSquared - (boxes.length - 1)) < 6 * Math.sqrt(2 * (boxes.length - 1));
}

describe('a permutation of the suffixes', () => {
  test('gives none twice, and none beyond thirty bits', () => {
    const permuted = randomPermutation();
    const seen = new Set<number>();
    for (const from of [0, 2 ** 15 - 5_000, 2 ** 29, 2 ** 30 - 100_000]) {
      for (let value = from; value < from + 100_000; value += 1) seen.add(permuted(value));
    }
    // The second range holds part of the first.
    expect(seen.size).toBe(400_000 - (100_000 - (2 ** 15 - 5_000)));
    expect(
      [...seen].every((value) => Number.isInteger(value) && value >= 0 && value < 2 ** 30),
    ).toBe(true);
  });

  test('is another one in every process', () => {
    const [one, other] = [randomPermutation(), randomPermutation()];
    const same = Array.from({ length: 1000 }, (_, value) => one(value) === other(value)).filter(
      Boolean,
    );
    expect(same.length).toBeLessThan(5);
  });
});

describe('an order reference', () => {
  test('holds the second and six letters, never twice', () => {
    const references = Array.from({ length: 50_000 }, () => ids.orderReference(NOW));
    expect(new Set(references).size).toBe(50_000);
    for (const reference of references)
      expect(reference).toMatch(/^ORD-20261122102030-[0-9A-HJKMNP-TV-Z]{6}$/);
  });

  test.each([1, 2, 10, 1000])(
    'does not show that %d were made in between: every difference is as likely',
    (distance) => {
      const suffixes = Array.from({ length: 64_000 }, () => suffixOf(ids.orderReference(NOW)));
      const boxes = new Array<number>(64).fill(0);
      for (let at = distance; at < suffixes.length; at += 1) {
        const difference =
          ((suffixes[at] as number) - (suffixes[at - distance] as number) + 2 ** 30) % 2 ** 30;
        boxes[difference >>> 24] = (boxes[difference >>> 24] as number) + 1;
      }
      expect(isEven(boxes)).toBe(true);
    },
  );
});

test('a UUIDv7 sorts after every one made before, in one millisecond too', () => {
  const made = Array.from({ length: 10_000 }, (_, at) => ids.uuid(NOW + (at >> 12)));
  expect(made.toSorted()).toEqual(made);
});

describe('an id', () => {
  const timeOf = (id: string) => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
  const rising = (made: readonly string[]) => expect(made).toEqual(made.toSorted());

  test('of an order whose times are a day ahead leaves those of others where they are', () => {
    const { uuid } = createIds(() => NOW);
    const [own, others] = [[] as string[], [] as string[]];
    for (let at = 0; at < 5_000; at += 1) {
      own.push(uuid(NOW + 86_400_000));
      others.push(uuid(NOW));
    }
    rising(own);
    rising(others);
    expect(timeOf(others.at(-1) as string) - NOW).toBeLessThan(10);
    expect(new Set([...own, ...others]).size).toBe(10_000);
  });

  test('has the right time again once a clock that was a day ahead is set right', () => {
    let now = NOW + 86_400_000;
    const { uuid } = createIds(() => now);
    uuid(now);
    now = NOW;
    expect(timeOf(uuid(now))).toBe(NOW);
  });

  test('is greater than the one before while a clock is set back by some seconds', () => {
    const { uuid } = createIds(() => NOW);
    rising(Array.from({ length: 5_000 }, (_, at) => uuid(NOW - at)));
  });
});
