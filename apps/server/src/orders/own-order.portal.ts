import type { Order } from '@munshi/core';
import type { FastifyRequest } from 'fastify';
import type { Queryable } from '../platform/database/queryable.ts';
import { found } from '../platform/refusals.ts';
import { findOrder } from './store.ts';

/** Throws `not-found` for the order of another merchant as for one that is not there. */
export async function findOwnOrder(
  db: Queryable,
  { portal, params }: Pick<FastifyRequest<{ Params: { orderId: string } }>, 'portal' | 'params'>,
): Promise<Order> {
  const { order } = found(await findOrder(db, params.orderId), 'Order');
  const isOwn = order.merchantId === portal.principal.merchantId;
  return found(isOwn ? order : undefined, 'Order');
}
