import type { Queryable } from './queryable.ts';
import { quoteName } from './statement.ts';

const READS = ['select'];
const GROWS = ['insert', 'select'];
const CHANGES = ['insert', 'select', 'update'];
const FORGETS = ['delete', 'insert', 'select', 'update'];

export type Grants = Readonly<Record<string, readonly string[]>>;

/**
 * All that the service's role may do. A table that is not named here cannot be read by the service.
 * Nothing of money, of orders or of who did what can be deleted.
 */
export const SERVICE: Grants = {
  schema_migrations: READS,
  cell_guard: ['select', 'update'], // it stays empty
  terms_version: READS, // raised by a trigger, with the owner's right
  settings: ['select', 'update'],
  merchants: CHANGES,
  logos: GROWS,
  api_keys: CHANGES,
  api_key_uses: CHANGES,
  refused_requests: FORGETS, // beyond 200 of a merchant, and after 7 days
  refused_minutes: FORGETS, // after 7 days
  merchant_wallets: CHANGES,
  members: CHANGES,
  member_accounts: CHANGES,
  member_changes: FORGETS, // when every process has read them
  fee_rules: CHANGES,
  exchange_rates: CHANGES,
  orders: CHANGES,
  order_claims: FORGETS, // when they have ended
  order_moves: GROWS,
  order_notes: GROWS,
  evidence: CHANGES, // a picture is deleted, what is known of it stays
  postings: GROWS,
  adjustments: CHANGES,
  closings: CHANGES,
  closing_counts: CHANGES,
  closing_merchants: GROWS,
  closing_members: GROWS,
  audit_log: GROWS,
  audit_chain: GROWS,
  audit_unchained: ['delete', 'select'], // filled by a trigger, with the owner's right
  audit_checks: ['select', 'update'],
  books_checks: CHANGES,
  signature_replays: FORGETS, // after 24 hours
  deliveries: CHANGES,
  delivery_attempts: GROWS,
  delivery_queue: FORGETS, // when a delivery is over
  delivery_states: READS,
  webhook_endpoints: CHANGES,
  webhook_alerts: GROWS,
  merchant_alert_settings: CHANGES,
  merchant_alerts: CHANGES,
  merchant_alert_messages: CHANGES,
  late_claims: CHANGES,
  operators: CHANGES,
  portal_users: FORGETS, // who was invited and never came
  operator_codes: FORGETS, // when they are turned off
  recovery_codes: FORGETS,
  portal_codes: FORGETS,
  portal_recovery_codes: FORGETS,
  recovery_links: FORGETS, // when a newer one takes their place
  master_key_checks: FORGETS, // when the key is lost
  sessions: FORGETS, // when they end
  request_keys: FORGETS, // some time after the request
  approvals: CHANGES,
  operator_sums: CHANGES,
  order_alerts: CHANGES,
  missed_alert_stops: CHANGES,
  alert_channels: FORGETS, // when they are turned off
  push_keys: FORGETS, // when the master key is lost
  push_subscriptions: FORGETS, // when the sign-in ends, or the phone is gone
  counted_sends: FORGETS, // after a day
  saved_views: FORGETS, // when an operator deletes one
  terms_key: FORGETS, // when the master key is lost
  retention_days: READS, // written by the role of retention
  retention_left: READS,
};

const REMOVES = ['delete', 'select'];

/**
 * All that the role of retention may do (decision 17): delete what is kept for some time only, and
 * mask personal data. Columns are in the order of their names.
 */
export const RETENTION: Grants = {
  orders: [
    'select',
    'update (customer_account_name, customer_account_number, masked_at, payer_account, terms_digest)',
  ],
  order_moves: REMOVES,
  order_notes: REMOVES,
  order_alerts: REMOVES,
  late_claims: [...REMOVES, 'update (payer_account)'],
  deliveries: ['select', 'update (attempts_removed, body, body_removed_at, was_acknowledged)'],
  delivery_attempts: REMOVES,
  delivery_queue: READS,
  sessions: ['delete', 'select (expires_at, token_hash)'],
  retention_days: CHANGES,
  retention_left: FORGETS,
  cell_guard: ['select', 'update'], // comes first in a transaction
};

const PRIVILEGES = ['delete', 'insert', 'references', 'select', 'trigger', 'truncate', 'update'];

interface Held {
  readonly schema: string;
  readonly name: string;
  readonly held: readonly string[];
}

/** The tables and views on which a role has other rights than these. */
export async function findWrongGrants(
  db: Queryable,
  role: string,
  grants: Grants = SERVICE,
): Promise<readonly Held[]> {
  const { rows } = await db.query<Held>({
    text: `select n.nspname::text as schema, c.relname::text as name,
        array(select h.held
          from unnest($2::text[]) p
          cross join lateral (
            select case
              when has_table_privilege($1, c.oid, p) then p
              when p in ('insert', 'references', 'select', 'update') then (
                select p || ' (' || string_agg(a.attname, ', ' order by a.attname) || ')'
                from pg_attribute a
                where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
                  and has_column_privilege($1, c.oid, a.attnum, p))
            end as held) h
          where h.held is not null
          order by p) as held
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = current_schema() and c.relkind in ('r', 'p', 'v')`,
    values: [role, PRIVILEGES],
  });
  return rows.filter(({ name, held }) => String(held) !== String(grants[name] ?? []));
}

/**
 * Gives a role exactly these rights, or with `keepsMore` at least these; run by the schema's owner.
 * Changes only what is wrong: a change of rights has every session plan again.
 */
export async function grantTo(
  db: Queryable,
  role: string,
  grants: Grants,
  { keepsMore }: { readonly keepsMore: boolean },
): Promise<void> {
  const wrong = await findWrongGrants(db, role, grants);
  if (wrong.length === 0) return;
  const schema = quoteName(wrong[0]?.schema as string);
  const to = quoteName(role);
  await db.query(`grant usage on schema ${schema} to ${to}`);
  await db.query(`grant execute on all functions in schema ${schema} to ${to}`);
  for (const { name } of wrong) {
    const wanted = grants[name] ?? [];
    const table = `${schema}.${quoteName(name)}`;
    if (!keepsMore) await db.query(`revoke all on ${table} from ${to}`);
    if (wanted.length > 0) await db.query(`grant ${wanted.join(', ')} on ${table} to ${to}`);
  }
}

/** Whether the role of this connection may change the tables: then no grant limits it. */
export async function mayChangeSchema(db: Queryable): Promise<boolean> {
  const text = `select pg_has_role(c.relowner, 'member') or has_schema_privilege(c.relnamespace, 'create') as may
    from pg_class c where c.oid = 'postings'::regclass`;
  const { rows } = await db.query<{ may: boolean }>(text);
  return rows[0]?.may === true;
}
