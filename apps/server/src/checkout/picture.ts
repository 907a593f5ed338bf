import { PAGE_PICTURE } from '@munshi/api';
import { EVIDENCE_UPLOAD_BYTES_MAX, isLookedFor, type Refusal } from '@munshi/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { addCustomerPicture } from '../evidence/service.ts';
import { sendRefusal } from '../platform/http/errors.ts';
import { bytesOf } from '../platform/pictures/picture.ts';
import { FieldErrors, Refused } from '../platform/refusals.ts';
import { addressesFor, sendInvalidLink, sendState, wantsJson } from './answers.ts';
import type { PageDeps } from './deps.ts';
import { filePart } from './file-part.ts';
import { readLink } from './link.ts';
import {
  findOrder,
  type PageRequest,
  sendBack,
  sendGone,
  sendToPage,
  stateOf,
} from './order-page.ts';
import { ADDING } from './returned.ts';

const NO_PICTURE: Refusal = {
  code: 'invalid',
  message: 'Send a PNG, JPEG or WebP picture of at most 1 MB and 16 million pixels.',
};

/** Base64 of the largest picture, and what is around it. */
const BODY_BYTES_MAX = Math.ceil(EVIDENCE_UPLOAD_BYTES_MAX / 3) * 4 + 2_048;

/**
 * POST `/picture`: of a payment that is looked for. Bytes are read only behind a valid link of such
 * an order (security.md#requests).
 */
export function pictureRoute(app: FastifyInstance, deps: PageDeps): void {
  app.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer', bodyLimit: BODY_BYTES_MAX },
    async (request: FastifyRequest, body: Buffer) =>
      filePart(request.headers['content-type'], body),
  );
  app.addHook('onRequest', async (request, reply) => {
    const asked = request as PageRequest;
    if (request.method !== 'POST') return;
    if (readLink(asked.params.orderId, asked.query, deps.vault) === undefined) {
      reply.header('connection', 'close');
      return sendInvalidLink(request, reply);
    }
    const found = await findOrder(deps, asked);
    if (found?.isShown && isLookedFor(found.order)) return;
    reply.header('connection', 'close');
    if (!found?.isShown) return sendGone(asked, reply, found);
    return wantsJson(request)
      ? sendRefusal(reply, { code: 'wrong-state', message: 'This payment takes no picture now.' })
      : sendToPage(asked, reply, found.link);
  });
  app.post(
    PAGE_PICTURE.path,
    { schema: { hide: true } as never, bodyLimit: BODY_BYTES_MAX },
    (request: PageRequest, reply) => takePicture(deps, request, reply),
  );
}

async function takePicture(deps: PageDeps, request: PageRequest, reply: FastifyReply) {
  const found = await findOrder(deps, request);
  if (found === undefined) return sendInvalidLink(request, reply);
  const json = wantsJson(request);
  try {
    await addCustomerPicture(deps, found.order.orderId, contentOf(request.body));
  } catch (error) {
    const wrong = error instanceof FieldErrors;
    if (!wrong && !(error instanceof Refused)) throw error;
    if (json) return sendRefusal(reply, wrong ? NO_PICTURE : error.refusal);
    const after = await findOrder(deps, request);
    if (!after?.isShown) return sendGone(request, reply, after);
    const { texts } = addressesFor(request, after.link).language;
    return sendBack(deps, request, reply, wrong ? 400 : 409, after, {
      ...ADDING,
      ...(wrong ? { wrong: { picture: texts.add.wrongPicture } } : { notice: texts.movedOn }),
    });
  }
  if (!json) return sendToPage(request, reply, found.link);
  const after = await findOrder(deps, request);
  return after?.isShown
    ? sendState(reply, stateOf(deps, after, request))
    : sendGone(request, reply, after);
}

/** The file of a form, or `picture` of JSON. No picture is refused as a wrong one. */
function contentOf(body: unknown): Buffer {
  if (Buffer.isBuffer(body)) return body;
  const { picture } = (body ?? {}) as { readonly picture?: unknown };
  return (typeof picture === 'string' ? bytesOf(picture) : undefined) ?? Buffer.alloc(0);
}
