import { expect, test } from 'vitest';
import {
  amountField,
  countField,
  type Field,
  minutesField,
  optional,
  usernameField,
} from './fields.tsx';

const count = countField({ least: 1, most: 100 });
const minutes = minutesField(60);
const limit = optional(amountField());

test.for<readonly [typed: string, field: Pick<Field<unknown>, 'read'>, value: unknown]>([
  [' 100 ', count, 100],
  ['۴۲', count, 42],
  ['0', count, undefined],
  ['101', count, undefined],
  ['1.5', count, undefined],
  ['', count, undefined],
  ['1.67', minutes, 100],
  ['0.9', minutes, undefined],
  ['1e3', minutes, undefined],
  ['', limit, null],
  ['25,000.50', limit, '25000.5'],
  ['5o000', limit, undefined],
  ['hina', usernameField, 'hina'],
  ['hina malik', usernameField, undefined],
])('“%s” is read as its value, or as none', ([typed, field, value]) => {
  expect(field.read(typed)).toBe(value);
});

test('seconds are typed as minutes, and read again as the same', () => {
  for (let seconds = 60; seconds < 7_200; seconds += 1)
    expect(minutes.read(minutes.typed(seconds))).toBe(seconds);
});
