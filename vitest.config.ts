import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { CANNOT } from './tests/rigs/citus/cannot.ts';
import { RingReporter } from './tests/rings/reporter.ts';
import { filesOf, RIGS, type Ring } from './tests/rings/rings.ts';
import { LongestFirst } from './tests/support/longest-first.ts';

/** What runs on cells of Citus: by `npm run test:citus` alone. */
const ON_CITUS = [
  'tests/e2e/{checkout,member,merchant,operator,orders,portal,retention,webhooks}/*.test.ts',
  'tests/e2e/service/cells.test.ts',
];
const onCitus = process.env['CITUS'] !== undefined;
const namesOf = (tests: Readonly<Record<string, string>>) =>
  Object.keys(tests)
    .map((name) => RegExp.escape(name))
    .join('|');

const SETUP = ['./tests/support/hold-answers.ts'];
const test: TestProjectInlineConfiguration['test'] = {
  setupFiles: SETUP,
  pool: 'forks',
  // They end what hangs; a machine that has much else to do needs most of it for a dozen starts.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  // What a busy machine did not show in time is looked at once more; the report names it.
  retry: { count: 1, condition: /Timeout \d+ms exceeded/ },
  // A second is too little beside another file that has both cores busy.
  expect: { poll: { timeout: 15_000 } },
};

export default defineConfig({
  test: {
    globalSetup: ['./tests/support/global-setup.ts'],
    reporters: [new RingReporter()],
    slowTestThreshold: 5_000,
    // Under much else a process takes more than ten seconds to end.
    teardownTimeout: 60_000,
    maxWorkers: process.env['RIGS'] === undefined ? 2 : 1,
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
