import { type AnswerOf, MEMBER_LIST_DAYS } from '@munshi/api';
import type { AsText } from '@munshi/web';
import { LANGUAGES, language } from '../language.ts';
import { now } from '../now.ts';
import { api } from '../service.ts';
import { words } from './words.ts';

/** Days as the service counts them: by when an order was created, on this phone's clock. */

export type Day = AsText<AnswerOf<typeof MEMBER_LIST_DAYS>>['data']['days'][number];

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** The service answers so many at once. */
const DAYS_MAX = 93;

/** Minutes that this phone's zone is ahead of UTC, as the service takes it. */
export const utcOffset = (): number => -new Date().getTimezoneOffset();

/** `2026-11-23`. */
export const dayOf = (at: string | number): string => {
  const time = typeof at === 'number' ? at : Date.parse(at);
  return new Date(time + utcOffset() * MINUTE).toISOString().slice(0, 10);
};
const startOf = (day: string): number => Date.parse(`${day}T00:00Z`) - utcOffset() * MINUTE;

/** `Today`, `Yesterday`, else `Mon, 23 Nov`, with the year where it is another one. */
export function dayName(day: string): string {
  const { today, yesterday } = words.value;
  if (day === dayOf(now.value)) return today;
  if (day === dayOf(now.value - DAY)) return yesterday;
  const sameYear = day.slice(0, 4) === dayOf(now.value).slice(0, 4);
  return new Intl.DateTimeFormat(LANGUAGES[language.value].locale, {
    ...{ weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' },
    ...(!sameYear && { year: 'numeric' }),
  }).format(Date.parse(day));
}

/** What was read of days: all since `since`, the latest first. */
export interface Days {
  readonly since: string;
  readonly days: readonly Day[];
}

/** Reads as far back as `since`, or a month. Undefined: the service cannot be reached. */
export async function readDays(before: Days | null, since?: string): Promise<Days | undefined> {
  const wanted = since ?? dayOf(now.value - 30 * DAY);
  let read: Days = before ?? { since: dayOf(now.value + DAY), days: [] };
  while (read.since > wanted) {
    const to = startOf(read.since);
    const from = Math.max(startOf(wanted), to - DAYS_MAX * DAY);
    const query = {
      from: new Date(from).toISOString(),
      to: new Date(to).toISOString(),
      utcOffset: utcOffset(),
    };
    const outcome = await api.call(MEMBER_LIST_DAYS, { query }).catch(() => undefined);
    if (!outcome?.ok) return undefined;
    read = { since: dayOf(from), days: [...read.days, ...outcome.answer.data.days] };
  }
  return read;
}
