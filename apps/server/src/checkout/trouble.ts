import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { UnavailableError } from '../platform/database/errors.ts';
import type { Deps } from '../platform/http/deps.ts';
import { codeOf, handleError, sendError } from '../platform/http/errors.ts';
import { addressesFor, sendHtml, wantsJson } from './answers.ts';
import { readLink } from './link.ts';
import type { PageRequest } from './order-page.ts';
import { plainPage } from './plain.ts';

/**
 * A person gets a page that says what to do; a script what every face answers. Input that cannot
 * be read is a refused action.
 */
export function sendTrouble(
  { vault }: Deps,
  error: FastifyError,
  request: PageRequest,
  reply: FastifyReply,
) {
  const status = error.statusCode ?? 500;
  const unreadable = status >= 400 && status < 500 && !(error instanceof UnavailableError);
  if (wantsJson(request))
    return unreadable
      ? sendError(reply, status, error.message, codeOf(status))
      : handleError(error, request, reply);
  const at = addressesFor(request, readLink(request.params.orderId ?? '', request.query, vault));
  const { texts } = at.language;
  if (unreadable)
    return sendHtml(
      request,
      reply,
      status,
      plainPage(at, { view: 'unreadable', said: texts.unreadable }),
    );
  logTrouble(error, request, reply);
  const page = plainPage(at, {
    view: 'unavailable',
    said: texts.unavailable,
    reference: request.id,
    retries: true,
  });
  return sendHtml(request, reply, error instanceof UnavailableError ? 503 : 500, page);
}

function logTrouble(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  if (error instanceof UnavailableError) {
    request.log.warn({ err: error }, 'unavailable');
    reply.header('retry-after', '2');
  } else request.log.error({ err: error }, 'unexpected error');
}
