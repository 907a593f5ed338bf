import { hasFailed, type Instant, METHODS, MOVES, STATUSES, WALLET_TYPES } from '@munshi/core';
import type pg from 'pg';
import { inTransaction } from './db.ts';

/** One rule that the stored rows must obey, as a query of those that do not. */
interface Invariant {
  readonly id: string;
  readonly rule: string;
  /** Selects broken rows; `$1` is the time of the check, `$2` the rules of core as JSON. */
  readonly broken: string;
}

export interface Violation {
  readonly id: string;
  readonly rule: string;
  /** Broken rows found, at most SHOWN of them. */
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

const SHOWN = 10;
/** How late the clock's work may be (S8). */
const LATENESS = `interval '65 seconds'`;

/** Automatic attempts of a delivery (spec: Delivery and retries). */
const ATTEMPTS_MAX = 10;

const OPEN = `('Awaiting', 'Queued', 'AwaitingCustomerPayment', 'AwaitingMemberConfirmation', 'AwaitingMemberPayout', 'ManualReview', 'Assigned', 'Frozen')`;
const HELD = `('Queued', 'AwaitingCustomerPayment', 'AwaitingMemberConfirmation', 'AwaitingMemberPayout', 'ManualReview')`;
/** Time ends none of them (D72). */
const LEGACY = `('Assigned', 'Frozen')`;
const FAILED = `('${STATUSES.filter(hasFailed).join("', '")}')`;
const dayOf = (column: string) => `floor(extract(epoch from ${column}) / 86400)::integer`;

/**
 * The money and order rules that `munshi verify` and every random, concurrent or faulty test hold
 * the rows against.
 */
export const INVARIANTS: readonly Invariant[] = [
  {
    id: 'I1',
    rule: 'a wallet is the sum of its postings',
    broken: `select w.merchant_id, w.balance, w.frozen, p.balance as posted, p.frozen as posted_frozen
      from merchant_wallets w left join (select merchant_id, sum(wallet) as balance, sum(frozen) as frozen from postings group by 1) p using (merchant_id)
      where w.balance <> coalesce(p.balance, 0) or w.frozen <> coalesce(p.frozen, 0)`,
  },
  {
    id: 'I1',
    rule: "a member's float is the sum of its postings",
    broken: `select m.member_id, m.float_balance, p.float as posted
      from members m left join (select member_id, sum(member_float) as float from postings where member_id is not null group by 1) p using (member_id)
      where m.float_balance <> coalesce(p.float, 0)`,
  },
  {
    id: 'I2',
    rule: 'a balance is completed deposits less completed withdrawals plus adjustments and unfreezes less freezes',
    broken: `select w.merchant_id, w.balance, coalesce(o.settled, 0) + coalesce(a.adjusted, 0) as expected from merchant_wallets w
      left join (select merchant_id, sum(case order_type when 'Deposit' then settlement_amount else -settlement_amount end) as settled
        from orders where status in ('Completed', 'Confirmed') group by 1) o using (merchant_id)
      left join (select merchant_id, sum(case when kind in ('credit', 'unfreeze') then amount else -amount end) as adjusted
        from adjustments where status = 'applied' group by 1) a using (merchant_id)
      where w.balance <> coalesce(o.settled, 0) + coalesce(a.adjusted, 0)`,
  },
  {
    id: 'I3',
    rule: 'reserved is amount + fee of every withdrawal in progress',
    broken: `select w.merchant_id, w.reserved, coalesce(o.reserved, 0) as expected from merchant_wallets w
      left join (select merchant_id, sum(settlement_amount) as reserved from orders where order_type = 'Withdrawal' and status in ${OPEN} group by 1) o
        using (merchant_id)
      where w.reserved <> coalesce(o.reserved, 0)`,
  },
  {
    id: 'I5',
    rule: 'a fee is not negative, and a deposit’s is at most its amount',
    broken: `select order_id, amount, fee from orders where fee < 0 or (order_type = 'Deposit' and fee > amount)`,
  },
  {
    id: 'I6',
    rule: 'available falls below zero by late confirmations alone',
    broken: `select merchant_id, balance, reserved from merchant_wallets w where balance < reserved and not exists (
      select from orders o where o.merchant_id = w.merchant_id and o.status = 'Completed' and (o.failed_at is not null or o.created_status in ${LEGACY}))`,
  },
  {
    id: 'I6',
    rule: 'a wallet is marked as overdrawn exactly while it is',
    broken:
      'select merchant_id, balance, reserved, overdrawn from merchant_wallets where overdrawn <> (balance < reserved)',
  },
  {
    id: 'I6',
    rule: 'a float falls below what is held by late confirmations, and by orders of before, alone',
    broken: `select member_id, float_balance, float_held, float_overdrawn from members m
      where float_overdrawn <> (float_balance < float_held) or (float_overdrawn and not exists (
        select from postings p join orders o on o.order_id = p.order_id and o.merchant_id = p.merchant_id
        where p.member_id = m.member_id and (o.failed_at is not null or o.created_status in ${LEGACY})))`,
  },
  {
    id: 'I7',
    rule: 'an order has at most one settlement posting',
    broken: `select merchant_id, order_id, count(*) from postings where kind = 'settlement' group by 1, 2 having count(*) > 1`,
  },
  {
    id: 'I8',
    rule: 'an order is Completed exactly when it has one settlement posting of the right amount',
    broken: `select o.order_id, o.status, o.order_type, o.settlement_amount, p.wallet from orders o
      left join postings p on p.merchant_id = o.merchant_id and p.order_id = o.order_id and p.kind = 'settlement'
      where (o.status = 'Completed') <> (p.posting_id is not null)
        or p.wallet <> case o.order_type when 'Deposit' then o.settlement_amount else -o.settlement_amount end`,
  },
  {
    id: 'I9',
    rule: 'a settlement posting belongs to an order',
    broken: `select p.posting_id, p.order_id from postings p left join orders o on o.merchant_id = p.merchant_id and o.order_id = p.order_id
      where p.kind = 'settlement' and o.order_id is null`,
  },
  {
    id: 'I10',
    rule: "an order's fee is the fee of its webhook and, in wallet currency, of its posting",
    broken: `select o.order_id, o.fee, p.fees, convert_from(d.body, 'UTF8')::json ->> 'fee' as told from orders o
      join postings p on p.merchant_id = o.merchant_id and p.order_id = o.order_id and p.kind = 'settlement'
      left join deliveries d on d.merchant_id = o.merchant_id and d.order_id = o.order_id and d.event_type = 'order.completed'
      where (o.currency = 'PKR' and p.fees <> coalesce(o.fee, 0))
        or (d.delivery_id is not null and (convert_from(d.body, 'UTF8')::json ->> 'fee')::numeric is distinct from o.fee)`,
  },
  {
    id: 'I11',
    rule: 'every posting sums to zero',
    broken:
      'select posting_id from postings where wallet + frozen + member_float + fees + adjustments <> 0',
  },
  {
    id: 'I12',
    rule: 'what waited for a second operator was done by another one than asked for it',
    broken: `select approval_id, requested_by, decided_by from approvals
      where status in ('approved', 'done') and (decided_by is null or decided_by = requested_by)`,
  },
  {
    id: 'I12',
    rule: 'an adjustment that two operators made has its request, and what was approved was applied',
    broken: `select a.adjustment_id, a.status, a.approved_by, p.status as request, p.decided_by
      from adjustments a left join approvals p on p.approval_id = a.adjustment_id
      where (a.approved_by is not null or a.status <> 'applied' or p.approval_id is not null)
        and (p.approval_id is null or (p.status = 'done') <> (a.status = 'applied') or p.decided_by is distinct from a.approved_by and p.status = 'done')`,
  },
  {
    id: 'S1',
    rule: 'every step is in the table of moves, follows the one before, and the last one is the status',
    broken: `with steps as (
        select o.order_id, o.order_type, o.status, o.created_status, o.moves, m.number, m.from_status, m.to_status, m.trigger,
          lag(m.to_status) over (partition by o.merchant_id, o.order_id order by m.number) as previous,
          lead(m.to_status) over (partition by o.merchant_id, o.order_id order by m.number) as following,
          row_number() over (partition by o.merchant_id, o.order_id order by m.number) as position
        from orders o left join order_moves m on m.merchant_id = o.merchant_id and m.order_id = o.order_id)
      select * from steps where (number is null and (moves <> 0 or created_status <> status))
        or (number is not null and (number <> position or from_status <> coalesce(previous, created_status)
          or (following is null and (to_status <> status or number <> moves))
          or not exists (select from json_to_recordset($2::json -> 'moves') as rule ("orderType" text, "from" text, "trigger" text, "to" text)
            where rule."orderType" = order_type and rule."from" = from_status and rule."trigger" = steps.trigger and rule."to" = to_status)))`,
  },
  {
    id: 'S2',
    rule: 'final is final, but for a failed order that an operator confirms',
    broken: `select order_id, from_status, to_status from order_moves where from_status not in ${OPEN}
      and not (from_status in ${FAILED} and to_status = 'Completed' and actor_kind = 'operator')`,
  },
  {
    id: 'S4',
    rule: 'stamps are in order; a failed withdrawal that is confirmed late was sent then',
    broken: `select order_id, status from orders where awaiting_at < created_at or assigned_at < created_at or sent_at < assigned_at
      or completed_at < coalesce(sent_at, created_at) or failed_at < coalesce(assigned_at, created_at) or rejected_at <> failed_at or expires_at <= created_at
      or (failed_at < sent_at and not (order_type = 'Withdrawal' and coalesce(sent_at = completed_at, false)))`,
  },
  {
    id: 'S5',
    rule: 'one live order for a reference; a live order without it was confirmed late',
    broken: `select merchant_id, merchant_order_ref, count(*) from orders where merchant_order_ref is not null and status not in ${FAILED} and failed_at is null
      group by 1, 2 having count(*) > 1 or count(live_reference) <> count(*)`,
  },
  {
    id: 'S6',
    rule: 'one order for an Idempotency-Key of an API key',
    broken:
      'select merchant_id, api_key_id, idempotency_key, count(*) from orders group by 1, 2, 3 having count(*) > 1',
  },
  {
    id: 'S7',
    rule: 'a signed body is remembered with the Idempotency-Key of its order',
    broken: `select o.order_id, o.idempotency_key, r.idempotency_key as remembered from orders o
      join signature_replays r on r.merchant_id = o.merchant_id and r.key_id = o.api_key_id and r.digest = o.signature_digest
      where r.idempotency_key <> o.idempotency_key and r.accepted_at <= o.created_at`,
  },
  {
    id: 'S8',
    rule: 'nothing stays past its deadline for more than 65 seconds',
    broken: `select order_id, status, due_at from orders where due_at < $1::timestamptz - ${LATENESS} and status not in ${LEGACY}`,
  },
  {
    id: 'S9',
    rule: 'a held order has one member with an account of the right method or provider',
    broken: `select o.order_id, o.status, o.order_type, o.wallet_type, a.wallet_type as account, o.reassignments, o.max_retry_count from orders o
      left join member_accounts a on a.account_id = o.account_id and a.member_id = o.member_id
      where o.status in ${HELD} and o.member_id is not null and (a.account_id is null or o.reassignments > o.max_retry_count
        or o.member_id = any(o.former_member_ids)
        or (o.order_type = 'Deposit' and a.wallet_type <> o.wallet_type)
        or (o.order_type = 'Withdrawal' and ($2::json -> 'providers' ->> a.wallet_type) <> ($2::json -> 'providers' ->> o.wallet_type)))`,
  },
  {
    id: 'S10',
    rule: "a member's open orders and held float are those of the orders in hand",
    broken: `select m.member_id, m.open_orders, m.float_held, coalesce(o.open, 0) as counted, coalesce(o.held, 0) as summed from members m
      left join (select member_id, count(*) as open, sum(float_amount) filter (where order_type = 'Deposit') as held
        from orders where status in ${HELD} and member_id is not null group by 1) o using (member_id)
      where m.open_orders <> coalesce(o.open, 0) or m.float_held <> coalesce(o.held, 0) or (m.float_balance < m.float_held and not m.float_overdrawn)`,
  },
  {
    id: 'S10',
    rule: "an account's usage of the day is that of its orders, and within its limit",
    broken: `select a.account_id, a.day_amount, coalesce(sum(o.float_amount), 0) as counted, a.maximum_per_day from member_accounts a
      left join orders o on o.account_id = a.account_id and ${dayOf('o.holder_since')} = a.day and o.failed_at is null
      group by a.account_id having a.day_amount <> coalesce(sum(o.float_amount), 0) or a.day_amount > a.maximum_per_day`,
  },
  {
    id: 'W1',
    rule: 'each outcome with a URL was written with exactly one delivery',
    broken: `select o.order_id, o.status, o.completed_at, o.failed_at from orders o where o.callback_url is not null and (
      (o.status = 'Completed' and (select count(*) from deliveries d where d.merchant_id = o.merchant_id and d.order_id = o.order_id
        and d.event_type = 'order.completed' and d.created_at = o.completed_at) <> 1)
      or (o.failed_at is not null and (select count(*) from deliveries d where d.merchant_id = o.merchant_id and d.order_id = o.order_id
        and d.event_type = 'order.failed' and d.created_at = o.failed_at) <> 1))`,
  },
  {
    id: 'W1',
    rule: 'a delivery tells an outcome that its order has had',
    broken: `select d.delivery_id, d.event_type, o.order_id, o.status from deliveries d
      left join orders o on o.merchant_id = d.merchant_id and o.order_id = d.order_id
      where o.order_id is null or (d.event_type = 'order.completed' and o.status not in ('Completed', 'Confirmed'))
        or (d.event_type = 'order.failed' and o.failed_at is null)`,
  },
  {
    id: 'W2',
    rule: 'the attempts of a delivery are numbered from 1 with nothing missing, and those beyond 10 were asked for by an operator',
    broken: `select delivery_id, count(*), max(number) from delivery_attempts group by merchant_id, delivery_id
      having max(number) <> count(*) or bool_or(number > ${ATTEMPTS_MAX} and not requested)`,
  },
  {
    id: 'W2',
    rule: 'an attempt that nobody asked for comes no sooner than its delay after the one before',
    broken: `select delivery_id, number, started_at, previous from (
        select a.*, lag(a.started_at) over (partition by a.merchant_id, a.delivery_id order by a.number) as previous from delivery_attempts a) as a
      where not requested and number > 1 and started_at < previous + interval '1 minute' * 2 ^ (number - 2)`,
  },
  {
    id: 'W4',
    rule: 'no attempt of a delivery comes after one that was acknowledged',
    broken: `select late.delivery_id, late.number from delivery_attempts done
      join delivery_attempts late on late.merchant_id = done.merchant_id and late.delivery_id = done.delivery_id and late.number > done.number
      where done.succeeded`,
  },
  {
    id: 'W3',
    rule: 'no attempt of an older event starts after one of a newer event of its order',
    broken: `select older.delivery_id, late.number, late.started_at, newer.delivery_id as newer from deliveries older
      join deliveries newer on newer.merchant_id = older.merchant_id and newer.order_id = older.order_id and newer.sequence > older.sequence
      join delivery_attempts late on late.merchant_id = older.merchant_id and late.delivery_id = older.delivery_id
      join delivery_attempts first on first.merchant_id = newer.merchant_id and first.delivery_id = newer.delivery_id and first.number = 1
      where late.started_at > first.started_at`,
  },
  {
    id: 'W4',
    rule: 'deliveries of the same event of an order tell the same, each with a time of its own',
    broken: `select merchant_id, order_id, event_type, count(distinct told) from (
        select merchant_id, order_id, event_type, convert_from(body, 'UTF8')::jsonb - 'timestamp' as told from deliveries) as d
      group by 1, 2, 3 having count(distinct told) > 1`,
  },
  {
    id: 'W5',
    rule: 'a delivery is waiting, acknowledged, abandoned after its attempts, or superseded by a newer one',
    broken: `select delivery_id, status, attempts from delivery_states
      where status is null or (status = 'abandoned' and attempts < ${ATTEMPTS_MAX})`,
  },
  {
    id: 'W5',
    rule: 'what waits is the newest delivery of its order, which nobody has acknowledged, with as many attempts as it has had',
    broken: `select q.order_id, q.delivery_id, q.attempts, made.attempts as made from delivery_queue q
      left join deliveries d on d.merchant_id = q.merchant_id and d.delivery_id = q.delivery_id and d.order_id = q.order_id and d.host = q.host
      cross join lateral (select count(*) as attempts, bool_or(succeeded) as acknowledged from delivery_attempts a
        where a.merchant_id = q.merchant_id and a.delivery_id = q.delivery_id) made
      where d.delivery_id is null or d.abandoned or made.acknowledged or made.attempts <> q.attempts
        or exists (select from deliveries newer where newer.merchant_id = d.merchant_id and newer.order_id = d.order_id and newer.sequence > d.sequence)`,
  },
  {
    id: 'W6',
    rule: 'nothing due lies unclaimed for more than 120 seconds',
    broken: `select delivery_id, next_attempt_at, claimed_until from delivery_queue
      where next_attempt_at < $1::timestamptz - interval '120 seconds' and coalesce(claimed_until < $1::timestamptz, true)`,
  },
];

/**
 * These read whole tables, and join them by hashing all that tells their rows apart. What was
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
  const rules = JSON.stringify({
    moves: MOVES,
    providers: Object.fromEntries(WALLET_TYPES.map((method) => [method, METHODS[method].provider])),
  });
  const parameters: Readonly<Record<string, unknown>> = {
    $1: new Date(now).toISOString(),
    $2: rules,
  };
  return inTransaction(pool, async (client) => {
    await client.query('set transaction isolation level repeatable read, read only');
    for (const setting of WHOLE_TABLES) await client.query(`set local ${setting}`);
    const violations: Violation[] = [];
    for (const { id, rule, broken } of INVARIANTS) {
      const used = Object.keys(parameters).filter((name) => broken.includes(name));
      // Statements number their parameters from $1: one that takes only the rules has them there.
      const text = used.length === 1 ? broken.replaceAll(used[0] as string, '$1') : broken;
      const { rows } = await client.query(
        `select * from (${text}) as broken limit ${SHOWN}`,
        used.map((name) => parameters[name]),
      );
      if (rows.length > 0) violations.push({ id, rule, rows });
    }
    return violations;
  });
}
