import type { Adjustment } from '@munshi/core';
import type { Queryable } from './db.ts';
import { readAdjustment } from './rows.ts';

const COLUMNS = 'merchant_id, adjustment_id, kind, amount, reason, status, requested_by, requested_at, approved_by, approved_at';

export async function findAdjustment(db: Queryable, adjustmentId: string): Promise<Adjustment | undefined> {
  const { rows } = await db.query({ text: `select ${COLUMNS} from adjustments where adjustment_id = $1`, values: [adjustmentId] });
  return rows[0] && readAdjustment(rows[0]);
}

export interface AdjustmentQuestion {
  readonly merchantId: string | null;
  readonly status: string | null;
  readonly after: string | null;
  readonly limit: number;
}

/** Adjustments, the newest first: their ids sort by time. */
export async function listAdjustments(db: Queryable, { merchantId, status, after, limit }: AdjustmentQuestion): Promise<readonly Adjustment[]> {
  const text = `select ${COLUMNS} from adjustments
    where ($1::uuid is null or merchant_id = $1) and ($2::text is null or status = $2) and ($3::uuid is null or adjustment_id < $3)
    order by adjustment_id desc limit $4`;
  const { rows } = await db.query({ text, values: [merchantId, status, after, limit] });
  return rows.map(readAdjustment);
}
