import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { findViolations } from '../../apps/server/src/books/invariants.ts';
import { openEnvironment } from '../../bench/environment.ts';
import { startCounter, startLoad } from './load.ts';
import { type Sample, takeSample } from './samples.ts';
import { openSoakService } from './service.ts';

/**
 * Runs one server process under a mixed load for a long time, to see whether its memory or queues
 * grow. At the end the invariants must hold. Writes `<out>.json`.
 */
const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    rate: { type: 'string', default: '150' },
    members: { type: 'string', default: '20' },
    every: { type: 'string', default: '5' },
    out: { type: 'string' },
  },
});
const SECONDS = Number(options.minutes) * 60;
/** Caches and the heap reach their size in these first minutes. */
const WARM_SECONDS = Math.min(300, SECONDS / 3);
/** How much of the beginning and the end is compared. */
const WINDOW_SECONDS = Math.min(120, SECONDS / 3);

const say = (text: string) => process.stderr.write(`${text}\n`);
const at = (numbers: readonly number[], share: number) =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length * share)] ?? Number.NaN;

const environment = await openEnvironment();
const counter = await startCounter();
try {
  const service = await openSoakService(environment, {
    members: Number(options.members),
    callbackUrl: counter.url,
  });
  say(`${options.minutes} minutes at ${options.rate} requests/s, Node ${process.version}`);
  const samples: Sample[] = [];
  const load = startLoad(service, Number(options.rate));
  const started = performance.now();
  const elapsed = () => (performance.now() - started) / 1000;
  while (elapsed() < SECONDS) {
    await pause(Number(options.every) * 1000);
    samples.push(await takeSample(service.url, environment.database, elapsed()));
    if (samples.length % 12 === 0) report(samples.at(-1) as Sample);
  }
  await load.stop();
  const perSecond = Object.values(load.counts).reduce((sum, count) => sum + count, 0) / elapsed();
  const exit = await service.stop();
  const violations = await findViolations(environment.database.pool, Date.now());
  const orders = (
    await environment.database.pool.query(
      'select status, count(*)::integer as n from orders group by 1 order by 1',
    )
  ).rows;
  const result = {
    machine: machine(),
    options: { ...options, out: undefined },
    perSecond: Math.round(perSecond),
    counts: load.counts,
    webhooks: counter.count(),
    orders: Object.fromEntries(orders.map(({ status, n }) => [status, n])),
    latencies: Object.fromEntries(
      Object.keys(load.counts).map((kind) => {
        const all = load.latencies(kind as keyof typeof load.counts);
        return [kind, { p50: round(at(all, 0.5)), p99: round(at(all, 0.99)) }];
      }),
    ),
    growth: growthOf(samples),
    wrong: load.wrong,
    exit,
    violations,
    samples,
  };
  if (options.out !== undefined) save(options.out, result);
  console.log(JSON.stringify({ ...result, samples: samples.length }, null, 2));
  if (violations.length > 0 || load.wrong.length > 0 || exit !== 0) process.exitCode = 1;
} finally {
  counter.close();
  await environment.close();
}

function report({ seconds, rss, heap, loopDelay, openOrders, webhooksDue }: Sample) {
  say(
    `${seconds} s: ${Math.round(rss)} MiB resident, ${Math.round(heap)} MiB heap, loop p99 ${loopDelay.toFixed(1)} ms, ${openOrders} open, ${webhooksDue} due`,
  );
}

/**
 * Compares the end with the first minutes after the warm-up: medians of resident memory, and the
 * lowest heap, which is what is left after collections.
 */
function growthOf(samples: readonly Sample[]) {
  const early = samples.filter(
    ({ seconds }) => seconds >= WARM_SECONDS && seconds < WARM_SECONDS + WINDOW_SECONDS,
  );
  const late = samples.filter(({ seconds }) => seconds >= SECONDS - WINDOW_SECONDS);
  const compare = (of: (list: readonly Sample[]) => number) => {
    const [before, after] = [of(early), of(late)];
    return {
      before: round(before),
      after: round(after),
      percent: round((after / before - 1) * 100),
    };
  };
  return {
    resident: compare((list) =>
      at(
        list.map(({ rss }) => rss),
        0.5,
      ),
    ),
    heapFloor: compare((list) => Math.min(...list.map(({ heap }) => heap))),
  };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function save(out: string, result: object) {
  mkdirSync(path.dirname(out), { recursive: true });
  writeFileSync(`${out.replace(/\.json$/, '')}.json`, `${JSON.stringify(result)}\n`);
}

function machine() {
  return {
    cpu: os.cpus()[0]?.model,
    cores: os.cpus().length,
    memoryGiB: Math.round(os.totalmem() / 2 ** 30),
    kernel: os.release(),
    node: process.version,
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
    date: new Date().toISOString(),
  };
}
