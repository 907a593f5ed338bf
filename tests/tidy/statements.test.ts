import { randomUUID } from 'node:crypto';
import { globSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../apps/server/src/storage/db.ts';
import { findViolations } from '../../apps/server/src/storage/invariants.ts';
import { listOrders } from '../../apps/server/src/storage/order-list.ts';
import { cloneDatabase } from '../support/database.ts';
import { type Statement, statementsOf } from './statements.ts';

const SERVER = path.join(import.meta.dirname, '..', '..', 'apps', 'server', 'src');

/**
 * Statements that are put together from what a call is given, and what runs them against the schema
 * here.
 */
const COMPOSED: Readonly<Record<string, string>> = {
  'storage/ledger.ts guarded': 'a helper: the statements made with it are prepared',
  'storage/status.ts select': 'a helper: the statements made with it are prepared',
  'storage/order-list.ts listOrders': 'called below',
  'storage/order-list.ts searchCondition': 'called below',
  'storage/invariants.ts findViolations': 'called below',
};

/** Given the types of its parameters by findViolations, which runs all of them. */
const PARTS = 'storage/invariants.ts INVARIANTS';

/** Run by the role that owns the tables. */
const OF_THE_OWNER = new Set(['storage/migrate.ts applyNext']);

let clone: Awaited<ReturnType<typeof cloneDatabase>>;
let database: Database;
let statements: readonly Statement[];

beforeAll(async () => {
  clone = await cloneDatabase();
  database = clone.database;
  const files = globSync('**/*.ts', { cwd: SERVER }).filter((name) => !name.endsWith('.test.ts'));
  statements = (
    await Promise.all(files.sort().map((name) => statementsOf(path.join(SERVER, name))))
  ).flat();
});
afterAll(() => clone.drop());

const nameOf = ({ file, owner }: Statement) => `${path.relative(SERVER, file)} ${owner}`;

describe('every SQL statement of the server', () => {
  test('prepares against the migrated schema', async () => {
    const client = await database.pool.connect();
    const refused: string[] = [];
    let prepared = 0;
    for (const statement of statements) {
      if (statement.text === undefined || nameOf(statement) === PARTS) continue;
      prepared += 1;
      const error = await client.query(`prepare tidy_${prepared} as ${statement.text}`).then(
        () => undefined,
        (reason: Error) => reason.message,
      );
      if (error !== undefined)
        refused.push(`${nameOf(statement)}, line ${statement.line}: ${error}`);
    }
    client.release(true);
    expect(refused).toEqual([]);
    expect(prepared).toBeGreaterThan(80);
  });

  test('is one that the role of the service has the rights for', async () => {
    const served = openDatabase(clone.target, { poolSize: 1 });
    const refused: string[] = [];
    for (const statement of statements) {
      if (
        statement.text === undefined ||
        nameOf(statement) === PARTS ||
        OF_THE_OWNER.has(nameOf(statement))
      )
        continue;
      const error = await served.pool.query(`explain (generic_plan) ${statement.text}`).then(
        () => undefined,
        (reason: Error & { code?: string }) =>
          reason.code === '42501' ? reason.message : undefined,
      );
      if (error !== undefined)
        refused.push(
          `${nameOf(statement)}, line ${statement.line}: ${error}. Rights stand in storage/grants.ts.`,
        );
    }
    await served.close();
    expect(refused).toEqual([]);
  });

  test('is either whole in the source or run here', () => {
    const composed = statements.filter(({ text }) => text === undefined).map(nameOf);
    expect([...new Set(composed)].sort()).toEqual(Object.keys(COMPOSED).sort());
  });

  test('listOrders runs without filters and with all of them', async () => {
    const page = { after: null, limit: 10 };
    expect(await listOrders(database.pool, {}, page)).toEqual([]);
    const filters = {
      status: ['Queued', 'ManualReview'],
      stage: ['Sent', 'Assigned'],
      orderType: 'Deposit',
      walletType: ['ProviderA'],
      merchantId: randomUUID(),
      memberId: randomUUID(),
      from: 0,
      to: Date.now(),
      search: randomUUID(),
    } as const;
    expect(await listOrders(database.pool, filters, { ...page, after: randomUUID() })).toEqual([]);
  });

  test('the invariants run and hold for an empty database', async () => {
    expect(await findViolations(database.pool, Date.now())).toEqual([]);
  });
});
