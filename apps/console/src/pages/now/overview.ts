import type { OverviewView } from '@munshi/api';
import type { AsText } from '@munshi/web';

export type Overview = AsText<OverviewView>;
export type Method = Overview['methods'][number];
type Counts = Pick<Overview['lastHour'], 'completed' | 'failed'>;

/** Of those that have ended, in percent; null where none has. */
export function successOf({ completed, failed }: Counts): number | null {
  const ended = completed + failed;
  return ended === 0 ? null : Math.round((100 * completed) / ended);
}

export const percentText = (percent: number): string => `${percent} %`;

export function successText(counts: Counts): string {
  const percent = successOf(counts);
  return percent === null ? 'none' : percentText(percent);
}
