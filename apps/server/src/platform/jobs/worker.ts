import type { Clock } from '../clock.ts';
import type { ClockCheck } from '../clock-check.ts';
import type { JobLocks } from '../database/connection/job-locks.ts';
import type { Database } from '../database/db.ts';

/** A piece of background work. `run` answers whether it may have more to do at once. */
export interface Job {
  readonly name: string;
  /** How often all of it runs. */
  readonly everyMs: number;
  /**
   * Time alone has it do what cannot be undone: it waits while this process's clock is in doubt
   * (decision 32).
   */
  readonly irrevocable?: true;
  run(): Promise<boolean>;
  /** The part that every woken process runs by itself. Undefined: waking it runs all of it. */
  runWoken?(): Promise<void>;
}

/** What nearly every job needs. */
export interface JobDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: { error(detail: object, message: string): void };
}

export interface Worker {
  /** Runs a job, or its `runWoken`, as soon as possible. */
  wake(name: string): void;
  /** Runs all of a job as soon as possible, in the process that holds its lock. */
  runSoon(name: string): void;
  /**
   * Runs every job once, now, and again while it has more to do; resolves when no run of it that
   * began before goes on either. For a sandbox clock that was advanced: it is believed.
   */
  runAll(): Promise<void>;
  stop(): Promise<void>;
}

interface WorkerOptions {
  readonly locks: JobLocks;
  readonly jobs: readonly Job[];
  readonly clockCheck: ClockCheck;
  readonly log: { warn(detail: object, message: string): void };
  /** Called with each run of all of a job in this process. */
  readonly onRun?: ((job: string, succeeded: boolean) => void) | undefined;
}

/** The least time between two runs of a job, however often it is woken. */
const REST_MS = 20;

/**
 * The only poll loop. All of a job runs in one process at a time, under its lock; a process that
 * does not get the lock leaves the work to its holder. One that has lost it while it was frozen
 * stops after its present step.
 */
export function startWorker({ locks, jobs, clockCheck, log, onRun }: WorkerOptions): Worker {
  let stopped = false;
  const loops = new Map(jobs.map((job) => [job.name, startLoop(job)]));

  function startLoop(job: Job) {
    let running: Promise<void> | undefined;
    /** The present run, where `running` lasts for as long as the job is woken. */
    let present: Promise<void> = Promise.resolve();
    let timed = false;
    let woken = false;
    const start = () => {
      running ??= runWhileAsked().finally(() => {
        running = undefined;
        if ((timed || woken) && !stopped) start();
      });
    };
    async function runWhileAsked() {
      while ((timed || woken) && !stopped) {
        present = runOnce();
        await present;
        await new Promise((resolve) => setTimeout(resolve, stopped ? 0 : REST_MS));
      }
    }
    async function runOnce() {
      // Both, if both are due: the process that holds the lock may not know what this one was
      // called for.
      const part = woken ? job.runWoken : undefined;
      const whole = timed || job.runWoken === undefined;
      timed = false;
      woken = false;
      try {
        await part?.();
        if (whole) await runLocked(job);
      } catch (error) {
        onRun?.(job.name, false);
        log.warn({ err: error, job: job.name }, 'a background job failed; it runs again');
      }
    }
    const runSoon = () => {
      timed = true;
      start();
    };
    const timer = setInterval(runSoon, job.everyMs);
    return {
      wake() {
        woken = true;
        start();
      },
      runSoon,
      settle: () => present,
      async stop() {
        clearInterval(timer);
        await running;
      },
    };
  }

  const mayRun = async (job: Job) =>
    job.irrevocable !== true || (await clockCheck.doubt()) === undefined;

  async function runLocked(job: Job): Promise<void> {
    if (!(await mayRun(job))) return; // the lock is left to a process whose clock is right
    await locks.whileHeld(job.name, async (stillHeld) => {
      while (!stopped) {
        // Right before each run, which reads the clock first: it may jump between two.
        if (!(await mayRun(job))) return;
        if (!(await job.run()) || !(await stillHeld())) break;
      }
      onRun?.(job.name, true);
    });
  }

  return {
    wake: (name) => loops.get(name)?.wake(),
    runSoon: (name) => loops.get(name)?.runSoon(),
    async runAll() {
      for (const job of jobs) {
        while (await job.run());
        await loops.get(job.name)?.settle();
      }
    },
    async stop() {
      stopped = true;
      await Promise.all([...loops.values()].map((loop) => loop.stop()));
    },
  };
}
