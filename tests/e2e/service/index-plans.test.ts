import { globSync } from 'node:fs';
import path from 'node:path';
import type pg from 'pg';
import { beforeAll, expect, test } from 'vitest';
import type { Database } from '../../../apps/server/src/storage/db.ts';
import { QUEUE_SETTINGS } from '../../../apps/server/src/storage/delivery-queue.ts';
import { INVARIANTS, WHOLE_TABLES } from '../../../apps/server/src/storage/invariants.ts';
import { prefillOrders } from '../../../bench/prefill.ts';
import { seedMembers, seedMerchants } from '../../../bench/seed.ts';
import { cloneDatabase } from '../../support/database.ts';
import { type Statement, statementsOf } from '../../tidy/statements.ts';

/**
 * A connection of the engine, of gathered reads or of webhooks keeps the first plan of each
 * statement until one of its tables is vacuumed or analysed. Whatever the tables were like then,
 * the plan has to find every row by the first column of an index: one that leads with something
 * else is read from end to end, or searched once for each merchant; without any, all of the table
 * is.
 */
const LANES: Readonly<Record<'engine' | 'readers' | 'webhooks', RegExp>> = {
  engine: /^(ledger|order-row|terms)\.ts |^deliveries\.ts INSERT|^candidates\.ts FIND/,
  readers:
    /^(status|keys|checkout-read|shown-accounts)\.ts |^sessions\.ts MEMBER_SESSIONS|^member-read\.ts EACH/,
  webhooks: /^(delivery-queue|signing-keys)\.ts (?!findNextAttempt)/,
};

/** What may read all of an index, and why. */
const READS_ALL: Readonly<Record<string, string>> = {
  'candidates.ts FIND_CANDIDATES members_pkey':
    'searches for whoever is eligible, where the index in memory knows nobody',
  'candidates.ts FIND_WITHOUT_EQUAL members_pkey':
    'searches for whoever is eligible, where all who are locked have an equal deposit',
};

const FEW = { merchants: 3, members: 3, orders: 20 };
const MANY = { merchants: 200, members: 1_000, orders: 10_000 };
const NEVER_ANALYSED = `delete from pg_statistic; update pg_class set relpages = 0, reltuples = -1 where relnamespace = 'public'::regnamespace`;
const ANALYSED_WHILE_EMPTY = `delete from pg_statistic; update pg_class set relpages = 0, reltuples = 0 where relnamespace = 'public'::regnamespace`;
const VACUUMED_ALONE = 'delete from pg_statistic';

let statements: readonly (Statement & { readonly name: string })[];
beforeAll(async () => {
  const folder = path.join(import.meta.dirname, '../../../apps/server/src/storage');
  const files = globSync('*.ts', { cwd: folder }).filter((name) => !name.endsWith('.test.ts'));
  const found = (
    await Promise.all(files.sort().map((name) => statementsOf(path.join(folder, name))))
  ).flat();
  statements = found.map((statement) => ({
    ...statement,
    name: `${path.basename(statement.file)} ${statement.owner}`,
  }));
});

/** The tables that grow with use. */
const TABLES = [
  'orders',
  'order_moves',
  'order_notes',
  'signature_replays',
  'postings',
  'deliveries',
  'delivery_attempts',
  'delivery_queue',
  'merchants',
  'api_keys',
  'merchant_wallets',
  'members',
  'member_accounts',
  'sessions',
];

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly PlanNode[];
}
const nodesOf = (node: PlanNode): readonly PlanNode[] => [
  node,
  ...(node.Plans ?? []).flatMap(nodesOf),
];

/** The first column of each of their indexes. */
async function firstColumns(client: pg.ClientBase): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query<{ name: string; first: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid, 1, true) as first from pg_index
     where indrelid::regclass::text = any($1)`,
    [TABLES],
  );
  return new Map(rows.map(({ name, first }) => [name, first]));
}

async function readersOfAll(client: pg.ClientBase, lane: RegExp): Promise<readonly string[]> {
  const first = await firstColumns(client);
  const found: string[] = [];
  for (const { name, text } of statements) {
    if (text === undefined || !lane.test(name)) continue;
    const { rows } = await client.query(`explain (generic_plan, format json) ${text}`);
    for (const node of nodesOf(rows[0]['QUERY PLAN'][0].Plan)) {
      if (node['Node Type'] === 'Seq Scan' && TABLES.includes(node['Relation Name'] ?? ''))
        found.push(`${name} all of ${node['Relation Name']}`);
      const index = node['Index Name'] ?? '';
      const column = first.get(index);
      const finds =
        column === undefined || new RegExp(`(^|[(. ])${column} `).test(node['Index Cond'] ?? '');
      if (!finds) found.push(`${name} ${index}`);
    }
  }
  return found.filter((each) => READS_ALL[each] === undefined);
}

async function fill(database: Database, { merchants, members, orders }: typeof FEW): Promise<void> {
  await seedMerchants(database, merchants);
  await seedMembers(database, members);
  await prefillOrders(database, orders);
  await database.pool.query(
    `insert into sessions (token_hash, kind, principal_id, created_at, expires_at)
     select sha256(member_id::text::bytea), 'member', member_id, now(), now() + interval '1 day' from members`,
  );
}

test.each([
  ['engine', 25],
  ['readers', 9],
  ['webhooks', 8],
] as const)('the statements of the %s’ lane are found, %i or more', (lane, least) => {
  const found = statements.filter(({ name, text }) => text !== undefined && LANES[lane].test(name));
  expect(found.length).toBeGreaterThanOrEqual(least);
});

/** What tables may be like, and what is known of them. */
const STATES = [
  ['few rows, never analysed', FEW, NEVER_ANALYSED],
  ['few rows, analysed while there were none', FEW, ANALYSED_WHILE_EMPTY],
  ['few rows, analysed', FEW, 'analyze'],
  ['many rows, vacuumed but not analysed', MANY, VACUUMED_ALONE],
  ['many rows, analysed', MANY, 'analyze'],
] as const;

test.each(STATES)(
  '%s: no statement of a request is planned to read all of an index',
  { timeout: 60_000 },
  async (_state, size, preparation) => {
    const clone = await cloneDatabase();
    await fill(clone.database, size);
    await clone.database.pool.query(preparation);
    const found: string[] = [];
    for (const [name, statementsOfLane] of Object.entries(LANES)) {
      const lane = await clone.database.openLane(name as keyof typeof LANES);
      for (const setting of name === 'webhooks' ? QUEUE_SETTINGS : [])
        await lane.query(`set ${setting}`);
      found.push(...(await readersOfAll(lane, statementsOfLane)));
      await lane.end();
    }
    expect(found).toEqual([]);
    await clone.drop();
  },
);

/** Which check joins tables otherwise than by hashing, and why. */
const LOOPS: Readonly<Record<string, string>> = {
  'W5 Nested Loop': 'looks the attempts of each delivery up by its id',
};

/**
 * Joins of the checker that go through one table for each row of another, or for each of its
 * merchants.
 */
async function slowJoins(client: pg.ClientBase): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { id, broken } of INVARIANTS) {
    const { rows } = await client.query(`explain (generic_plan, format json) ${broken}`);
    for (const { 'Node Type': type, Plans: sides = [] } of nodesOf(rows[0]['QUERY PLAN'][0].Plan)) {
      const tables = sides.filter((side) =>
        nodesOf(side).some((part) => TABLES.includes(part['Relation Name'] ?? '')),
      );
      if (tables.length > 1 && ['Nested Loop', 'Merge Join'].includes(type))
        found.push(`${id} ${type}`);
    }
  }
  return found.filter((each) => LOOPS[each] === undefined);
}

/** A webhook for each settled order. */
const DELIVERIES = `insert into deliveries (merchant_id, delivery_id, order_id, api_key_id, event_type, url, body, created_at)
  select merchant_id, gen_random_uuid(), order_id, api_key_id, 'order.completed', 'https://merchant.example/', '{}', now() from orders where status = 'Completed'`;

test.each(STATES)(
  '%s: the checker joins its tables by hashing',
  { timeout: 60_000 },
  async (_state, size, preparation) => {
    const clone = await cloneDatabase();
    await fill(clone.database, size);
    await clone.database.pool.query(DELIVERIES);
    await clone.database.pool.query(preparation);
    const client = await clone.database.pool.connect();
    for (const setting of WHOLE_TABLES) await client.query(`set ${setting}`);
    expect(await slowJoins(client)).toEqual([]);
    client.release(true);
    await clone.drop();
  },
);
