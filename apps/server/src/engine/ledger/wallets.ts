import type { MemberId, OrderId, Posting } from '@munshi/core';
import {
  assignedFrom,
  insertions,
  type KindsOf,
  orNull,
  t,
  unnested,
} from '../../platform/database/columns.ts';
import { plainArray } from '../../platform/database/pipeline.ts';
import { statement } from '../../platform/database/statement.ts';
import { ADJUSTMENT, ADJUSTMENT_COLUMNS } from '../rows/adjustments.ts';
import { WALLET, WALLET_COLUMNS, WALLET_SUMS } from '../rows/wallets.ts';
import { ask, change, copy, foundBy, guarded, locking, type Stored } from './statements.ts';

/** Merchants' wallets, the postings of all money, and adjustments by operators. */

const WALLETS = locking(
  'wallets',
  `select ${WALLET.list}
   from merchant_wallets
   where merchant_id = any(array(
     select unnest($1::uuid[])
     union
     select merchant_id
     from orders
     where order_id = any($2::uuid[])
   ))
   order by merchant_id`,
  WALLET,
);

const CHANGED_WALLETS = unnested(WALLET_COLUMNS);
const CHANGE_WALLETS = guarded(
  'change-wallets',
  `update merchant_wallets w
     set ${assignedFrom('row', WALLET_SUMS)}
     from ${CHANGED_WALLETS.rows}
     where w.merchant_id = row.merchant_id and w.merchant_id = any($1::uuid[])`,
  'cardinality($1::uuid[])',
);

export const wallets: Stored<'wallets'> = {
  ask: ({ wallets, settledOrderIds }) =>
    ask(
      wallets.length + settledOrderIds.length > 0,
      WALLETS,
      plainArray(wallets),
      plainArray(settledOrderIds),
    ),
  read: (of) => of(WALLETS),
  write: ({ wallets }) => change(wallets, CHANGE_WALLETS, () => CHANGED_WALLETS.arraysOf(wallets)),
};

const NEW_POSTINGS = insertions('postings', {
  merchantId: t.uuid,
  postingId: t.uuid,
  kind: t.oneOf<Posting['kind']>(),
  orderId: orNull(t.id<OrderId>()),
  memberId: orNull(t.id<MemberId>()),
  wallet: t.amount,
  frozen: t.amount,
  memberFloat: t.amount,
  fees: t.amount,
  adjustments: t.amount,
  note: orNull(t.text),
  postedAt: t.instant,
} satisfies KindsOf<Posting>);

export const copyPostings = (postings: readonly Posting[]) =>
  copy('copy-postings', NEW_POSTINGS, postings);

const ADJUSTMENTS = locking(
  'adjustments',
  `select ${ADJUSTMENT.list}
   from adjustments
   where adjustment_id = any($1::uuid[])
   order by adjustment_id`,
  ADJUSTMENT,
);

const NEW_ADJUSTMENTS = insertions('adjustments', ADJUSTMENT_COLUMNS);
const INSERT_ADJUSTMENTS = statement('insert-adjustments', NEW_ADJUSTMENTS.text);

export const adjustments = foundBy('adjustments', ADJUSTMENTS, (rows) =>
  change(rows, INSERT_ADJUSTMENTS, () => NEW_ADJUSTMENTS.arraysOf(rows)),
);
