import type { Currency, Instant, Period, WalletType, Zones } from '@munshi/core';
import { confirmPercentile } from '../engine/rows/confirm-times.ts';
import { ENDED_OR_LEGACY, FAILED } from '../engine/rows/order-statuses.ts';
import { zonesOf } from '../merchants/store.ts';
import {
  answers,
  columns,
  from,
  orNull,
  type RecordOf,
  shaped,
  t,
} from '../platform/database/columns.ts';
import { firstIdOf, ID_MARGIN_MS } from '../platform/database/first-id.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { time } from '../platform/database/rows.ts';
import {
  lists,
  type Page,
  query,
  queryOne,
  statement,
  unprepared,
} from '../platform/database/statement.ts';

/** Sums of the ledger over merchants and members, and of orders by day or week. */

interface Named {
  readonly id: string;
  readonly name: string;
}

const REPORTED = shaped(
  columns('', {
    id: from('merchant_id', t.uuid),
    name: t.text,
    zones: from('time_zones', t.json<Zones>()),
    currencies: t.listOf<Currency>(),
  }),
  ({ id, name, ...merchant }) => ({ id, name, zones: zonesOf(merchant) }),
);

/** Merchants with their time zones, the newest first. */
export const listReported = lists(
  'merchants-of-report',
  `select ${REPORTED.list}
   from merchants
   where $1::uuid is null or merchant_id < $1
   order by merchant_id desc
   limit $2`,
  REPORTED,
  ({ after, limit }: Page) => [after, limit],
);

/** Members, the newest first. */
export const listReportedMembers = lists(
  'members-of-report',
  `select member_id as id, name
   from members
   where $1::uuid is null or member_id < $1
   order by member_id desc
   limit $2`,
  answers({ id: t.uuid, name: t.text }),
  ({ after, limit }: Page) => [after, limit],
);

const WALLET_MONTH = answers({
  deposits: t.amount,
  withdrawals: t.amount,
  fees: t.amount,
  adjustments: t.amount,
  frozen: t.amount,
  closing: t.amount,
  frozenClosing: t.amount,
});
/** What moved an account within a stretch of time, and what was in it at its end. */
export type WalletMonth = RecordOf<typeof WALLET_MONTH>;

/** The wallets of these merchants, each over a stretch of its own, in their order. */
export const readWalletMonths = lists(
  'wallet-months',
  `select w.balance - p.later as closing, w.frozen - p.later_frozen as frozen_closing,
     p.deposits, p.withdrawals, p.fees, p.adjustments, p.frozen
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
  WALLET_MONTH,
  (of: readonly (Period & Pick<Named, 'id'>)[]) => [
    of.map(({ id }) => id),
    of.map(({ from }) => time(from)),
    of.map(({ to }) => time(to)),
  ],
);

const FLOAT_MONTH = answers({
  deposits: t.amount,
  withdrawals: t.amount,
  adjustments: t.amount,
  closing: t.amount,
});
export type FloatMonth = RecordOf<typeof FLOAT_MONTH>;

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
  FLOAT_MONTH,
);

/** The floats of these members, the newest member first. Reads every posting since. */
export async function readFloatMonths(
  db: Queryable,
  memberIds: readonly string[],
  { from, to }: Period,
): Promise<readonly FloatMonth[]> {
  await readWholeTables(db);
  return query(db, FLOAT_MONTHS, [memberIds, time(from), time(to)]);
}

/** No index has the time of postings, or their member: what reads all of them reads the table. */
const readWholeTables = (db: Queryable) => db.query('set local enable_seqscan = on');

const ORDER_SPAN = answers({
  /** From 1, in the order of the times that were asked for. */
  span: t.integer,
  /** Null: all methods. */
  walletType: orNull(t.oneOf<WalletType>()),
  created: t.integer,
  completed: t.integer,
  failed: t.integer,
  volume: t.amount,
  medianConfirmSeconds: orNull(t.integer),
  p95ConfirmSeconds: orNull(t.integer),
});
/** What became of the orders that were created in a span of time. */
export type OrderSpan = RecordOf<typeof ORDER_SPAN>;

const CONFIRMED = `order_type = 'Deposit' and status in ${ENDED_OR_LEGACY}
       and completed_at is not null`;
const ORDER_SPANS = unprepared(
  'order-spans',
  // One reading for every method and for all of them together: percentiles cannot be added up.
  `select span, wallet_type, count(*)::integer as created,
     (count(*) filter (where completed_at is not null))::integer as completed,
     (count(*) filter (where status in ${FAILED}))::integer as failed,
     coalesce(sum(float_amount) filter (where completed_at is not null), 0) as volume,
     (${confirmPercentile(0.5)} filter (where ${CONFIRMED}))::integer as median_confirm_seconds,
     (${confirmPercentile(0.95)} filter (where ${CONFIRMED}))::integer as p95_confirm_seconds
   from (
     select width_bucket(created_at, $3::timestamptz[])::integer as span, wallet_type, status,
       order_type, float_amount, sent_at, completed_at
     from orders
     where order_id >= $1::uuid
       and order_id < $2::uuid
       and ($4::uuid is null or merchant_id = $4)
   ) o
   where span between 1 and cardinality($3::timestamptz[]) - 1
   group by grouping sets ((span), (span, wallet_type))
   order by span, wallet_type nulls first`,
  ORDER_SPAN,
);

/** Of orders created from each of these times until the next. Reads every order of them. */
export const readOrderSpans = (
  db: Queryable,
  times: readonly Instant[],
  merchantId: string | undefined,
): Promise<readonly OrderSpan[]> =>
  query(db, ORDER_SPANS, [
    firstIdOf(times[0] as Instant),
    firstIdOf((times.at(-1) as Instant) + ID_MARGIN_MS),
    times.map((at) => time(at)),
    merchantId,
  ]);

const LEDGER_SUMS = columns('p', {
  postings: from('p.count', t.bigint),
  wallets: t.amount,
  frozen: t.amount,
  floats: t.amount,
  fees: t.amount,
  adjustments: t.amount,
  held: columns('w', {
    wallets: from('balance', t.amount),
    frozen: t.amount,
    floats: from('m.float', t.amount),
  }),
});
/** Sums of the five accounts, and what wallets and floats hold. */
export type LedgerSums = RecordOf<typeof LEDGER_SUMS>;

const TRIAL = statement(
  'trial-balance',
  `select ${LEDGER_SUMS.list}
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
  LEDGER_SUMS,
);

/** The accounts just before `at`; null: now. Reads every posting. */
export async function readLedgerSums(db: Queryable, at: Instant | null): Promise<LedgerSums> {
  await readWholeTables(db);
  return (await queryOne(db, TRIAL, [time(at)])) as LedgerSums;
}
