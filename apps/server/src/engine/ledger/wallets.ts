import type { Adjustment, Posting, Wallet } from '@munshi/core';
import { assignedFromRow, unnested } from '../../platform/database/columns.ts';
import { copyLine, plainArray } from '../../platform/database/pipeline.ts';
import { numeric, time } from '../../platform/database/rows.ts';
import { statement } from '../../platform/database/statement.ts';
import { ADJUSTMENT } from '../rows/adjustments.ts';
import { WALLET, WALLET_COLUMNS, WALLET_SUMS } from '../rows/wallets.ts';
import type { LoadRequest } from './batch.ts';
import { ask, change, copy, guarded, locking, put } from './statements.ts';

/** Merchants' wallets, the postings of all money, and adjustments by operators. */

export const WALLETS = locking(
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

export const askWallets = ({ walletMerchantIds, settledOrderIds }: LoadRequest) =>
  ask(
    walletMerchantIds.length + settledOrderIds.length > 0,
    WALLETS,
    plainArray(walletMerchantIds),
    plainArray(settledOrderIds),
  );

const CHANGED_WALLETS = unnested(WALLET_COLUMNS);
const CHANGE_WALLETS = guarded(
  'change-wallets',
  `update merchant_wallets w
     set ${assignedFromRow(WALLET_SUMS)}
     from ${CHANGED_WALLETS.rows}
     where w.merchant_id = row.merchant_id and w.merchant_id = any($1::uuid[])`,
  'cardinality($1::uuid[])',
);

export const changeWallets = (wallets: readonly Wallet[]) =>
  change(wallets, CHANGE_WALLETS, () => CHANGED_WALLETS.arraysOf(wallets));

const COPY_POSTINGS = `copy postings (
     merchant_id, posting_id, kind, order_id, member_id, wallet, frozen, member_float, fees,
     adjustments, note, posted_at
   ) from stdin`;

export const copyPostings = (postings: readonly Posting[]) =>
  copy('copy-postings', COPY_POSTINGS, postings.map(postingLine));

const postingLine = (posting: Posting) => {
  const {
    merchantId,
    postingId,
    kind,
    orderId,
    memberId,
    wallet,
    frozen,
    memberFloat,
    fees,
    adjustments,
    note,
    postedAt,
  } = posting;
  const sums = [wallet, frozen, memberFloat, fees, adjustments].map(numeric);
  return copyLine([merchantId, postingId, kind, orderId, memberId, ...sums, note, time(postedAt)]);
};

export const ADJUSTMENTS = locking(
  'adjustments',
  `select ${ADJUSTMENT.list}
   from adjustments
   where adjustment_id = any($1::uuid[])
   order by adjustment_id`,
  ADJUSTMENT,
);

export const askAdjustments = ({ adjustmentIds }: LoadRequest) =>
  ask(adjustmentIds.length > 0, ADJUSTMENTS, plainArray(adjustmentIds));

const PUT_ADJUSTMENTS = statement(
  'put-adjustments',
  `insert into adjustments (
     merchant_id, adjustment_id, kind, amount, reason, status, requested_by, requested_at,
     approved_by, approved_at
   )
   select *
   from json_to_recordset($1) as row (
     merchant_id uuid, adjustment_id uuid, kind text, amount numeric, reason text, status text,
     requested_by text, requested_at timestamptz, approved_by text, approved_at timestamptz
   )
   on conflict (adjustment_id) do update
   set status = excluded.status,
     approved_by = excluded.approved_by,
     approved_at = excluded.approved_at`,
);

export const putAdjustments = (adjustments: readonly Adjustment[]) =>
  put(PUT_ADJUSTMENTS, adjustments.map(adjustmentRow));

const adjustmentRow = (adjustment: Adjustment) => ({
  merchant_id: adjustment.merchantId,
  adjustment_id: adjustment.adjustmentId,
  kind: adjustment.kind,
  amount: numeric(adjustment.amount),
  reason: adjustment.reason,
  status: adjustment.status,
  requested_by: adjustment.requestedBy,
  requested_at: time(adjustment.requestedAt),
  approved_by: adjustment.approvedBy,
  approved_at: time(adjustment.approvedAt),
});
