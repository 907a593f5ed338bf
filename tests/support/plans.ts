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
export async function ordersRead(
  client: pg.PoolClient,
  text: string,
  values: unknown[],
): Promise<number> {
  const { rows } = await client.query(`explain (analyze, format json) ${text}`, values);
  return readOf(rows[0]['QUERY PLAN'][0].Plan);
}

function readOf(plan: Plan): number {
  const thrown =
    (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0);
  const own =
    plan['Relation Name'] === 'orders' ? (plan['Actual Rows'] + thrown) * plan['Actual Loops'] : 0;
  return (plan.Plans ?? []).reduce((sum, inner) => sum + readOf(inner), own);
}
