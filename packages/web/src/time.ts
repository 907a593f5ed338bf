/**
 * The service's clock in a browser, whose own may be wrong, and times as people read them. A
 * sandbox clock differs from real time by days, and `Date` of HTTP does not tell it.
 */

/** The header of answers that tells the service's time, ISO 8601 UTC with milliseconds. */
export const SERVER_TIME = 'x-server-time';

export interface ServerClock {
  /** Milliseconds since 1970 by the service's clock. */
  now(): number;
  /** Learns from the header of an answer. Without one it changes nothing. */
  learn(header: string | null, sentAt: number): void;
}

/** Shows this machine's time until the first answer. */
export function createServerClock(localNow: () => number = Date.now): ServerClock {
  let offset = 0;
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

/** What is left until a deadline: `4:05`, `1:02:05`; `0:00` when it has passed. */
export function countdownText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / SECOND));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (value: number) => String(value).padStart(2, '0');
  return hours > 0
    ? `${hours}:${two(minutes)}:${two(seconds % 60)}`
    : `${minutes}:${two(seconds % 60)}`;
}

/** Relative within an hour, else local date and time; `live` says that it changes with the minute. */
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

/**
 * Days of the reader, such as `2026-11-23`, as the times from the start of the first one until the
 * end of the last one, ISO 8601. What is no day is left out.
 */
export function timesOfDays({
  from,
  to,
}: {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}): {
  readonly from?: string;
  readonly to?: string;
} {
  const [start, end] = [startOfDay(from, 0), startOfDay(to, 1)];
  return { ...(start !== undefined && { from: start }), ...(end !== undefined && { to: end }) };
}

function startOfDay(day: string | undefined, daysLater: number): string | undefined {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day ?? '') ?? [];
  const at = new Date(Number(year), Number(month) - 1, Number(date) + daysLater);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}
