import { type Refusal, type RefusalCode, SIGNATURE_ERRORS, type SignatureCode } from '@munshi/core';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { UnavailableError } from '../storage/errors.ts';

/**
 * Every refusal's HTTP status; the shape of its body follows from it (spec: Body formats). A
 * missing one does not compile.
 */
const REFUSAL_STATUS: Readonly<Record<RefusalCode, number>> = {
  'key-not-active': 401,
  'signature-replayed': 401,
  unbound: 400,
  invalid: 400,
  'terms-differ': 422,
  'merchant-not-active': 403,
  'address-not-listed': 403,
  'method-disabled': 422,
  'reference-live': 409,
  'amount-too-small': 422,
  'insufficient-balance': 422,
  'not-found': 404,
  'wrong-state': 409,
  'link-expired': 410,
  'no-member': 409,
  'too-many': 409,
  unprocessable: 422,
  'second-operator': 403,
  'member-suspended': 403,
};

/** Seconds after which a client may try again. */
const RETRY_AFTER = '2';

export function sendRefusal(reply: FastifyReply, refusal: Refusal): FastifyReply {
  switch (refusal.code) {
    case 'key-not-active':
      return sendUnauthenticated(reply);
    case 'signature-replayed':
      return sendSignatureError(reply, 'SIGNATURE_REPLAYED');
    case 'unbound':
      return sendProblem(reply, 400, 'One or more fields could not be read.', refusal.errors ?? {});
    default:
      return sendError(reply, REFUSAL_STATUS[refusal.code], refusal.message);
  }
}

/** The single message format. */
export function sendError(reply: FastifyReply, status: number, error: string): FastifyReply {
  return reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify({ error }));
}

/** 401 with an empty body: the API key is missing, invalid or revoked. */
export function sendUnauthenticated(reply: FastifyReply): FastifyReply {
  return reply.code(401).send(); // an empty string would be given a content type
}

export function sendSignatureError(reply: FastifyReply, code: SignatureCode): FastifyReply {
  const { status, error } = SIGNATURE_ERRORS[code];
  const body = { success: false, error, code, traceId: reply.request.id };
  return reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify(body));
}

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

type Problem = 400 | 500 | 503;
type Errors = Readonly<Record<string, readonly string[]>>;

/** RFC 9110 problem details. */
export function sendProblem(
  reply: FastifyReply,
  status: Problem,
  title: string,
  errors: Errors = {},
): FastifyReply {
  return reply
    .code(status)
    .type(PROBLEM_TYPE)
    .send(problemBody(status, title, errors, reply.request.id));
}

export function problemBody(
  status: Problem,
  title: string,
  errors: Errors,
  traceId: string,
): string {
  const type = {
    400: 'https://tools.ietf.org/html/rfc9110#section-15.5.1',
    500: 'https://tools.ietf.org/html/rfc9110#section-15.6.1',
    503: 'https://tools.ietf.org/html/rfc9110#section-15.6.4',
  };
  return JSON.stringify({ type: type[status], title, status, errors, traceId });
}

export function sendUnavailable(reply: FastifyReply): FastifyReply {
  reply.header('retry-after', RETRY_AFTER);
  return sendProblem(
    reply,
    503,
    'The service is briefly unavailable. Try again with the same Idempotency-Key.',
  );
}

/**
 * What broke, told apart: the database is away (503), the request could not be read (400), or we
 * have a bug (500).
 */
export function handleError(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (error instanceof UnavailableError) {
    request.log.warn({ err: error }, 'unavailable');
    return sendUnavailable(reply);
  }
  if (error.validation !== undefined)
    return sendProblem(reply, 400, 'One or more fields are not valid.', validationErrors(error));
  const status = error.statusCode ?? 500;
  if (status >= 400 && status < 500) {
    if (status === 400)
      return sendProblem(reply, 400, 'The request could not be read.', { $: [error.message] });
    return sendError(reply, status, error.message);
  }
  request.log.error({ err: error }, 'unexpected error');
  return sendProblem(
    reply,
    500,
    'An unexpected error occurred. Try again with the same Idempotency-Key; quote the traceId when you report it.',
  );
}

function validationErrors(error: FastifyError): Record<string, string[]> {
  const errors: Record<string, string[]> = {};
  for (const { instancePath, params, message } of error.validation ?? []) {
    const missing = (params as { missingProperty?: string }).missingProperty;
    const name = `$${instancePath.replaceAll('/', '.')}${missing === undefined ? '' : `.${missing}`}`;
    errors[name] = [
      ...(errors[name] ?? []),
      missing === undefined ? `${message ?? 'is not valid'}.` : 'This field is required.',
    ];
  }
  return errors;
}
