import { describe, expect, test } from 'vitest';
import {
  countdownText,
  createServerClock,
  datesOfDays,
  daysOfPeriod,
  durationText,
  exactDurationText,
  exactUtc,
  localTime,
  shownTime,
  timesOfDays,
} from './time.ts';

const NOW = Date.parse('2026-11-23T10:42:05Z');
const MINUTE = 60_000;

describe('the clock of the service', () => {
  const stamp = (at: number) => new Date(at).toISOString();

  test('is this machine’s until an answer has it, and goes on by itself', () => {
    let local = 1_000_000;
    const clock = createServerClock(() => local);
    expect(clock.now()).toBe(local);
    clock.learn(null, local);
    clock.learn('nonsense', local);
    expect(clock.now()).toBe(local);
    clock.learn(stamp(NOW), local);
    local += 5_000;
    expect(clock.now()).toBe(NOW + 5_000);
  });

  test('is not moved by the slowness of an answer, but by an advance', () => {
    let local = 1_000_000;
    const clock = createServerClock(() => local);
    clock.learn(stamp(NOW), local);
    local += 10_000; // an answer that took ten seconds, stamped at its end
    clock.learn(stamp(NOW + 10_000), local - 10_000);
    expect(clock.now()).toBe(NOW + 10_000);
    clock.learn(stamp(NOW + 70 * MINUTE), local - 100);
    expect(clock.now()).toBe(NOW + 70 * MINUTE + 50);
  });

  test('goes on as it was kept where nothing answers, and the first answer corrects it', () => {
    let offset = 0;
    const kept = {
      read: () => offset,
      keep(known: number) {
        offset = known;
      },
    };
    createServerClock(() => 1_000_000, kept).learn(stamp(NOW), 1_000_000);
    const again = createServerClock(() => 1_060_000, kept);
    expect(again.now()).toBe(NOW + MINUTE);
    again.learn(stamp(NOW + MINUTE + 100), 1_060_000);
    expect(again.now()).toBe(NOW + MINUTE + 100);
    expect(offset).toBe(NOW + 100 - 1_000_000);
  });
});

test.each([
  [-5, '0 s'],
  [41_000, '41 s'],
  [14 * MINUTE + 59_000, '14 min'],
  [125 * MINUTE, '2 h 5 min'],
  [120 * MINUTE, '2 h'],
  [(3 * 24 + 4) * 60 * MINUTE, '3 d 4 h'],
])('%i ms are %s', (ms, text) => {
  expect(durationText(ms)).toBe(text);
});

test.each([
  [0, '0 s'],
  [5_405, '1 h 30 min 5 s'],
  [90 * 86_400, '90 d'],
])('%i seconds are %s', (seconds, text) => {
  expect(exactDurationText(seconds)).toBe(text);
});

test.each([
  [245_000, '4:05'],
  [3_725_000, '1:02:05'],
  [999, '0:01'],
  [-1, '0:00'],
])('%i ms are left as %s', (ms, text) => {
  expect(countdownText(ms)).toBe(text);
});

test('a time is relative within an hour, then local, with the year where it is another one', () => {
  const shown = (at: number) => shownTime(at, NOW, 'Asia/Karachi').text;
  expect(shown(NOW - 3_000)).toBe('now');
  expect(shown(NOW - 4 * MINUTE)).toBe('4 min ago');
  expect(shown(NOW + 4 * MINUTE)).toBe('in 4 min');
  expect(shown(NOW - 61 * MINUTE)).toBe('23 Nov, 14:41');
  expect(shown(Date.parse('2025-12-31T20:00:00Z'))).toBe('1 Jan, 01:00');
  expect(shown(Date.parse('2025-12-31T18:00:00Z'))).toBe('31 Dec 2025, 23:00');
  expect(exactUtc(NOW)).toBe('2026-11-23 10:42:05 UTC');
});

test('days are times from the start of the first until the end of the last, where the reader is', () => {
  const start = (month: number, day: number) => new Date(2026, month, day).toISOString();
  expect(timesOfDays({ from: '2026-11-30', to: '2026-11-30' })).toEqual({
    from: start(10, 30),
    to: start(11, 1),
  });
  expect(timesOfDays({ to: '2026-12-31' })).toEqual({ to: new Date(2027, 0, 1).toISOString() });
  expect(timesOfDays({ from: 'yesterday', to: '' })).toEqual({});
  expect(timesOfDays({ from: '0002-11-29' }, 'UTC')).toEqual({ from: '0002-11-29T00:00:00.000Z' });
});

test('days are those of a zone where one is given, over a change of its clocks too', () => {
  const days = { from: '2026-03-29', to: '2026-03-29' };
  expect(timesOfDays(days, 'Asia/Karachi')).toEqual({
    from: '2026-03-28T19:00:00.000Z',
    to: '2026-03-29T19:00:00.000Z',
  });
  expect(timesOfDays(days, 'Europe/Berlin')).toEqual({
    from: '2026-03-28T23:00:00.000Z',
    to: '2026-03-29T22:00:00.000Z',
  });
  expect(localTime('2026-03-29T00:30', 'Asia/Kolkata')).toBe('2026-03-28T19:00:00.000Z');
  expect(localTime('2026-10-25T12:00', 'America/New_York')).toBe('2026-10-25T16:00:00.000Z');
  expect(localTime('2026-03-29T02:30', 'Europe/Berlin')).toBe('2026-03-29T01:30:00.000Z');
  expect(localTime('', 'Asia/Karachi')).toBeUndefined();
});

test.each([
  // A Monday, a Sunday, and one moment that is two days.
  ['today', '2026-11-23T10:42:05Z', 'UTC', '2026-11-23', '2026-11-23'],
  ['yesterday', '2026-11-23T10:42:05Z', 'UTC', '2026-11-22', '2026-11-22'],
  ['week', '2026-11-23T10:42:05Z', 'UTC', '2026-11-23', '2026-11-23'],
  ['week', '2026-11-29T10:42:05Z', 'UTC', '2026-11-23', '2026-11-29'],
  ['yesterday', '2026-03-01T10:00:00Z', 'UTC', '2026-02-28', '2026-02-28'],
  ['today', '2026-11-22T20:00:00Z', 'Asia/Karachi', '2026-11-23', '2026-11-23'],
  ['today', '2026-11-22T20:00:00Z', 'America/New_York', '2026-11-22', '2026-11-22'],
  ['week', '2026-11-22T20:00:00Z', 'America/New_York', '2026-11-16', '2026-11-22'],
] as const)('%s at %s in %s is %s to %s', (period, at, zone, from, to) => {
  expect(daysOfPeriod(period, Date.parse(at), zone)).toEqual({ from, to });
});

test('days for a service that knows whose they are end before the next one', () => {
  expect(datesOfDays({ from: '2026-11-30', to: '2026-12-31' })).toEqual({
    from: '2026-11-30',
    to: '2027-01-01',
  });
  expect(datesOfDays({ from: '2026-02-30', to: 'today' })).toEqual({});
});
