import { Tooltip } from '@mantine/core';
import { countdownText, durationText, exactUtc, shortDurationText, shownTime } from '@munshi/web';
import { createContext, useContext } from 'react';
import { useNow } from './now.ts';
import classes from './when.module.css';

/** Days and times below it are those of this zone; without it those of the reader. */
export const TimeZone = createContext<string | undefined>(undefined);
export const useTimeZone = (): string | undefined => useContext(TimeZone);

export interface WhenProps {
  /** ISO 8601 UTC. */
  readonly at: string;
}

/** `4 min ago` within an hour, else date and time; the exact UTC on hover and focus. */
export function When({ at }: WhenProps) {
  const now = useNow();
  const timeZone = useTimeZone();
  const time = Date.parse(at);
  return (
    <Tooltip label={exactUtc(time)}>
      <time
        dateTime={at}
        className="number"
        onCopy={(event) => {
          event.clipboardData.setData('text/plain', exactUtc(time));
          event.preventDefault();
        }}
      >
        {shownTime(time, now, timeZone).text}
      </time>
    </Tooltip>
  );
}

/** How long ago: `41 min`, `2 h 5 min`. From `redAfterMs` on it is red. */
export function Age({
  at,
  redAfterMs,
  isShort = false,
}: WhenProps & { readonly redAfterMs?: number; readonly isShort?: boolean }) {
  const age = useNow() - Date.parse(at);
  const late = redAfterMs !== undefined && age >= redAfterMs;
  return (
    <Tooltip label={exactUtc(Date.parse(at))}>
      <time dateTime={at} className={`number ${late ? classes['late'] : ''}`}>
        {isShort ? shortDurationText(age) : durationText(age)}
      </time>
    </Tooltip>
  );
}

/** What is left until a deadline by the service's clock; amber under 5 minutes, red under 1. */
export function Countdown({ at }: WhenProps) {
  const left = Date.parse(at) - useNow();
  const tone = left < 60_000 ? classes['late'] : left < 300_000 ? classes['soon'] : '';
  return (
    <Tooltip label={exactUtc(Date.parse(at))}>
      <time dateTime={at} className={`number ${tone}`}>
        {countdownText(left)}
      </time>
    </Tooltip>
  );
}
