import type { ReactNode } from 'react';
import classes from './now.module.css';

/** Small pictures of the last hours: a dozen values need no library. Their table is below them. */

const textOf = (hours: readonly (number | null)[], asText: (value: number) => string) =>
  hours.map((value) => (value === null ? 'none' : asText(value))).join(', ');

const BARS = { width: 120, height: 24 };

/** A count for each hour. */
export function Bars({ label, hours }: { readonly label: string; readonly hours: number[] }) {
  const most = Math.max(1, ...hours);
  const step = BARS.width / Math.max(1, hours.length);
  return (
    <svg
      className={classes['spark']}
      {...BARS}
      role="img"
      aria-label={`${label}: ${textOf(hours, String)}`}
    >
      {hours.map((count, at) => {
        const height = Math.max(1, (count / most) * (BARS.height - 2));
        return (
          <rect
            key={`hour ${at + 1}`}
            x={at * step + 1}
            y={BARS.height - height}
            width={step - 2}
            height={height}
            fill="currentColor"
          />
        );
      })}
    </svg>
  );
}

const TREND = { width: 48, height: 16 };

interface TrendProps {
  readonly label: string;
  /** Null: nothing in that hour. */
  readonly hours: readonly (number | null)[];
  asText(value: number): string;
  readonly children: ReactNode;
}

/** A value with how it went over the hours; hours without one are passed over. */
export function Trend({ label, hours, asText, children }: TrendProps) {
  const known = hours.flatMap((value, at) => (value === null ? [] : [{ value, at }]));
  const [least, most] = [
    Math.min(...known.map(({ value }) => value)),
    Math.max(...known.map(({ value }) => value)),
  ];
  const points = known.map(({ value, at }) => {
    const x = 2 + (at / Math.max(1, hours.length - 1)) * (TREND.width - 4);
    const part = most === least ? 0.5 : (value - least) / (most - least);
    return `${x.toFixed(1)},${(TREND.height - 2 - part * (TREND.height - 4)).toFixed(1)}`;
  });
  const last = points.at(-1)?.split(',');
  return (
    <span className={classes['trend']}>
      {points.length < 2 ? null : (
        <svg {...TREND} role="img" aria-label={`${label}: ${textOf(hours, asText)}`}>
          <polyline
            points={points.join(' ')}
            fill="none"
            stroke="currentColor"
            strokeWidth="1.5"
            strokeLinejoin="round"
          />
          <circle cx={last?.[0]} cy={last?.[1]} r="2" fill="currentColor" />
        </svg>
      )}
      <span className="number">{children}</span>
    </span>
  );
}
