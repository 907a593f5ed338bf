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

/** What changes of an adjustment that waits. */
export const APPROVED = {
  status: t.oneOf<Adjustment['status']>(),
  approvedBy: orNull(t.text),
  approvedAt: orNull(t.instant),
};
export const ADJUSTMENT_COLUMNS = {
  merchantId: t.uuid,
  adjustmentId: t.uuid,
  kind: t.oneOf<Adjustment['kind']>(),
  amount: t.amount,
  reason: t.text,
  requestedBy: t.text,
  requestedAt: t.instant,
  ...APPROVED,
} satisfies KindsOf<Adjustment>;
/** As core has it. */
export const ADJUSTMENT = columns('', ADJUSTMENT_COLUMNS);

const LISTED = columns('', {
  ...ADJUSTMENT_COLUMNS,
  /** `declined`: its request for approval came to nothing. */
  status: from('shown', t.oneOf<Adjustment['status'] | 'declined'>()),
});
export type ListedAdjustment = RecordOf<typeof LISTED>;

/** Adjustments, the newest first: their ids sort by time. */
export const listAdjustments = lists(
  'list-adjustments',
  `select ${LISTED.list}
   from (
     select *,
       case
         when status = 'applied' then status
         when exists (
           select from approvals p
           where p.approval_id = a.adjustment_id
             and p.status = 'pending'
             and p.expires_at > $3
         ) then status
         else 'declined'
       end as shown
     from adjustments a
   ) a
   where ($1::uuid is null or merchant_id = $1)
     and ($2::text is null or shown = $2)
     and ($4::uuid is null or adjustment_id < $4)
   order by adjustment_id desc
   limit $5`,
  LISTED,
  parameters({ merchantId: orNull(t.uuid), status: orNull(t.text), now: t.instant, ...PAGE }),
);
