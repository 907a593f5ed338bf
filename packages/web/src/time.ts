/**
 * The service's clock in a browser, whose own may be wrong, and times as people read them. A
 * sandbox clock differs from real time by days, and the `Date` header of HTTP does not show it.
 */

/** The header of answers with the service's time, ISO 8601 UTC with milliseconds. */
export const SERVER_TIME = 'x-server-time';

export interface ServerClock {
  /** Milliseconds since 1970 by the service's clock. */
  now(): number;
  /** Learns from the header of an answer. Without one it changes nothing. */
  learn(header: string | null, sentAt: number): void;
}

/** What a page keeps of the service's clock for its next opening, which may have no network. */
export interface KeptOffset {
  /** Milliseconds that the service's clock is ahead of this machine's. */
  read(): number;
  keep(offset: number): void;
}

/** Shows this machine's time until the first answer, or what was kept. */
export function createServerClock(
  localNow: () => number = Date.now,
  kept?: KeptOffset,
): ServerClock {
  let offset = kept?.read() ?? 0;
  let known = false;
  return {
    now: () => localNow() + offset,
    learn(header, sentAt) {
      const at = header === null ? Number.NaN : Date.parse(header);
      if (Number.isNaN(at)) return;
      const receivedAt = localNow();
      const uncertainty = (receivedAt - sentAt) / 2;
      const measured = at - (sentAt + receivedAt) / 2;
      // A slow answer says little; it counts only where it contradicts what is known.
      if (known && Math.abs(measured - offset) <= Math.max(uncertainty, 250)) return;
      offset = measured;
      known = true;
      kept?.keep(offset);
    },
  };
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `41 s`, `14 min`, `2 h 5 min`, `3 d 4 h`: at most two units, rounded down. */
export function durationText(ms: number): string {
  const length = Math.max(0, ms);
  const of = (unit: number) => Math.floor(length / unit);
  const two = (large: string, rest: number, small: string) =>
    rest === 0 ? large : `${large} ${rest} ${small}`;
  if (length < MINUTE) return `${of(SECOND)} s`;
  if (length < HOUR) return `${of(MINUTE)} min`;
  if (length < DAY) return two(`${of(HOUR)} h`, of(MINUTE) % 60, 'min');
  return two(`${of(DAY)} d`, of(HOUR) % 24, 'h');
}

/** The same in one unit, rounded down: `41 s`, `14 min`, `2 h`, `3 d`. */
export const shortDurationText = (ms: number): string =>
  durationText(ms).split(' ').slice(0, 2).join(' ');

/** A short time as it was measured: `1.4 s`; from ten seconds on as durationText. */
export const secondsText = (ms: number): string =>
  ms < 10_000 ? `${(Math.max(0, ms) / SECOND).toFixed(1)} s` : durationText(ms);

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** The whole of a number of seconds: `2 h`, `1 h 30 min 5 s`. */
export function exactDurationText(seconds: number): string {
  let left = seconds;
  const parts = UNITS.flatMap(([unit, size]) => {
    const count = Math.floor(left / size);
    left -= count * size;
    return count === 0 ? [] : [`${count} ${unit}`];
  });
  return parts.join(' ') || '0 s';
}

/** What is left until a deadline: `4:05`, `1:02:05`; `0:00` when it has passed. */
export function countdownText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / SECOND));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (value: number) => String(value).padStart(2, '0');
  return hours > 0
    ? `${hours}:${two(minutes)}:${two(seconds % 60)}`
    : `${minutes}:${two(seconds % 60)}`;
}

/**
 * Relative within an hour, else local date and time; `live` says that it changes with the minute.
 */
export interface ShownTime {
  readonly text: string;
  readonly live: boolean;
}

/** `4 min ago`, `in 4 min`, else `23 Nov, 15:45`, with the year where it is another one. */
export function shownTime(at: number, now: number, timeZone?: string): ShownTime {
  const distance = Math.abs(now - at);
  if (distance < 10 * SECOND) return { text: 'now', live: true };
  if (distance < HOUR) {
    const length = durationText(distance);
    return { text: at <= now ? `${length} ago` : `in ${length}`, live: true };
  }
  return { text: localText(at, now, timeZone), live: false };
}

function localText(at: number, now: number, timeZone: string | undefined): string {
  const zone = timeZone === undefined ? {} : { timeZone };
  const year = (time: number) =>
    new Intl.DateTimeFormat('en-GB', { year: 'numeric', ...zone }).format(time);
  const date = new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    ...(year(at) === year(now) ? {} : { year: 'numeric' }),
    ...zone,
  }).format(at);
  return `${date}, ${clockText(at, timeZone)}`;
}

/** `15:45`, where the reader is. */
export const clockText = (at: number, timeZone?: string): string =>
  new Intl.DateTimeFormat('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    ...(timeZone === undefined ? {} : { timeZone }),
  }).format(at);

/** `23 Nov`, where the reader is. */
export const dayText = (at: number, timeZone?: string): string =>
  new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    ...(timeZone === undefined ? {} : { timeZone }),
  }).format(at);

/** `2026-11-23 10:42:05 UTC`: what is shown on hover and copied. */
export const exactUtc = (at: number): string =>
  `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** The day that clocks of this zone, or of the reader's, show then: `2026-11-23`. */
export const dayOf = (at: number, timeZone?: string): string =>
  new Intl.DateTimeFormat('en-CA', {
    ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
    ...(timeZone === undefined ? {} : { timeZone }),
  }).format(at);

/** A day so many days later, or before. */
export const dayLater = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10);

export const PERIODS = ['today', 'yesterday', 'week'] as const;

/** The days of a period, first and last: a week began on Monday and ends today. */
export function daysOfPeriod(
  period: (typeof PERIODS)[number],
  now: number,
  timeZone?: string,
): { readonly from: string; readonly to: string } {
  const today = dayOf(now, timeZone);
  const before = (days: number) => dayLater(today, -days);
  if (period === 'yesterday') return { from: before(1), to: before(1) };
  const sinceMonday = (new Date(today).getUTCDay() + 6) % 7;
  return { from: period === 'today' ? today : before(sinceMonday), to: today };
}

interface Days {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}
type Times = { readonly from?: string; readonly to?: string };

/**
 * Days such as `2026-11-23`, of this zone or of the reader's, as the times from the start of the
 * first one until the end of the last one, ISO 8601. What is no day is left out.
 */
export function timesOfDays({ from, to }: Days, timeZone?: string): Times {
  const startOf = (day: string | undefined) => day && localTime(`${day}T00:00`, timeZone);
  return timesOf(startOf(readDay(from)), startOf(dayAfter(to)));
}

/**
 * The same for a service that itself knows whose days they are: the first one, and the one after
 * the last.
 */
export const datesOfDays = ({ from, to }: Days): Times => timesOf(readDay(from), dayAfter(to));

const timesOf = (from: string | undefined, to: string | undefined): Times => ({
  ...(from !== undefined && { from }),
  ...(to !== undefined && { to }),
});

/** Undefined for what is no day of the calendar. */
export function readDay(text: string | undefined): string | undefined {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text ?? '') ? Date.parse(text as string) : Number.NaN;
  // 30 February would be a day of March.
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text as string)
    ? text
    : undefined;
}

/** Whether it is a month such as `2026-11`. */
export const isMonth = (text: string): boolean => /^\d{4}-(0[1-9]|1[0-2])$/.test(text);

function dayAfter(text: string | undefined): string | undefined {
  const day = readDay(text);
  return day && dayLater(day, 1);
}

/**
 * When clocks of this zone, or of the reader's, show `2026-11-23T14:30`, ISO 8601 UTC; where they
 * are put forward over it, as much later. Undefined for what is no time.
 */
export function localTime(text: string, timeZone?: string): string | undefined {
  const shown = Date.parse(`${text}Z`);
  if (Number.isNaN(shown)) return undefined;
  // The offset then is that of a first guess, unless the guess is across a change of the clocks.
  const guess = shown - offsetAt(shown, timeZone);
  return new Date(shown - offsetAt(guess, timeZone)).toISOString();
}

/** Milliseconds that clocks of the zone are ahead of UTC, to the second. */
function offsetAt(at: number, timeZone: string | undefined): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    ...{ year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric', hourCycle: 'h23' },
    ...(timeZone === undefined ? {} : { timeZone }),
  }).formatToParts(at);
  const part = (name: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find(({ type }) => type === name)?.value);
  // Not by `Date.UTC`, which takes the year 2 for 1902: a year is typed digit by digit.
  const shown = new Date(0).setUTCFullYear(part('year'), part('month') - 1, part('day'));
  const time = (part('hour') * 60 + part('minute')) * MINUTE + part('second') * SECOND;
  return shown + time - Math.floor(at / SECOND) * SECOND;
}
