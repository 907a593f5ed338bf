import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { bareEnvironment, listenTo } from '../support/spoken.ts';
import { ROOT } from '../tidy/sources.ts';

/** The Postgres of `deploy/ha`. It plans, and goes through indexes, by other rules than the embedded one. */
const PG_BIN = '/usr/lib/postgresql/15/bin';
const PLANS = ['tests/e2e/faces/lists.test.ts', 'tests/e2e/service/plans.test.ts'];

test('on Postgres 15 lists and prepared statements read no more than they need either', async () => {
  if (!existsSync(path.join(PG_BIN, 'initdb')))
    throw new Error('Postgres 15 is missing: apt-get install postgresql-15');
  const { exited, said } = listenTo('sh', ['bin/run', 'vitest', 'run', ...PLANS], {
    cwd: ROOT,
    env: { ...bareEnvironment(), PG_BIN },
  });
  expect(await exited, said()).toBe(0);
}, 600_000);
