import type pg from 'pg';

/** A node of a plan, with what Postgres says that it has done. */
interface Plan {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly Plan[];
}

/** How many rows of the table orders a statement reads, those that it throws away included. */
export const ordersRead = (client: pg.PoolClient, text: string, values: unknown[]) =>
  rowsRead(client, 'orders', text, values);

/** The same of another table. */
export async function rowsRead(
  client: pg.PoolClient,
  table: string,
  text: string,
  values: unknown[],
): Promise<number> {
  const { rows } = await client.query(`explain (analyze, format json) ${text}`, values);
  return readOf(table, rows[0]['QUERY PLAN'][0].Plan);
}

function readOf(table: string, plan: Plan): number {
  const thrown =
    (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0);
  const own =
    plan['Relation Name'] === table ? (plan['Actual Rows'] + thrown) * plan['Actual Loops'] : 0;
  return (plan.Plans ?? []).reduce((sum, inner) => sum + readOf(table, inner), own);
}

/**
 * The plan that a statement has for any values; throws where the client's role has not the rights
 * for it. Postgres 15 has no `explain (generic_plan)`.
 */
export async function explainGenerically(
  client: pg.ClientBase,
  text: string,
  format: 'text' | 'json' = 'text',
): Promise<pg.QueryResult['rows']> {
  await client.query('set plan_cache_mode = force_generic_plan');
  await client.query(`prepare explained as ${text}`);
  try {
    const { rows: found } = await client.query<{ count: number }>(
      `select cardinality(parameter_types) as count from pg_prepared_statements where name = 'explained'`,
    );
    const values = Array.from({ length: found[0]?.count ?? 0 }, () => 'null');
    const given = values.length === 0 ? '' : `(${values})`;
    return (await client.query(`explain (format ${format}) execute explained${given}`)).rows;
  } finally {
    await client.query('deallocate explained');
  }
}
