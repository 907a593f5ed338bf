import { type Currency, WALLET_CURRENCY } from './method.ts';
import type { Instant } from './order.ts';

/**
 * Days and months as a merchant counts them: in their time zone, by the tz database of `Intl`. A
 * zone that is changed counts from then on, so that a day or month that had ended stays as it was
 * (apis.md#merchants-members-and-money).
 */

const ZONES: Readonly<Record<Currency, string>> = {
  PKR: 'Asia/Karachi',
  INR: 'Asia/Kolkata',
  BDT: 'Asia/Dhaka',
};

/** The zone of one currency; of several, that of the currency in which wallets are held. */
export const timeZoneOf = (currencies: readonly Currency[]): string =>
  ZONES[currencies.length === 1 ? (currencies[0] as Currency) : WALLET_CURRENCY];

/** Names of the tz database; not offsets, which know no summer time. */
const ZONE_NAME = /^(UTC|[A-Za-z]+(\/[A-Za-z0-9_+-]+){1,2})$/;

export function isTimeZone(name: string): boolean {
  if (!ZONE_NAME.test(name)) return false;
  try {
    clockOf(name);
    return true;
  } catch {
    return false; // RangeError: Intl knows no such zone
  }
}

const two = (value: number) => String(value).padStart(2, '0');

/** A zone, and since when it counts. */
export interface ZonePeriod {
  readonly since: Instant;
  readonly timeZone: string;
}
/** In the order of their times; the first counts for all that was before it too. */
export type Zones = readonly [ZonePeriod, ...ZonePeriod[]];

export const oneZone = (timeZone: string): Zones => [{ since: 0, timeZone }];
export const UTC: Zones = oneZone('UTC');
/** Clocks so many minutes ahead of UTC, all the year: a browser knows no more of its own. */
export const zonesAhead = (minutes: number): Zones => {
  const ahead = Math.abs(minutes);
  const offset = `${two(Math.floor(ahead / 60))}:${two(ahead % 60)}`;
  return minutes === 0 ? UTC : oneZone(`${minutes < 0 ? '-' : '+'}${offset}`);
};
export const presentZone = (zones: Zones): string => (zones.at(-1) as ZonePeriod).timeZone;
export const changeZone = (zones: Zones, timeZone: string, since: Instant): Zones =>
  presentZone(zones) === timeZone ? zones : [...zones, { since, timeZone }];

/** A date of the Gregorian calendar. `month` is 1 to 12. */
export interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}
export type Month = Omit<Day, 'day'>;
/** From `from` on and before `to`. */
export interface Period {
  readonly from: Instant;
  readonly to: Instant;
}

/** `2026-10`. */
export const formatMonth = ({ year, month }: Month): string =>
  `${String(year).padStart(4, '0')}-${two(month)}`;
/** `2026-10-31`. */
export const formatDay = (day: Day): string => `${formatMonth(day)}-${two(day.day)}`;

/** Undefined for what is no month from 1970 to 9998. */
export function parseMonth(text: string): Month | undefined {
  const match = /^(\d{4})-(\d{2})$/.exec(text);
  const [year, month] = [Number(match?.[1]), Number(match?.[2])];
  return year >= 1970 && year <= 9998 && month >= 1 && month <= 12 ? { year, month } : undefined;
}

/** Undefined for what is no date from 1970 to 9998. */
export function parseDay(text: string): Day | undefined {
  const month = parseMonth(text.slice(0, -3));
  const day = Number(/-(\d{2})$/.exec(text)?.[1]);
  if (month === undefined || !(day >= 1)) return undefined;
  const date = { ...month, day };
  return formatDay(ofUtc(utcOf(date))) === formatDay(date) ? date : undefined;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** Whether a clock of UTC would show this date at its beginning. */
const utcOf = ({ year, month, day }: Day): Instant => Date.UTC(year, month - 1, day);
function ofUtc(at: Instant): Day {
  const date = new Date(at);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

const dayAfter = (day: Day, days = 1): Day => ofUtc(utcOf(day) + days * DAY_MS);
/** Months before are negative. */
export function monthAfter({ year, month }: Month, months = 1): Month {
  const count = year * 12 + month - 1 + months;
  return { year: Math.floor(count / 12), month: (count % 12) + 1 };
}

/**
 * Days, or Mondays of weeks, from the one that the first day is in to the one after that of the
 * last: each goes until the next.
 */
export function spansOf(
  by: 'day' | 'week',
  { first, last }: { readonly first: Day; readonly last: Day },
): Day[] {
  const start = by === 'day' ? first : mondayOf(first);
  const count = Math.floor((utcOf(last) - utcOf(start)) / (DAYS_OF[by] * DAY_MS)) + 1;
  return Array.from({ length: count + 1 }, (_, at) => dayAfter(start, at * DAYS_OF[by]));
}
const DAYS_OF = { day: 1, week: 7 };
const mondayOf = (day: Day): Day => dayAfter(day, -((new Date(utcOf(day)).getUTCDay() + 6) % 7));

/** A day so many days before. */
export const dayBefore = (day: Day, days: number): Day => dayAfter(day, -days);

export const periodOfDay = (day: Day, zones: Zones): Period => ({
  from: startOfDay(day, zones),
  to: startOfDay(dayAfter(day), zones),
});
export const periodOfMonth = (month: Month, zones: Zones): Period => ({
  from: startOfDay({ ...month, day: 1 }, zones),
  to: startOfDay({ ...monthAfter(month), day: 1 }, zones),
});

/** A time as a merchant's clocks show it, exact by its offset: `2026-11-26T12:03:00.000+05:00`. */
export function zonedTime(at: Instant, zones: Zones): string {
  const { timeZone } = zones.findLast(({ since }) => since <= at) ?? zones[0];
  const offset = clockOf(timeZone).offsetAt(at);
  const minutes = Math.abs(offset) / 60_000;
  const shown = new Date(at + offset).toISOString().slice(0, -1);
  return `${shown}${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** The day that a time is in. */
export function dayAt(at: Instant, zones: Zones): Day {
  let day = ofUtc(at);
  while (startOfDay(day, zones) > at) day = dayAfter(day, -1);
  while (startOfDay(dayAfter(day), zones) <= at) day = dayAfter(day);
  return day;
}
export function monthAt(at: Instant, zones: Zones): Month {
  const { year, month } = dayAt(at, zones);
  return { year, month };
}

/**
 * When a day begins: in the first zone that counted when it came. What had begun before a zone was
 * changed began then, and nothing begins before the change that the zone before it did not begin.
 */
export function startOfDay(day: Day, zones: Zones): Instant {
  for (const [at, { since, timeZone }] of zones.entries()) {
    const until = zones[at + 1]?.since ?? Number.POSITIVE_INFINITY;
    const start = startInZone(day, timeZone);
    if (start < until) return at === 0 ? start : Math.max(start, since);
  }
  throw new Error('the last zone counts for ever');
}

/** Clocks are never further from UTC, nor is a day skipped by more. */
const MARGIN_MS = 26 * 60 * 60 * 1000;

/**
 * The first moment at which a clock of the zone shows midnight, or where midnight is skipped what
 * comes after it.
 */
function startInZone(day: Day, timeZone: string): Instant {
  const midnight = utcOf(day);
  const clock = clockOf(timeZone);
  const offsets = [midnight - MARGIN_MS, midnight + MARGIN_MS].map(clock.offsetAt);
  const shown = offsets
    .map((offset) => midnight - offset)
    .filter((at) => at + clock.offsetAt(at) === midnight);
  return shown.length > 0 ? Math.min(...shown) : firstAfterGap(midnight, clock);
}

function firstAfterGap(midnight: Instant, { offsetAt }: ZoneClock): Instant {
  let before = midnight - MARGIN_MS;
  let after = midnight + MARGIN_MS;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (middle + offsetAt(middle) < midnight) before = middle;
    else after = middle;
  }
  return after;
}

interface ZoneClock {
  /** Milliseconds that its clocks are ahead of UTC. */
  readonly offsetAt: (at: Instant) => number;
}

/** One for each zone that was asked for: making one takes longer than a thousand readings. */
const clocks = new Map<string, ZoneClock>();

/** Throws RangeError for a zone that Intl does not know. */
function clockOf(timeZone: string): ZoneClock {
  const known = clocks.get(timeZone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, calendar: 'gregory', numberingSystem: 'latn', hourCycle: 'h23' },
    ...{ year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
  } as Intl.DateTimeFormatOptions);
  const clock: ZoneClock = {
    offsetAt(at) {
      const second = Math.floor(at / 1000) * 1000;
      const parts = format.formatToParts(second);
      const part = (type: string) => Number(parts.find((one) => one.type === type)?.value);
      const days = [part('year'), part('month') - 1, part('day')] as const;
      return Date.UTC(...days, part('hour'), part('minute'), part('second')) - second;
    },
  };
  clocks.set(timeZone, clock);
  return clock;
}
