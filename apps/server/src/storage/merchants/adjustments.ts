import type { Adjustment, Instant } from '@munshi/core';
import type { Queryable } from '../db.ts';
import { readAdjustment, time } from '../rows.ts';
import { type Page, query, unprepared } from '../statement.ts';

const COLUMNS = `merchant_id, adjustment_id, kind, amount, reason, status, requested_by,
     requested_at, approved_by, approved_at`;

export interface AdjustmentQuestion extends Page {
  readonly merchantId: string | null;
  readonly status: string | null;
  readonly now: Instant;
}

export interface ListedAdjustment extends Omit<Adjustment, 'status'> {
  /** `declined`: its request for approval came to nothing. */
  readonly status: Adjustment['status'] | 'declined';
}

const LIST = unprepared(
  'list-adjustments',
  `select *
   from (
     select ${COLUMNS},
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
);

/** Adjustments, the newest first: their ids sort by time. */
export async function listAdjustments(
  db: Queryable,
  { merchantId, status, now, after, limit }: AdjustmentQuestion,
): Promise<readonly ListedAdjustment[]> {
  const rows = await query(db, LIST, [merchantId, status, time(now), after, limit]);
  return rows.map((row) => ({ ...readAdjustment(row), status: row['shown'] }));
}
