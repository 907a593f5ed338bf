import type { Instant } from './order.ts';
import { plainDigits } from './typed.ts';

/**
 * When a message of a wallet or bank says that the payment was made, in the common ways to write it:
 * `07/06/2026 22:45`, `7-Jun-26`, `Jun 7, 2026 10:45 PM`, `2026-06-07`.
 */

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const NAME = `(${MONTHS.join('|')})[a-z]*`;

const YEAR_FIRST = /\b(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})\b/g;
const IN_NUMBERS = /\b(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})\b/g;
const NAME_INSIDE = new RegExp(
  `\\b(\\d{1,2})[-/., ]{0,2}${NAME}[-/., ]{0,2}(\\d{4}|\\d{2})\\b`,
  'gi',
);
const NAME_FIRST = new RegExp(`\\b${NAME}[-. ]{0,2}(\\d{1,2}),? (\\d{4})\\b`, 'gi');
const TIME = /\b(\d{1,2}):(\d{2})(?::\d{2})?(?: ?([ap])\.?m\b)?/gi;

/**
 * The latest time that a text can mean; null: it has no date. `06/07/2026` is the later of June and
 * July, a date without a time of day its end, and several dates are the last of them. `utcOffset`:
 * minutes that the reader's clock is ahead of UTC.
 */
export function latestTimeIn(text: string, utcOffset: number): Instant | null {
  const plain = plainDigits(text);
  const dates = daysIn(plain).filter((day) => day !== null);
  if (dates.length === 0) return null;
  const times = [...plain.matchAll(TIME)].flatMap(([, hour, minute, half]) => {
    const hours =
      half === undefined
        ? Number(hour)
        : (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
    return hours < 24 && Number(minute) < 60 ? [hours * 60 + Number(minute) + 1] : [];
  });
  const ofDay = times.length === 0 ? DAY_MS : Math.max(...times) * MINUTE_MS;
  return Math.max(...dates) + ofDay - 1 - utcOffset * MINUTE_MS;
}

const daysIn = (text: string): readonly (Instant | null)[] => [
  ...[...text.matchAll(YEAR_FIRST)].map(([, year, month, day]) => midnight(year, month, day)),
  ...[...text.matchAll(IN_NUMBERS)].flatMap(([, one, other, year]) => [
    midnight(year, other, one),
    midnight(year, one, other),
  ]),
  ...[...text.matchAll(NAME_INSIDE)].map(([, day, name, year]) =>
    midnight(year, number(name), day),
  ),
  ...[...text.matchAll(NAME_FIRST)].map(([, name, day, year]) => midnight(year, number(name), day)),
];

const number = (name = '') => MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;

/** As if it were in UTC; null: there is no such day. */
function midnight(
  year: string | undefined,
  month: string | number | undefined,
  day: string | undefined,
): Instant | null {
  const full = Number(year) < 100 ? 2000 + Number(year) : Number(year);
  const at = new Date(Date.UTC(full, Number(month) - 1, Number(day)));
  return at.getUTCMonth() + 1 === Number(month) && at.getUTCDate() === Number(day)
    ? at.getTime()
    : null;
}
