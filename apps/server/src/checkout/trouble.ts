import { PAGE_FORMS, type PageForm } from '@munshi/api';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { UnavailableError } from '../platform/database/errors.ts';
import { codeOf, handleError, sendError } from '../platform/http/errors.ts';
import { isRefusal, readFields } from './actions.ts';
import { addressesFor, sendHtml, wantsJson } from './answers.ts';
import type { PageDeps } from './deps.ts';
import { readLink } from './link.ts';
import type { PageRequest } from './order-page.ts';
import { plainPage, type SentForm } from './plain.ts';

/**
 * A person gets a page that says what to do; a script what every face answers. Input that cannot
 * be read is a refused action. A form that was read is kept, to be sent again: each counts once.
 */
export function sendTrouble(
  { vault }: PageDeps,
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
    again: sentForm(request) ?? 'page',
  });
  return sendHtml(request, reply, error instanceof UnavailableError ? 503 : 500, page);
}

/** Undefined where the request was no form, or none that could be read. */
function sentForm({ method, routeOptions, body }: PageRequest): SentForm | undefined {
  if (method !== 'POST' || body === undefined || body === null) return undefined;
  const action = (Object.keys(PAGE_FORMS) as PageForm[]).find((form) =>
    routeOptions.url?.endsWith(`/${form}`),
  );
  if (action === undefined) return undefined;
  const fields = readFields(action, body, undefined);
  return isRefusal(fields) ? undefined : { action, fields };
}

function logTrouble(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  if (error instanceof UnavailableError) {
    request.log.warn({ err: error }, 'unavailable');
    reply.header('retry-after', '2');
  } else request.log.error({ err: error }, 'unexpected error');
}
