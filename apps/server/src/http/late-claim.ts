import { type Instant, isOpenToLateClaims, readClaimedDigits } from '@munshi/core';
import { uuidV7 } from '../engine/ids.ts';
import type { Queryable } from '../storage/db.ts';
import { recordLateClaim } from '../storage/late-claims.ts';
import type { PageOrder } from '../storage/page-orders.ts';

/**
 * What became of a claim: `recorded` for the operators, `already` there with these digits,
 * `too-many` for this order, `not-claimable` (see isOpenToLateClaims), or `invalid-digits`.
 */
export type LateClaimOutcome =
  | 'recorded'
  | 'already'
  | 'too-many'
  | 'not-claimable'
  | 'invalid-digits';

/**
 * A customer says after expiry that they paid: `digits` as they typed them. Changes neither the
 * order nor any money.
 */
export async function claimLate(
  db: Queryable,
  order: PageOrder,
  digits: string | null | undefined,
  now: Instant,
): Promise<LateClaimOutcome> {
  if (!isOpenToLateClaims(order, now)) return 'not-claimable';
  const transactionDigits = readClaimedDigits(digits ?? '');
  if (transactionDigits === undefined) return 'invalid-digits';
  const { merchantId, orderId } = order;
  return recordLateClaim(db, {
    claimId: uuidV7(now),
    merchantId,
    orderId,
    transactionDigits,
    claimedAt: now,
  });
}
