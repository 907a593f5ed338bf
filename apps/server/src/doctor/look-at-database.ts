import { type ApproverDeps, readMissingApprovers } from '../people/approvers.service.ts';
import type { DatabaseTarget } from '../platform/config/database-url.ts';
import { type ClockDifference, compareClocks } from '../platform/database/database-clock.ts';
import { type Database, openDatabase } from '../platform/database/db.ts';
import { findWrongGrants, mayChangeSchema, RETENTION } from '../platform/database/grants.ts';
import { isMigrated } from '../platform/database/migrate.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import type { Vault } from '../platform/vault.ts';
import { readKind } from '../sandbox/kind.store.ts';
import { readMasterKeyChecks, readSecretOfEachSeal } from '../start/master-key.store.ts';
import { readPlatformSettings } from '../writes/platform-settings.store.ts';
import {
  readArchive,
  readPeopleStanding,
  readReplication,
  readServerStanding,
} from './checkup.store.ts';
import type { DatabaseFacts, RetentionFacts, Unknown } from './facts.ts';

/** Looks at everything and writes nothing. Throws what the database throws. */
export async function lookAtDatabase(
  { pool }: Database,
  vault: Pick<Vault, 'checkValues' | 'open'>,
  retention: DatabaseTarget | undefined,
  approvers: ApproverDeps,
): Promise<DatabaseFacts | Unknown> {
  if (!(await isMigrated(pool)))
    return {
      error:
        'The database lacks migrations of this version: run npm run munshi -- migrate, with DATABASE_OWNER_URL where there are two roles.',
    };
  const server = await readServerStanding(pool);
  const wrong = await findWrongGrants(pool, server.role);
  const settings = await readPlatformSettings(pool);
  return {
    server,
    mayChangeSchema: await mayChangeSchema(pool),
    wrongGrants: wrong.map(({ name }) => name),
    retention: retention && (await lookAtRetention(pool, retention)),
    replication: await readReplication(pool),
    archive: await readArchive(pool),
    clock: await compareExactly(pool),
    masterKey: await lookAtMasterKey(pool, vault),
    sandbox: await readKind(pool),
    people: await readPeopleStanding(pool),
    fourEyes: {
      requireSecondOperator: settings.requireSecondOperator,
      approversMissing: await readMissingApprovers(pool, approvers),
      hasLimit: settings.adjustmentApprovalLimit !== null,
      requireOneTimeCode: settings.requireOneTimeCode,
    },
    at: Date.now(),
  };
}

/** Whether the role that removes is let in, and may do that and nothing else. */
async function lookAtRetention(db: Queryable, target: DatabaseTarget): Promise<RetentionFacts> {
  const role = target.user;
  const own = openDatabase(target, { poolSize: 1, timeoutMs: STATEMENT_MS });
  const error = await own.pool
    .query('select 1')
    .then(
      () => undefined,
      ({ message }: Error) => message,
    )
    .finally(own.close);
  const wrong = error === undefined ? await findWrongGrants(db, role, RETENTION) : [];
  return { role, error, wrongGrants: wrong.map(({ name }) => name) };
}

const STATEMENT_MS = 10_000;
const LOOKS = 5;

/** The quickest of some answers is the most exact. */
async function compareExactly(db: Queryable): Promise<ClockDifference> {
  let best = await compareClocks(db);
  for (let look = 1; look < LOOKS; look += 1) {
    const next = await compareClocks(db);
    if (next.withinMs < best.withinMs) best = next;
  }
  return best;
}

/** As `checkMasterKey` does, without making an unknown key the database's own. */
async function lookAtMasterKey(
  db: Queryable,
  vault: Pick<Vault, 'checkValues' | 'open'>,
): Promise<DatabaseFacts['masterKey']> {
  const known = await readMasterKeyChecks(db);
  if (known.length > 0 && !vault.checkValues.some((value) => known.includes(value)))
    return 'unknown';
  try {
    for (const secret of await readSecretOfEachSeal(db)) vault.open(secret);
  } catch {
    return 'lacking';
  }
  return known.length === 0 ? 'new' : 'known';
}
