import { setTimeout as delay } from 'node:timers/promises';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Engine, EngineOptions } from '../engine/engine.ts';
import { CLOCK_DOUBTS, type ClockCheck, type ClockDoubt } from '../platform/clock-check.ts';
import { START_LANE } from '../platform/database/connection/wait-for-database.ts';
import type { Database } from '../platform/database/db.ts';
import { hashing } from '../platform/sign-in/passwords.ts';

type Batch = Parameters<NonNullable<EngineOptions['onBatch']>>[0];

const BATCH_SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256];
/** Seconds. A commit takes some milliseconds, and one that waits for its standby some more. */
const BATCH_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 8];

/** Called with what this process does, while it does it. */
export function createWorkMetrics() {
  const sizes = new Histogram({
    name: 'munshi_engine_batch_commands',
    help: 'Commands of a committed batch',
    buckets: BATCH_SIZES,
    registers: [],
  });
  const durations = new Histogram({
    name: 'munshi_engine_batch_seconds',
    help: 'Time from the load of a batch to its commit',
    buckets: BATCH_BUCKETS,
    registers: [],
  });
  const runs = new Counter({
    name: 'munshi_job_runs_total',
    help: 'Runs of the timed jobs by this process',
    labelNames: ['timed_job', 'result'],
    registers: [],
  });
  const succeeded = new Gauge({
    name: 'munshi_job_succeeded_timestamp_seconds',
    help: 'When this process last ran the job to its end',
    labelNames: ['timed_job'],
    registers: [],
  });
  return {
    batch({ commands, ms }: Batch) {
      sizes.observe(commands.length);
      durations.observe(ms / 1_000);
    },
    job(job: string, success: boolean) {
      runs.inc({ timed_job: job, result: success ? 'success' : 'failure' });
      if (success) succeeded.set({ timed_job: job }, Date.now() / 1_000);
    },
    register(registry: Registry) {
      for (const metric of [sizes, durations, runs, succeeded]) registry.registerMetric(metric);
    },
  };
}

/** The engine, as it is when it is asked. */
export function engineMetrics(stats: () => Engine['stats']) {
  return {
    register(registry: Registry) {
      const { count, gauge } = readers(registry);
      count(
        'munshi_engine_batches_total',
        'Batches decided, each one transaction',
        () => stats().batches,
      );
      count(
        'munshi_engine_commands_total',
        'Commands decided, retries included',
        () => stats().commands,
      );
      count(
        'munshi_engine_retries_total',
        'Batches that were decided again after a conflict or a lost connection',
        () => stats().retries,
      );
      gauge(
        'munshi_engine_unanswered_commands',
        'Commands that wait for their commit',
        () => stats().unanswered,
      );
      gauge(
        'munshi_engine_queued_commands',
        'Commands that wait to be taken into a batch',
        () => stats().waiting,
      );
      gauge(
        'munshi_engine_oldest_command_seconds',
        'How long the oldest command without an answer has waited; at 8 it is refused',
        () => stats().oldestMs / 1_000,
      );
      count('munshi_argon2_hashes_total', 'Passwords hashed or checked', () => hashing.total);
      gauge(
        'munshi_argon2_pending_hashes',
        'Passwords that are hashed now or wait for a thread',
        () => hashing.underWay,
      );
    },
  };
}

interface DatabaseDeps {
  readonly engine: Pick<Engine, 'ready'>;
  readonly database: Database;
  /** Where notifications of other processes arrive; undefined: this process does not listen. */
  readonly channels: Readonly<Record<string, () => boolean | undefined>>;
}

/** A lane that has not answered by then is down; no scrape waits longer. */
const ANSWER_MS = 1_500;

/** This process's connections, as they are when it is asked. */
export function databaseMetrics({ engine, database, channels }: DatabaseDeps) {
  const { pool, stats } = database;
  /** Of each lane, without that of the start: it is closed for good, and not down. */
  const connections = (): Readings =>
    [...stats.connections()]
      .map(([name, open]) => [laneOf(name), open] as const)
      .filter(([lane]) => lane !== START_LANE);
  /** The two that everything needs are asked; the others are up while a connection is open. */
  async function lanes(): Promise<Readings> {
    const open = connections()
      .filter(([lane]) => lane !== 'pool' && lane !== 'engine')
      .map(([lane, count]) => [lane, Math.min(1, count)] as const);
    const [ofPool, ofEngine] = await Promise.all([
      answers(pool.query('select 1').then(() => true)),
      answers(engine.ready()),
    ]);
    return [['pool', Number(ofPool)], ['engine', Number(ofEngine)], ...open];
  }

  let up: Readings = [];
  return {
    async refresh() {
      up = await lanes();
    },
    register(registry: Registry) {
      const { count, gauge, labelled } = readers(registry);
      count(
        'munshi_database_failovers_total',
        'Times that the database primary was lost and found, on another host or the same',
        () => stats.failovers,
      );
      labelled('munshi_database_up', 'Whether the lane reaches the database', 'lane', () => up);
      labelled('munshi_database_connections', 'Open connections of the lane', 'lane', connections);
      labelled(
        'munshi_database_primary',
        'Whether this process takes the host for the primary',
        'host',
        () => stats.hosts().map(({ host, primary }) => [host, Number(primary)]),
      );
      gauge(
        'munshi_database_pool_waiting_requests',
        'Requests that wait for a connection of the pool',
        () => pool.waitingCount,
      );
      gauge(
        'munshi_database_pool_busy_connections',
        'Connections of the pool that are in use',
        () => pool.totalCount - pool.idleCount,
      );
      labelled(
        'munshi_channel_up',
        'Whether messages of other processes are received, where this one listens',
        'channel',
        () =>
          Object.entries(channels).flatMap(([name, listening]) => {
            const up = listening();
            return up === undefined ? [] : [[name, Number(up)]];
          }),
      );
    },
  };
}

/** Whether this process's clock is in doubt, and why; while the database is away, as before. */
export function clockMetrics({ doubt }: ClockCheck) {
  let known: ClockDoubt | undefined;
  return {
    async refresh() {
      const asked = doubt().then((answer) => {
        known = answer;
        return true;
      });
      await answers(asked);
    },
    register(registry: Registry) {
      readers(registry).labelled(
        'munshi_clock_doubted',
        'Whether this process passes no deadline, because its clock differs or has jumped',
        'reason',
        () => CLOCK_DOUBTS.map((reason) => [reason, Number(known === reason)]),
      );
    },
  };
}

/** `munshi-engine` is the lane `engine`; `munshi` is the pool. */
const laneOf = (name: string) => (name === 'munshi' ? 'pool' : name.replace(/^munshi-/, ''));

async function answers(asked: Promise<boolean>): Promise<boolean> {
  const late = new AbortController();
  const silence = delay(ANSWER_MS, false, { signal: late.signal }).catch(() => false);
  const answer = await Promise.race([asked.catch(() => false), silence]);
  late.abort();
  return answer;
}

type Readings = readonly (readonly [label: string, value: number])[];

/** Metrics that are read when somebody asks for them. */
function readers(registry: Registry) {
  const registers = [registry];
  return {
    count: (name: string, help: string, read: () => number) =>
      new Counter({
        name,
        help,
        registers,
        collect() {
          this.reset();
          this.inc(read());
        },
      }),
    gauge: (name: string, help: string, read: () => number) =>
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(read());
        },
      }),
    labelled: (name: string, help: string, label: string, read: () => Readings) =>
      new Gauge({
        name,
        help,
        labelNames: [label],
        registers,
        collect() {
          this.reset();
          for (const [value, number] of read()) this.set({ [label]: value }, number);
        },
      }),
  };
}
