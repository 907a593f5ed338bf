import { Tooltip } from '@mantine/core';
import { clockText, durationText, exactUtc } from '@munshi/web';
import type { ReactNode } from 'react';
import classes from './timeline.module.css';

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
  return (
    <ol className={classes['timeline']} aria-label={label}>
      {entries.map(({ id, at, what, detail, tone }, index) => {
        const before = entries[index - 1];
        const gap = before === undefined ? 0 : Date.parse(at) - Date.parse(before.at);
        return (
          <li key={id} data-tone={tone}>
            <div>
              <Tooltip label={exactUtc(Date.parse(at))}>
                <time dateTime={at} className="number">
                  {clockText(Date.parse(at))}
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
