import { expect, test } from 'vitest';
import { size } from '../support/size.ts';
import { seedGiven, seedsFor } from './chance.ts';
import { memorySubject } from './memory.ts';
import { describeFailure, runSeed } from './run.ts';

/** Acts of a run: some dozen orders, with a few deadlines of each. */
const STEPS = size('SIMULATION_STEPS', { short: 150, full: 150 });
const RUNS = size('SIMULATION_RUNS', { short: 200, deep: 3_000, full: 7_000 });

test('the pure rules do what the model says, in every run', { timeout: 3_600_000 }, async () => {
  const moves = new Set<string>();
  const seeds = seedsFor(RUNS);
  let commands = 0;
  const startedAt = performance.now();
  for (const [at, seed] of seeds.entries()) {
    const failed = await runSeed(memorySubject, seed, STEPS, (subject) => {
      commands += subject.commands();
      for (const move of subject.moves()) moves.add(move);
    });
    if (failed === undefined) continue;
    const again = `SIMULATION_STEPS=${STEPS} npm run vitest -- run tests/simulation/memory.test.ts`;
    const took = `run ${at + 1}, after ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`;
    expect.fail(
      `${took}, ${await describeFailure(memorySubject, failed, { seed, triesMax: 5_000, again })}`,
    );
  }
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  process.stderr.write(
    `simulation: ${commands} commands in ${seeds.length} runs, ${seconds} s, ${moves.size} kinds of move\n`,
  );
  if (seedGiven() === undefined)
    expect(moves.size, 'the runs take nearly every move that there is').toBeGreaterThan(48);
});
