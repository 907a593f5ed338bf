import type { Adjustment } from '@munshi/core';
import {
  columns,
  from,
  type KindsOf,
  orNull,
  parameters,
  type RecordOf,
  t,
} from '../../platform/database/columns.ts';
import { lists, PAGE } from '../../platform/database/statement.ts';

export const ADJUSTMENT_COLUMNS = {
  merchantId: t.uuid,
  adjustmentId: t.uuid,
  kind: t.oneOf<Adjustment['kind']>(),
  amount: t.amount,
  reason: t.text,
  requestedBy: t.text,
  requestedAt: t.instant,
  status: t.oneOf<Adjustment['status']>(),
  approvedBy: orNull(t.text),
  approvedAt: orNull(t.instant),
} satisfies KindsOf<Adjustment>;
/** As core has it. */
export const ADJUSTMENT = columns('', ADJUSTMENT_COLUMNS);

const LISTED = columns('', {
  ...ADJUSTMENT_COLUMNS,
  /** `declined`: its request for approval came to nothing. */
  status: from('shown', t.oneOf<Adjustment['status'] | 'declined'>()),
});
export type ListedAdjustment = RecordOf<typeof LISTED>;

/**
 * Adjustments, and requests for them that were not approved, the newest first: their ids sort by
 * time. The version before kept what waited with the adjustments; its upgrade has declined that.
 */
export const listAdjustments = lists(
  'list-adjustments',
  `select ${LISTED.list}
   from (
     select merchant_id, adjustment_id, kind, amount, reason, requested_by, requested_at,
       approved_by, approved_at,
       case status when 'applied' then status else 'declined' end as shown
     from adjustments
     union all
     select (request ->> 'merchantId')::uuid, approval_id, request ->> 'kind',
       (request ->> 'amount')::numeric, request ->> 'reason', requested_by, requested_at,
       null, null,
       case when status in ('pending', 'waiting') and expires_at > $3 then 'pendingApproval'
         else 'declined' end
     from approvals p
     where kind = 'adjustment'
       and not exists (select from adjustments a where a.adjustment_id = p.approval_id)
   ) a
   where ($1::uuid is null or merchant_id = $1)
     and ($2::text is null or shown = $2)
     and ($4::uuid is null or adjustment_id < $4)
   order by adjustment_id desc
   limit $5`,
  LISTED,
  parameters({ merchantId: orNull(t.uuid), status: orNull(t.text), now: t.instant, ...PAGE }),
);
