import type { Sample } from './samples.ts';

type Series = Exclude<keyof Sample, 'seconds'>;

/** Small charts one below the other, all over the same time. */
const CHARTS: readonly {
  readonly title: string;
  readonly lines: readonly { readonly of: Series; readonly name: string }[];
}[] = [
  {
    title: 'Memory of the server process, MiB',
    lines: [
      { of: 'rss', name: 'resident' },
      { of: 'heap', name: 'heap used' },
    ],
  },
  { title: 'Event loop delay, 99th percentile, ms', lines: [{ of: 'loopDelay', name: 'delay' }] },
  {
    title: 'Queues',
    lines: [
      { of: 'unansweredCommands', name: 'commands without an answer' },
      { of: 'webhooksDue', name: 'webhooks due' },
      { of: 'webhooksOnTheWay', name: 'webhooks on the way' },
    ],
  },
  {
    title: 'Connections',
    lines: [
      { of: 'databaseConnections', name: 'to the database' },
      { of: 'sockets', name: 'sockets of the process' },
    ],
  },
  { title: 'Orders in progress', lines: [{ of: 'openOrders', name: 'open' }] },
];

const COLORS = ['#1b6ca8', '#c4562b', '#3d8b3d'];
const WIDTH = 860;
const LEFT = 60;
const HEIGHT = 130;
const STEP = 185;

/** One SVG picture of the samples, readable without anything else. */
export function plot(samples: readonly Sample[], title: string): string {
  const end = Math.max(1, samples.at(-1)?.seconds ?? 1);
  const x = (seconds: number) => LEFT + ((WIDTH - LEFT - 20) * seconds) / end;
  const charts = CHARTS.map((chart, number) => {
    const top = 60 + number * STEP;
    const highest = Math.max(
      1,
      ...chart.lines.flatMap(({ of }) =>
        samples.map((sample) => sample[of]).filter(Number.isFinite),
      ),
    );
    const y = (value: number) => top + HEIGHT - (HEIGHT * value) / highest;
    const lines = chart.lines.map(({ of }, at) => {
      const points = samples
        .filter((sample) => Number.isFinite(sample[of]))
        .map((sample) => `${x(sample.seconds).toFixed(1)},${y(sample[of]).toFixed(1)}`);
      return `<polyline fill="none" stroke="${COLORS[at]}" stroke-width="1.3" points="${points.join(' ')}"/>`;
    });
    const names = chart.lines.map(
      ({ name }, at) => `<tspan fill="${COLORS[at]}" dx="14">${name}</tspan>`,
    );
    return `<text x="${LEFT}" y="${top - 10}" font-weight="bold">${chart.title}${names.join('')}</text>
<path d="M${LEFT} ${top}V${top + HEIGHT}H${WIDTH - 20}" fill="none" stroke="#888"/>
<text x="${LEFT - 6}" y="${top + 8}" text-anchor="end">${Number(highest.toPrecision(3))}</text><text x="${LEFT - 6}" y="${top + HEIGHT}" text-anchor="end">0</text>
<text x="${WIDTH - 20}" y="${top + HEIGHT + 16}" text-anchor="end">${(end / 60).toFixed(1)} min</text>
${lines.join('\n')}`;
  });
  const height = 60 + CHARTS.length * STEP;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12">
<rect width="${WIDTH}" height="${height}" fill="#fff"/><text x="${LEFT}" y="24" font-size="15">${title}</text>
${charts.join('\n')}
</svg>
`;
}
