import { defineConfig } from 'vitest/config';

/** Where `.ci/run` wants the counts. */
const results = process.env['TEST_RESULTS'];

/**
 * Tests that kill, hang and measure processes, draw pages or install packages: each has the machine
 * to itself.
 */
const ALONE = [
  'tests/{bench,browser,clone,faults}/**/*.test.ts',
  'packages/embedded-postgres/**/*.test.ts',
];

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
    projects: [
      {
        extends: true,
        test: {
          name: 'beside',
          include: ['{packages,apps}/**/*.test.ts', 'tests/**/*.test.ts'],
          exclude: ['**/node_modules/**', ...ALONE, ...RIGS],
          maxWorkers: 2,
        },
      },
      {
        extends: true,
        test: { name: 'alone', include: ALONE, maxWorkers: 1, sequence: { groupOrder: 1 } },
      },
      ...(process.env['RIGS'] === undefined
        ? []
        : [{ extends: true as const, test: { name: 'rigs', include: RIGS, maxWorkers: 1 } }]),
    ],
  },
});
