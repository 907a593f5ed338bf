import { dayOf, formatMoney, type Instant, type Member, type Need, serves, WALLET_TYPES } from '@munshi/core';
import type { Queryable } from './db.ts';
import { readAccount, readMember } from './rows.ts';

/** Account methods that serve a need: exactly the deposit's, or every one of the withdrawal's provider (D26). */
export const servingMethods = (need: Need) => WALLET_TYPES.filter((walletType) => serves({ walletType }, need));

const FIND_CANDIDATES = `select distinct m.member_id, m.open_orders, m.last_assigned_at
  from member_accounts a join members m on m.member_id = a.member_id
  where a.wallet_type = any($1::text[]) and a.status = 'approved' and m.status = 'active' and m.online and m.open_orders < m.max_open_orders
    and ($2 = 'Withdrawal' or m.float_balance - m.float_held >= $3::numeric)
    and coalesce(a.minimum_per_order <= $3::numeric, true) and coalesce(a.maximum_per_order >= $3::numeric, true)
    and coalesce(case when a.day = $4 then a.day_amount else 0 end + $3::numeric <= a.maximum_per_day, true)
    and not m.member_id = any($5::uuid[])
  order by m.open_orders, m.last_assigned_at nulls first, m.member_id limit $6`;

/** The members eligible for a need by the rows themselves, the next to be served first, at most `limit`. No locks. */
export async function findCandidates(db: Queryable, need: Need, at: Instant, limit: number): Promise<readonly string[]> {
  const values = [servingMethods(need), need.orderType, formatMoney(need.floatAmount), dayOf(at), need.excluded, limit];
  const { rows } = await db.query<{ member_id: string }>({ name: 'find-candidates', text: FIND_CANDIDATES, values });
  return rows.map((row) => row.member_id);
}

const ALL_MEMBERS = `select member_id, status, online, max_open_orders, open_orders, float_balance, float_held, float_overdrawn, last_assigned_at
  from members`;
const ALL_ACCOUNTS = `select account_id, member_id, wallet_type, account_number, account_title, qr_payload, status, minimum_per_order,
  maximum_per_order, maximum_per_day, day, day_amount from member_accounts`;

/** Every member with accounts, unlocked: what the in-memory index is filled from. */
export async function readAllMembers(db: Queryable): Promise<readonly Member[]> {
  const [members, accounts] = [await db.query(ALL_MEMBERS), await db.query(ALL_ACCOUNTS)];
  const owned = Map.groupBy(accounts.rows, (row) => row.member_id as string);
  return members.rows.map((row) =>
    readMember(
      row as never,
      (owned.get(row.member_id) ?? []).map((account) => readAccount(account as never)),
    ),
  );
}
