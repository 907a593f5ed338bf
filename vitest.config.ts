import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { CANNOT } from './tests/rigs/citus/cannot.ts';
import { LongestFirst } from './tests/support/longest-first.ts';

/** Where `.ci/run` wants the counts. */
const results = process.env['TEST_RESULTS'];

/** What needs packages of the system: by `npm run test:rigs` alone. */
const RIGS = ['tests/rigs/**/*.test.ts'];

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

/** What changes its process, measures its memory, or takes it down with it. */
const ALONE = [
  'packages/embedded-postgres/**/*.test.ts',
  'apps/server/src/webhooks/send.test.ts',
  'tests/{bench,clone,faults,simulation}/**/*.test.ts',
  'tests/e2e/webhooks/fairness.test.ts',
];
/** Left to the scripts that set these to `full`: whole campaigns, and what `npm ci` does anyway. */
const LONGER: Readonly<Record<string, readonly string[]>> = {
  FAULTS: ['tests/faults/{disk-full,soak}.test.ts'],
  BENCH: ['tests/bench/route-costs.test.ts'],
  STARTS: ['tests/clone/fresh-clone.test.ts', 'tests/e2e/service/demo-past.test.ts'],
};
const left = Object.entries(LONGER).flatMap(([script, files]) =>
  process.env[script] === 'full' ? [] : files,
);
const NOT_OURS = ['**/node_modules/**'];
const REST = ['{packages,apps}/**/*.test.ts', 'tests/**/*.test.ts'];

const test: TestProjectInlineConfiguration['test'] = {
  setupFiles: ['./tests/support/hold-answers.ts'],
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
    reporters: results === undefined ? ['default'] : ['default', ['json', { outputFile: results }]],
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
    const exclude = [...NOT_OURS, ...Object.keys(CANNOT.files)];
    return [{ test: { ...test, name: 'citus', include: ON_CITUS, exclude } }];
  }
  return [
    { test: { ...test, name: 'alone', include: ALONE, exclude: [...NOT_OURS, ...left] } },
    // One process after the other reads its modules once, which takes a second each time.
    {
      test: {
        ...test,
        name: 'together',
        isolate: false,
        include: REST,
        exclude: [...NOT_OURS, ...RIGS, ...ALONE, ...left],
      },
    },
  ];
}
