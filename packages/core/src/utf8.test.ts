import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareUtf8 } from './utf8.ts';

test('text is compared as its UTF-8 bytes are', () => {
  const text = fc.string({
    unit: fc.constantFrom(
      'a',
      'b',
      'é',
      '\ud7ff',
      '\ue000',
      '\uffff',
      '😀',
      '😁',
      '𐀀',
      '\u{10ffff}',
    ),
    maxLength: 4,
  });
  fc.assert(
    fc.property(text, text, (left, right) => {
      expect(Math.sign(compareUtf8(left, right))).toBe(
        Buffer.compare(Buffer.from(left), Buffer.from(right)),
      );
    }),
    { numRuns: 3_000 },
  );
});
