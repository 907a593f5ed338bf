import { Tooltip } from '@mantine/core';
import { clockText, dayText, durationText, exactUtc } from '@munshi/web';
import type { ReactNode } from 'react';
import { useService } from './api.tsx';
import classes from './timeline.module.css';
import { useTimeZone } from './when.tsx';

export interface TimelineEntry {
  readonly id: string;
  /** ISO 8601 UTC. */
  readonly at: string;
  /** What happened, and who did it. */
  readonly what: ReactNode;
  /** A note, an address, a second line. */
  readonly detail?: ReactNode;
  /** What somebody has to look at. */
  readonly tone?: 'needed' | 'failed' | 'done';
}

/** What happened, the oldest first, with the time between the steps. */
export function Timeline({
  entries,
  label,
}: {
  readonly entries: readonly TimelineEntry[];
  readonly label: string;
}) {
  const now = useService().clock.now();
  const timeZone = useTimeZone();
  return (
    <ol className={classes['timeline']} aria-label={label}>
      {entries.map(({ id, at, what, detail, tone }, index) => {
        const before = entries[index - 1];
        const time = Date.parse(at);
        const gap = before === undefined ? 0 : time - Date.parse(before.at);
        // The day stands where it changes, and at the beginning unless that is today.
        const day = dayText(time, timeZone);
        const dayBefore = dayText(before === undefined ? now : Date.parse(before.at), timeZone);
        return (
          <li key={id} data-tone={tone}>
            <div>
              <Tooltip label={exactUtc(time)}>
                <time dateTime={at} className="number">
                  {day === dayBefore ? '' : `${day}, `}
                  {clockText(time, timeZone)}
                </time>
              </Tooltip>{' '}
              {what}
              {gap >= 1000 ? <span className="quiet"> +{durationText(gap)}</span> : null}
            </div>
            {detail === undefined ? null : <div className="quiet">{detail}</div>}
          </li>
        );
      })}
    </ol>
  );
}
