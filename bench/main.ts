import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { CONTENDERS, type Contender, measureCreation, type Round } from './creation.ts';
import { openEnvironment, seedMembers, seedMerchant } from './environment.ts';

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: 'creation' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '8' },
    connections: { type: 'string', default: '64' },
    members: { type: 'string', default: '1000' },
    out: { type: 'string' },
  },
});

const median = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
const say = (text: string) => process.stderr.write(`${text}\n`);

const environment = await openEnvironment();
try {
  const merchant = await seedMerchant(environment.database);
  await seedMembers(environment.database, Number(options.members));
  say(`${options.rounds} rounds of ${options.seconds} s with ${options.connections} connections and ${options.members} members, Node ${process.version}`);
  const rounds = await measureCreation(environment, merchant, {
    rounds: Number(options.rounds),
    seconds: Number(options.seconds),
    connections: Number(options.connections),
    progress: say,
  });
  report(rounds);
} finally {
  await environment.close();
}

function report(rounds: readonly Round[]) {
  const rows = (Object.keys(CONTENDERS) as Contender[]).map((contender) => {
    const own = rounds.filter((round) => round.contender === contender);
    const rates = own.map(({ perSecond }) => perSecond);
    return {
      contender,
      perSecond: median(rates),
      lowest: Math.min(...rates),
      highest: Math.max(...rates),
      p50: median(own.map(({ p50 }) => p50)),
      p99: median(own.map(({ p99 }) => p99)),
      cpuMicros: median(own.map(({ cpuMicros }) => cpuMicros ?? Number.NaN)),
      wrong: own.reduce((sum, { wrong }) => sum + wrong, 0),
    };
  });
  const rate = (contender: Contender) => rows.find((row) => row.contender === contender)?.perSecond ?? Number.NaN;
  const ratios = {
    'creations / bare Fastify POST': rate('munshi') / rate('bare-fastify'),
    'creations / one transaction per request': rate('munshi') / rate('transaction-per-request'),
  };
  console.log('| | orders/s (median) | lowest | highest | p50 ms | p99 ms | CPU µs each |\n|---|---|---|---|---|---|---|');
  for (const row of rows) {
    console.log(
      `| ${row.contender} | ${Math.round(row.perSecond)} | ${Math.round(row.lowest)} | ${Math.round(row.highest)} | ${row.p50.toFixed(1)} | ${row.p99.toFixed(1)} | ${Math.round(row.cpuMicros)} |`,
    );
  }
  for (const [name, ratio] of Object.entries(ratios)) console.log(`${name}: ${ratio.toFixed(2)}`);
  const wrong = rows.reduce((sum, row) => sum + row.wrong, 0);
  if (options.out !== undefined) {
    mkdirSync(path.dirname(options.out), { recursive: true });
    writeFileSync(options.out, `${JSON.stringify({ machine: machine(), options: { ...options, out: undefined }, rows, ratios, rounds }, null, 2)}\n`);
  }
  if (wrong > 0) {
    say(`${wrong} answers were not a created order`);
    process.exitCode = 1;
  }
}

function machine() {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  return {
    cpu: os.cpus()[0]?.model,
    cores: os.cpus().length,
    memoryGiB: Math.round(os.totalmem() / 2 ** 30),
    kernel: os.release(),
    node: process.version,
    commit,
    date: new Date().toISOString(),
  };
}
