import type { ClosingStatus, Instant, Period } from '@munshi/core';
import {
  answers,
  columns,
  from,
  insertion,
  only,
  optional,
  orNull,
  parameters,
  type RecordOf,
  t,
} from '../platform/database/columns.ts';
import { time } from '../platform/database/rows.ts';
import {
  lists,
  PAGE,
  readsAll,
  readsOne,
  readsRow,
  writes,
} from '../platform/database/statement.ts';

/** Closings of days and shifts (decision 35). */

const PERIOD = { from: from('starts_at', t.instant), to: from('ends_at', t.instant) };
const BEGUN = {
  closingId: t.uuid,
  ...PERIOD,
  status: t.oneOf<ClosingStatus>(),
  countedBy: t.text,
  countedByName: from('counted_name', t.text),
  begunAt: t.instant,
};
const CLOSING_COLUMNS = {
  ...BEGUN,
  countedAt: orNull(t.instant),
  decidedBy: orNull(t.text),
  decidedByName: from('decided_name', orNull(t.text)),
  decidedAt: orNull(t.instant),
  note: orNull(t.text),
};
const CLOSING = columns('c', CLOSING_COLUMNS);
export type Closing = RecordOf<typeof CLOSING>;

const NEW = insertion('closings', BEGUN);
export const insertClosing = writes('insert-closing', NEW.into, NEW.valuesOf);

const SIGNED = columns('s', {
  wallets: t.amount,
  fees: t.amount,
  floats: t.amount,
  difference: t.amount,
});
const LISTED = columns('c', { ...CLOSING_COLUMNS, signed: optional(SIGNED, 'wallets') });

export const listClosings = lists(
  'list-closings',
  `select ${LISTED.list}
   from closings c
   left join lateral (
     select w.wallets, w.fees, f.floats, f.difference
     from (
       select coalesce(sum(closing), 0) as wallets, coalesce(sum(fees), 0) as fees
       from closing_merchants
       where closing_id = c.closing_id
     ) w
     cross join (
       select coalesce(sum(closing), 0) as floats,
         coalesce(sum(counted - closing), 0) as difference
       from closing_members
       where closing_id = c.closing_id
     ) f
   ) s on c.status = 'signed'
   where $1::uuid is null or closing_id < $1
   order by closing_id desc
   limit $2`,
  LISTED,
  parameters(PAGE),
);

export const findClosing = readsOne(
  'find-closing',
  `select ${CLOSING.list}
   from closings c
   where closing_id = $1`,
  CLOSING,
  (closingId: string) => [closingId],
);

/** Locked until the transaction ends. */
export const lockClosing = readsOne(
  'lock-closing',
  `select ${CLOSING.list}
   from closings c
   where closing_id = $1
   for update`,
  CLOSING,
  (closingId: string) => [closingId],
);

export const findOpenClosing = readsOne(
  'open-closing',
  `select ${CLOSING.list}
   from closings c
   where status = 'open'`,
  CLOSING,
);

/** Where the last signed one ends; null before the first. */
export const readClosedUntil = readsRow(
  'signed-until',
  `select max(ends_at) as at
   from closings
   where status = 'signed'`,
  only('at', orNull(t.instant)),
);

interface Decided extends Pick<Closing, 'closingId' | 'note'> {
  readonly status: ClosingStatus;
  readonly by: { readonly id: string; readonly name: string };
  readonly at: Instant;
}
export const endClosing = writes(
  'end-closing',
  `update closings
   set status = $2, decided_by = $3, decided_name = $4, decided_at = $5, note = $6
   where closing_id = $1`,
  ({ closingId, status, by, at, note }: Decided) => [
    ...[closingId, status, by.id, by.name, time(at), note],
  ],
);

export const noteCount = writes(
  'note-closing-count',
  `update closings
   set counted_at = $2
   where closing_id = $1`,
  (closingId: string, at: Instant) => [closingId, time(at)],
);

const COUNT = {
  closingId: t.uuid,
  memberId: t.uuid,
  counted: orNull(t.amount),
  note: orNull(t.text),
};
const NEW_COUNT = insertion('closing_counts', COUNT);
export const storeCount = writes(
  'store-closing-count',
  `${NEW_COUNT.into}
   on conflict (closing_id, member_id) do update
   set counted = excluded.counted, note = excluded.note`,
  NEW_COUNT.valuesOf,
);

const WALLET = {
  merchantId: t.uuid,
  name: t.text,
  opening: t.amount,
  deposits: t.amount,
  withdrawals: t.amount,
  fees: t.amount,
  adjustments: t.amount,
  frozen: t.amount,
  closing: t.amount,
  frozenClosing: t.amount,
};
const MERCHANTS = answers(WALLET);
/** What moved a merchant's wallet in a period, and what was in it before and after. */
export type ClosingMerchant = RecordOf<typeof MERCHANTS>;

const FLOAT = {
  memberId: t.uuid,
  name: t.text,
  opening: t.amount,
  deposits: t.amount,
  withdrawals: t.amount,
  adjustments: t.amount,
  closing: t.amount,
};
const MEMBERS = answers({
  ...FLOAT,
  counted: orNull(t.amount),
  note: orNull(t.text),
});
/** The same of a member's float, and what was counted. */
export type ClosingMember = RecordOf<typeof MEMBERS>;

/**
 * Reads what was posted from `$1` on, less what was posted from `$2` on: the ledger's past is what
 * wallets hold without what came later.
 */
const MERCHANTS_OF_PERIOD = `select merchant_id, name,
     closing - deposits - withdrawals + fees - adjustments + frozen as opening, deposits,
     withdrawals, fees, adjustments, frozen, closing, frozen_closing
   from (
     select w.merchant_id, m.name, w.balance - coalesce(p.later, 0) as closing,
       w.frozen - coalesce(p.later_frozen, 0) as frozen_closing,
       coalesce(p.deposits, 0) as deposits, coalesce(p.withdrawals, 0) as withdrawals,
       coalesce(p.fees, 0) as fees, coalesce(p.adjustments, 0) as adjustments,
       coalesce(p.frozen, 0) as frozen, coalesce(p.moved, false) as moved
     from merchant_wallets w
     join merchants m on m.merchant_id = w.merchant_id
     left join (
       select merchant_id, bool_or(within) as moved,
         sum(wallet) filter (where not within) as later,
         sum(frozen) filter (where not within) as later_frozen,
         sum(wallet + fees) filter (where within and is_order and wallet >= 0) as deposits,
         sum(wallet + fees) filter (where within and is_order and wallet < 0) as withdrawals,
         sum(fees) filter (where within) as fees,
         sum(wallet) filter (where within and kind in ('credit', 'debit')) as adjustments,
         sum(frozen) filter (where within) as frozen
       from (
         select merchant_id, wallet, frozen, fees, kind, posted_at < $2 as within,
           kind = 'settlement' as is_order
         from postings
         where posted_at >= $1
       ) since
       group by merchant_id
     ) p on p.merchant_id = w.merchant_id
   ) sums
   where moved or closing <> 0 or frozen_closing <> 0`;

const MEMBERS_OF_PERIOD = `select member_id, name, closing - deposits - withdrawals - adjustments as opening, deposits,
     withdrawals, adjustments, closing
   from (
     select m.member_id, m.name, m.float_balance - coalesce(p.later, 0) as closing,
       coalesce(p.deposits, 0) as deposits, coalesce(p.withdrawals, 0) as withdrawals,
       coalesce(p.adjustments, 0) as adjustments, coalesce(p.moved, false) as moved
     from members m
     left join (
       select member_id, bool_or(within) as moved,
         sum(member_float) filter (where not within) as later,
         sum(member_float) filter (where within and is_order and member_float < 0) as deposits,
         sum(member_float) filter (where within and is_order and member_float >= 0)
           as withdrawals,
         sum(member_float) filter (where within and not is_order) as adjustments
       from (
         select member_id, member_float, posted_at < $2 as within, kind = 'settlement' as is_order
         from postings
         where posted_at >= $1 and member_id is not null
       ) since
       group by member_id
     ) p on p.member_id = m.member_id
   ) sums
   where moved or closing <> 0`;

const times = ({ from, to }: Period) => [time(from), time(to)];

/** By name. */
export const readMerchantsOf = lists(
  'closing-merchants-of-period',
  `${MERCHANTS_OF_PERIOD}
   order by name, merchant_id`,
  MERCHANTS,
  times,
);

const COUNTED_IN_PERIOD = `select f.*, n.counted, n.note
   from (${MEMBERS_OF_PERIOD}) f
   left join closing_counts n on n.member_id = f.member_id and n.closing_id = $3::uuid`;

/** By name, with what has been counted for this closing; none for null. */
export const readMembersOf = lists(
  'closing-members-of-period',
  `${COUNTED_IN_PERIOD}
   order by f.name, f.member_id`,
  MEMBERS,
  (period: Period, closingId: string | null) => [...times(period), closingId],
);
/** One member of the same. */
export const readMemberOf = readsOne(
  'closing-member-of-period',
  `${COUNTED_IN_PERIOD}
   where f.member_id = $4::uuid`,
  MEMBERS,
  ({ closingId, ...period }: Pick<Closing, 'closingId' | 'from' | 'to'>, memberId: string) => [
    ...times(period),
    closingId,
    memberId,
  ],
);

/** The figures as they are signed. */
export const storeMerchants = writes(
  'store-closing-merchants',
  `insert into closing_merchants (closing_id, merchant_id, name, opening, deposits, withdrawals, fees,
     adjustments, frozen, closing, frozen_closing)
   select $3::uuid, f.*
   from (${MERCHANTS_OF_PERIOD}) f`,
  ({ closingId, ...period }: Pick<Closing, 'closingId' | 'from' | 'to'>) => [
    ...times(period),
    closingId,
  ],
);
export const storeMembers = writes(
  'store-closing-members',
  `insert into closing_members (closing_id, member_id, name, opening, deposits, withdrawals,
     adjustments, closing, counted, note)
   select $3::uuid, f.*, n.counted, n.note
   from (${MEMBERS_OF_PERIOD}) f
   join closing_counts n on n.member_id = f.member_id and n.closing_id = $3::uuid`,
  ({ closingId, ...period }: Pick<Closing, 'closingId' | 'from' | 'to'>) => [
    ...times(period),
    closingId,
  ],
);

/** By name, of a signed closing. */
export const readStoredMerchants = readsAll(
  'closing-merchants',
  `select merchant_id, name, opening, deposits, withdrawals, fees, adjustments, frozen, closing,
     frozen_closing
   from closing_merchants
   where closing_id = $1
   order by name, merchant_id`,
  MERCHANTS,
  (closingId: string) => [closingId],
);
export const readStoredMembers = readsAll(
  'closing-members',
  `select member_id, name, opening, deposits, withdrawals, adjustments, closing, counted, note
   from closing_members
   where closing_id = $1
   order by name, member_id`,
  MEMBERS,
  (closingId: string) => [closingId],
);
