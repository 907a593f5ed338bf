import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readJson, SourceNumber } from './read-json.ts';

const numbersAsRead = (value: unknown): unknown => {
  if (value instanceof SourceNumber) return Number(value.source);
  if (Array.isArray(value)) return value.map(numbersAsRead);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, numbersAsRead(inner)]),
  );
};

test('every number keeps the text that it had', () => {
  expect(readJson('{"a":99999999999999.9990,"b":[-0,1e3,"1.50"]}')).toEqual({
    a: new SourceNumber('99999999999999.9990'),
    b: [new SourceNumber('-0'), new SourceNumber('1e3'), '1.50'],
  });
});

test('digits and quotes inside texts and names stay as they are', () => {
  const value = { 'a "1"': 'he said \\"2\\" and 3', '4': '\\', '5': 'é ☃ 6' };
  expect(readJson(JSON.stringify(value))).toEqual(value);
});

test('what JSON.parse refuses is refused, and what it reads is the same', () => {
  for (const text of ['{"a":01}', '{"a":1.}', '{"a":-}', '[1 2]', '"', ''])
    expect(() => readJson(text), text).toThrow(SyntaxError);
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      if (!text.includes('\\u0000'))
        expect(numbersAsRead(readJson(text))).toEqual(JSON.parse(text));
    }),
  );
});
