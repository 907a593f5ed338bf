import {
  type Currency,
  type Factor,
  type Instant,
  type Money,
  money,
  type OrderType,
  type Period,
  type PostingKind,
  parseFactor,
} from '@munshi/core';
import type { Queryable } from '../db.ts';
import { FIRST_ID, LAST_ID } from '../orders/first-id.ts';
import { type Row, time } from '../rows.ts';
import { query, statement, unprepared } from '../statement.ts';

/** What moved a merchant's wallet, by the ledger. */
export interface WalletMovement {
  readonly movementId: string;
  readonly kind: Exclude<PostingKind, 'float'>;
  readonly at: Instant;
  /** Changes of the balance and of the frozen money. */
  readonly wallet: Money;
  readonly frozen: Money;
  /** What was kept of an order. */
  readonly fee: Money;
  readonly orderId: string | null;
  readonly orderReference: string | null;
  readonly orderType: OrderType | null;
  /** What the order was for, in its currency. */
  readonly currency: Currency | null;
  readonly orderAmount: Money | null;
  readonly orderFee: Money | null;
  readonly rate: Factor | null;
  readonly note: string | null;
}

/** Balance and frozen money of one moment. */
export interface Sums {
  readonly wallet: Money;
  readonly frozen: Money;
}

/** Which movements: from `from` on and before `to`; null asks nothing. */
export interface MovementsOf {
  readonly merchantId: string;
  readonly from: Instant | null;
  readonly to: Instant | null;
}

/** Where a movement stands among a merchant's. */
export interface WalletPlace {
  readonly at: Instant;
  readonly id: string;
}

const FIRST: WalletPlace = { at: 0, id: FIRST_ID };
const LAST: WalletPlace = { at: Date.UTC(9999, 0), id: LAST_ID };

interface MovementRow {
  readonly posting_id: string;
  readonly kind: WalletMovement['kind'];
  readonly posted_at: Instant;
  readonly wallet: string;
  readonly frozen: string;
  readonly fees: string;
  readonly order_id: string | null;
  readonly order_reference: string | null;
  readonly order_type: OrderType | null;
  readonly currency: Currency | null;
  readonly amount: string | null;
  readonly fee: string | null;
  readonly rate: string | null;
  readonly note: string | null;
}

const movements = (past: '<' | '>', order: 'desc' | 'asc') =>
  `select p.*, o.order_reference, o.order_type, o.currency, o.amount, o.fee, o.rate
   from (
     select posting_id, kind, posted_at, wallet, frozen, fees, order_id, note
     from postings
     where merchant_id = $1
       and posted_at >= $2
       and posted_at < $3
       and (posted_at, posting_id) ${past} ($4::timestamptz, $5::uuid)
     order by posted_at ${order}, posting_id ${order}
     limit $6
   ) p
   left join orders o on o.order_id = p.order_id
   order by p.posted_at ${order}, p.posting_id ${order}`;

const NEWEST = unprepared<MovementRow>('newest-wallet-movements', movements('<', 'desc'));
const OLDEST = unprepared<MovementRow>('oldest-wallet-movements', movements('>', 'asc'));

interface MovementsPage extends MovementsOf {
  /** Behind this one, in the order that is read; null: from the first. */
  readonly after: WalletPlace | null;
  readonly limit: number;
}

/** Movements, the newest first. */
export const listNewestMovements = (db: Queryable, page: MovementsPage) =>
  list(db, NEWEST, page, LAST);
/** Movements, the oldest first. */
export const listOldestMovements = (db: Queryable, page: MovementsPage) =>
  list(db, OLDEST, page, FIRST);

async function list(
  db: Queryable,
  statement: typeof NEWEST,
  { merchantId, from, to, after, limit }: MovementsPage,
  start: WalletPlace,
): Promise<readonly WalletMovement[]> {
  const { at, id } = after ?? start;
  const within = [time(from ?? FIRST.at), time(to ?? LAST.at)];
  const rows = await query(db, statement, [merchantId, ...within, time(at), id, limit]);
  return rows.map((row) => ({
    movementId: row.posting_id,
    kind: row.kind,
    at: row.posted_at,
    wallet: money(row.wallet),
    frozen: money(row.frozen),
    fee: money(row.fees),
    orderId: row.order_id,
    orderReference: row.order_reference,
    orderType: row.order_type,
    currency: row.currency,
    orderAmount: row.amount === null ? null : money(row.amount),
    orderFee: row.fee === null ? null : money(row.fee),
    rate: row.rate === null ? null : (parseFactor(row.rate) as Factor),
    note: row.note,
  }));
}

const SUMS = unprepared<{ readonly wallet: string; readonly frozen: string }>(
  'wallet-sums-before',
  `select w.balance - coalesce(later.wallet, 0) as wallet,
     w.frozen - coalesce(later.frozen, 0) as frozen
   from merchant_wallets w
   cross join lateral (
     select sum(wallet) as wallet, sum(frozen) as frozen
     from postings
     where merchant_id = $1
       and posted_at >= $2
   ) later
   where w.merchant_id = $1`,
);

/**
 * What was in a wallet just before `at`; null: what is in it now. Undefined where there is no such
 * merchant. Reads every movement since.
 */
export async function readSumsBefore(
  db: Queryable,
  merchantId: string,
  at: Instant | null,
): Promise<Sums | undefined> {
  const [row] = await query(db, SUMS, [merchantId, time(at ?? LAST.at)]);
  return row && { wallet: money(row.wallet), frozen: money(row.frozen) };
}

/** What moved a wallet within a stretch of time, by kind. */
export interface KindSums extends Sums {
  /** Place of the period among those that were asked for, from 0 on. */
  readonly period: number;
  readonly kind: WalletMovement['kind'];
  /** Of settlements: a withdrawal takes from the wallet, a deposit never does. */
  readonly isWithdrawal: boolean;
  readonly count: number;
  readonly fee: Money;
}

/** The same of one currency, with what the orders were for in it. */
export interface CurrencySums extends KindSums {
  /** Null: of adjustments. */
  readonly currency: Currency | null;
  readonly orderAmount: Money;
  readonly orderFee: Money;
}

const sumsOfPeriods = (moved: string, by: string) =>
  `select p.number::integer - 1 as period, s.*
   from unnest($2::timestamptz[], $3::timestamptz[]) with ordinality as p (since, until, number)
   cross join lateral (
     select m.kind, m.kind = 'settlement' and m.wallet < 0 as is_withdrawal,
       count(*)::integer as count, sum(m.wallet) as wallet, sum(m.frozen) as frozen,
       sum(m.fees) as fees${by}
     from ${moved}
     where m.merchant_id = $1
       and m.posted_at >= p.since
       and m.posted_at < p.until
     group by m.kind, 2${by === '' ? '' : ', o.currency'}
   ) s
   order by period
   limit 10000`;

const SUMS_OF_PERIODS = unprepared('wallet-sums-of-periods', sumsOfPeriods('postings m', ''));
const SUMS_BY_CURRENCY = unprepared(
  'wallet-sums-by-currency',
  sumsOfPeriods(
    `postings m
     left join orders o on o.order_id = m.order_id`,
    `,
       o.currency, coalesce(sum(o.amount), 0) as order_amount, coalesce(sum(o.fee), 0) as order_fee`,
  ),
);

/** What moved a wallet, by period and kind. Reads every movement of the periods. */
export const readSumsOfPeriods = async (
  db: Queryable,
  merchantId: string,
  periods: readonly Period[],
): Promise<readonly KindSums[]> =>
  (await query(db, SUMS_OF_PERIODS, valuesOf(merchantId, periods))).map(readSums);

/** The same by currency too. Reads every order of the periods. */
export const readSumsByCurrency = async (
  db: Queryable,
  merchantId: string,
  periods: readonly Period[],
): Promise<readonly CurrencySums[]> =>
  (await query(db, SUMS_BY_CURRENCY, valuesOf(merchantId, periods))).map((row) => ({
    ...readSums(row),
    currency: row['currency'],
    orderAmount: money(row['order_amount']),
    orderFee: money(row['order_fee']),
  }));

const valuesOf = (merchantId: string, periods: readonly Period[]) => [
  merchantId,
  periods.map(({ from }) => time(from)),
  periods.map(({ to }) => time(to)),
];
const readSums = (row: Row): KindSums => ({
  period: row['period'],
  kind: row['kind'],
  isWithdrawal: row['is_withdrawal'],
  count: row['count'],
  wallet: money(row['wallet']),
  frozen: money(row['frozen']),
  fee: money(row['fees']),
});

const FIRST_POSTED = statement<{ readonly at: Instant | null }>(
  'wallet-first-posted',
  `select min(posted_at) as at
   from postings
   where merchant_id = $1`,
);

/** When a wallet moved first. */
export async function readFirstPosted(db: Queryable, merchantId: string): Promise<Instant | null> {
  const [row] = await query(db, FIRST_POSTED, [merchantId]);
  return row?.at ?? null;
}
