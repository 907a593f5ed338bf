import { type Instant, isoTime } from '@munshi/core';
import type { Queryable } from '../platform/database/queryable.ts';
import { found, Refused } from '../platform/refusals.ts';
import type { OperatorCaller, Work } from '../writes/write.ts';
import { claimOrder, type OrderClaim, readOrderClaims, unclaimOrder } from './claims.store.ts';
import { findOrder } from './store.ts';

/**
 * Which operator works on an order, so that two do not do the same work. Claims bind nobody: what
 * may be done, and who was first, is the order's own matter (apis.md#orders).
 */

const CLAIM_MS = 10 * 60_000;

/** Claims an order or renews the claim. Throws `not-found`, and `claimed` with who works on it. */
export const claim =
  (
    { id: operatorId, name: operatorName }: OperatorCaller['actor'],
    orderId: string,
  ): Work<OrderClaim | undefined> =>
  async (db, now) => {
    found(await findOrder(db, orderId), 'Order');
    const wanted = { orderId, operatorId, operatorName, claimedUntil: now + CLAIM_MS };
    const result = await claimOrder(db, wanted, now);
    if (result === undefined) throw await claimedBySomebody(db, orderId, now);
    return { result, action: 'order.claim', target: orderId };
  };

async function claimedBySomebody(db: Queryable, orderId: string, now: Instant): Promise<Refused> {
  const theirs = (await readOrderClaims(db, [orderId], now)).get(orderId);
  const who = theirs?.operatorName ?? 'Another operator';
  const until = theirs === undefined ? '' : ` until ${isoTime(theirs.claimedUntil)}`;
  return new Refused('claimed', `${who} works on this order${until}.`);
}

/** Ends one's own claim; answers whose there is now. Throws `not-found`. */
export const unclaim =
  ({ id: operatorId }: OperatorCaller['actor'], orderId: string): Work<OrderClaim | undefined> =>
  async (db, now) => {
    found(await findOrder(db, orderId), 'Order');
    await unclaimOrder(db, { orderId, operatorId });
    const result = (await readOrderClaims(db, [orderId], now)).get(orderId);
    return { result, action: 'order.unclaim', target: orderId };
  };
