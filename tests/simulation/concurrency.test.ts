import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { size } from '../support/size.ts';
import { seedsFor } from './chance.ts';
import { runConcurrently } from './concurrency.ts';

const ROUNDS = size('SIMULATION_ROUNDS', { short: 20, deep: 40, full: 60 });
const AT_ONCE = size('SIMULATION_AT_ONCE', { short: 6, full: 6 });
const RUNS = size('SIMULATION_CONCURRENT_RUNS', { short: 1, deep: 4, full: 20 });

beforeAll(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterAll(() => {
  vi.useRealTimers();
});

test.each([1, 2] as const)(
  'requests at once to %i server(s) come out as some order of them would',
  { timeout: 7_200_000 },
  async (servers) => {
    const startedAt = performance.now();
    let requests = 0;
    let triesMost = 0;
    for (const seed of seedsFor(RUNS)) {
      try {
        const run = await runConcurrently(seed, { rounds: ROUNDS, size: AT_ONCE, servers });
        requests += run.requests;
        triesMost = Math.max(triesMost, run.triesMost);
      } catch (error) {
        const again = `SIMULATION_SEED=${seed} SIMULATION_ROUNDS=${ROUNDS} SIMULATION_AT_ONCE=${AT_ONCE} npm run vitest -- run tests/simulation/concurrency.test.ts`;
        expect.fail(`seed ${seed}: ${(error as Error).stack}\nagain: ${again}`);
      }
    }
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    process.stderr.write(
      `simulation: ${requests} requests at once to ${servers} server(s), ${seconds} s, at most ${triesMost} tries for a round\n`,
    );
  },
);
