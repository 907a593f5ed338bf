import { areIndependent, type Standing } from '@munshi/core';
import { findOrder } from '../orders/store.ts';
import { readControl, readMerchantActors } from '../people/control.store.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { found } from '../platform/refusals.ts';

/**
 * What the rule of the second operator asks of an operator who acts on money
 * (security.md#two-operators). It is read just before the command, as their role is; the engine
 * decides by it under its locks.
 */
export async function standingOf(
  db: Queryable,
  { id }: { readonly id: string },
  about: { readonly orderId?: string; readonly memberId?: string | null },
): Promise<Standing> {
  const order =
    about.orderId === undefined
      ? undefined
      : found(await findOrder(db, about.orderId), 'Order').order;
  const members = [order?.memberId, about.memberId].filter((one) => typeof one === 'string');
  const actors = order === undefined ? [] : await readMerchantActors(db, order.merchantId);
  const control = await readControl(db, [...members, ...actors]);
  return {
    holders: [...control.holdersOf(id)].toSorted(),
    otherMembers: members.filter((memberId) => areIndependent(control, memberId, id)),
    ofMerchant: actors.some((actor) => !areIndependent(control, actor, id)),
  };
}
