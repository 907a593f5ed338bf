import { expect, test } from 'vitest';
import { pauseBeforeRetry } from './retry.ts';

test('the pause doubles with each attempt, up to half a minute, and a half at most is added by chance', () => {
  const pauses = (random: number) =>
    [1, 2, 3, 10].map((attempt) => pauseBeforeRetry({ attempt }, random));
  expect(pauses(0)).toEqual([500, 1000, 2000, 30_000]);
  expect(pauses(1)).toEqual([750, 1500, 3000, 45_000]);
});

test('a pause is as long as Retry-After asks, in seconds or as a date', () => {
  const asked = (retryAfter: string) =>
    pauseBeforeRetry({ attempt: 1, status: 503, retryAfter }, 0, Date.UTC(2026, 0, 1));
  expect(asked('0')).toBe(0);
  expect(asked('7')).toBe(7000);
  expect(asked('Thu, 01 Jan 2026 00:00:09 GMT')).toBe(9000);
  expect(asked('soon')).toBe(500);
});

test('what is refused, or wanted later than in half a minute, is not tried again', () => {
  for (const status of [400, 401, 404, 409])
    expect(pauseBeforeRetry({ attempt: 1, status })).toBeUndefined();
  for (const status of [429, 500, 502, 503, 504])
    expect(pauseBeforeRetry({ attempt: 1, status })).toBeGreaterThan(0);
  expect(pauseBeforeRetry({ attempt: 1, status: 429, retryAfter: '60' })).toBeUndefined();
});

test('what is patient waits for as long as is asked', () => {
  const patient = { attempt: 1, status: 503, patient: true };
  expect(pauseBeforeRetry({ ...patient, retryAfter: '3600' }, 0)).toBe(3_600_000);
  expect(pauseBeforeRetry({ ...patient, status: 401 })).toBeUndefined();
});
