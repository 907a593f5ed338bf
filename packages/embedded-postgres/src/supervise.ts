import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { Account } from './account.ts';

export interface SuperviseOptions {
  account: Account | undefined;
  log?: ((line: string) => void) | undefined;
  env?: Record<string, string>;
  /** an empty directory to remove once the program has ended, even if this process is gone */
  scratchDir?: string;
}

/** How a program ended. */
interface Ending {
  ok: boolean;
  /** "exited with code 1", "was killed by signal 9" */
  how: string;
  /** the last lines it wrote */
  tail: string;
}

export interface Supervised {
  /** resolves when the program is gone; never rejects */
  readonly ended: Promise<Ending>;
  /** asks the program to stop (SIGINT: for Postgres a fast shutdown) */
  release(): void;
}

/**
 * A shell supervises the program. Its descriptor 3 is a pipe whose other end only our process
 * holds, so `read` returns when we close it or die in any way, kill -9 included. It ignores signals
 * to the whole group (systemd, a terminal), so that it does not end before the program; Postgres
 * sets its own handlers.
 */
const SUPERVISOR = `
trap "" INT TERM HUP
"$@" </dev/null 3<&- &
program=$!
{ read -r _; kill -INT $program; } <&3 >/dev/null 2>&1 &
watcher=$!
wait $program
status=$?
kill -9 $watcher 2>/dev/null
[ -z "$SCRATCH_DIR" ] || rmdir "$SCRATCH_DIR" 2>/dev/null
exit $status
`;

/** How long to wait for output that the program's children still write. */
const LAST_WORDS_MS = 200;

/**
 * Runs a program that cannot outlive this process. It gets a clean environment, because PGPORT and
 * the like would change what Postgres does.
 */
export function runSupervised(
  command: readonly string[],
  { account, log, env, scratchDir = '' }: SuperviseOptions,
): Supervised {
  const child = spawn('/bin/sh', ['-c', SUPERVISOR, 'supervisor', ...command], {
    ...account,
    cwd: '/',
    detached: true, // a group of its own: Ctrl+C is ours to handle
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'] ?? '/usr/bin:/bin',
      LC_ALL: 'C',
      SCRATCH_DIR: scratchDir,
      ...env,
    },
  });
  const pipe = child.stdio[3] as Writable | undefined;
  pipe?.on('error', () => {}); // the reader is gone, which is all that it could say

  const tail: string[] = [];
  for (const input of [child.stdout, child.stderr]) {
    if (!input) continue;
    createInterface({ input }).on('line', (line) => {
      tail.push(line);
      if (tail.length > 20) tail.shift();
      log?.(line);
    });
  }

  const closed = new Promise<void>((resolve) => child.on('close', () => resolve()));
  const ended = new Promise<Ending>((resolve) => {
    child.on('error', (error) =>
      resolve({ ok: false, how: `could not be started: ${error.message}`, tail: '' }),
    );
    child.on('exit', async (code, signal) => {
      pipe?.destroy(); // our open end would keep a finished process alive
      await Promise.race([closed, delay(LAST_WORDS_MS)]);
      resolve({ ok: code === 0, how: describe(code, signal), tail: tail.join('\n') });
    });
  });
  return { ended, release: () => pipe?.end() };
}

function describe(code: number | null, signal: NodeJS.Signals | null): string {
  if (signal) return `lost its supervisor to ${signal}`;
  // the shell reports a signal as 128 + its number
  return code !== null && code > 128
    ? `was killed by signal ${code - 128}`
    : `exited with code ${code}`;
}
