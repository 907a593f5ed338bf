import { type GoalResult, judge } from './goals.ts';
import { type Results, type Spread, type Summary, summarize } from './samples.ts';

/** Columns of the tables: those of them that any row has. The results have more. */
const COLUMNS: readonly (readonly [figure: string, heading: string, decimals: number])[] = [
  ['p50', 'p50 ms', 1],
  ['p95', 'p95 ms', 1],
  ['p99', 'p99 ms', 1],
  ['first', 'first ms', 1],
  ['serverMicros', 'server µs', 0],
  ['postgresMicros', 'Postgres µs', 0],
];

/** Markdown: what was measured where, the goals, and a table for each workload, or for some. */
export function reportOf(results: Results, shown?: readonly string[]): string {
  const { startedAt, notes, samples, checks } = results;
  const wrong = checks.filter(({ ok }) => !ok);
  const lines = [
    `${described(results)}, ${startedAt.slice(0, 16).replace('T', ' ')} UTC.`,
    '',
    wrong.length === 0
      ? `Every answer was right, and ${checks.length} checks of the databases afterwards found nothing.`
      : `NOT RIGHT: ${wrong.map(({ workload, what, detail }) => `${workload}: ${what} (${detail ?? ''})`).join('; ')}`,
    ...notes.map((note) => `\n${note}`),
    '',
    ...goalTable(judge(samples)),
  ];
  for (const [workload, rows] of Map.groupBy(summarize(samples), (summary) => summary.workload))
    if (shown?.includes(workload) ?? true)
      lines.push('', `### ${workload}`, '', ...workloadTable(rows));
  return `${lines.join('\n')}\n`;
}

function described({ command, machine, options, seconds }: Results): string {
  const { commit, changed, cores, cpu, memoryGiB, kernel, node, postgres } = machine;
  return `\`${command}\`: ${Math.round(seconds / 60)} minutes; commit ${commit}${changed ? ' with changes' : ''}; ${cores} cores (${cpu}), ${memoryGiB} GiB, kernel ${kernel}, Node ${node}, Postgres ${postgres}; ${options['rounds']} rounds of ${options['seconds']} s`;
}

function goalTable(goals: readonly GoalResult[]): readonly string[] {
  if (goals.length === 0) return [];
  const text = (value: number, unit: string) => `${digits(value)}${unit === '' ? '' : ` ${unit}`}`;
  return [
    '| | Measured | Goal | |',
    '|---|---|---|---|',
    ...goals.map(
      ({ name, value, goal, unit, isMet }) =>
        `| ${name} | **${text(value, unit)}** | ${text(goal, unit)} | ${isMet ? 'met' : 'not met'} |`,
    ),
  ];
}

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
    'Of',
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
