import {
  type AccountTerms,
  dayOf,
  type ExpectedNeed,
  formatMoney,
  type Instant,
  type Member,
  money,
  type Need,
  serves,
  WALLET_TYPES,
  type WalletType,
} from '@munshi/core';
import type { Queryable } from './db.ts';
import type { Row } from './rows.ts';

/**
 * Account methods that serve a need: exactly the deposit's, or every one of the withdrawal's
 * provider (D26).
 */
export const servingMethods = (need: ExpectedNeed) =>
  WALLET_TYPES.filter((walletType) => serves({ walletType }, need));

/** An amount of null may be any. */
const FIND_CANDIDATES = `select distinct m.member_id, m.open_orders, m.last_assigned_at
  from member_accounts a join members m on m.member_id = a.member_id
  where a.wallet_type = any($1::text[]) and a.status = 'approved' and m.status = 'active' and m.online and m.open_orders < m.max_open_orders
    and ($2 = 'Withdrawal' or coalesce(m.float_balance - m.float_held >= $3::numeric, true))
    and coalesce(a.minimum_per_order <= $3::numeric, true) and coalesce(a.maximum_per_order >= $3::numeric, true)
    and coalesce(case when a.day = $4 then a.day_amount else 0 end + $3::numeric <= a.maximum_per_day, true)
    and not m.member_id = any($5::uuid[])
  order by m.open_orders, m.last_assigned_at nulls first, m.member_id limit $6`;

/**
 * The members eligible for a need by the rows themselves, the next to be served first, at most
 * `limit`. No locks.
 */
export async function findCandidates(
  db: Queryable,
  need: ExpectedNeed,
  at: Instant,
  limit: number,
): Promise<readonly string[]> {
  const floatAmount = need.floatAmount === null ? null : formatMoney(need.floatAmount);
  const values = [
    servingMethods(need),
    need.orderType,
    floatAmount,
    dayOf(at),
    need.excluded,
    limit,
  ];
  const { rows } = await db.query<{ member_id: string }>({
    name: 'find-candidates',
    text: FIND_CANDIDATES,
    values,
  });
  return rows.map((row) => row.member_id);
}

/**
 * By the rule of D27: the same account, the same amount. A sub-query with a limit is looked up for
 * each account, where `not exists` may read all.
 */
const FIND_WITHOUT_EQUAL = `select distinct m.member_id, m.open_orders, m.last_assigned_at
  from member_accounts a join members m on m.member_id = a.member_id
  where a.wallet_type = $1 and a.status = 'approved' and m.status = 'active' and m.online and m.open_orders < m.max_open_orders
    and m.float_balance - m.float_held >= $2::numeric
    and coalesce(a.minimum_per_order <= $2::numeric, true) and coalesce(a.maximum_per_order >= $2::numeric, true)
    and coalesce(case when a.day = $3 then a.day_amount else 0 end + $2::numeric <= a.maximum_per_day, true)
    and not m.member_id = any($4::uuid[])
    and (select 1 from orders o where o.account_id = a.account_id and o.amount = $5::numeric and o.order_type = 'Deposit'
      and o.status in ('Queued', 'AwaitingCustomerPayment', 'AwaitingMemberConfirmation', 'AwaitingMemberPayout', 'ManualReview') limit 1) is null
  order by m.open_orders, m.last_assigned_at nulls first, m.member_id limit $6`;

/**
 * Of the members eligible for a deposit, beside those known, such as have no open one of the same
 * amount on the account. No locks.
 */
export async function findWithoutEqual(
  db: Queryable,
  need: Need,
  known: readonly string[],
  at: Instant,
  limit: number,
): Promise<readonly string[]> {
  const values = [
    need.walletType,
    formatMoney(need.floatAmount),
    dayOf(at),
    [...known, ...need.excluded],
    formatMoney(need.amount),
    limit,
  ];
  const { rows } = await db.query<{ member_id: string }>({
    name: 'find-without-equal',
    text: FIND_WITHOUT_EQUAL,
    values,
  });
  return rows.map((row) => row.member_id);
}

/**
 * What the in-memory index knows of a member: enough to say whom to lock. Of the accounts, those
 * that are approved.
 */
export interface MemberHint extends Omit<Member, 'accounts' | 'floatOverdrawn'> {
  readonly accounts: readonly AccountTerms[];
}

const HINT_COLUMNS =
  'member_id, status, online, max_open_orders, open_orders, float_balance, float_held, last_assigned_at';
/**
 * Few columns, and one row for a member however many accounts: measured, a row for each account
 * takes three times the time.
 */
const APPROVED = `cross join lateral (
    select string_agg(wallet_type, ' ') filter (where not has_limits) as unlimited,
      json_agg(json_build_object('wallet_type', wallet_type, 'minimum', minimum_per_order::text, 'maximum', maximum_per_order::text,
        'maximum_per_day', maximum_per_day::text, 'day', day, 'day_amount', day_amount::text)) filter (where has_limits) as limited
    from (select *, num_nonnulls(minimum_per_order, maximum_per_order, maximum_per_day) > 0 as has_limits
      from member_accounts where member_id = m.member_id and status = 'approved') theirs) a`;
const HINTS_AFTER = `select m.*, a.unlimited, a.limited
  from (select ${HINT_COLUMNS} from members where member_id > $1 order by member_id limit $2) m ${APPROVED} order by m.member_id`;
const HINTS_OF = `select m.*, a.unlimited, a.limited
  from (select ${HINT_COLUMNS} from members where member_id = any($1::uuid[])) m ${APPROVED}`;

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/** The members behind `after` (null: from the first) by id, at most `limit`. No locks. */
export async function readHintsAfter(
  db: Queryable,
  after: string | null,
  limit: number,
): Promise<readonly MemberHint[]> {
  const { rows } = await db.query({
    name: 'hints-after',
    text: HINTS_AFTER,
    values: [after ?? BEFORE_ALL, limit],
  });
  return rows.map(readHint);
}

/** These members. No locks. */
export async function readHintsOf(
  db: Queryable,
  memberIds: readonly string[],
): Promise<readonly MemberHint[]> {
  const { rows } = await db.query({ name: 'hints-of', text: HINTS_OF, values: [memberIds] });
  return rows.map(readHint);
}

const readHint = (row: Row): MemberHint => ({
  memberId: row['member_id'],
  status: row['status'],
  online: row['online'],
  maxOpenOrders: row['max_open_orders'],
  openOrders: row['open_orders'],
  floatBalance: money(row['float_balance']),
  floatHeld: money(row['float_held']),
  lastAssignedAt: row['last_assigned_at'],
  accounts:
    row['limited'] === null
      ? unlimited(row['unlimited'] ?? '')
      : [...unlimited(row['unlimited'] ?? ''), ...row['limited'].map(readLimited)],
});

/** Accounts without limits are all alike: members with the same methods share them. */
function unlimited(methods: string): readonly AccountTerms[] {
  let accounts = shared.get(methods);
  if (accounts === undefined) {
    accounts = methods
      .split(' ')
      .flatMap((walletType) =>
        walletType === '' ? [] : [{ ...UNLIMITED, walletType: walletType as WalletType }],
      );
    if (shared.size >= SHARED_MAX) shared.clear();
    shared.set(methods, accounts);
  }
  return accounts;
}
const UNLIMITED = {
  status: 'approved',
  minimumPerOrder: null,
  maximumPerOrder: null,
  maximumPerDay: null,
  day: 0,
  dayAmount: 0n,
} as const;
const shared = new Map<string, readonly AccountTerms[]>();
const SHARED_MAX = 1_000;

const optionalMoney = (text: string | null) => (text === null ? null : money(text));
const readLimited = (account: Row): AccountTerms => ({
  walletType: account['wallet_type'],
  status: 'approved',
  minimumPerOrder: optionalMoney(account['minimum']),
  maximumPerOrder: optionalMoney(account['maximum']),
  maximumPerDay: optionalMoney(account['maximum_per_day']),
  day: account['day'],
  dayAmount: money(account['day_amount']),
});
