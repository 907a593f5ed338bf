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

/** `28 Nov 2026`, `28 Nov 2026, 09:00 to 17:00`, or both ends whole. */
export function periodText({ from, to, timeZone }: Period): string {
  const day = dayIn(Date.parse(from), timeZone);
  const isOneDay = dayIn(Date.parse(to) - 1, timeZone) === day;
  if (!isOneDay) return `${timeIn(from, timeZone)} to ${timeIn(to, timeZone)}`;
  const [begin, end] = [clockIn(from, timeZone), clockIn(to, timeZone)];
  const isWhole = begin === '00:00:00' && end === '00:00:00';
  return isWhole ? day : `${day}, ${begin.slice(0, 5)} to ${end.slice(0, 5)}`;
}

/** `End of 28 Nov 2026`. */
export const dayEndText = (at: string, timeZone: string): string =>
  `End of ${dayIn(Date.parse(at) - 1, timeZone)}`;
