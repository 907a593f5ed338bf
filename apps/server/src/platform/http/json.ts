import { scanObject, withoutUnseen } from '@munshi/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox/type';
import { FieldErrors, Refused, TryLater } from '../refusals.ts';
import { JSON_TYPE, sendProblem, sendRefusal } from './errors.ts';
import { inLowerCase, validatorFor } from './validation.ts';
import { isUuid, type Sources } from './values.ts';

/** JSON in the operator and member faces. The merchant face reads by rules of its own. */

/** A request's body as it was sent. */
export interface SentBody extends Sources {
  /** Null without one. */
  readonly bodyText: string | null;
}

const BODY_BYTES_MAX = 64 * 1024;
/** Twice what any body needs: the checks recurse, and the stack is finite. */
const LEVELS_MAX = 32;

/** Sets a face's scope up. Only `application/json` is read: other sites' forms cannot send it. */
export function useJson(app: FastifyInstance): void {
  app.decorateRequest('sourceMembers', null);
  app.decorateRequest('bodyText', null);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string', bodyLimit: BODY_BYTES_MAX },
    async (request: FastifyRequest, text: string | Buffer) => {
      const { body, sourceMembers } = readJson(String(text));
      Object.assign(request, { sourceMembers, bodyText: sourceMembers === null ? null : text });
      return body;
    },
  );
  app.setValidatorCompiler(({ schema, httpPart }) => validatorFor(schema as TSchema, httpPart));
  app.setSerializerCompiler(() => (payload) => JSON.stringify(payload));
  app.setErrorHandler((error: Error, _request, reply) => {
    if (error instanceof FieldErrors) return sendProblem(reply, 400, error.message, error.errors);
    if (error instanceof TryLater) reply.header('retry-after', String(error.seconds));
    if (error instanceof Refused) return sendRefusal(reply, error.refusal);
    throw error;
  });
  // What merchants have sent is kept as it came, and shown without what nobody sees, also in an
  // answer that was kept: in JSON such characters stand in texts alone.
  app.addHook('onSend', async (_request, _reply, payload) =>
    typeof payload === 'string' ? withoutUnseen(payload) : payload,
  );
  // An id of another shape names nothing (merchant-api.md#look-an-order-up).
  app.addHook('preValidation', async (request, reply) => {
    const ids = Object.entries((request.params ?? {}) as Record<string, string>).filter(([name]) =>
      name.endsWith('Id'),
    );
    if (ids.some(([, value]) => !isUuid(value)))
      return sendRefusal(reply, { code: 'not-found', message: 'Not found.' });
    request.params = inLowerCase(request.params);
  });
}

/** An empty body counts as not sent, so that a POST without fields may carry the content type. */
export function readJson(text: string): Sources & { readonly body: unknown } {
  if (text.trim() === '') return { body: undefined, sourceMembers: null };
  const scan = scanObject(text);
  if (!scan.ok) throw new FieldErrors({ $: [NOT_READ[scan.reason]] });
  if (levelsOf(text) > LEVELS_MAX)
    throw new FieldErrors({ $: [`The body is nested more than ${LEVELS_MAX} levels deep.`] });
  const body: unknown = JSON.parse(text);
  if (text.includes('\\u0000') && holdsNull(body))
    throw new FieldErrors({ $: ['Texts must not contain a null character.'] });
  return { body, sourceMembers: scan.members };
}

const NOT_READ = {
  'not JSON': 'The body is not JSON.',
  'not an object': 'The body must be one JSON object.',
  'lone surrogate': 'The body holds a text that is not well-formed Unicode.',
  'repeated key': 'A field is given twice.',
} as const;

/** How deep a JSON text goes. */
function levelsOf(text: string): number {
  let [levels, most] = [0, 0];
  for (const [mark] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[{\]}]/g)) {
    if (mark === '{' || mark === '[') levels += 1;
    else if (mark === '}' || mark === ']') levels -= 1;
    most = Math.max(most, levels);
  }
  return most;
}

function holdsNull(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0');
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, inner]) => key.includes('\0') || holdsNull(inner));
}

/** A body that has been written. */
export const sendJson = (reply: FastifyReply, body: string): FastifyReply =>
  reply.type(JSON_TYPE).send(body);

/** `{data}`. */
export const sendData = (reply: FastifyReply, data: unknown): FastifyReply =>
  reply.type(JSON_TYPE).send({ data });
