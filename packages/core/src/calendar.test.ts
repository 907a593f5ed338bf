import { describe, expect, test } from 'vitest';
import {
  changeZone,
  type Day,
  dayAt,
  formatDay,
  formatMonth,
  isTimeZone,
  monthAfter,
  monthAt,
  oneZone,
  parseDay,
  parseMonth,
  periodOfDay,
  periodOfMonth,
  spansOf,
  timeZoneOf,
  type Zones,
  zonedTime,
} from './calendar.ts';

const HOUR = 60 * 60 * 1000;
const day = (text: string) => parseDay(text) as Day;
const iso = (at: number) => new Date(at).toISOString();
const dayIn = (text: string, zone: string) => {
  const { from, to } = periodOfDay(day(text), oneZone(zone));
  return { from: iso(from), hours: (to - from) / HOUR };
};

describe('a day', () => {
  test.each([
    ['2026-10-31', 'Asia/Karachi', '2026-10-30T19:00:00.000Z', 24],
    ['2026-10-31', 'Asia/Kolkata', '2026-10-30T18:30:00.000Z', 24],
    ['2026-10-31', 'Asia/Dhaka', '2026-10-30T18:00:00.000Z', 24],
    ['2026-03-08', 'America/New_York', '2026-03-08T05:00:00.000Z', 23],
    ['2026-11-01', 'America/New_York', '2026-11-01T04:00:00.000Z', 25],
    ['2026-04-05', 'Australia/Lord_Howe', '2026-04-04T13:00:00.000Z', 24.5],
    ['2008-06-01', 'Asia/Karachi', '2008-05-31T19:00:00.000Z', 23], // clocks skip midnight
    ['2023-04-28', 'Africa/Cairo', '2023-04-27T22:00:00.000Z', 23],
    ['2010-11-06', 'America/St_Johns', '2010-11-06T02:30:00.000Z', 24], // then it is the 6th again
    ['2011-12-30', 'Pacific/Apia', '2011-12-30T10:00:00.000Z', 0], // nobody had it
    ['2026-01-01', 'UTC', '2026-01-01T00:00:00.000Z', 24],
  ])('%s in %s begins at %s and has %d hours', (text, zone, from, hours) => {
    expect(dayIn(text, zone)).toEqual({ from, hours });
  });

  test('of a time is the one that it is in, and days leave no gap', () => {
    for (const zone of ['Asia/Karachi', 'America/New_York', 'Africa/Cairo', 'Pacific/Apia']) {
      const zones = oneZone(zone);
      for (let at = Date.UTC(2011, 11, 25); at < Date.UTC(2012, 0, 3); at += 5 * HOUR) {
        const { from, to } = periodOfDay(dayAt(at, zones), zones);
        expect([from <= at, at < to, dayAt(to - 1, zones)]).toEqual([true, true, dayAt(at, zones)]);
        expect(dayAt(to, zones)).not.toEqual(dayAt(at, zones));
      }
    }
  });

  test.each(['2026-02-29', '2026-13-01', '2026-00-10', '2026-1-1', '1969-12-31', 'today', ''])(
    '%s is none',
    (text) => {
      expect(parseDay(text)).toBeUndefined();
    },
  );

  test('is written as it is read', () => {
    expect(formatDay(day('2024-02-29'))).toBe('2024-02-29');
  });
});

describe('a month', () => {
  test('lasts from the midnight of its first day to that of the next', () => {
    const { from, to } = periodOfMonth({ year: 2026, month: 12 }, oneZone('Asia/Karachi'));
    expect([iso(from), iso(to)]).toEqual(['2026-11-30T19:00:00.000Z', '2026-12-31T19:00:00.000Z']);
    expect(monthAt(to - 1, oneZone('Asia/Karachi'))).toEqual({ year: 2026, month: 12 });
    expect(monthAt(to, oneZone('Asia/Karachi'))).toEqual({ year: 2027, month: 1 });
  });

  test('is counted on and back', () => {
    expect(formatMonth(monthAfter({ year: 2026, month: 12 }))).toBe('2027-01');
    expect(formatMonth(monthAfter({ year: 2026, month: 1 }, -1))).toBe('2025-12');
    expect(formatMonth(monthAfter({ year: 2026, month: 5 }, -17))).toBe('2024-12');
    expect(['2026-1', '2026-13', '2026-00', 'x'].map(parseMonth)).toEqual(Array(4).fill(undefined));
  });
});

describe('another time zone', () => {
  const change = Date.UTC(2026, 9, 31, 20); // already November in Karachi, not yet in London
  const zones = changeZone(oneZone('Asia/Karachi'), 'Europe/London', change);

  test('leaves what had ended as it was, and counts from then on', () => {
    const { from, to } = periodOfMonth({ year: 2026, month: 10 }, zones);
    expect([iso(from), iso(to)]).toEqual(['2026-09-30T19:00:00.000Z', '2026-10-31T19:00:00.000Z']);
    const next = periodOfMonth({ year: 2026, month: 11 }, zones);
    expect([iso(next.from), iso(next.to)]).toEqual([iso(to), '2026-12-01T00:00:00.000Z']);
  });

  test('the same one again changes nothing', () => {
    expect(changeZone(zones, 'Europe/London', change + HOUR)).toBe(zones);
  });

  test('never has a day begin before the one before it, however far the clocks are put', () => {
    const far: Zones = [
      ...oneZone('Etc/GMT+12'),
      { since: Date.UTC(2026, 0, 10, 12, 30), timeZone: 'Pacific/Kiritimati' },
      { since: Date.UTC(2026, 0, 10, 12, 45), timeZone: 'Etc/GMT+12' },
      { since: Date.UTC(2026, 0, 10, 13), timeZone: 'Pacific/Kiritimati' },
    ];
    const starts = Array.from(
      { length: 10 },
      (_, at) => periodOfDay({ year: 2026, month: 1, day: 5 + at }, far).from,
    );
    expect(starts).toEqual(starts.toSorted((one, other) => one - other));
    for (let at = Date.UTC(2026, 0, 8); at < Date.UTC(2026, 0, 12); at += HOUR / 4) {
      const { from, to } = periodOfDay(dayAt(at, far), far);
      expect([from <= at, at < to]).toEqual([true, true]);
    }
  });
});

test('a merchant of one currency has its zone, of several that of the wallets', () => {
  expect(timeZoneOf(['INR'])).toBe('Asia/Kolkata');
  expect(timeZoneOf(['BDT'])).toBe('Asia/Dhaka');
  expect(timeZoneOf(['INR', 'BDT'])).toBe('Asia/Karachi');
});

test.each([
  ['Asia/Karachi', true],
  ['America/Argentina/Buenos_Aires', true],
  ['Etc/GMT+5', true],
  ['UTC', true],
  ['Asia/Nowhere', false],
  ['+05:00', false],
  ['PKT', false],
  ['', false],
])('%s is a time zone: %s', (name, known) => {
  expect(isTimeZone(name)).toBe(known);
});

describe('zonedTime', () => {
  test.each([
    ['Asia/Karachi', '2026-11-26T07:03:00.123Z', '2026-11-26T12:03:00.123+05:00'],
    ['Asia/Kolkata', '2026-11-26T20:00:00.000Z', '2026-11-27T01:30:00.000+05:30'],
    ['America/St_Johns', '2026-07-01T00:00:00.000Z', '2026-06-30T21:30:00.000-02:30'],
    ['UTC', '2026-11-26T07:03:00.000Z', '2026-11-26T07:03:00.000+00:00'],
  ])('in %s %s is %s', (timeZone, at, text) => {
    expect(zonedTime(Date.parse(at), oneZone(timeZone))).toBe(text);
  });

  test('is by the zone that counted then', () => {
    const change = Date.parse('2026-06-01T00:00:00Z');
    const zones = changeZone(oneZone('UTC'), 'Asia/Dhaka', change);
    expect([change - 1, change].map((at) => zonedTime(at, zones))).toEqual([
      '2026-05-31T23:59:59.999+00:00',
      '2026-06-01T06:00:00.000+06:00',
    ]);
  });
});

test.each([
  ['day', '2026-02-27', '2026-03-01', ['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02']],
  ['day', '2026-11-23', '2026-11-23', ['2026-11-23', '2026-11-24']],
  // A Sunday and the Monday after it are two weeks.
  ['week', '2026-11-22', '2026-11-23', ['2026-11-16', '2026-11-23', '2026-11-30']],
  ['week', '2026-11-23', '2026-11-29', ['2026-11-23', '2026-11-30']],
] as const)('by %s, %s to %s begin and end at %j', (by, first, last, days) => {
  const read = (text: string) => parseDay(text) as Day;
  expect(spansOf(by, { first: read(first), last: read(last) }).map(formatDay)).toEqual(days);
});
