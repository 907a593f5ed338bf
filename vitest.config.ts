import { defineConfig } from 'vitest/config';

/** Where `.ci/run` wants the counts. */
const results = process.env['TEST_RESULTS'];

export default defineConfig({
  test: {
    include: ['{packages,apps}/**/*.test.ts', 'tests/**/*.test.ts'],
    globalSetup: ['./tests/support/global-setup.ts'],
    pool: 'forks',
    reporters: results === undefined ? ['default'] : ['default', ['json', { outputFile: results }]],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
