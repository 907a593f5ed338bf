import { type Bench, type Options, sampleLine, type Workload } from './bench.ts';
import { takeComplaints } from './complaints.ts';
import { type Cluster, describeMachine, openCluster } from './environment.ts';
import { killAll } from './processes.ts';
import type { Check, Results, Sample } from './samples.ts';

/** Signals that stop a run. Ignoring them would leave gigabytes behind. */
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

interface RunOptions {
  readonly workloads: readonly Workload[];
  readonly options: Options;
  /** The command as typed, to repeat it. */
  readonly command: string;
  /** Whether Postgres runs without fsync: to check that a run works, not how fast it is. */
  readonly ephemeral?: boolean;
  say(text: string): void;
  /** Called after each workload with the results so far. */
  save?(results: Results): void;
}

/** Runs workloads one after the other on a Postgres of their own and returns the results. */
export async function runWorkloads({
  workloads,
  options,
  command,
  ephemeral = false,
  say,
  save,
}: RunOptions): Promise<Results> {
  const started = Date.now();
  const samples: Sample[] = [];
  const checks: Check[] = [];
  const notes: string[] = [];
  const cluster = await openCluster({ ephemeral });
  const bench = createBench(cluster, options, { samples, checks, notes, say });
  const results = (): Results => ({
    machine: describeMachine(cluster.version),
    command,
    startedAt: new Date(started).toISOString(),
    seconds: Math.round((Date.now() - started) / 1000),
    options: { ...options },
    notes,
    samples,
    checks,
  });
  let stopped = false;
  const interrupted = () => {
    stopped = true;
    killAll();
    cluster.close().finally(() => process.exit(130));
  };
  for (const signal of SIGNALS) process.once(signal, interrupted);
  try {
    for (const workload of workloads) {
      say(`${workload.name}: ${workload.about}`);
      takeComplaints(); // of the one before
      try {
        await workload.run(bench);
      } catch (error) {
        bench.check({
          workload: workload.name,
          what: 'it runs to its end',
          ok: false,
          detail: (error as Error).stack ?? String(error),
        });
      }
      if (stopped) return await new Promise<never>(() => {}); // it exits when Postgres has ended
      save?.(results());
    }
    return results();
  } finally {
    for (const signal of SIGNALS) process.off(signal, interrupted);
    await cluster.close();
  }
}

interface Collected {
  readonly samples: Sample[];
  readonly checks: Check[];
  readonly notes: string[];
  say(text: string): void;
}

function createBench(
  cluster: Cluster,
  options: Options,
  { samples, checks, notes, say }: Collected,
): Bench {
  return {
    cluster,
    options,
    say,
    record(sample) {
      samples.push(sample);
      say(sampleLine(sample));
    },
    check(check) {
      // A failure includes what servers wrote until then.
      const result = check.ok
        ? check
        : { ...check, detail: [check.detail ?? '', ...takeComplaints()].join('\n') };
      checks.push(result);
      if (!result.ok) say(`  NOT RIGHT: ${result.what}: ${result.detail}`);
    },
    note(text) {
      notes.push(text);
      say(`  ${text}`);
    },
  };
}
