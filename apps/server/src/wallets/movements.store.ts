import type { Currency, Instant, Money, OrderType, Period, PostingKind } from '@munshi/core';
import {
  answers,
  from as column,
  columns,
  only,
  orNull,
  type RecordOf,
  t,
} from '../platform/database/columns.ts';
import { FIRST_ID, LAST_ID } from '../platform/database/first-id.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { time } from '../platform/database/rows.ts';
import { lists, query, queryOne, readsRow, unprepared } from '../platform/database/statement.ts';

const MOVEMENT = columns('p', {
  movementId: column('posting_id', t.uuid),
  kind: t.oneOf<Exclude<PostingKind, 'float'>>(),
  at: column('posted_at', t.instant),
  /** Changes of the balance and of the frozen money. */
  wallet: t.amount,
  frozen: t.amount,
  /** What was kept of an order. */
  fee: column('fees', t.amount),
  orderId: orNull(t.uuid),
  orderReference: column('o.order_reference', orNull(t.text)),
  orderType: column('o.order_type', orNull(t.oneOf<OrderType>())),
  /** What the order was for, in its currency. */
  currency: column('o.currency', orNull(t.oneOf<Currency>())),
  orderAmount: column('o.amount', orNull(t.amount)),
  orderFee: column('o.fee', orNull(t.amount)),
  rate: column('o.rate', orNull(t.factor)),
  note: orNull(t.text),
});
/** What moved a merchant's wallet, by the ledger. */
export type WalletMovement = RecordOf<typeof MOVEMENT>;

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

const movements = (past: '<' | '>', order: 'desc' | 'asc') =>
  `select ${MOVEMENT.list}
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

const NEWEST = unprepared('newest-wallet-movements', movements('<', 'desc'), MOVEMENT);
const OLDEST = unprepared('oldest-wallet-movements', movements('>', 'asc'), MOVEMENT);

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
  return query(db, statement, [merchantId, ...within, time(at), id, limit]);
}

const SUMS = unprepared(
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
  answers({ wallet: t.amount, frozen: t.amount }),
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
  return queryOne(db, SUMS, [merchantId, time(at ?? LAST.at)]);
}

const KIND_COLUMNS = {
  /** Place of the period among those that were asked for, from 0 on. */
  period: t.integer,
  kind: t.oneOf<WalletMovement['kind']>(),
  /** Of settlements: a withdrawal takes from the wallet, a deposit never does. */
  isWithdrawal: t.boolean,
  count: t.integer,
  wallet: t.amount,
  frozen: t.amount,
  fee: t.amount,
};
const KIND_SUMS = answers(KIND_COLUMNS);
/** What moved a wallet within a stretch of time, by kind. */
export type KindSums = RecordOf<typeof KIND_SUMS>;

const CURRENCY_SUMS = answers({
  ...KIND_COLUMNS,
  /** Null: of adjustments. */
  currency: orNull(t.oneOf<Currency>()),
  orderAmount: t.amount,
  orderFee: t.amount,
});
/** The same of one currency, with what the orders were for in it. */
export type CurrencySums = RecordOf<typeof CURRENCY_SUMS>;

const sumsOfPeriods = (moved: string, by: string) =>
  `select p.number::integer - 1 as period, s.*
   from unnest($2::timestamptz[], $3::timestamptz[]) with ordinality as p (since, until, number)
   cross join lateral (
     select m.kind, m.kind = 'settlement' and m.wallet < 0 as is_withdrawal,
       count(*)::integer as count, sum(m.wallet) as wallet, sum(m.frozen) as frozen,
       sum(m.fees) as fee${by}
     from ${moved}
     where m.merchant_id = $1
       and m.posted_at >= p.since
       and m.posted_at < p.until
     group by m.kind, 2${by === '' ? '' : ', o.currency'}
   ) s
   order by period
   limit 10000`;

/** What moved a wallet, by period and kind. Reads every movement of the periods. */
export const readSumsOfPeriods = lists(
  'wallet-sums-of-periods',
  sumsOfPeriods('postings m', ''),
  KIND_SUMS,
  (merchantId: string, periods: readonly Period[]) => valuesOf(merchantId, periods),
);

/** The same by currency too. Reads every order of the periods. */
export const readSumsByCurrency = lists(
  'wallet-sums-by-currency',
  sumsOfPeriods(
    `postings m
     left join orders o on o.order_id = m.order_id`,
    `,
       o.currency, coalesce(sum(o.amount), 0) as order_amount, coalesce(sum(o.fee), 0) as order_fee`,
  ),
  CURRENCY_SUMS,
  (merchantId: string, periods: readonly Period[]) => valuesOf(merchantId, periods),
);

const valuesOf = (merchantId: string, periods: readonly Period[]) => [
  merchantId,
  periods.map(({ from }) => time(from)),
  periods.map(({ to }) => time(to)),
];

/** When a wallet moved first. */
export const readFirstPosted = readsRow(
  'wallet-first-posted',
  `select min(posted_at) as at
   from postings
   where merchant_id = $1`,
  only('at', orNull(t.instant)),
  (merchantId: string) => [merchantId],
);
