/**
 * What of the end-to-end tests does not run on a cell of Citus (`npm run test:citus`), and why: it
 * is the tests that ask for one Postgres, never the service.
 */
export const CANNOT = {
  files: {
    'tests/e2e/faces/lists.test.ts':
      'drops indexes of a worker’s tables to fill them, and reads rows in plans, which name the shard’s table',
  },
  /** By a part of their names. */
  tests: {
    'destinations of which nothing is due cost a claim nothing':
      'counts reads of an index: those are of the shard’s, under another name',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;
