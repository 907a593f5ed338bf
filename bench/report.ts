import { type GoalResult, judge } from './goals.ts';
import { type Results, type Spread, type Summary, summarize } from './samples.ts';

/** Columns of the tables. A table has those that any of its rows has. */
const COLUMNS: readonly (readonly [figure: string, heading: string, decimals: number])[] = [
  ['p50', 'p50 ms', 1],
  ['p90', 'p90 ms', 1],
  ['p95', 'p95 ms', 1],
  ['p99', 'p99 ms', 1],
  ['p999', 'p99.9 ms', 1],
  ['first', 'first ms', 1],
  ['slowest', 'slowest ms', 1],
  ['serverMicros', 'server CPU µs', 0],
  ['postgresMicros', 'Postgres CPU µs', 0],
  ['generatorMicros', 'generator CPU µs', 0],
  ['batch', 'commands a batch', 0],
  ['walBytes', 'WAL bytes', 0],
  ['rssMiB', 'RSS MiB', 0],
  ['heapMiB', 'heap MiB', 0],
  ['latestSeconds', 'latest s', 2],
  ['cores', 'cores', 2],
];

/** Markdown: what was measured where, the goals, and a table for each workload. */
export function reportOf(results: Results): string {
  const { machine, command, startedAt, seconds, options, notes, samples, checks } = results;
  const wrong = checks.filter(({ ok }) => !ok);
  const summaries = summarize(samples);
  const lines = [
    `\`${command}\`, ${startedAt.slice(0, 16).replace('T', ' ')} UTC, ${Math.round(seconds / 60)} minutes; commit ${machine.commit}${machine.changed ? ' with changes' : ''}; ${machine.cores} cores (${machine.cpu}), ${machine.memoryGiB} GiB, kernel ${machine.kernel}, Node ${machine.node}, Postgres ${machine.postgres}; ${options['rounds']} rounds of ${options['seconds']} s.`,
    '',
    wrong.length === 0
      ? `Every answer was right, and ${checks.length} checks of the databases afterwards found nothing.`
      : `NOT RIGHT: ${wrong.map(({ workload, what, detail }) => `${workload}: ${what} (${detail ?? ''})`).join('; ')}`,
    ...notes.map((note) => `\n${note}`),
    '',
    ...goalTable(judge(samples)),
  ];
  for (const [workload, rows] of Map.groupBy(summaries, (summary) => summary.workload))
    lines.push('', `### ${workload}`, '', ...workloadTable(rows));
  return `${lines.join('\n')}\n`;
}

function goalTable(goals: readonly GoalResult[]): readonly string[] {
  if (goals.length === 0) return [];
  const text = (value: number, unit: string) => `${digits(value)}${unit === '' ? '' : ` ${unit}`}`;
  return [
    '| | measured | floor | goal | |',
    '|---|---|---|---|---|',
    ...goals.map(
      ({ name, value, floor, goal, unit, met }) =>
        `| ${name} | **${text(value, unit)}** | ${text(floor, unit)} | ${text(goal, unit)} | ${MET[met]} |`,
    ),
  ];
}

const MET = { goal: 'goal met', floor: 'floor met', neither: 'not met' } as const;

function workloadTable(rows: readonly Summary[]): readonly string[] {
  const parameters = [...new Set(rows.flatMap((row) => Object.keys(row.parameters)))];
  const main = rows.some(({ figures }) => figures['perSecond'] !== undefined);
  const timed =
    rows.every(({ figures }) => figures['p50'] === undefined) &&
    rows.some(({ figures }) => figures['seconds'] !== undefined);
  const columns = COLUMNS.filter(([figure]) =>
    rows.some(({ figures }) => figures[figure] !== undefined),
  );
  const headings = [
    '',
    ...parameters,
    ...(main ? ['a second', 'lowest to highest'] : []),
    ...(timed ? ['seconds', 'lowest to highest'] : []),
    ...columns.map(([, heading]) => heading),
  ];
  const cell = (spread: Spread | undefined, decimals: number) =>
    spread === undefined || Number.isNaN(spread.median) ? '' : spread.median.toFixed(decimals);
  const spreadCells = (spread: Spread | undefined) =>
    spread === undefined
      ? ['', '']
      : [digits(spread.median), `${digits(spread.lowest)} to ${digits(spread.highest)}`];
  return [
    `| ${headings.join(' | ')} |`,
    `|${headings.map(() => '---|').join('')}`,
    ...rows.map((row) => {
      const cells = [
        row.contender,
        ...parameters.map((name) => formatParameter(row.parameters[name])),
        ...(main ? spreadCells(row.figures['perSecond']) : []),
        ...(timed ? spreadCells(row.figures['seconds']) : []),
        ...columns.map(([figure, , decimals]) => cell(row.figures[figure], decimals)),
      ];
      return `| ${cells.join(' | ')} |`;
    }),
  ];
}

const formatParameter = (value: string | number | undefined) =>
  value === undefined ? '' : typeof value === 'number' ? value.toLocaleString('en-US') : value;

/** Three significant digits, or all digits of whole numbers. */
const digits = (value: number) =>
  Math.abs(value) >= 100
    ? Math.round(value).toLocaleString('en-US')
    : Number(value.toPrecision(3)).toString();
