import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { ConnectionConfig } from './cluster.ts';

/** A directory of its own for one test; `clean` removes all of them. */
export function temporaryDirectories() {
  const made: string[] = [];
  return {
    async make(parent = tmpdir()): Promise<string> {
      const directory = await realpath(await mkdtemp(path.join(parent, 'munshi-test-')));
      made.push(directory);
      return directory;
    },
    async clean(): Promise<void> {
      for (const directory of made.splice(0))
        await rm(directory, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Polls until `condition` yields something, and returns it. */
export async function until<T>(
  what: string,
  condition: () => T | undefined | Promise<T | undefined>,
): Promise<NonNullable<T>> {
  const deadline = performance.now() + 120_000;
  for (;;) {
    const found = await condition();
    if (found) return found;
    if (performance.now() > deadline) throw new Error(`waited 120 s for: ${what}`);
    await delay(10);
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The rows of one statement, over a connection of its own. */
export async function query(
  config: ConnectionConfig,
  text: string,
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(config);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

export interface Helper {
  process: ChildProcess;
  /** resolves to what the script printed next, parsed from JSON; rejects when it ended first */
  next<T>(): Promise<T>;
  kill(): Promise<void>;
}

const helpers = new Set<ChildProcess>();

/**
 * Another process that runs `script`, with this package's modules imported from `./`. It talks by
 * printing lines of JSON.
 */
export function runScript(script: string): Helper {
  const source = script.replaceAll("'./", `'${import.meta.dirname}/`);
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  helpers.add(child);
  const ended = once(child, 'exit').then(() => helpers.delete(child));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    process: child,
    async next() {
      const { value, done } = await lines.next();
      if (done) throw new Error('the helper process ended without an answer');
      return JSON.parse(value);
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** A helper that starts Postgres on `dataDir` and prints `{pid, postgres}` or `{refused}`. */
export function runOwner(dataDir: string): Helper {
  return runScript(`
    import { startEmbeddedPostgres } from './index.ts';
    startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, ephemeral: true }).then(
      (server) => console.log(JSON.stringify({ pid: process.pid, postgres: server.pid })),
      (error) => console.log(JSON.stringify({ refused: error.message, name: error.name, owner: error.pid })),
    );
    setInterval(() => {}, 1000);
  `);
}

export function killHelpers(): void {
  for (const child of helpers) child.kill('SIGKILL');
}
