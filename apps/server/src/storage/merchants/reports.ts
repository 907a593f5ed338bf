import { type Instant, type Money, money, type Period, type Zones } from '@munshi/core';
import type { Queryable } from '../db.ts';
import { time } from '../rows.ts';
import { type Page, query, statement, unprepared } from '../statement.ts';
import { readZones } from './merchants.ts';

/** Sums of the ledger over merchants and members. */

interface Named {
  readonly id: string;
  readonly name: string;
}

const MERCHANTS = unprepared(
  'merchants-of-report',
  `select merchant_id, name, time_zones, currencies
   from merchants
   where $1::uuid is null or merchant_id < $1
   order by merchant_id desc
   limit $2`,
);

/** Merchants with their time zones, the newest first. */
export async function listReported(
  db: Queryable,
  { after, limit }: Page,
): Promise<readonly (Named & { readonly zones: Zones })[]> {
  const rows = await query(db, MERCHANTS, [after, limit]);
  return rows.map((row) => ({ id: row['merchant_id'], name: row['name'], zones: readZones(row) }));
}

const MEMBERS = unprepared(
  'members-of-report',
  `select member_id, name
   from members
   where $1::uuid is null or member_id < $1
   order by member_id desc
   limit $2`,
);

/** Members, the newest first. */
export async function listReportedMembers(
  db: Queryable,
  { after, limit }: Page,
): Promise<readonly Named[]> {
  const rows = await query(db, MEMBERS, [after, limit]);
  return rows.map((row) => ({ id: row['member_id'], name: row['name'] }));
}

/** What moved an account within a stretch of time, and what was in it at its end. */
export interface WalletMonth {
  readonly deposits: Money;
  readonly withdrawals: Money;
  readonly fees: Money;
  readonly adjustments: Money;
  readonly frozen: Money;
  readonly closing: Money;
  readonly frozenClosing: Money;
}

const WALLET_MONTHS = unprepared(
  'wallet-months',
  `select w.balance - p.later as closing, w.frozen - p.later_frozen as frozen_closing, p.*
   from unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[]) with ordinality
     as m (merchant_id, since, until, number)
   join merchant_wallets w on w.merchant_id = m.merchant_id
   cross join lateral (
     select coalesce(sum(wallet) filter (where posted_at >= m.until), 0) as later,
       coalesce(sum(frozen) filter (where posted_at >= m.until), 0) as later_frozen,
       coalesce(sum(wallet + fees) filter (where within and is_order and wallet >= 0), 0)
         as deposits,
       coalesce(sum(wallet + fees) filter (where within and is_order and wallet < 0), 0)
         as withdrawals,
       coalesce(sum(fees) filter (where within), 0) as fees,
       coalesce(sum(wallet) filter (where within and kind in ('credit', 'debit')), 0)
         as adjustments,
       coalesce(sum(frozen) filter (where within), 0) as frozen
     from (
       select wallet, frozen, fees, kind, posted_at, posted_at < m.until as within,
         kind = 'settlement' as is_order
       from postings
       where merchant_id = m.merchant_id
         and posted_at >= m.since
     ) moved
   ) p
   order by m.number`,
);

/** The wallets of these merchants, each over a stretch of its own, in their order. */
export async function readWalletMonths(
  db: Queryable,
  of: readonly (Period & Pick<Named, 'id'>)[],
): Promise<readonly WalletMonth[]> {
  const rows = await query(db, WALLET_MONTHS, [
    of.map(({ id }) => id),
    of.map(({ from }) => time(from)),
    of.map(({ to }) => time(to)),
  ]);
  return rows.map((row) => ({
    deposits: money(row['deposits']),
    withdrawals: money(row['withdrawals']),
    fees: money(row['fees']),
    adjustments: money(row['adjustments']),
    frozen: money(row['frozen']),
    closing: money(row['closing']),
    frozenClosing: money(row['frozen_closing']),
  }));
}

export interface FloatMonth {
  readonly deposits: Money;
  readonly withdrawals: Money;
  readonly adjustments: Money;
  readonly closing: Money;
}

const FLOAT_MONTHS = unprepared(
  'float-months',
  `select m.float_balance - coalesce(p.later, 0) as closing, coalesce(p.deposits, 0) as deposits,
     coalesce(p.withdrawals, 0) as withdrawals, coalesce(p.adjustments, 0) as adjustments
   from members m
   left join (
     select member_id,
       sum(member_float) filter (where not within) as later,
       sum(member_float) filter (where within and is_order and member_float < 0) as deposits,
       sum(member_float) filter (where within and is_order and member_float >= 0) as withdrawals,
       sum(member_float) filter (where within and not is_order) as adjustments
     from (
       select member_id, member_float, posted_at < $3 as within, kind = 'settlement' as is_order
       from postings
       where member_id = any($1::uuid[])
         and posted_at >= $2
     ) moved
     group by member_id
   ) p on p.member_id = m.member_id
   where m.member_id = any($1::uuid[])
   order by m.member_id desc`,
);

/** The floats of these members, the newest member first. Reads every posting since. */
export async function readFloatMonths(
  db: Queryable,
  memberIds: readonly string[],
  { from, to }: Period,
): Promise<readonly FloatMonth[]> {
  await readWholeTables(db);
  const rows = await query(db, FLOAT_MONTHS, [memberIds, time(from), time(to)]);
  return rows.map((row) => ({
    deposits: money(row['deposits']),
    withdrawals: money(row['withdrawals']),
    adjustments: money(row['adjustments']),
    closing: money(row['closing']),
  }));
}

/** No index has the time of postings, or their member: what reads all of them reads the table. */
const readWholeTables = (db: Queryable) => db.query('set local enable_seqscan = on');

/** Sums of the five accounts, and what wallets and floats hold. */
export interface LedgerSums {
  readonly postings: number;
  readonly wallets: Money;
  readonly frozen: Money;
  readonly floats: Money;
  readonly fees: Money;
  readonly adjustments: Money;
  readonly held: {
    readonly wallets: Money;
    readonly frozen: Money;
    readonly floats: Money;
  };
}

const TRIAL = statement(
  'trial-balance',
  `select p.*, w.balance as held_wallets, w.frozen as held_frozen, m.float as held_floats
   from (
     select count(*) as count, coalesce(sum(wallet), 0.0000) as wallets,
       coalesce(sum(frozen), 0) as frozen, coalesce(sum(member_float), 0) as floats,
       coalesce(sum(fees), 0) as fees, coalesce(sum(adjustments), 0) as adjustments
     from postings
     where $1::timestamptz is null or posted_at < $1
   ) p
   cross join (
     select coalesce(sum(balance), 0) as balance, coalesce(sum(frozen), 0) as frozen
     from merchant_wallets
   ) w
   cross join (
     select coalesce(sum(float_balance), 0) as float
     from members
   ) m`,
);

/** The accounts just before `at`; null: now. Reads every posting. */
export async function readLedgerSums(db: Queryable, at: Instant | null): Promise<LedgerSums> {
  await readWholeTables(db);
  const [row = {}] = await query(db, TRIAL, [time(at)]);
  return {
    postings: Number(row['count']),
    wallets: money(row['wallets']),
    frozen: money(row['frozen']),
    floats: money(row['floats']),
    fees: money(row['fees']),
    adjustments: money(row['adjustments']),
    held: {
      wallets: money(row['held_wallets']),
      frozen: money(row['held_frozen']),
      floats: money(row['held_floats']),
    },
  };
}
