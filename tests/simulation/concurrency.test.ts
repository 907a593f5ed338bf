import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { seedsFor, sizeGiven } from './chance.ts';
import { runConcurrently } from './concurrency.ts';

const ROUNDS = sizeGiven('SIMULATION_ROUNDS', 20);
const SIZE = sizeGiven('SIMULATION_AT_ONCE', 6);
const RUNS = sizeGiven('SIMULATION_CONCURRENT_RUNS', 1);

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
        const run = await runConcurrently(seed, { rounds: ROUNDS, size: SIZE, servers });
        requests += run.requests;
        triesMost = Math.max(triesMost, run.triesMost);
      } catch (error) {
        const again = `SIMULATION_SEED=${seed} SIMULATION_ROUNDS=${ROUNDS} SIMULATION_AT_ONCE=${SIZE} npm run test:simulation:concurrency`;
        expect.fail(`seed ${seed}: ${(error as Error).stack}\nagain: ${again}`);
      }
    }
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    process.stderr.write(
      `simulation: ${requests} requests at once to ${servers} server(s), ${seconds} s, at most ${triesMost} tries for a round\n`,
    );
  },
);
