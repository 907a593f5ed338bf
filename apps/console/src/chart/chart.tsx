import { useComputedColorScheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import type uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import classes from './chart.module.css';

/** One line of a chart. */
export interface Series {
  readonly label: string;
  /** One for each of the chart's times; null leaves a gap. */
  readonly values: readonly (number | null)[];
  /** A colour of the tokens, such as `--accent`. */
  readonly colour: string;
  /** `line` by default. */
  readonly shape?: 'line' | 'dashed' | 'steps' | 'bars';
}

interface ChartProps {
  /** What a screen reader says of it; the numbers are in the table next to it. */
  readonly summary: string;
  /** Milliseconds, ascending. */
  readonly times: readonly number[];
  readonly series: readonly Series[];
  readonly height: number;
  timeText(at: number): string;
  valueText(value: number): string;
  /** The axis of values begins at zero: for counts. */
  readonly fromZero?: boolean;
}

/**
 * Lines over time. Where they are drawn is all that a number decides here: texts are the caller's.
 * A screen that shows one shows its table too.
 */
export function Chart(props: ChartProps) {
  const { summary, series, times } = props;
  const height = props.height * textScale();
  const scheme = useComputedColorScheme('light');
  const { ref: frame, width } = useElementSize();
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(null);
  // Made again where something else is drawn than numbers.
  const kind = JSON.stringify([
    scheme,
    height,
    isFew(times),
    series.map(({ values: _, ...look }) => look),
  ]);
  const newest = useRef(props);
  newest.current = props;
  useEffect(() => {
    if (width === 0) return;
    let isGone = false;
    const draw = async () => {
      const { default: UPlot } = await import('uplot');
      if (isGone || place.current === null) return;
      const options = optionsOf(newest, width, UPlot.paths);
      plot.current = new UPlot(options, dataOf(newest.current), place.current);
    };
    draw().catch(() => {}); // the table beside it has the numbers
    return () => {
      isGone = true;
      plot.current?.destroy();
      plot.current = null;
    };
  }, [kind, width === 0]);
  useEffect(() => {
    if (width > 0) plot.current?.setSize({ width, height });
  }, [width, height]);
  useEffect(() => {
    plot.current?.setData(dataOf(props));
  });
  return (
    <div ref={frame} className={classes['frame']}>
      <div ref={place} role="img" aria-label={summary} style={{ minHeight: height }} />
    </div>
  );
}

const dataOf = ({ times, series }: ChartProps): uPlot.AlignedData => [
  times.map((at) => at / 1000),
  ...series.map(({ values }) => [...values]),
];

/** So few that each is named: between them the axis would name one day several times. */
const isFew = (times: readonly number[]) => times.length <= 4;

/** 1 where text has its normal size. */
const textScale = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;

const token = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name);

type Newest = { readonly current: ChartProps };
type Paths = typeof uPlot.paths;

function optionsOf(newest: Newest, width: number, paths: Paths): uPlot.Options {
  const { series, times, fromZero = false } = newest.current;
  const scale = textScale();
  const few = isFew(times);
  const quiet = token('--quiet');
  const line = token('--line');
  const axis = {
    stroke: quiet,
    font: `${12 * scale}px system-ui, sans-serif`,
    grid: { stroke: line, width: 1 },
    ticks: { show: false },
  };
  return {
    width,
    height: newest.current.height * scale,
    padding: [8, 20, 0, 0], // half of a time of day stands beyond the last one
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 8 } },
    scales: {
      x: { range: (_, from, to) => withRoom(newest.current, from, to) },
      y: {
        range: (_, least, most) => {
          if (fromZero) return [0, Math.max(most, 1) * 1.1];
          const margin = Math.max((most - least) * 0.2, Math.abs(most) * 0.01);
          return [least - margin, most + margin];
        },
      },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 28 * scale,
        space: 50 * scale,
        ...(few && { splits: () => newest.current.times.map((at) => at / 1000) }),
        values: (plot, seconds) => namesOf(plot, seconds, newest.current.timeText),
      },
      {
        ...axis,
        size: 48 * scale,
        space: 32 * scale,
        incrs: fromZero ? STEPS : undefined,
        values: (_, values) => values.map((value) => newest.current.valueText(value)),
      } as uPlot.Axis,
    ],
    series: [{}, ...series.map((one) => lineOf(one, paths, few))],
    hooks: { setCursor: [showTip(newest)] },
  };
}

/** From the latest: an earlier time has no name where it is the same one, or there is no room. */
function namesOf(
  plot: uPlot,
  seconds: readonly number[],
  textOf: ChartProps['timeText'],
): (string | null)[] {
  let text = '';
  let end = Number.POSITIVE_INFINITY;
  const names = seconds.toReversed().map((at) => {
    const name = textOf(at * 1000);
    const [place, half] = [plot.valToPos(at, 'x'), (name.length * CHARACTER) / 2];
    if (name === text || place + half > end) return null;
    text = name;
    end = place - half;
    return name;
  });
  return names.toReversed();
}
/** In pixels, with room between two names. */
const CHARACTER = 7;

/** Of counts and amounts: 1, 2, 5, 10 and so on. */
const STEPS = Array.from({ length: 14 }, (_, power) =>
  [1, 2, 5].map((step) => step * 10 ** power),
).flat();

/** Bars stand around their times: the first and the last need room. */
function withRoom({ times, series }: ChartProps, from: number, to: number): [number, number] {
  if (times.length === 1) return [from - 1, from + 1];
  const room = series.some(({ shape }) => shape === 'bars')
    ? (to - from) / Math.max(1, times.length - 1) / 2
    : 0;
  return [from - room, to + room];
}

function lineOf(
  { label, colour, shape = 'line' }: Series,
  { bars, stepped }: Paths,
  few: boolean,
): uPlot.Series {
  const stroke = token(colour);
  return {
    label,
    stroke,
    width: shape === 'bars' ? 0 : 2,
    points: { show: few && shape !== 'bars' },
    ...(shape === 'dashed' && { dash: [4, 4] }),
    ...(shape === 'bars' && bars && { fill: stroke, paths: bars({ size: [0.6, 24] }) }),
    ...(shape === 'steps' && stepped && { paths: stepped({ align: 1 }) }),
  };
}

/** Says in a card beside the pointer what is drawn there. */
const showTip = (newest: Newest) => (plot: uPlot) => {
  const known = plot.over.querySelector<HTMLElement>('[data-tip]');
  const tip = known ?? plot.over.appendChild(document.createElement('div'));
  tip.dataset['tip'] = '';
  tip.className = classes['tip'] ?? '';
  const { idx, left = -1 } = plot.cursor;
  tip.hidden = idx == null || left < 0;
  if (idx == null || tip.hidden) return;
  const { times, series, timeText, valueText } = newest.current;
  const lines = series.map(({ label, values }) => {
    const value = values[idx];
    return `${label}: ${value == null ? '–' : valueText(value)}`;
  });
  tip.textContent = [timeText(times[idx] ?? 0), ...lines].join('\n');
  const isRight = left > plot.over.clientWidth / 2;
  tip.style.left = isRight ? '' : `${left + 12}px`;
  tip.style.right = isRight ? `${plot.over.clientWidth - left + 12}px` : '';
};

/** The words for the colours, for people who see them. */
export function Legend({ series }: { readonly series: readonly Series[] }) {
  return (
    <ul className={classes['legend']}>
      {series.map(({ label, colour, shape = 'line' }) => (
        <li key={label}>
          <span data-shape={shape} style={{ color: `var(${colour})` }} />
          {label}
        </li>
      ))}
    </ul>
  );
}
