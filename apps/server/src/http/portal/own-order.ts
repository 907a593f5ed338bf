import type { Order } from '@munshi/core';
import type { FastifyRequest } from 'fastify';
import { found } from '../../services/refusals.ts';
import type { Queryable } from '../../storage/db.ts';
import { findOrder } from '../../storage/orders/orders.ts';

/** Throws `not-found` for the order of another merchant as for one that is not there. */
export async function findOwnOrder(
  db: Queryable,
  { portal, params }: Pick<FastifyRequest<{ Params: { orderId: string } }>, 'portal' | 'params'>,
): Promise<Order> {
  const { order } = found(await findOrder(db, params.orderId), 'Order');
  const isOwn = order.merchantId === portal.principal.merchantId;
  return found(isOwn ? order : undefined, 'Order');
}
