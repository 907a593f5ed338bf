import type { FastifyReply } from 'fastify';
import { onceClientLeft } from '../platform/http/connections.ts';
import { sendRefusal } from '../platform/http/errors.ts';
import { clearDeadline } from '../platform/http/server.ts';
import { sendState } from './answers.ts';
import type { PageDeps } from './deps.ts';
import { findOrder, type PageRequest, sendGone, stateOf } from './order-page.ts';
import { WAIT_SECONDS_MAX, type Waits } from './waits.ts';

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
  const read = () => findOrder(deps, request);
  const found = seconds === 0 ? await read() : await waited(seconds);
  return found?.isShown
    ? sendState(reply, stateOf(deps, found, request))
    : sendGone(request, reply, found, { json: true });

  function waited(seconds: number) {
    clearDeadline(request); // it is answered within a time of its own
    const gone = new AbortController();
    onceClientLeft(reply.raw, () => gone.abort());
    const { since } = request.query;
    return waits.until(
      { orderId: request.params.orderId, ms: seconds * 1000, gone: gone.signal },
      read,
      (now) => !now?.isShown || stateOf(deps, now, request).version !== since,
    );
  }
}

/** Seconds; 0 without a wait, undefined for what is none. */
function readWait(wait: unknown = '0'): number | undefined {
  const seconds = /^\d{1,2}$/.test(String(wait)) ? Number(wait) : Number.NaN;
  return seconds <= WAIT_SECONDS_MAX ? seconds : undefined;
}
