import type { Order } from '@munshi/core';
import { merchantOf, type PortalCaller } from '../people/access.portal.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { found } from '../platform/refusals.ts';
import { findOrder } from './store.ts';

/** Throws `not-found` for the order of another merchant as for one that is not there. */
export async function findOwnOrder(
  db: Queryable,
  { params }: { readonly params: { readonly orderId: string } },
  caller: PortalCaller,
): Promise<Order> {
  const { order } = found(await findOrder(db, params.orderId), 'Order');
  const isOwn = order.merchantId === merchantOf(caller);
  return found(isOwn ? order : undefined, 'Order');
}
