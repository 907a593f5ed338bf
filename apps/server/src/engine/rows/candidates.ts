import {
  type AccountTerms,
  type Currency,
  dayOf,
  type ExpectedNeed,
  formatMoney,
  type Instant,
  type Member,
  type MemberId,
  money,
  type Need,
  serves,
  WALLET_TYPES,
  type WalletType,
} from '@munshi/core';
import { answers, columns, from, orNull, shaped, t } from '../../platform/database/columns.ts';
import type { Queryable } from '../../platform/database/queryable.ts';
import { query, readsAll, statement } from '../../platform/database/statement.ts';
import { MATCHED } from './member.ts';
import { IN_HAND } from './order-statuses.ts';

/**
 * Account methods that serve a need: exactly the deposit's, or every one of the withdrawal's
 * provider (states.md#who-gets-an-order).
 */
export const servingMethods = (need: ExpectedNeed) =>
  WALLET_TYPES.filter((walletType) => serves({ walletType }, need));

/**
 * Whether a member is at work and has an account that takes this much of this currency; an amount
 * of null may be any.
 */
const isEligible = ({
  amount,
  currency,
  day,
}: Readonly<Record<'amount' | 'currency' | 'day', string>>) =>
  `a.status = 'approved'
     and not a.paused
     and coalesce(${currency} = any(a.currencies), true)
     and m.status = 'active'
     and m.online
     and m.open_orders < m.max_open_orders
     and coalesce(a.minimum_per_order <= ${amount}::numeric, true)
     and coalesce(a.maximum_per_order >= ${amount}::numeric, true)
     and coalesce(
       ${amount}::numeric + case when a.day = ${day} then a.day_amount else 0 end
         <= a.maximum_per_day,
       true
     )`;

/** With what a "distinct" is ordered by. */
const CANDIDATE = answers({
  memberId: t.uuid,
  openOrders: t.integer,
  lastAssignedAt: orNull(t.instant),
});

const FIND_CANDIDATES = statement(
  'find-candidates',
  `select distinct m.member_id, m.open_orders, m.last_assigned_at
   from member_accounts a
   join members m on m.member_id = a.member_id
   where a.wallet_type = any($1::text[])
     and ${isEligible({ amount: '$3', day: '$4', currency: '$6' })}
     and ($2 = 'Withdrawal' or coalesce(m.float_balance - m.float_held >= $3::numeric, true))
   order by m.open_orders, m.last_assigned_at nulls first, m.member_id
   limit $5`,
  CANDIDATE,
);

/**
 * The members eligible for a need by the rows themselves, its holders included, the next to be
 * served first, at most `limit`. No locks.
 */
export async function findCandidates(
  db: Queryable,
  need: ExpectedNeed,
  at: Instant,
  limit: number,
): Promise<readonly string[]> {
  const floatAmount = need.floatAmount === null ? null : formatMoney(need.floatAmount);
  const rows = await query(db, FIND_CANDIDATES, [
    servingMethods(need),
    need.orderType,
    floatAmount,
    dayOf(at),
    limit,
    need.currency,
  ]);
  return rows.map((row) => row.memberId);
}

/**
 * A sub-query with a limit is looked up for each account, where `not exists` may read all orders.
 */
const FIND_WITHOUT_EQUAL = statement(
  'find-without-equal',
  `select distinct m.member_id, m.open_orders, m.last_assigned_at
   from member_accounts a
   join members m on m.member_id = a.member_id
   where a.wallet_type = $1
     and ${isEligible({ amount: '$2', day: '$3', currency: '$7' })}
     and m.float_balance - m.float_held >= $2::numeric
     and not m.member_id = any($4::uuid[])
     and (
       select 1
       from orders o
       where o.account_id = a.account_id
         and o.amount > $5::numeric - 0.01
         and o.amount <= $5::numeric
         and o.order_type = 'Deposit'
         and o.status in ${IN_HAND}
       limit 1
     ) is null
   order by m.open_orders, m.last_assigned_at nulls first, m.member_id
   limit $6`,
  CANDIDATE,
);

/**
 * Of the members eligible for a deposit, beside those known, such as have no open one of the same
 * payable amount on the account (states.md#who-gets-an-order). No locks.
 */
export async function findWithoutEqual(
  db: Queryable,
  need: Need,
  known: readonly string[],
  at: Instant,
  limit: number,
): Promise<readonly string[]> {
  const rows = await query(db, FIND_WITHOUT_EQUAL, [
    need.walletType,
    formatMoney(need.floatAmount),
    dayOf(at),
    known,
    formatMoney(need.amount),
    limit,
    need.currency,
  ]);
  return rows.map((row) => row.memberId);
}

/**
 * What the in-memory index knows of a member: enough to say whom to lock. Of the accounts, those
 * that are approved.
 */
export interface MemberHint extends Omit<Member, 'accounts' | 'floatOverdrawn' | 'recoveredAt'> {
  readonly accounts: readonly AccountTerms[];
}

/** An account with limits, as APPROVED_ACCOUNTS has it. */
interface LimitedAccount {
  readonly wallet_type: WalletType;
  readonly currencies: readonly Currency[] | null;
  readonly minimum: string | null;
  readonly maximum: string | null;
  readonly maximum_per_day: string | null;
  readonly day: number;
  readonly day_amount: string;
}

const HINT = shaped(
  columns('m', {
    memberId: t.id<MemberId>(),
    ...MATCHED,
    unlimited: from('a.unlimited', orNull(t.text)),
    limited: from('a.limited', orNull(t.json<readonly LimitedAccount[]>())),
  }),
  ({ unlimited, limited, ...member }): MemberHint => ({
    ...member,
    accounts:
      limited === null
        ? interchangeable(unlimited ?? '')
        : [...interchangeable(unlimited ?? ''), ...limited.map(readLimited)],
  }),
);

/**
 * The approved accounts of the member m that are not paused. Few columns, and one row for a member however many
 * accounts: measured, a row for each account takes three times the time.
 */
const APPROVED_ACCOUNTS = `select
       string_agg(wallet_type, ' ') filter (where not has_limits) as unlimited,
       json_agg(
         json_build_object(
           'wallet_type', wallet_type, 'currencies', currencies,
           'minimum', minimum_per_order::text, 'maximum', maximum_per_order::text,
           'maximum_per_day', maximum_per_day::text, 'day', day, 'day_amount', day_amount::text
         )
       ) filter (where has_limits) as limited
     from (
       select *,
         num_nonnulls(currencies, minimum_per_order, maximum_per_order, maximum_per_day) > 0
           as has_limits
       from member_accounts
       where member_id = m.member_id and status = 'approved' and not paused
     ) theirs`;

/** The members behind `after` (null: from the first) by id, at most `limit`. No locks. */
export const readHintsAfter = readsAll(
  'hints-after',
  `select ${HINT.list}
   from (
     select *
     from members
     where member_id > $1
     order by member_id
     limit $2
   ) m
   cross join lateral (
     ${APPROVED_ACCOUNTS}
   ) a
   order by m.member_id`,
  HINT,
  (after: string | null, limit: number) => [after ?? BEFORE_ALL, limit],
);

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

const HINTS = `select ${HINT.list}
   from members m
   cross join lateral (
     ${APPROVED_ACCOUNTS}
   ) a`;

/** The members who can take one more order at all. No locks. */
export const readHintsWithRoom = readsAll(
  'hints-with-room',
  `${HINTS}
   where m.status = 'active'
     and m.online
     and m.open_orders < m.max_open_orders`,
  HINT,
  () => [],
);

/** These members. No locks. */
export const readHintsOf = readsAll(
  'hints-of',
  `${HINTS}
   where m.member_id = any($1::uuid[])`,
  HINT,
  (memberIds: readonly string[]) => [memberIds],
);

/** Accounts without limits are interchangeable: members with the same methods share them. */
function interchangeable(methods: string): readonly AccountTerms[] {
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
  paused: false,
  currencies: null,
  minimumPerOrder: null,
  maximumPerOrder: null,
  maximumPerDay: null,
  day: 0,
  dayAmount: 0n,
} as const;
const shared = new Map<string, readonly AccountTerms[]>();
const SHARED_MAX = 1_000;

const optionalMoney = (text: string | null) => (text === null ? null : money(text));
const readLimited = (account: LimitedAccount): AccountTerms => ({
  walletType: account.wallet_type,
  status: 'approved',
  paused: false,
  currencies: account.currencies,
  minimumPerOrder: optionalMoney(account.minimum),
  maximumPerOrder: optionalMoney(account.maximum),
  maximumPerDay: optionalMoney(account.maximum_per_day),
  day: account.day,
  dayAmount: money(account.day_amount),
});
