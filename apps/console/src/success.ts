/** How many orders of a span ended well, and how many did not. */
interface Ended {
  readonly completed: number;
  readonly failed: number;
}

/** Of fewer a share says nothing: one order more or less would move it by more than 5 %. */
const SAMPLE_LEAST = 20;

/** Completed of those that have ended, in percent; null where too few have. */
export function successOf({ completed, failed }: Ended): number | null {
  const ended = completed + failed;
  return ended < SAMPLE_LEAST ? null : Math.round((100 * completed) / ended);
}

export const percentText = (percent: number): string => `${percent} %`;

/** With its sample: `94 % of 212`; `too few` below a sensible one. */
export function successText(counts: Ended): string {
  const percent = successOf(counts);
  const ended = counts.completed + counts.failed;
  if (percent !== null) return `${percentText(percent)} of ${ended.toLocaleString('en')}`;
  return ended === 0 ? 'none' : 'too few';
}
