import type { CandidateReason } from '@munshi/api';
import {
  type ClaimId,
  type Instant,
  isOpenToLateClaims,
  type Order,
  readClaimedPayment,
  wasShownWhereToPay,
} from '@munshi/core';
import type { PageOrder } from '../orders/page.store.ts';
import { findSimilarOrders, likenessOfClaim, type SimilarOrder } from '../orders/similar.store.ts';
import { findOrder } from '../orders/store.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { found, Refused } from '../platform/refusals.ts';
import type { ServiceDeps } from '../writes/deps.ts';
import type { Done, Work } from '../writes/write.ts';
import {
  type Closing,
  closeLateClaim,
  closeLateClaimsOfOrder,
  countOpenings,
  findLateClaim,
  type LateClaim,
  listLateClaimsOfOrder,
  recordLateClaim,
  takeLateClaim,
} from './store.ts';

interface ClaimsOfOrder {
  readonly claims: readonly LateClaim[];
  /** Its customer may leave one now: they were shown where to pay. */
  readonly isOpen: boolean;
}

/**
 * What was claimed of an order that has ended without its customer's money; undefined of every
 * other order, which takes no claim (page.md#late-claims).
 */
export async function readLateClaims(
  { database: { pool } }: Pick<ServiceDeps, 'database'>,
  order: PageOrder,
  now: Instant,
): Promise<ClaimsOfOrder | undefined> {
  if (!isOpenToLateClaims(order, now)) return undefined;
  const [claims, openings] = await Promise.all([
    listLateClaimsOfOrder(pool, order),
    countOpenings(pool, order),
  ]);
  return { claims, isOpen: wasShownWhereToPay(order, openings) };
}

/**
 * What became of a claim: `recorded` for the operators, `already` there with these digits,
 * `taken-up` while an operator looks into another one, `too-many` for this order, `not-claimable`
 * (see readLateClaims), or `invalid-digits` (see readClaimedPayment).
 */
export type LateClaimOutcome =
  | 'recorded'
  | 'already'
  | 'taken-up'
  | 'too-many'
  | 'not-claimable'
  | 'invalid-digits';

/**
 * A customer says that they paid for a deposit that has ended without their money: `digits` as
 * they typed them, none where the order knows its payer. Changes neither the order nor any money.
 */
export async function claimLate(
  { database, ids, notices }: Pick<ServiceDeps, 'database' | 'ids' | 'notices'>,
  order: PageOrder,
  { isOpen }: Pick<ClaimsOfOrder, 'isOpen'>,
  digits: string | null | undefined,
  now: Instant,
): Promise<LateClaimOutcome> {
  if (!isOpen) return 'not-claimable';
  const payment = readClaimedPayment(order, digits ?? '');
  if (payment === undefined) return 'invalid-digits';
  const { merchantId, orderId } = order;
  const claimId = ids.uuid<ClaimId>(now);
  const outcome = await recordLateClaim(database.pool, {
    claimId,
    merchantId,
    orderId,
    ...payment,
    claimedAt: now,
  });
  if (outcome === 'recorded')
    notices.changed([
      { kind: 'claim', id: claimId },
      { kind: 'order', id: orderId },
    ]);
  return outcome;
}

/**
 * An operator takes a claim up, or over `from` a colleague: the customer cannot correct it any more.
 * Throws `not-found`, and `wrong-state` where another one has it or it is closed. That it names who
 * has it lets one of two win who take it over at once.
 */
export const takeClaim =
  (
    takenBy: string,
    { claimId, from = null }: { readonly claimId: string; readonly from?: string | null },
  ): Work<LateClaim> =>
  async (db, at) => {
    const taking = { claimId, takenBy, from, at };
    const result = found(await takeLateClaim(db, taking), 'Late claim');
    if (result === 'taken or closed before')
      throw new Refused(
        'wrong-state',
        'This late claim is closed, or another operator looks into it.',
      );
    const detail = { orderId: result.orderId, ...(from !== null && { takenFrom: from }) };
    return { result, action: 'late-claim.take', target: claimId, detail };
  };

/**
 * An operator closes a claim with what was found. The order is decided by its own actions. Throws
 * `not-found`, and `wrong-state` where it has been closed before.
 */
export const closeClaim =
  (
    closedBy: string,
    { claimId, note }: { readonly claimId: string; readonly note: string },
  ): Work<LateClaim> =>
  async (db, at) => {
    const closing = { claimId, closedBy, note, at };
    const result = found(await closeLateClaim(db, closing), 'Late claim');
    if (result === 'closed before')
      throw new Refused('wrong-state', 'This late claim has been closed already.');
    const detail = { orderId: result.orderId, note };
    return { result, action: 'late-claim.close', target: claimId, detail };
  };

/**
 * Closes the open claims of an order that operators have completed, with the note of the decision:
 * it answers them all (decision 9).
 */
export async function closeAnsweredClaims(
  { notices }: Pick<ServiceDeps, 'notices'>,
  db: Queryable,
  { merchantId, orderId }: Pick<Order, 'merchantId' | 'orderId'>,
  { closedBy, note, at }: Omit<Closing, 'claimId'>,
): Promise<Required<Pick<Done<unknown>, 'others'>> & { after(): void }> {
  const closed = await closeLateClaimsOfOrder(db, { merchantId, orderId }, { closedBy, note, at });
  return {
    others: closed.map(({ claimId: target }) => ({
      action: 'late-claim.close',
      target,
      detail: { orderId, note },
    })),
    after: () => notices.changed(closed.map(({ claimId: id }) => ({ kind: 'claim', id }))),
  };
}

/** Where the money of a claim may have gone. */
export interface Candidate extends Omit<SimilarOrder, 'likenesses'> {
  readonly because: readonly CandidateReason[];
}

/**
 * The orders that may have got the payment of a claim, the likeliest first. Throws `not-found`.
 */
export async function findCandidates(
  { database }: Pick<ServiceDeps, 'database'>,
  claimId: string,
): Promise<readonly Candidate[]> {
  const claim = found(await findLateClaim(database.pool, claimId), 'Late claim');
  const { order } = found(await findOrder(database.pool, claim.orderId), 'Order');
  const similar = await findSimilarOrders(database.pool, likenessOfClaim(order, claim));
  return similar
    .map(({ likenesses, ...other }) => ({
      ...other,
      because: [
        ...likenesses,
        ...(other.accountId !== null && other.accountId === order.accountId
          ? (['account'] as const)
          : []),
      ],
    }))
    .toSorted((one, other) => other.because.length - one.because.length);
}
