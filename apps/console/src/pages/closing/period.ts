/** The period of a closing in words, in the zone of the wallets. */

interface Period {
  readonly from: string;
  readonly to: string;
  readonly timeZone: string;
}

const format = (timeZone: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { timeZone, ...options });

export const timeIn = (at: string, timeZone: string): string =>
  format(timeZone, {
    ...{ day: 'numeric', month: 'short', year: 'numeric' },
    ...{ hour: '2-digit', minute: '2-digit' },
  }).format(Date.parse(at));

const dayIn = (at: number, timeZone: string) =>
  format(timeZone, { day: 'numeric', month: 'short', year: 'numeric' }).format(at);
const clockIn = (at: string, timeZone: string) =>
  format(timeZone, { hour: '2-digit', minute: '2-digit', second: '2-digit' }).format(
    Date.parse(at),
  );

/** `28 Nov 2026`, `26 Nov 2026 to 28 Nov 2026`, `28 Nov 2026, 09:00 to 17:00`, or both ends whole. */
export function periodText({ from, to, timeZone }: Period): string {
  const days = [Date.parse(from), Date.parse(to) - 1].map((at) => dayIn(at, timeZone));
  const [first, last] = days;
  const [begin, end] = [clockIn(from, timeZone), clockIn(to, timeZone)];
  if (begin === MIDNIGHT && end === MIDNIGHT) return [...new Set(days)].join(' to ');
  return first === last
    ? `${first}, ${begin.slice(0, 5)} to ${end.slice(0, 5)}`
    : `${timeIn(from, timeZone)} to ${timeIn(to, timeZone)}`;
}
const MIDNIGHT = '00:00:00';

/** `End of 28 Nov 2026`. */
export const dayEndText = (at: string, timeZone: string): string =>
  `End of ${dayIn(Date.parse(at) - 1, timeZone)}`;
