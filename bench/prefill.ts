import type { Database } from '../apps/server/src/platform/database/db.ts';
import { idAt } from './ids.ts';

/**
 * Orders of the 90 days, or so many, before `endsAt`: 30 % completed deposits, 40 % deposits that nobody paid, 30 %
 * completed withdrawals, with their histories, postings, wallets, floats and the last day's replay
 * guards, spread evenly over the merchants and members. The invariants hold. They have no callback
 * URLs, so no deliveries.
 */
export async function prefillOrders(
  { pool }: Database,
  orders: number,
  endsAt: Date = hourBeforeToday(),
  days = 90,
): Promise<void> {
  const client = await pool.connect();
  try {
    // Building indexes after filling a table takes a fraction of the time.
    await client.query(
      `set maintenance_work_mem = '512MB'; set work_mem = '128MB'; set synchronous_commit = off`,
    );
    const restore = await dropIndexes(client);
    await client.query(INSERT_ORDERS, [orders, endsAt.toISOString(), days]);
    for (const statement of [
      INSERT_MOVES,
      INSERT_POSTINGS,
      INSERT_REPLAYS,
      UPDATE_WALLETS,
      UPDATE_FLOATS,
    ])
      await client.query(statement);
    for (const statement of restore) await client.query(statement);
    await client.query('vacuum analyze');
    await client.query('checkpoint');
  } finally {
    client.release(true);
  }
}

const TABLES = ['orders', 'order_moves', 'postings', 'signature_replays'];

/** Drops every index of the filled tables; returns the statements that create them again. */
async function dropIndexes(client: {
  query: Database['pool']['query'];
}): Promise<readonly string[]> {
  const { rows: constraints } = await client.query<{
    table: string;
    name: string;
    definition: string;
  }>(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
     where conrelid::regclass::text = any($1) and contype in ('p', 'u')`,
    [TABLES],
  );
  for (const { table, name } of constraints)
    await client.query(`alter table ${table} drop constraint ${name}`);
  const { rows: indexes } = await client.query<{ indexname: string; indexdef: string }>(
    'select indexname, indexdef from pg_indexes where schemaname = current_schema() and tablename = any($1)',
    [TABLES],
  );
  for (const { indexname } of indexes) await client.query(`drop index ${indexname}`);
  return [
    ...constraints.map(
      ({ table, name, definition }) => `alter table ${table} add constraint ${name} ${definition}`,
    ),
    ...indexes.map(({ indexdef }) => indexdef),
  ];
}

/** An hour before today's midnight, so that accounts have no usage today. */
const hourBeforeToday = () => new Date(new Date().setUTCHours(0, 0, 0, 0) - 3_600_000);

const INSERT_ORDERS = `with merchant as (select array_agg(merchant_id order by merchant_id) as ids, array_agg(key_id order by merchant_id) as keys from api_keys),
    member as (select array_agg(member_id order by member_id) as ids, array_agg(account_id order by member_id) as accounts
      from member_accounts where wallet_type = 'ProviderA'),
    drawn as (select n, n % cardinality(merchant.ids) + 1 as merchant, n % cardinality(member.ids) + 1 as member,
        case when n % 10 < 3 then 'Completed' when n % 10 < 7 then 'Expired' else 'Completed' end as status,
        case when n % 10 < 7 then 'Deposit' else 'Withdrawal' end as type,
        500 + n % 9500 as amount,
        date_trunc('milliseconds', $2::timestamptz - interval '1 day' * $3::integer * (1 - n::double precision / $1::integer)) as at
      from generate_series(1, $1::integer) n, merchant, member)
  insert into orders (merchant_id, order_id, order_reference, api_key_id, idempotency_key, signature_digest, terms_digest, order_type, wallet_type, currency,
    amount, fee, rate, settlement_amount, float_amount, merchant_order_ref, live_reference, customer_reference, customer_account_number,
    txn_ref_digits_required, max_retry_count, page_origin, created_status, status, member_id, account_id, created_at, assigned_at, holder_since, sent_at,
    completed_at, failed_at, expires_at, failure_reason, transaction_digits, moves)
  select merchant.ids[d.merchant], ${idAt('d.at')}, 'ORD-' || to_char(d.at, 'YYYYMMDDHH24MISS') || '-' || upper(lpad(to_hex(n), 6, '0')),
    merchant.keys[d.merchant], 'prefill-' || n, decode(md5(n::text), 'hex'), substring(sha256(n::text::bytea), 1, 16), type, 'ProviderA', 'PKR',
    amount, case type when 'Deposit' then amount * 0.02 else 10 end, 1, case type when 'Deposit' then amount * 0.98 else amount + 10 end, amount,
    'prefill-' || n, case status when 'Completed' then 'prefill-' || n end, 'customer-' || n % 100000, case type when 'Withdrawal' then '03' || lpad((n::bigint * 7919 % 1000000000)::text, 9, '0') end,
    4, 3, 'http://127.0.0.1:3000', case type when 'Deposit' then 'Queued' else 'AwaitingMemberPayout' end, status,
    member.ids[d.member], member.accounts[d.member], at, at, at, case status when 'Completed' then at + interval '3 minutes' end,
    case status when 'Completed' then at + interval '5 minutes' end, case status when 'Expired' then at + interval '15 minutes' end, at + interval '15 minutes',
    case status when 'Expired' then 'checkout expired before payment' end, case when type = 'Deposit' and status = 'Completed' then lpad((n::bigint * 7919 % 10000)::text, 4, '0') end,
    case when type = 'Deposit' and status = 'Completed' then 3 else 1 end
  from drawn d, merchant, member`;

const INSERT_MOVES = `insert into order_moves (merchant_id, order_id, number, from_status, to_status, trigger, actor_kind, actor_id, member_id, command_id, at)
  select o.merchant_id, o.order_id, s.number, s.from_status, s.to_status, s.trigger, s.actor, case s.actor when 'member' then o.member_id::text end, o.member_id,
    gen_random_uuid(), case when s.number < 3 and o.moves = 3 then o.sent_at else coalesce(o.completed_at, o.failed_at) end
  from orders o join (values
    ('Deposit', 'Expired', 1, 'Queued', 'Expired', 'link-expired', 'clock'),
    ('Deposit', 'Completed', 1, 'Queued', 'AwaitingCustomerPayment', 'customer-opened-page', 'customer'),
    ('Deposit', 'Completed', 2, 'AwaitingCustomerPayment', 'AwaitingMemberConfirmation', 'customer-confirmed', 'customer'),
    ('Deposit', 'Completed', 3, 'AwaitingMemberConfirmation', 'Completed', 'member-confirmed', 'member'),
    ('Withdrawal', 'Completed', 1, 'AwaitingMemberPayout', 'Completed', 'member-confirmed', 'member')
  ) as s (type, status, number, from_status, to_status, trigger, actor) on s.type = o.order_type and s.status = o.status`;

const INSERT_POSTINGS = `insert into postings (merchant_id, posting_id, kind, order_id, member_id, wallet, member_float, fees, posted_at)
  select merchant_id, ${idAt('completed_at')}, 'settlement', order_id, member_id,
    case order_type when 'Deposit' then settlement_amount else -settlement_amount end,
    case order_type when 'Deposit' then -float_amount else float_amount end, fee, completed_at
  from orders where status = 'Completed'`;

const INSERT_REPLAYS = `insert into signature_replays (merchant_id, key_id, digest, idempotency_key, accepted_at)
  select merchant_id, api_key_id, signature_digest, idempotency_key, created_at from orders where created_at > now() - interval '24 hours'`;

const UPDATE_WALLETS = `update merchant_wallets w set balance = p.balance from (select merchant_id, sum(wallet) as balance from postings group by 1) p
  where p.merchant_id = w.merchant_id`;

const UPDATE_FLOATS = `update members m set float_balance = p.float from (select member_id, sum(member_float) as float from postings where member_id is not null group by 1) p
  where p.member_id = m.member_id`;
