import type { FastifyReply } from 'fastify';
import { sendRefusal } from '../platform/http/errors.ts';
import { readWait, WAIT_SECONDS_MAX, type Waits } from '../platform/http/waits.ts';
import { sendState } from './answers.ts';
import type { PageDeps } from './deps.ts';
import { findOrder, type PageRequest, sendGone, stateOf } from './order-page.ts';

/** A notice may be lost: the order is read again after this long. */
const READ_AGAIN_MS = 10_000;

/** GET `/state`: at once, or with `wait` and `since` when the page has something else to show. */
export async function state(
  deps: PageDeps,
  waits: Waits,
  request: PageRequest,
  reply: FastifyReply,
) {
  const seconds = readWait(request.query['wait']);
  if (seconds === undefined)
    return sendRefusal(reply, {
      code: 'invalid',
      message: `wait must be a whole number of seconds, at most ${WAIT_SECONDS_MAX}.`,
    });
  const { orderId } = request.params;
  const { since } = request.query;
  const read = () => findOrder(deps, request);
  const found =
    seconds === 0 || waits.isFull(orderId)
      ? await read()
      : await waits.until(request, reply, {
          key: orderId,
          seconds,
          read,
          isNews: (now) => !now?.isShown || stateOf(deps, now, request).version !== since,
          subscribe: (changed) => deps.notices.subscribeToOrder(orderId, changed),
          againMs: () => READ_AGAIN_MS,
        });
  return found?.isShown
    ? sendState(reply, stateOf(deps, found, request))
    : sendGone(request, reply, found, { json: true });
}
