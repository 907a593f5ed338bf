import { barChart, lineChart, type Series } from './chart.ts';
import { judge } from './goals.ts';
import { type Results, type Spread, type Summary, summarize } from './samples.ts';

/** One self-contained page of plots from a run's saved results. */
export function plotsPage(results: Results): string {
  const { machine, command, startedAt, options } = results;
  const figures = [...bars(results), ...lines(results)];
  const told = `${command}, ${startedAt.slice(0, 10)}, commit ${machine.commit}. ${machine.cores} cores (${machine.cpu}), Node ${machine.node}, Postgres ${machine.postgres}; ${options['rounds']} rounds of ${options['seconds']} s: points and bars are medians, the thin lines reach from the lowest round to the highest. Load, server and Postgres share the machine.`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Munshi: measured</title>
<style>
  body { margin: 24px auto; max-width: 1120px; padding: 0 16px; font: 15px/1.5 system-ui, sans-serif; color: #1f2328; background: #fff; }
  main { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 500px), 1fr)); gap: 16px; }
  figure { margin: 0; padding: 12px; border: 1px solid #d1d9e0; border-radius: 6px; }
  svg { display: block; width: 100%; font: 12px system-ui, sans-serif; fill: #1f2328; }
  .title { font-weight: 600; font-size: 14px; }
  .axis { fill: #59636e; }
  .end { text-anchor: end; }
  .middle { text-anchor: middle; }
  .grid { stroke: #e4e8ec; }
  .whisker { stroke: #1f2328; stroke-width: 1.5; }
  table { border-collapse: collapse; margin: 16px 0 24px; }
  th, td { padding: 4px 12px 4px 0; text-align: left; border-bottom: 1px solid #e4e8ec; }
  td.number { text-align: right; font-variant-numeric: tabular-nums; }
</style>
<h1>Munshi: measured</h1>
<p>${escapeHtml(told)}</p>
${goals(results)}
<main>
${figures.map((figure) => `<figure>${figure}</figure>`).join('\n')}
</main>
</html>
`;
}

const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function goals({ samples }: Results): string {
  const rows = judge(samples).map(({ name, value, floor, goal, unit, met }) => {
    const cells = [value, floor, goal].map(
      (number) =>
        `<td class="number">${Number(number.toPrecision(3)).toLocaleString('en-US')} ${unit}</td>`,
    );
    return `<tr><td>${escapeHtml(name.replaceAll('`', ''))}</td>${cells.join('')}<td>${{ goal: 'goal met', floor: 'floor met', neither: 'not met' }[met]}</td></tr>`;
  });
  return rows.length === 0
    ? ''
    : `<table><tr><th></th><th>measured</th><th>floor</th><th>goal</th><th></th></tr>${rows.join('')}</table>`;
}

type Match = (summary: Summary) => boolean;

/** The points of one line: a figure over a numeric parameter. */
function seriesOf(
  summaries: readonly Summary[],
  name: string,
  over: string,
  figure: string,
  match: Match,
): readonly Series[] {
  const points = summaries.filter(match).flatMap((summary) => {
    const [x, spread] = [summary.parameters[over], summary.figures[figure]];
    return typeof x === 'number' && spread !== undefined ? [{ x, ...spread }] : [];
  });
  return points.length === 0 ? [] : [{ name, points: points.sort((a, b) => a.x - b.x) }];
}

function lines({ samples }: Results): readonly string[] {
  const summaries = summarize(samples);
  const of =
    (
      workload: string,
      contender = 'munshi',
      parameters: Readonly<Record<string, string>> = {},
    ): Match =>
    (summary) =>
      summary.workload === workload &&
      summary.contender === contender &&
      Object.entries(parameters).every(([name, value]) => summary.parameters[name] === value);
  const latencies = (over: string, match: Match) =>
    ['p50', 'p90', 'p99'].flatMap((figure) => seriesOf(summaries, figure, over, figure, match));
  const both = (workload: string, over: string, parameters = {}) => [
    ...seriesOf(summaries, 'munshi', over, 'perSecond', of(workload, 'munshi', parameters)),
    ...seriesOf(
      summaries,
      'bare Fastify',
      over,
      'perSecond',
      of(workload, 'bare-fastify', parameters),
    ),
  ];
  const charts = [
    {
      title: 'Creations over connections',
      x: 'connections, closed loop',
      y: 'orders a second',
      series: both('connections', 'connections'),
    },
    {
      title: 'Latency of creations over connections',
      x: 'connections, closed loop',
      y: 'ms',
      series: latencies('connections', of('connections')),
    },
    {
      title: 'Latency of creations over arrivals',
      x: 'arrivals a second, open loop',
      y: 'ms',
      series: latencies('arrivals', of('arrivals')),
    },
    {
      title: 'Latency of the mixed load over arrivals',
      x: 'arrivals a second, open loop',
      y: 'ms',
      series: latencies('arrivals', of('mixed')),
    },
    {
      title: 'Creations over orders stored',
      x: 'orders stored before',
      y: 'orders a second',
      series: both('sizes', 'orders', { work: 'creation' }),
    },
    {
      title: 'Latency of creations over orders stored',
      x: 'orders stored before',
      y: 'ms',
      series: latencies('orders', of('sizes', 'munshi', { work: 'creation' })),
    },
    {
      title: 'Status look-ups over orders stored',
      x: 'orders stored',
      y: 'look-ups a second',
      series: seriesOf(
        summaries,
        'munshi',
        'orders',
        'perSecond',
        of('sizes', 'munshi', { work: 'status' }),
      ),
    },
    {
      title: 'Creations over members',
      x: 'members online',
      y: 'orders a second',
      series: seriesOf(summaries, 'munshi', 'members', 'perSecond', of('members')),
    },
    {
      title: 'Creations over processes',
      x: 'server processes on one database',
      y: 'orders a second',
      series: seriesOf(summaries, 'munshi', 'processes', 'perSecond', of('processes')),
    },
    {
      title: 'Latency of creations over members',
      x: 'members online',
      y: 'ms',
      series: latencies('members', of('members')),
    },
  ];
  return charts.filter(({ series }) => series.length > 0).map(lineChart);
}

function bars({ samples }: Results): readonly string[] {
  const summaries = summarize(samples);
  const chart = (
    title: string,
    workloads: readonly string[],
    nameOf: (summary: Summary) => string,
  ) => {
    const found = summaries
      .filter(
        ({ workload, figures }) =>
          workloads.includes(workload) && figures['perSecond'] !== undefined,
      )
      .map((summary) => ({
        name: nameOf(summary),
        own: summary.contender === 'munshi',
        ...(summary.figures['perSecond'] as Spread),
      }));
    return found.length === 0 ? [] : [barChart({ title: `${title} a second`, bars: found })];
  };
  const named = (parameter: string) => (summary: Summary) =>
    String(summary.parameters[parameter] ?? '');
  return [
    ...chart('Order creations', ['creation', 'commerce'], ({ contender }) => contender),
    ...chart('Order creations by kind', ['creation-kinds'], named('kind')),
    ...chart('Steps from the page to settlement', ['settlement'], named('step')),
    ...chart('Reads', ['reads'], (summary) =>
      summary.contender === 'munshi' ? named('look')(summary) : summary.contender,
    ),
    ...chart('Webhook deliveries', ['webhooks'], ({ contender, parameters }) =>
      parameters['receivers'] === undefined ? contender : `${contender}, half hang`,
    ),
  ];
}
