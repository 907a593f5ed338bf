import type { Queryable } from './queryable.ts';

/**
 * What belongs to the database itself, sign-ins, which nobody needs elsewhere, sums of a day, which
 * operators share, and the chain of the audit log, which the entries join where they arrive.
 */
const LEFT_OUT = [
  'audit_chain',
  'audit_unchained',
  'audit_checks',
  'settings',
  'terms_version',
  'master_key_checks',
  'terms_key',
  'push_keys',
  'operator_sums',
  'sessions',
  'request_keys',
  'signature_replays',
  'webhook_alerts',
  'schema_migrations',
];

/**
 * Copies all rows from one database into another of the same schema, where none of them may be yet.
 * Run it in a transaction of `to`. Columns that the database fills itself are filled again, in the
 * order in which they were.
 */
export async function copyRows(from: Queryable, to: Queryable): Promise<void> {
  for (const { table, columns, sequence } of await tablesOf(from)) {
    const { rows } = await from.query<{ row: unknown }>(
      `select to_jsonb(t) as row from ${table} t order by ${sequence ?? '1'}`,
    );
    await to.query(
      `insert into ${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table}, $1::jsonb)`,
      [JSON.stringify(rows.map(({ row }) => row))],
    );
  }
}

interface Table {
  readonly table: string;
  readonly columns: string;
  /** The column that counts the rows, if there is one. */
  readonly sequence: string | null;
}

/** In the order in which they were made: no table refers to one that is made after it. */
async function tablesOf(db: Queryable): Promise<readonly Table[]> {
  const { rows } = await db.query<Table>(
    `select c.oid::regclass::text as table,
       string_agg(quote_ident(a.attname), ', ' order by a.attnum)
         filter (where a.attidentity = '' and a.attgenerated = '') as columns,
       min(quote_ident(a.attname)) filter (where a.attidentity <> '') as sequence
     from pg_class c
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = current_schema()::regnamespace
       and c.relkind = 'r'
       and c.relname <> all ($1)
     group by c.oid
     order by c.oid`,
    [LEFT_OUT],
  );
  return rows;
}
