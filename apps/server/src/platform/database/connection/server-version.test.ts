import { expect, test } from 'vitest';
import { standingOf } from './server-version.ts';

test.each([
  [90_624, 'too-old'],
  [140_023, 'too-old'],
  [150_000, 'tested'],
  [180_099, 'tested'],
  [190_000, 'untested'],
])('the server version %d is %s', (versionNumber, standing) => {
  expect(standingOf(versionNumber)).toBe(standing);
});
