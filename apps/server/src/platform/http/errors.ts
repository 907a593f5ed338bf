import { CODES, type Code, FACES, PROBLEM_TYPES } from '@munshi/api';
import { type Refusal, type RefusalCode, SIGNATURE_ERRORS, type SignatureCode } from '@munshi/core';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isLostRace, UnavailableError } from '../database/errors.ts';
import type { AnyCode } from '../refusals.ts';

/** The statuses of what only the merchant face refuses. A missing one does not compile. */
const MERCHANT_STATUS: Readonly<Record<Exclude<RefusalCode, Code>, number>> = {
  'key-not-active': 401,
  'signature-replayed': 401,
  unbound: 400,
  'terms-differ': 422,
  'merchant-not-active': 403,
  'address-not-listed': 403,
  'method-disabled': 422,
  'reference-live': 409,
  'amount-too-small': 422,
  'insufficient-balance': 422,
};

const isOwn = (code: AnyCode): code is Code => code in CODES;
const statusOf = (code: AnyCode): number =>
  isOwn(code) ? CODES[code].status : MERCHANT_STATUS[code];

const CODED = Object.values(FACES).map((prefix) => `${prefix}/`);
/** Refusals of our own faces carry a code; the merchant face has the formats of its contract. */
const carriesCode = ({ url }: FastifyRequest): boolean =>
  CODED.some((prefix) => url.startsWith(prefix));

/** Why a request was refused. */
interface NotedRefusal {
  readonly code: AnyCode | SignatureCode;
  readonly fields: readonly string[];
}
interface Refusable extends FastifyRequest {
  refusal: NotedRefusal | undefined;
}
export const noteRefusals = (app: FastifyInstance) => app.decorateRequest('refusal', undefined);
const note = ({ request }: FastifyReply, refusal: NotedRefusal) => {
  (request as Refusable).refusal = refusal;
};
/** Why it was refused, once it was. */
export const refusalOf = (request: FastifyRequest) => (request as Refusable).refusal;

/** Seconds after which a client may try again. */
const RETRY_AFTER = '2';

export function sendRefusal(
  reply: FastifyReply,
  refusal: Pick<Refusal, 'message' | 'errors'> & { readonly code: AnyCode },
  fields?: readonly string[],
): FastifyReply {
  const { code, message, errors = {} } = refusal;
  switch (code) {
    case 'key-not-active':
      return sendUnauthenticated(reply);
    case 'signature-replayed':
      return sendSignatureError(reply, 'SIGNATURE_REPLAYED');
    case 'unbound':
      return sendProblem(reply, 400, 'One or more fields could not be read.', errors);
    default:
      return sendError(reply, statusOf(code), message, code, fields);
  }
}

/**
 * How to sign in without a cookie (RFC 6750, 3). Answers of the merchant face are those of its
 * contract, which has no such header.
 */
const CHALLENGE = 'Bearer realm="api"';

/**
 * The single message format, with the code on the faces that have one. The fields that it is about
 * are noted for the merchant's people.
 */
export function sendError(
  reply: FastifyReply,
  status: number,
  error: string,
  code?: AnyCode,
  fields: readonly string[] = [],
): FastifyReply {
  note(reply, { code: code ?? codeOf(status), fields });
  if (status === 401) reply.header('www-authenticate', CHALLENGE);
  const body = carriesCode(reply.request) ? { error, code } : { error };
  return reply.code(status).type(JSON_TYPE).send(JSON.stringify(body));
}

/** 401 with an empty body: the API key is missing, invalid or revoked. */
export function sendUnauthenticated(reply: FastifyReply): FastifyReply {
  return reply.code(401).send(); // an empty string would be given a content type
}

export function sendSignatureError(reply: FastifyReply, code: SignatureCode): FastifyReply {
  const { status, error } = SIGNATURE_ERRORS[code];
  note(reply, { code, fields: code === 'PAYLOAD_TOO_LARGE' ? [] : ['signature'] });
  const body = { success: false, error, code, traceId: reply.request.id };
  return reply.code(status).type(JSON_TYPE).send(JSON.stringify(body));
}

export const JSON_TYPE = 'application/json; charset=utf-8';
export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

type Problem = keyof typeof PROBLEM_TYPES;
const PROBLEM_CODES = { 400: 'invalid', 500: 'unexpected', 503: 'unavailable' } as const;
type Errors = Readonly<Record<string, readonly string[]>>;

/** RFC 9110 problem details. */
export function sendProblem(
  reply: FastifyReply,
  status: Problem,
  title: string,
  errors: Errors = {},
): FastifyReply {
  note(reply, { code: PROBLEM_CODES[status], fields: Object.keys(errors) });
  return reply
    .code(status)
    .type(PROBLEM_TYPE)
    .send(
      problemBody(status, title, errors, {
        traceId: reply.request.id,
        ...(carriesCode(reply.request) && { code: PROBLEM_CODES[status] }),
      }),
    );
}

export function problemBody(
  status: Problem,
  title: string,
  errors: Errors,
  more: { readonly traceId: string; readonly code?: Code },
): string {
  return JSON.stringify({ type: PROBLEM_TYPES[status], title, status, errors, ...more });
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
 * Distinguishes what broke: the database cannot be reached (503), the request could not be read
 * (400), or we have a bug (500).
 */
export function handleError(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (error instanceof UnavailableError || isLostRace(error)) {
    request.log.warn({ err: error }, 'unavailable');
    return sendUnavailable(reply);
  }
  const status = error.statusCode ?? 500;
  if (status >= 400 && status < 500) {
    if (status === 400)
      return sendProblem(reply, 400, 'The request could not be read.', { $: [error.message] });
    return sendError(reply, status, error.message, codeOf(status));
  }
  request.log.error({ err: error }, 'unexpected error');
  return sendProblem(
    reply,
    500,
    'An unexpected error occurred. Try again with the same Idempotency-Key; quote the traceId when you report it.',
  );
}

/** The code of what the framework has refused. */
export const codeOf = (status: number): Code => {
  if (status === 413) return 'body-too-large';
  if (status === 415) return 'unsupported-media-type';
  return status === 404 ? 'not-found' : 'invalid';
};
