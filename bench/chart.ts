import type { Spread } from './samples.ts';

/** A line through medians with the lowest and highest round of each. */
export interface Series {
  readonly name: string;
  readonly points: readonly (Spread & { readonly x: number })[];
}

export interface LineChart {
  readonly title: string;
  readonly x: string;
  readonly y: string;
  readonly series: readonly Series[];
}

export interface BarChart {
  readonly title: string;
  /** `own` is the service itself. */
  readonly bars: readonly (Spread & { readonly name: string; readonly own: boolean })[];
}

const COLORS = ['#1f6feb', '#6e7781', '#bc4c00', '#1a7f37'];
const [WIDTH, HEIGHT] = [520, 300];
const PLOT = { left: 64, right: 16, top: 52, bottom: 44 };
const BAR = { height: 18, gap: 12, names: 204, values: 150 };

const escapeXml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const text = (x: number, y: number, content: string, more = '') =>
  `<text x="${round(x)}" y="${round(y)}" ${more}>${escapeXml(content)}</text>`;
const line = (x1: number, y1: number, x2: number, y2: number, more: string) =>
  `<line x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}" ${more}/>`;
const round = (value: number) => Math.round(value * 10) / 10;

/** 1,234,567 as 1.2 M; small numbers with their decimals. */
export function short(value: number): string {
  if (value >= 1e6) return `${trim(value / 1e6)} M`;
  if (value >= 1e4) return `${trim(value / 1e3)} k`;
  return value >= 100 ? Math.round(value).toLocaleString('en-US') : trim(value);
}
const trim = (value: number) => Number(value.toPrecision(3)).toString();

/** Round numbers from 0 to at least the highest: at most six steps. */
function ticksTo(highest: number): readonly number[] {
  const rough = highest / 5 || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  return Array.from({ length: Math.ceil(highest / step) + 1 }, (_, at) => at * step);
}

/**
 * An SVG picture. The x axis is logarithmic, with a mark at every point; the y axis starts at 0.
 */
export function lineChart({ title, x, y, series }: LineChart): string {
  const xs = [...new Set(series.flatMap(({ points }) => points.map((point) => point.x)))].sort(
    (a, b) => a - b,
  );
  const ticks = ticksTo(
    Math.max(...series.flatMap(({ points }) => points.map(({ highest }) => highest))),
  );
  const [from, to] = [Math.log(xs[0] ?? 1), Math.log(xs.at(-1) ?? 1)];
  const inner = {
    width: WIDTH - PLOT.left - PLOT.right - 20,
    height: HEIGHT - PLOT.top - PLOT.bottom,
  };
  const atX = (value: number) =>
    PLOT.left +
    10 +
    (to === from ? inner.width / 2 : ((Math.log(value) - from) / (to - from)) * inner.width);
  const atY = (value: number) => PLOT.top + inner.height * (1 - value / (ticks.at(-1) ?? 1));
  const parts = [
    ...ticks.map(
      (tick) =>
        line(PLOT.left, atY(tick), WIDTH - PLOT.right, atY(tick), 'class="grid"') +
        text(PLOT.left - 8, atY(tick) + 4, short(tick), 'class="end"'),
    ),
    ...xs.map((value) =>
      text(atX(value), HEIGHT - PLOT.bottom + 18, short(value), 'class="middle"'),
    ),
    text(PLOT.left + inner.width / 2, HEIGHT - 8, x, 'class="middle axis"'),
    text(PLOT.left - 56, PLOT.top - 10, y, 'class="axis"'),
    ...series.map((each, at) => drawSeries(each, COLORS[at % COLORS.length] as string, atX, atY)),
    ...legend(series.map(({ name }) => name)),
  ];
  return picture(title, HEIGHT, parts);
}

function drawSeries(
  { points, name }: Series,
  color: string,
  atX: (x: number) => number,
  atY: (y: number) => number,
): string {
  const path = points
    .map((point, at) => `${at === 0 ? 'M' : 'L'}${round(atX(point.x))} ${round(atY(point.median))}`)
    .join('');
  const marks = points.map(({ x, median, lowest, highest }) => {
    const told = `<title>${escapeXml(`${name}, ${short(x)}: ${short(median)} (${short(lowest)} to ${short(highest)})`)}</title>`;
    return `${line(atX(x), atY(lowest), atX(x), atY(highest), `stroke="${color}" stroke-opacity=".45"`)}<circle cx="${round(atX(x))}" cy="${round(atY(median))}" r="3.5" fill="${color}">${told}</circle>`;
  });
  return `<path d="${path}" fill="none" stroke="${color}" stroke-width="2"/>${marks.join('')}`;
}

/** The names in a row beneath the title, right-aligned: each with its color. */
function legend(names: readonly string[]): readonly string[] {
  let x = WIDTH - PLOT.right;
  return names
    .map((name, at) => ({ name, color: COLORS[at % COLORS.length] as string }))
    .reverse()
    .map(({ name, color }) => {
      x -= name.length * 6.4;
      const entry = `${text(x, PLOT.top - 10, name)}<rect x="${round(x - 14)}" y="${PLOT.top - 19}" width="10" height="10" rx="2" fill="${color}"/>`;
      x -= 30;
      return entry;
    });
}

/** An SVG picture of one bar a line, with its value and its lowest and highest round. */
export function barChart({ title, bars }: BarChart): string {
  const highest = Math.max(...bars.map((bar) => bar.highest));
  const room = WIDTH - BAR.names - BAR.values;
  const width = (value: number) => Math.max(1, (value / highest) * room);
  const parts = bars.map(({ name, own, median, lowest, highest: top }, at) => {
    const y = 40 + at * (BAR.height + BAR.gap);
    const color = COLORS[own ? 0 : 1] as string;
    const value = `${short(median)}${lowest === top ? '' : ` (${short(lowest)} to ${short(top)})`}`;
    return [
      text(BAR.names - 8, y + 13, name, 'class="end"'),
      `<rect x="${BAR.names}" y="${y}" width="${round(width(median))}" height="${BAR.height}" rx="2" fill="${color}"/>`,
      line(
        BAR.names + width(lowest),
        y + BAR.height / 2,
        BAR.names + width(top),
        y + BAR.height / 2,
        'class="whisker"',
      ),
      text(BAR.names + width(Math.max(median, top)) + 6, y + 13, value),
    ].join('');
  });
  return picture(title, 40 + bars.length * (BAR.height + BAR.gap) + 8, parts);
}

const picture = (title: string, height: number, parts: readonly string[]) =>
  `<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escapeXml(title)}">${text(8, 20, title, 'class="title"')}${parts.join('')}</svg>`;
