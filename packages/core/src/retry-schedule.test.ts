import { expect, test } from 'vitest';
import { ATTEMPTS_MAX, nextAttemptAt, retriesDueBy } from './retry-schedule.ts';

test('delays after failed attempts 1 to 9, and the end after the tenth', () => {
  const minutes = Array.from({ length: ATTEMPTS_MAX }, (_, at) => nextAttemptAt(at + 1, 0)).map(
    (at) => (at === null ? null : at / 60_000),
  );
  expect(minutes).toEqual([1, 2, 4, 8, 16, 32, 64, 2 * 60 + 8, 4 * 60 + 16, null]);
});

test('W2: an attempt that was asked for after the tenth starts no new schedule', () => {
  expect(nextAttemptAt(11, 0)).toBeNull();
  expect(nextAttemptAt(400, 0)).toBeNull();
});

test('retries wait for the whole minute', () => {
  const minute = Date.UTC(2026, 0, 15, 12, 34);
  expect(retriesDueBy(minute)).toBe(minute);
  expect(retriesDueBy(minute + 59_999)).toBe(minute);
});
