import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { size } from '../support/size.ts';
import { seedsFor } from './chance.ts';
import { describeFailure, runSeed } from './run.ts';
import { serverSubject } from './server.ts';
import { setupOf } from './setup.ts';

const STEPS = size('SIMULATION_STEPS', { short: 30, deep: 100, full: 150 });
const RUNS = size('SIMULATION_RUNS', { short: 2, deep: 15, full: 100 });

// Time is an input: with the process's own clock standing still, the sandbox clock shows exactly
// what it was advanced to.
beforeAll(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: setupOf(0).startedAt });
});
afterAll(() => {
  vi.useRealTimers();
});

test('the service over HTTP and Postgres does what the model says, in every run', {
  timeout: 7_200_000,
}, async () => {
  const startedAt = performance.now();
  const seeds = seedsFor(RUNS);
  for (const [at, seed] of seeds.entries()) {
    const failed = await runSeed(serverSubject, seed, STEPS);
    if (failed === undefined) continue;
    const again = `SIMULATION_STEPS=${STEPS} npm run vitest -- run tests/simulation/server.test.ts`;
    const took = `run ${at + 1}, after ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`;
    expect.fail(
      `${took}, ${await describeFailure(serverSubject, failed, { seed, triesMax: 60, again })}`,
    );
  }
  process.stderr.write(
    `simulation: ${seeds.length} runs of ${STEPS} acts against the server, ${((performance.now() - startedAt) / 1_000).toFixed(1)} s\n`,
  );
});
