import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { CANNOT } from './tests/rigs/citus/cannot.ts';
import { RingReporter } from './tests/rings/reporter.ts';
import { filesOf, RIGS, type Ring } from './tests/rings/rings.ts';
import { LongestFirst } from './tests/support/longest-first.ts';
import { PATIENCE_MS, TEST_MS } from './tests/support/patience.ts';

/** What runs on cells of Citus: by `npm run test:citus` alone. */
const ON_CITUS = ['tests/e2e/!(service)/*.test.ts', 'tests/e2e/service/cells.test.ts'];
const onCitus = process.env['CITUS'] !== undefined;
const namesOf = (tests: Readonly<Record<string, string>>) =>
  Object.keys(tests)
    .map((name) => RegExp.escape(name))
    .join('|');

const SETUP = ['./tests/support/hold-answers.ts', './tests/support/cheap-passwords.ts'];
const test: TestProjectInlineConfiguration['test'] = {
  setupFiles: SETUP,
  pool: 'forks',
  testTimeout: TEST_MS,
  hookTimeout: TEST_MS,
  expect: { poll: { timeout: PATIENCE_MS } },
};

export default defineConfig({
  test: {
    globalSetup: ['./tests/support/global-setup.ts'],
    reporters: [new RingReporter()],
    slowTestThreshold: 5_000,
    // Under much else a process takes more than ten seconds to end.
    teardownTimeout: 60_000,
    // One more than two cores: many a test waits for something.
    maxWorkers: process.env['RIGS'] === undefined ? 3 : 1,
    ...(onCitus && { testNamePattern: new RegExp(`^(?!.*(${namesOf(CANNOT.tests)}))`) }),
    sequence: { sequencer: LongestFirst },
    projects: projects(),
  },
});

function projects(): TestProjectInlineConfiguration[] {
  if (process.env['RIGS'] !== undefined)
    return [{ test: { ...test, name: 'rigs', include: RIGS } }];
  if (onCitus) {
    const exclude = ['**/node_modules/**', ...Object.keys(CANNOT.files)];
    return [{ test: { ...test, name: 'citus', include: ON_CITUS, exclude } }];
  }
  const { alone, together } = filesOf(process.env['TEST_RING'] as Ring | undefined);
  return [
    { test: { ...test, name: 'alone', include: alone } },
    // One process after the other reads its modules once, which takes a second each time.
    {
      test: {
        ...test,
        name: 'together',
        isolate: false,
        include: together,
        setupFiles: [...SETUP, './tests/support/seed.ts'],
      },
    },
  ];
}
