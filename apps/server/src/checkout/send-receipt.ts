import type { FastifyReply } from 'fastify';
import { sendRefusal } from '../platform/http/errors.ts';
import { addressesFor } from './answers.ts';
import type { PageDeps } from './deps.ts';
import { findOrder, type PageRequest, sendGone, stateOf } from './order-page.ts';
import { receiptText } from './receipt.ts';

/** GET `/receipt.txt`: of a completed deposit. */
export async function sendReceipt(deps: PageDeps, request: PageRequest, reply: FastifyReply) {
  const found = await findOrder(deps, request);
  if (!found?.isShown) return sendGone(request, reply, found);
  const state = stateOf(deps, found, request);
  if (state.view !== 'completed' || state.payment === null)
    return sendRefusal(reply, { code: 'not-found', message: 'This order has no receipt.' });
  return reply
    .type('text/plain; charset=utf-8')
    .header('content-disposition', `attachment; filename="${state.orderReference}.txt"`)
    .send(receiptText(state, addressesFor(request, found.link)));
}
