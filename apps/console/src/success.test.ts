import { expect, test } from 'vitest';
import { successText } from './success.ts';

test.each([
  [200, 12, '94 % of 212'],
  [19, 1, '95 % of 20'],
  [18, 1, 'too few'],
  [0, 1_200, '0 % of 1,200'],
  [0, 0, 'none'],
])('%i completed and %i failed are %s', (completed, failed, text) => {
  expect(successText({ completed, failed })).toBe(text);
});
