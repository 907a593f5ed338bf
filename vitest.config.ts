import { defineConfig } from 'vitest/config';
import { LongestFirst } from './tests/support/longest-first.ts';

/** Where `.ci/run` wants the counts. */
const results = process.env['TEST_RESULTS'];

/** What needs packages of the system: by `npm run test:rigs` alone. */
const RIGS = ['tests/rigs/**/*.test.ts'];

export default defineConfig({
  test: {
    globalSetup: ['./tests/support/global-setup.ts'],
    setupFiles: ['./tests/support/hold-answers.ts'],
    pool: 'forks',
    reporters: results === undefined ? ['default'] : ['default', ['json', { outputFile: results }]],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A second is too little beside another file that has both cores busy.
    expect: { poll: { timeout: 15_000 } },
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    ...(process.env['RIGS'] === undefined
      ? {
          include: ['{packages,apps}/**/*.test.ts', 'tests/**/*.test.ts'],
          exclude: ['**/node_modules/**', ...RIGS],
        }
      : { include: RIGS, maxWorkers: 1 }),
  },
});
