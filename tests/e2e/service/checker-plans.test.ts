import type pg from 'pg';
import { expect, test } from 'vitest';
import type { Database } from '../../../apps/server/src/storage/db.ts';
import { INVARIANTS, queryOf, WHOLE_TABLES } from '../../../apps/server/src/storage/invariants.ts';
import { prefillOrders } from '../../../bench/prefill.ts';
import { seedMembers, seedMerchants } from '../../../bench/seed.ts';
import { cloneDatabase } from '../../support/database.ts';
import { explainGenerically } from '../../support/plans.ts';

/**
 * The checker reads whole tables. One that looks each row of a table up in another, or merges two
 * by their merchants alone, takes minutes.
 */
const FEW = { merchants: 3, members: 3, orders: 20 };
const MANY = { merchants: 200, members: 1_000, orders: 10_000 };
const NEVER_ANALYSED = `delete from pg_statistic; update pg_class set relpages = 0, reltuples = -1 where relnamespace = 'public'::regnamespace`;
const ANALYSED_WHILE_EMPTY = `delete from pg_statistic; update pg_class set relpages = 0, reltuples = 0 where relnamespace = 'public'::regnamespace`;
const VACUUMED_ALONE = 'delete from pg_statistic';

/** The tables that grow with use. */
const TABLES = [
  'orders',
  'order_moves',
  'signature_replays',
  'postings',
  'deliveries',
  'delivery_attempts',
  'delivery_queue',
];

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly PlanNode[];
}
const nodesOf = (node: PlanNode): readonly PlanNode[] => [
  node,
  ...(node.Plans ?? []).flatMap(nodesOf),
];

async function fill(database: Database, { merchants, members, orders }: typeof FEW): Promise<void> {
  await seedMerchants(database, merchants);
  await seedMembers(database, members);
  await prefillOrders(database, orders);
  await database.pool.query(DELIVERIES);
}

/** What tables may be like, and what is known of them. */
const STATES = [
  ['few rows, never analysed', FEW, NEVER_ANALYSED],
  ['few rows, analysed while there were none', FEW, ANALYSED_WHILE_EMPTY],
  ['few rows, analysed', FEW, 'analyze'],
  ['many rows, vacuumed but not analysed', MANY, VACUUMED_ALONE],
  ['many rows, analysed', MANY, 'analyze'],
] as const;

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
  for (const invariant of INVARIANTS) {
    const rows = await explainGenerically(client, queryOf(invariant), 'json');
    for (const { 'Node Type': type, Plans: sides = [] } of nodesOf(rows[0]['QUERY PLAN'][0].Plan)) {
      const tables = sides.filter((side) =>
        nodesOf(side).some((part) => TABLES.includes(part['Relation Name'] ?? '')),
      );
      if (tables.length > 1 && ['Nested Loop', 'Merge Join'].includes(type))
        found.push(`${invariant.id} ${type}`);
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
    await clone.database.pool.query(preparation);
    const client = await clone.database.pool.connect();
    for (const setting of WHOLE_TABLES) await client.query(`set ${setting}`);
    expect(await slowJoins(client)).toEqual([]);
    client.release(true);
    await clone.drop();
  },
);
