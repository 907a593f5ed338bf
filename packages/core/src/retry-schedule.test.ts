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

const MINUTE = Date.UTC(2026, 0, 15, 12, 34);

test.each([
  [0, 0],
  [900, 900],
  [15_000, 15_000],
  [15_001, 15_000],
  [59_999, 15_000],
  [60_000, 60_000],
])('%i ms after a whole minute those are sent that were due %i ms after it', (now, due) => {
  expect(retriesDueBy(MINUTE + now)).toBe(MINUTE + due);
});

test.each([0, 14_000, 16_000, 59_000])(
  'attempts that start a second after they can are at most a minute late, and once at most; the first %i ms into a minute',
  (first) => {
    let startedAt = MINUTE + first;
    const late: number[] = [];
    for (let number = 1; number < ATTEMPTS_MAX; number += 1) {
      const due = nextAttemptAt(number, startedAt) as number;
      let now = due;
      while (retriesDueBy(now) < due) now += 1;
      startedAt = now + 1_000;
      late.push(startedAt - due);
    }
    expect(Math.max(...late)).toBeLessThanOrEqual(60_000);
    expect(late.filter((ms) => ms > 1_000).length).toBeLessThanOrEqual(1);
  },
);
