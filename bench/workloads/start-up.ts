import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Bench, Workload } from '../bench.ts';
import { answering, freePort, ROOT } from '../processes.ts';

export const startUp: Workload = {
  name: 'start-up',
  about: '`npm start` to the first answer: on an empty data folder, and again on the same',
  async run(bench) {
    for (let round = 1; round <= bench.options.rounds; round += 1) {
      const dataDir = await mkdtemp(path.join(tmpdir(), 'munshi-bench-start-'));
      try {
        for (const start of ['cold', 'warm']) {
          const seconds = await startOnce(bench, dataDir);
          bench.record({
            workload: 'start-up',
            contender: 'munshi',
            parameters: { start },
            round,
            figures: { seconds },
          });
        }
      } finally {
        await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
      }
    }
  },
};

/**
 * Starts as a user does, with npm and embedded Postgres. Returns seconds from the command to the
 * first 200.
 */
async function startOnce(bench: Bench, dataDir: string): Promise<number> {
  const port = await freePort();
  const started = performance.now();
  const child = spawn('npm', ['start'], {
    cwd: ROOT,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      DATA_DIR: dataDir,
      PORT: String(port),
      LOG_LEVEL: 'warn',
    },
    stdio: 'ignore',
  });
  const exited = once(child, 'exit');
  try {
    await answering(`http://127.0.0.1:${port}/readyz`, child);
    const seconds = (performance.now() - started) / 1000;
    const document = await fetch(`http://127.0.0.1:${port}/openapi/merchant.json`);
    bench.check({
      workload: 'start-up',
      what: 'it answers once it is up',
      ok: document.ok,
      detail: String(document.status),
    });
    return seconds;
  } finally {
    child.kill('SIGTERM'); // npm hands it on and ends with what it started
    await exited;
  }
}
