import type { FastifyReply } from 'fastify';
import { sendRefusal } from '../platform/http/errors.ts';
import type { PageDeps } from './deps.ts';
import { findOrder, type PageRequest, sendGone, stateOf } from './order-page.ts';
import { qrPng } from './qr.ts';

/** GET `/qr.png`: the code to pay with, as a picture that other apps can open. */
export async function sendQr(deps: PageDeps, request: PageRequest, reply: FastifyReply) {
  const found = await findOrder(deps, request);
  if (!found?.isShown) return sendGone(request, reply, found);
  const payload = stateOf(deps, found, request).account?.qrPayload ?? null;
  const picture = payload === null ? undefined : qrPng(payload);
  if (picture === undefined)
    return sendRefusal(reply, {
      code: 'not-found',
      message: 'This order has no QR code to pay with now.',
    });
  // The order may come to another account: its picture is asked for again, and sent again where it
  // is another one.
  reply.header('etag', picture.etag).header('cache-control', 'private, no-cache');
  if (request.headers['if-none-match'] === picture.etag) return reply.code(304).send();
  return reply
    .type('image/png')
    .header('content-disposition', `attachment; filename="${found.order.orderReference}.png"`)
    .send(picture.content);
}
