import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Options } from './bench.ts';
import { DEFAULT, FULL, SHORT } from './options.ts';
import { saved } from './publish.ts';
import { reportOf } from './report.ts';
import { runWorkloads } from './run.ts';
import type { Results } from './samples.ts';
import { WORKLOADS } from './workloads/index.ts';
import { writeReport } from './write-report.ts';

const USAGE = `npm run bench -- [options]
  --only <name,name>      these workloads alone; --list names them
  --rounds <n>            alternating rounds of everything
  --seconds <n>           of one measured stretch
  --connections <n>       of the load generator
  --members <n>           who are online, where they are not what is varied
  --sizes <n,n>           orders stored before the workload "sizes"
  --full                  five million orders stored as well
  --short                 everything tiny and once: whether it runs and answers right
  --no-peers              without graphile-worker, from npm
  --out <file>            where the results are saved; bench/results/latest.json
  --report <file>         measures nothing: this run becomes the one of docs/performance.md`;

const { values: given } = parseArgs({
  options: {
    only: { type: 'string' },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    connections: { type: 'string' },
    members: { type: 'string' },
    sizes: { type: 'string' },
    full: { type: 'boolean', default: false },
    short: { type: 'boolean', default: false },
    peers: { type: 'boolean', default: true },
    out: { type: 'string' },
    report: { type: 'string' },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
  allowNegative: true,
});

const say = (text: string) => process.stderr.write(`${text}\n`);

if (given.help) console.log(USAGE);
else if (given.report !== undefined) writeReport(given.report);
else if (given.list)
  for (const { name, about } of WORKLOADS) console.log(`${name.padEnd(20)} ${about}`);
else await main();

async function main() {
  const options = readOptions();
  const workloads = readWorkloads();
  const out = given.out ?? path.join(import.meta.dirname, 'results', 'latest.json');
  const command = [
    'npm run bench',
    ...(process.argv.length > 2 ? ['--', ...process.argv.slice(2)] : []),
  ].join(' ');
  mkdirSync(path.dirname(path.resolve(out)), { recursive: true });
  const save = (results: Results) => writeFileSync(out, saved(results));
  const results = await runWorkloads({ workloads, options, command, say, save });
  console.log(reportOf(results));
  say(`saved as ${path.relative(process.cwd(), out)}`);
  if (results.checks.some(({ ok }) => !ok)) process.exitCode = 1;
}

function readWorkloads() {
  if (given.only === undefined) return WORKLOADS;
  return given.only.split(',').map((name) => {
    const found = WORKLOADS.find((workload) => workload.name === name);
    if (found === undefined)
      throw new Error(
        `there is no workload "${name}"; there are: ${WORKLOADS.map((workload) => workload.name).join(', ')}`,
      );
    return found;
  });
}

function readOptions(): Options {
  const number = (name: 'rounds' | 'seconds' | 'connections' | 'members') => {
    const value = given[name];
    if (value === undefined) return {};
    if (!(Number(value) > 0)) throw new Error(`--${name} takes a number above 0; it is "${value}"`);
    return { [name]: Number(value) };
  };
  return {
    ...(given.short ? SHORT : DEFAULT),
    ...(given.full && FULL),
    ...number('rounds'),
    ...number('seconds'),
    ...number('connections'),
    ...number('members'),
    ...(given.sizes !== undefined && { sizes: given.sizes.split(',').map(Number) }),
    ...(!given.peers && { peers: false }),
  };
}
