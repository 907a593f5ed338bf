import type { Instant } from '@munshi/core';
import type pg from 'pg';
import { inSnapshot } from '../platform/database/db.ts';
import { type Row, time } from '../platform/database/rows.ts';
import { AUDIT } from './invariants/audit.ts';
import { CLOSINGS } from './invariants/closings.ts';
import type { Invariant } from './invariants/invariant.ts';
import { MONEY } from './invariants/money.ts';
import { ORDERS } from './invariants/orders.ts';
import { WEBHOOKS } from './invariants/webhooks.ts';

/**
 * The rules that `munshi verify` and every random, concurrent or faulty test hold
 * the rows against.
 */
export const INVARIANTS: readonly Invariant[] = [
  ...MONEY,
  ...CLOSINGS,
  ...ORDERS,
  ...WEBHOOKS,
  ...AUDIT,
];

export interface Violation extends Pick<Invariant, 'id' | 'rule'> {
  /** Broken rows found, at most SHOWN of them. */
  readonly rows: readonly Readonly<Row>[];
}

const SHOWN = 10;

/** The query of the rows that break a rule; `$1` is the time of the check. */
export const queryOf = ({ broken }: Invariant, limit = SHOWN): string =>
  `with given as (select $1::timestamptz as now)
   select *
   from (${broken}) as broken
   limit ${limit}`;

/**
 * These read whole tables, and join them by hashing all that distinguishes their rows. What was
 * planned for a small or an unknown table looked each row of it up in another (15 s of 33,000
 * orders), or merged two by their merchants alone (minutes of 50,000).
 */
export const WHOLE_TABLES = [
  'enable_seqscan = on',
  'enable_nestloop = off',
  'enable_mergejoin = off',
];

/**
 * Checks every invariant in one snapshot of the database; answers those that are broken. `now` is
 * the service's clock.
 */
export async function findViolations(pool: pg.Pool, now: Instant): Promise<readonly Violation[]> {
  return inSnapshot(pool, async (client) => {
    await readWholeTables(client);
    const violations: Violation[] = [];
    for (const invariant of INVARIANTS) {
      const { rows } = await client.query(queryOf(invariant), [time(now)]);
      if (rows.length > 0) violations.push({ id: invariant.id, rule: invariant.rule, rows });
    }
    return violations;
  });
}

/** For the rest of the transaction. */
async function readWholeTables(client: pg.ClientBase): Promise<void> {
  for (const setting of WHOLE_TABLES) await client.query(`set local ${setting}`);
}

/** A rule over years of orders takes minutes. */
const RULE_MS = 3_600_000;

/** The rows that break one rule, at most `limit`, in the open transaction of this connection. */
export async function findBroken(
  client: pg.ClientBase,
  invariant: Invariant,
  now: Instant,
  limit: number,
): Promise<readonly Readonly<Row>[]> {
  await readWholeTables(client);
  const { rows } = await client.query({
    text: queryOf(invariant, limit),
    values: [time(now)],
    query_timeout: RULE_MS,
  } as pg.QueryConfig);
  return rows;
}
