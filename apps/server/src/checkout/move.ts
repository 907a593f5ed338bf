import { STATUSES } from '@munshi/core';
import type { FastifyReply } from 'fastify';
import { moveOrder } from '../sandbox/moves.service.ts';
import type { PageDeps } from './deps.ts';
import { findOrder, type PageRequest, sendGone, sendToPage } from './order-page.ts';

/** Moves the order of a sandbox as a button says, and shows what has become of it. */
export async function move(deps: PageDeps, request: PageRequest, reply: FastifyReply) {
  const found = await findOrder(deps, request);
  if (found === undefined) return sendGone(request, reply, found);
  const { to } = (request.body ?? {}) as { readonly to?: unknown };
  const asked = STATUSES.find((status) => status === to);
  if (asked !== undefined) await moveOrder(deps, found.order.orderId, { to: asked });
  return sendToPage(request, reply, found.link);
}
