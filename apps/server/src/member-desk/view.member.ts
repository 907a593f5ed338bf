import type { Given, MemberOrderView } from '@munshi/api';
import { MEMBER_ACTIONS, memberMay, stageOf, usesCapacity } from '@munshi/core';
import { type MemberMarks, readMemberMarks } from '../members/marks.store.ts';
import type { MemberOrder, MemberOrderReader } from '../members/orders.store.ts';
import { type Added, factsOf, readAdded } from '../orders/added.store.ts';
import { type Duplicate, findDuplicates } from '../orders/duplicates.store.ts';
import type { Deps } from '../people/deps.ts';
import { found } from '../platform/refusals.ts';

/** Orders as they are shown to a member whom they concern. */

/** One of them. Throws `not-found`, also for another member's. */
export async function readShown(
  deps: Pick<Deps, 'database'> & { readonly readers: MemberOrderReader },
  orderId: string,
  memberId: string,
): Promise<Given<MemberOrderView>> {
  const order = found(await deps.readers.memberOrder({ memberId, orderId }), 'Order');
  return (await readShowing(deps, [order], memberId))(order);
}

/**
 * How these orders are shown to the member who reads them. Duplicates, and what the member has
 * said, are looked for where they have to decide: what a decision answers needs none.
 */
export async function readShowing(
  { database: { pool } }: Pick<Deps, 'database'>,
  orders: readonly MemberOrder[],
  memberId: string,
): Promise<(order: MemberOrder) => Given<MemberOrderView>> {
  const undecided = orders.filter((order) => memberMay('reject', order, memberId));
  const ids = undecided.filter(({ sentAt }) => sentAt !== null).map(({ orderId }) => orderId);
  const byOrder = Map.groupBy(await findDuplicates(pool, ids), ({ of }) => of);
  const inHand = orders.filter((order) => isInHandOf(order, memberId));
  const marks = await readMemberMarks(pool, inHand, memberId);
  const added = await readAdded(pool, ids);
  return (order) =>
    showOrder(order, memberId, {
      duplicates: byOrder.get(order.orderId) ?? [],
      marks: marks.get(order.orderId),
      added: added.get(order.orderId),
    });
}

const isInHandOf = (order: MemberOrder, memberId: string) =>
  order.memberId === memberId && usesCapacity(order.status);

/** Of another member's order, only that it exists is shown (apis.md#orders). */
const showDuplicates = (
  duplicates: readonly Duplicate[],
  memberId: string,
): Given<MemberOrderView['duplicates']> => {
  const own = duplicates.filter((duplicate) => duplicate.memberId === memberId);
  return {
    own,
    elsewhere: own.length < duplicates.length,
  };
};

const NO_MARKS: MemberMarks = { told: [], sendingSince: null, seenAt: null };

/** How an order is shown to a member whom it concerns. */
export function showOrder(
  order: MemberOrder,
  memberId: string,
  {
    duplicates = [],
    marks: { told, sendingSince, seenAt } = NO_MARKS,
    added,
  }: {
    readonly duplicates?: readonly Duplicate[];
    readonly marks?: MemberMarks | undefined;
    readonly added?: Added | undefined;
  } = {},
): Given<MemberOrderView> {
  const handedOver = order.memberId !== memberId;
  return {
    ...order,
    stage: stageOf(order),
    transactionReference: handedOver ? null : order.memberTransactionReference,
    handedOver,
    heldBefore: !handedOver && order.formerMemberIds.includes(memberId),
    assignedAt: handedOver ? null : order.holderSince,
    failureReason: handedOver ? null : order.failureReason,
    reasonCode: handedOver ? null : order.reasonCode,
    dueAt: handedOver ? null : order.dueAt,
    duplicates: showDuplicates(duplicates, memberId),
    told,
    added: added === undefined ? null : factsOf(added),
    sendingSince,
    seenAt,
    allowedActions: MEMBER_ACTIONS.filter((action) => memberMay(action, order, memberId)),
  };
}
