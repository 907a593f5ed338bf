import { globSync } from 'node:fs';
import path from 'node:path';

/**
 * Which test files run when. A file that no step below names is in the everyday ring, `npm test`.
 */

/** How much the sized tests do: in `npm test`, in `npm run test:deep`, in a campaign. */
export type Size = 'short' | 'deep' | 'full';

interface Step {
  /** Files of this step alone. */
  readonly files?: readonly string[];
  /** Of those, files that only the everyday ring runs. */
  readonly everyday?: readonly string[];
  /** Files of the everyday ring that this step runs again, at a larger size. */
  readonly repeats?: readonly string[];
  /** How long it takes on two quiet cores. */
  readonly minutes: number;
}

/** The steps of `npm run test:deep`; those that matter most first, for a machine without time. */
export const DEEP = {
  faults: {
    files: ['tests/faults/*.test.ts', 'tests/e2e/webhooks/fairness.test.ts'],
    repeats: ['tests/faults/{server-kills,postgres-kills,failover-load}.test.ts'],
    minutes: 8,
  },
  simulation: {
    repeats: ['tests/simulation/*.test.ts'],
    minutes: 3,
  },
  fuzz: {
    files: ['tests/fuzz/fuzz.test.ts'],
    repeats: ['tests/e2e/orders/mutations.test.ts', 'tests/security/insider{,-approver}.test.ts'],
    minutes: 4,
  },
  // What takes long and rarely breaks: processes that start, receivers and databases that hang, all
  // lists page by page, a year that passes, tables that are full.
  'end-to-end': {
    files: [
      'apps/server/src/platform/{database/{db,errors},outbound/send}.test.ts',
      'packages/embedded-postgres/**/*.test.ts',
      'tests/clone/*.test.ts',
      'tests/e2e/evidence/evidence.test.ts',
      'tests/e2e/faces/{sdk-package,list-pages,lists}.test.ts',
      'tests/e2e/merchants/traffic.test.ts',
      'tests/e2e/retention/*.test.ts',
      'tests/e2e/service/*.test.ts',
      'tests/e2e/webhooks/receivers.test.ts',
    ],
    everyday: ['tests/e2e/service/{checker,log,statements,unseen,web}.test.ts'],
    repeats: ['tests/e2e/deliveries/feed.test.ts'],
    minutes: 10,
  },
  screens: {
    files: ['tests/browser/**/screens.test.ts', 'tests/browser/checkout/views.test.ts'],
    minutes: 11,
  },
  browser: {
    files: ['tests/browser/**/!(flow|size|screens|views).test.ts'],
    minutes: 9,
  },
  bench: {
    files: ['tests/bench/*.test.ts'],
    minutes: 2,
  },
} as const satisfies Readonly<Record<string, Step>>;
export type DeepStep = keyof typeof DEEP;
const STEPS: Readonly<Record<DeepStep, Step>> = DEEP;

/** How long `npm test` takes on two quiet cores; a slower run shows how much slower the machine is. */
export const EVERYDAY_MINUTES = 7;

/** What needs packages of the system. */
export const RIGS = ['tests/rigs/**/*.test.ts'];

/** What `npm run test:quick` runs. */
const QUICK = [
  '{packages/{api,cli,core,sdk,web},apps,bin}/**/*.test.ts',
  'tests/tidy/*.test.ts',
  'tests/e2e/orders/creation.test.ts',
];

/** Files that change their process, measure its memory, or take it down with them. */
const ALONE = [
  'packages/embedded-postgres/**/*.test.ts',
  'apps/server/src/platform/outbound/send.test.ts',
  'tests/{bench,clone,faults,simulation}/**/*.test.ts',
  'tests/e2e/webhooks/fairness.test.ts',
];

export type Ring = DeepStep | 'everyday' | 'quick';

/** The files of a ring or step, or all, in two groups: `alone` need a process each. */
export function filesOf(ring: Ring | undefined): Readonly<Record<'alone' | 'together', string[]>> {
  const files = globSync(['{packages,apps,bin,tests}/**/*.test.ts'], {
    exclude: (name) => path.basename(name) === 'node_modules',
  }).filter((file) => !matches(file, RIGS) && isIn(ring, file));
  return {
    alone: files.filter((file) => matches(file, ALONE)),
    together: files.filter((file) => !matches(file, ALONE)),
  };
}

function isIn(ring: Ring | undefined, file: string): boolean {
  if (ring === undefined) return true;
  if (ring === 'quick') return matches(file, QUICK) && isEveryday(file);
  if (ring === 'everyday') return isEveryday(file);
  const { files = [], everyday = [], repeats = [] } = STEPS[ring];
  return matches(file, repeats) || (matches(file, files) && !matches(file, everyday));
}

const isEveryday = (file: string): boolean =>
  !Object.values(STEPS).some(
    ({ files = [], everyday = [], repeats = [] }) =>
      matches(file, files) && !matches(file, [...everyday, ...repeats]),
  );

const matches = (file: string, globs: readonly string[]): boolean =>
  globs.some((glob) => path.matchesGlob(file, glob));
