/**
 * What of the end-to-end tests does not run on a cell of Citus (`npm run test:citus`), and why: it
 * is the tests that ask for one Postgres, never the service.
 */
export const CANNOT = {
  files: {
    'tests/e2e/webhooks/fairness.test.ts':
      'wants 1,200 webhooks within seconds: each statement of a worker takes about 1 ms more',
  },
  /** By a part of their names. */
  tests: {
    'the latest is the one created last, also where an older order has a greater id':
      'turns a trigger off, which the coordinator alone takes',
    'is done once and answers the same, at once and where its answer was lost':
      'makes a trigger that breaks a commit, which the coordinator alone takes',
    'destinations of which nothing is due cost a claim nothing':
      'counts reads of an index: those are of the shard’s, under another name',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;
