import { cpus } from 'node:os';
import { afterAll, expect } from 'vitest';
import { startProcess } from '../support/process.ts';
import { expectWithin, load } from '../support/promises.ts';
import { serviceTest } from '../support/service-test.ts';
import { SEED, SIZE, size } from '../support/size.ts';
import { expectSound } from '../support/verify.ts';
import { MUTATIONS } from './mutations.ts';
import { type FuzzRun, fuzz } from './run.ts';
import { createWorld } from './world.ts';

/**
 * Requests of every face, sound ones and damaged ones, at a server process of its own: every answer
 * is one that the documents know, none is a failure, none hangs, and the books are right
 * afterwards. `FUZZ_CASES` sets how many, `FUZZ_SEED` replays a run and `FUZZ_ONLY` one case of it.
 */
const CASES = size('FUZZ_CASES', { short: 4_000, deep: 60_000, full: 1_000_000 });
const GIVEN = process.env['FUZZ_SEED'] === undefined ? undefined : Number(process.env['FUZZ_SEED']);
const ONLY = process.env['FUZZ_ONLY'] === undefined ? undefined : Number(process.env['FUZZ_ONLY']);
const SEEDS = GIVEN === undefined ? [1, SEED] : [GIVEN];

const { test, service } = await serviceTest({ ALLOW_PRIVATE_CALLBACKS: '0' });
const server = await startProcess(service);
const world = await createWorld(service, server.url);
afterAll(async () => {
  await server?.stop();
});

test.each(SEEDS)(
  `${Math.ceil(CASES / SEEDS.length)} requests of seed %i`,
  { timeout: 24 * 3_600_000 },
  async (seed) => {
    const run = await fuzz(world, {
      seed,
      cases: Math.ceil(CASES / SEEDS.length),
      lanes: 12,
      only: ONLY,
      progress: say,
    });
    if (SIZE !== 'short') say(report(run));
    expect(run.failures.join('\n')).toBe('');
    expect(server.child.exitCode).toBeNull();
    expectWithin('the slowest answer', run.slowest.ms, 10_000);
    if (ONLY !== undefined) return;
    // A run whose requests were all refused by the first check would prove little.
    for (const status of ['200', '400', '401', '403', '404', '409'])
      expect(run.statuses.get(status) ?? 0, status).toBeGreaterThan(run.cases / 500);
    expect(Object.keys(MUTATIONS).filter((name) => !run.mutations.has(name))).toEqual([]);
  },
);

test('afterwards the service serves as before, and the books are right', async () => {
  await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status).toBe(200);
  await expectSound(service);
});

const say = (text: string) => process.stderr.write(`${text}\n`);

function report({
  seed,
  cases,
  seconds,
  slowest,
  overSecond,
  statuses,
  successes,
}: FuzzRun): string {
  const sorted = [...statuses].sort(([left], [right]) => (left < right ? -1 : 1));
  const never = [...successes].filter(([, times]) => times === 0).map(([name]) => name);
  return [
    `seed ${seed}: ${cases} cases in ${seconds.toFixed(1)} s (${Math.round(cases / seconds)}/s), Node ${process.versions.node}, ${cpus().length} cores, load ${load()}`,
    `slowest ${slowest.ms.toFixed(1)} ms (${slowest.what}); over a second: ${overSecond}`,
    `answers: ${sorted.map(([status, times]) => `${status} × ${times}`).join(', ')}`,
    `never a success: ${never.join(', ') || 'none'}`,
  ].join('\n');
}
