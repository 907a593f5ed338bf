import { spawn } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type Failure, failureLines, type Results } from './reporter.ts';
import { DEEP, type DeepStep, EVERYDAY_MINUTES, type Ring, type Size } from './rings.ts';

/**
 * Runs a ring of tests, step after step, and ends with what failed and the sum.
 *
 *   node tests/rings/run.ts everyday | quick
 *   node tests/rings/run.ts deep [step …] [--within minutes]
 *   node tests/rings/run.ts campaign step …
 *
 * `TEST_TALLY` names a file where each ring adds a line of its sum; by a line of the everyday ring
 * there, and by its own steps, `deep --within` knows how slow the machine is today.
 */

interface Sum {
  passed: number;
  readonly failures: Failure[];
  readonly notRun: string[];
}

const OUT_OF_TIME = 'out of time';
const TALLY = process.env['TEST_TALLY'];
const startedAt = performance.now();
const minutesSince = (since: number) => (performance.now() - since) / 60_000;
const sum: Sum = { passed: 0, failures: [], notRun: [] };
const say = (text: string) => process.stdout.write(`${text}\n`);

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { within: { type: 'string' } },
});
const [ring, ...named] = positionals;
// One seed for all that is random, so that one line repeats it.
process.env['TEST_SEED'] ??= String(Date.now() % 2 ** 31);

if (ring === 'everyday' || ring === 'quick') await everyday(ring);
else if (ring === 'deep') await deep(stepsNamed(named), Number(values.within ?? Infinity));
else if (ring === 'campaign' && named.length > 0) await campaign(stepsNamed(named));
else fail('usage: run.ts everyday | quick | deep [step …] [--within minutes] | campaign step …');
finish(ring);

// ---- The rings

/** What reads the code without running it. */
function checks(): readonly (readonly [what: string, script: string])[] {
  return [
    ['types of the server, packages and tests', 'typecheck -- .'],
    ['types of the console', 'typecheck -- apps/console'],
    ['types of the member app', 'typecheck -- apps/member'],
    ['types of the portal', 'typecheck -- apps/portal'],
    ['lint and format', 'lint'],
    ['unused code', 'unused'],
    ['the web apps as their sources are', 'build:web -- --stale'],
  ];
}

async function everyday(name: 'everyday' | 'quick'): Promise<void> {
  const all = checks();
  const of = all.length + 1;
  const left = [...all.entries()];
  const work = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [at, [what, script]] = next;
      say(`[${at + 1}/${of}] ${what}`);
      if ((await run('npm', ['run', '-s', ...script.split(' ')])) !== 0)
        sum.failures.push({ what, again: `npm run ${script}` });
    }
  };
  // Two at a time: each uses one core.
  await Promise.all([work(), work()]);
  if (sum.failures.length > 0) return;
  say(`[${of}/${of}] tests`);
  await vitest(name, 'short');
}

async function deep(steps: readonly DeepStep[], within: number): Promise<void> {
  let slowness = slownessSoFar();
  const left: DeepStep[] = [];
  for (const [at, step] of steps.entries()) {
    const minutes = DEEP[step].minutes * slowness;
    const leftMinutes = within - minutesSince(startedAt);
    if (minutes > leftMinutes) {
      left.push(step);
      continue;
    }
    say(`[${at + 1}/${steps.length}] ${step}, about ${Math.ceil(minutes)} min`);
    const begunAt = performance.now();
    await vitest(step, 'deep', { withinMs: leftMinutes * 60_000 });
    slowness = Math.max(slowness, minutesSince(begunAt) / DEEP[step].minutes);
  }
  if (left.length > 0)
    say(`Left for want of time: ${left.join(', ')}. Run: npm run test:deep -- ${left.join(' ')}`);
}

/** At full size, one file after the other: what is measured has the machine to itself. */
async function campaign(steps: readonly DeepStep[]): Promise<void> {
  for (const [at, step] of steps.entries()) {
    say(`[${at + 1}/${steps.length}] ${step}, at full size`);
    await vitest(step, 'full', { args: ['--no-file-parallelism'] });
  }
}

// ---- Their parts

interface Options {
  readonly args?: readonly string[];
  /** A run that is not over by then is ended, and what it has left is said. */
  readonly withinMs?: number;
}

async function vitest(
  ring: Ring,
  size: Size,
  { args = [], withinMs = Infinity }: Options = {},
): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'munshi-results-'));
  const file = path.join(folder, 'results.json');
  const env = { TEST_RING: ring, TEST_SIZE: size, TEST_RESULTS: file };
  const code = await run('vitest', ['run', ...args], { env, withinMs });
  const results = readResults(file);
  rmSync(folder, { recursive: true });
  sum.passed += results?.passed ?? 0;
  sum.failures.push(...(results?.failures ?? []));
  sum.notRun.push(...(results?.notRun ?? []));
  if (code === OUT_OF_TIME) {
    const { ended, of } = results?.files ?? { ended: 0, of: '?' };
    say(`Ended for want of time: ${ring}, after ${ended} of its ${of} files.`);
  } else if (code !== 0 && (results?.failures ?? []).length === 0)
    sum.failures.push({
      what: `${ring}: vitest ended with ${code}`,
      again: ring in DEEP ? `npm run test:deep -- ${ring}` : 'npm test',
    });
}

function readResults(file: string): Results | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined; // it ended before its first file
  }
}

/** Runs a command with our output; its exit code, or `OUT_OF_TIME`. */
function run(
  command: string,
  args: readonly string[],
  {
    env = {},
    withinMs = Infinity,
  }: { readonly env?: NodeJS.ProcessEnv; readonly withinMs?: number } = {},
): Promise<number | typeof OUT_OF_TIME> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, ...env } });
    let late = false;
    const end = () => {
      late = true;
      child.kill('SIGINT'); // vitest ends its workers, Postgres and browsers
    };
    const timer = withinMs === Infinity ? undefined : setTimeout(end, withinMs);
    child.once('error', reject);
    child.once('exit', (code) => {
      clearTimeout(timer);
      resolve(late ? OUT_OF_TIME : (code ?? 1));
    });
  });
}

function stepsNamed(names: readonly string[]): readonly DeepStep[] {
  const known = Object.keys(DEEP) as DeepStep[];
  const unknown = names.filter((name) => !(known as string[]).includes(name));
  if (unknown.length > 0)
    fail(`unknown: ${unknown.join(', ')}. The steps are ${known.join(', ')}.`);
  return names.length === 0 ? known : known.filter((step) => names.includes(step));
}

/** How many times slower than two quiet cores the everyday ring has found this machine. */
function slownessSoFar(): number {
  if (TALLY === undefined) return 1;
  const lines = readFileSync(TALLY, 'utf8').trim().split('\n');
  const minutes = lines
    .map((line) => JSON.parse(line) as Tally)
    .find(({ ring }) => ring === 'everyday')?.minutes;
  return Math.max(1, (minutes ?? 0) / EVERYDAY_MINUTES);
}

interface Tally {
  readonly ring: string;
  readonly passed: number;
  readonly failed: number;
  readonly minutes: number;
}

function finish(ring: string): never {
  const { passed, failures, notRun } = sum;
  const failed = failures.length;
  const minutes = minutesSince(startedAt);
  if (TALLY !== undefined)
    appendFileSync(TALLY, `${JSON.stringify({ ring, passed, failed, minutes } satisfies Tally)}\n`);
  if (notRun.length > 0) say(`\nNot run here:\n${notRun.map((test) => `  ${test}`).join('\n')}`);
  if (failed > 0) say(failureLines(failures));
  say(`\n${minutes.toFixed(1)} min\n${passed} passed, ${failed} failed`);
  process.exit(failed === 0 ? 0 : 1);
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}
