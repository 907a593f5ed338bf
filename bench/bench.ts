import { findViolations } from '../apps/server/src/books/invariants.ts';
import { complain } from './complaints.ts';
import type { Cluster, Environment } from './environment.ts';
import { postgresCpuSeconds, type RunningProcess, type RunningServer } from './processes.ts';
import type { Check, Figures, Sample } from './samples.ts';
import { closedLoop, type Load, type Measurement, openLoop } from './traffic.ts';

/** How large everything is. */
export interface Options {
  readonly rounds: number;
  /** Length of one measurement. */
  readonly seconds: number;
  readonly warmUpSeconds: number;
  readonly connections: number;
  readonly members: number;
  readonly merchants: number;
  /** Connection counts to measure. */
  readonly connectionCounts: readonly number[];
  readonly sizes: readonly number[];
  readonly memberCounts: readonly number[];
  readonly processCounts: readonly number[];
  /** Requests per second of the open loops. */
  readonly rates: readonly number[];
  /** Orders that are settled and read, and deliveries. */
  readonly settled: number;
  readonly read: number;
  readonly deliveries: number;
  /** Deliveries where half of the receivers hang. */
  readonly hangingDeliveries: number;
  /** Members whose event streams are open. */
  readonly streams: number;
  /** Whether graphile-worker is measured too. */
  readonly peers: boolean;
}

/** What a workload works with. */
export interface Bench {
  readonly cluster: Cluster;
  readonly options: Options;
  /** Prints a line of progress. */
  say(text: string): void;
  record(sample: Sample): void;
  check(check: Check): void;
  /** Records what was left out or explains the figures. */
  note(text: string): void;
}

export interface Workload {
  readonly name: string;
  readonly about: string;
  run(bench: Bench): Promise<void>;
}

/** Runs a workload on a database of its own. */
export async function withDatabase<T>(
  bench: Bench,
  name: string,
  work: (environment: Environment) => Promise<T>,
): Promise<T> {
  const environment = await bench.cluster.createDatabase(`bench_${name.replaceAll('-', '_')}`);
  try {
    return await work(environment);
  } finally {
    await environment.drop();
  }
}

/** Several databases at once, so that rounds can alternate between them. */
export async function withEach(
  bench: Bench,
  names: readonly string[],
  work: (environments: readonly Environment[]) => Promise<void>,
  open: readonly Environment[] = [],
): Promise<void> {
  const [name, ...rest] = names;
  if (name === undefined) return work(open);
  return withDatabase(bench, name, (environment) =>
    withEach(bench, rest, work, [...open, environment]),
  );
}

/** What to measure besides the answers. */
interface Metered {
  readonly bench: Bench;
  readonly server: Pick<RunningProcess, 'cpuSeconds' | 'rssMiB'> &
    Partial<Pick<RunningServer, 'metrics'>>;
  /** The database whose WAL counts; undefined if nothing is written. */
  readonly environment?: Environment | undefined;
}

/** What is read before and after a load. */
async function readMeters({ bench, server, environment }: Metered) {
  const wal = await environment?.database.pool.query<{ bytes: string }>(
    `select pg_current_wal_lsn() - '0/0' as bytes`,
  );
  const own = process.cpuUsage();
  const metrics = await server.metrics?.();
  return {
    server: await server.cpuSeconds(),
    postgres: environment && (await postgresCpuSeconds(bench.cluster.postgresPid)),
    generator: (own.user + own.system) / 1e6,
    wal: wal && Number(wal.rows[0]?.bytes),
    batches: metrics?.['munshi_engine_batches_total'],
    commands: metrics?.['munshi_engine_commands_total'],
    heapMiB: metrics && (metrics['nodejs_heap_size_used_bytes'] ?? Number.NaN) / 2 ** 20,
  };
}

const minus = (after: number | undefined, before: number | undefined) =>
  after === undefined || before === undefined ? undefined : after - before;

/**
 * Runs a load and returns its figures: throughput, latencies, and what each request cost in CPU,
 * WAL and memory.
 */
export async function measured(
  meter: Metered,
  load: () => Promise<Measurement>,
): Promise<Figures & { readonly perSecond: number }> {
  const before = await readMeters(meter);
  const { example, ...measurement } = await load();
  const after = await readMeters(meter);
  if (example !== undefined) wrongAnswer(meter.bench, `a wrong answer: ${example}`);
  const each = (used: number | undefined, scale: number) =>
    used && (used * scale) / measurement.answered;
  const batches = minus(after.batches, before.batches);
  const commands = minus(after.commands, before.commands);
  return present({
    ...measurement,
    serverMicros: each(minus(after.server, before.server), 1e6),
    postgresMicros: each(minus(after.postgres, before.postgres), 1e6),
    generatorMicros: each(minus(after.generator, before.generator), 1e6),
    walBytes: each(minus(after.wal, before.wal), 1),
    batch: batches && commands && commands / batches,
    rssMiB: await meter.server.rssMiB(),
    heapMiB: after.heapMiB,
  });
}

function wrongAnswer(bench: Bench, text: string) {
  bench.say(`  ${text}`);
  complain(text);
}

/** Drops what could not be read. */
function present<T extends Readonly<Record<string, number | undefined>>>(figures: T) {
  return Object.fromEntries(
    Object.entries(figures).filter(([, value]) => value !== undefined),
  ) as Figures & { readonly perSecond: number };
}

/** A closed loop after a warm-up, in which plans are made and code is compiled. */
export async function warmedLoop(
  bench: Bench,
  load: Omit<Load, 'seconds'>,
  meter: Omit<Metered, 'bench'>,
): Promise<Figures & { readonly perSecond: number }> {
  const warmUp = await closedLoop({ ...load, seconds: bench.options.warmUpSeconds });
  const figures = await measured({ bench, ...meter }, () =>
    closedLoop({ ...load, seconds: bench.options.seconds }),
  );
  if (warmUp.example !== undefined)
    wrongAnswer(bench, `a wrong answer while warming up: ${warmUp.example}`);
  return { ...figures, warmedUp: warmUp.answered - warmUp.wrong, warmUpWrong: warmUp.wrong };
}

/** Requests at a fixed rate. */
export function atRate(
  bench: Bench,
  load: Omit<Load, 'seconds'> & { readonly rate: number },
  meter: Omit<Metered, 'bench'>,
): Promise<Figures & { readonly perSecond: number }> {
  return measured({ bench, ...meter }, () => openLoop({ ...load, seconds: bench.options.seconds }));
}

/** A sample in one line. */
export function sampleLine({ contender, parameters, round, figures }: Sample): string {
  const shown = Object.entries(parameters).map(([name, value]) => `${name} ${value}`);
  const numbers = ['perSecond', 'p50', 'p99', 'seconds', 'serverMicros', 'postgresMicros', 'wrong']
    .filter((name) => figures[name] !== undefined && (name !== 'wrong' || figures[name] > 0))
    .map(
      (name) =>
        `${name} ${(figures[name] as number).toFixed((figures[name] as number) < 100 ? 1 : 0)}`,
    );
  return `  round ${round} ${[contender, ...shown].join(', ')}: ${numbers.join(', ')}`;
}

/** Checks the database after a workload: exactly the answered orders, and every invariant. */
export async function checkDatabase(
  bench: Bench,
  workload: string,
  { database, name }: Environment,
  created?: number,
): Promise<void> {
  if (created !== undefined) {
    const { rows } = await database.pool.query<{ orders: number }>(
      'select count(*)::integer as orders from orders',
    );
    const stored = rows[0]?.orders ?? 0;
    bench.check({
      workload,
      what: `${name}: every order answered for is stored, and no other`,
      ok: stored === created,
      detail: `${stored} of ${created}`,
    });
  }
  const violations = await findViolations(database.pool, Date.now());
  bench.check({
    workload,
    what: `${name}: the invariants hold`,
    ok: violations.length === 0,
    ...(violations.length > 0 && { detail: JSON.stringify(violations).slice(0, 600) }),
  });
}

/** Transactions of the database so far: each read of the service is one. */
export async function questionsOf({ database }: Pick<Environment, 'database'>): Promise<number> {
  const { rows } = await database.pool.query<{ questions: string }>(
    'select xact_commit as questions from pg_stat_database where datname = current_database()',
  );
  return Number(rows[0]?.questions);
}

/** Records figures, and that no answer was wrong. */
export function recordLoad(bench: Bench, sample: Sample): void {
  bench.record(sample);
  const { workload, contender, figures } = sample;
  const { wrong = 0, warmUpWrong = 0 } = figures;
  bench.check({
    workload,
    what: `${contender}: every answer is right`,
    ok: wrong + warmUpWrong === 0,
    detail: `${wrong} wrong, ${warmUpWrong} while warming up`,
  });
}

/** Orders that a measurement of creations made, including its warm-up. */
export const createdIn = ({ answered = 0, wrong = 0, warmedUp = 0 }: Figures): number =>
  answered - wrong + warmedUp;
