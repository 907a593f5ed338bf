import { type Endpoint, keyRuleOf } from '@munshi/api';
import { IDEMPOTENCY_KEY_LENGTH_MAX } from '@munshi/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answerWriter } from '../platform/http/answer.ts';
import { servedBy } from '../platform/http/bind.ts';
import { JSON_TYPE, sendRefusal } from '../platform/http/errors.ts';
import { isPreview } from '../platform/http/preview.ts';
import type { Sources } from '../platform/http/values.ts';
import { FieldErrors } from '../platform/refusals.ts';
import type { ServiceDeps } from './deps.ts';
import {
  type KeptAnswer,
  type KeyOwner,
  keepAnswer,
  releaseRequestKey,
  reserveRequestKey,
} from './request-keys.store.ts';
import { AnsweredBefore, type BoundKey, type Caller, type Once } from './write.ts';

/**
 * Every write of the operator and member faces whose schema takes an `Idempotency-Key` acts once
 * for each key of a caller (apis.md#repeats); a preview acts not at all and leaves its key alone.
 * The key is bound before the write begins, to a digest of the request and to one command id.
 * Commands are submitted under that id, and the engine finds what an earlier try has left; writes
 * of configuration keep their answer in the transaction of their effect.
 */

interface Keyed extends FastifyRequest {
  /** Set on every write that takes an `Idempotency-Key`. */
  once: Once;
  /** Null without the header. */
  boundKey: BoundKey | null;
}

/** Under which key a request acts. */
export const keyOf = (request: FastifyRequest): Pick<Caller, 'once' | 'boundKey'> => {
  const { once, boundKey } = request as Keyed;
  return { once, boundKey };
};

type KeyDeps = Pick<ServiceDeps, 'database' | 'clock' | 'ids' | 'vault'>;

/** Has the routes of a face act once for each key. Call it before the routes. */
export function actOnce(
  app: FastifyInstance,
  { database, clock, ids, vault }: KeyDeps,
  callerOf: (request: FastifyRequest) => Omit<KeyOwner, 'key'>,
): void {
  app.decorateRequest('once', null as unknown as Once);
  app.decorateRequest('boundKey', null);
  app.addHook('onRoute', (route) => {
    const rule = keyRuleOf(route.schema as { headers?: unknown } | undefined);
    if (rule === undefined) return;
    route.preHandler = [
      ...[route.preHandler ?? []].flat(),
      (request: FastifyRequest, reply: FastifyReply) =>
        bind(request as Keyed, reply, rule === 'required'),
    ];
    route.onSend = [...[route.onSend ?? []].flat(), settle];
    route.errorHandler = answerBefore;
  });

  async function bind(request: Keyed, reply: FastifyReply, required: boolean) {
    const preview = isPreview(request.query);
    const [now, key] = [clock.now(), preview ? undefined : readKey(request, required)];
    const commandId = ids.uuid(now);
    request.once = { commandId, mayBeDone: false };
    if (key === undefined) return;
    const owner = { ...callerOf(request), key };
    const reserved = await reserveRequestKey(database.pool, owner, {
      digests: vault.requestDigests(textOf(request)),
      commandId,
      at: now,
    });
    if (!reserved.same)
      return sendRefusal(reply, {
        code: 'key-reused',
        message: 'This Idempotency-Key was already used for a different request.',
      });
    if (reserved.kept !== undefined) return sendKept(reply, reserved.kept);
    request.once = { commandId: reserved.commandId, mayBeDone: true };
    const { answer } = servedBy(request) as Endpoint;
    request.boundKey = { owner, write: answerWriter(answer), kept: false };
  }

  /**
   * Keeps what is answered. Where that fails the request is done all the same, and a repeat is
   * answered from what it has left.
   */
  async function settle(request: FastifyRequest, reply: FastifyReply, payload: unknown) {
    const { boundKey: bound, once } = keyOf(request);
    if (bound === null || bound.kept || reply.statusCode >= 500) return payload;
    try {
      if (reply.statusCode >= 400)
        await releaseRequestKey(database.pool, bound.owner, once.commandId);
      else {
        const first = await keepAnswer(database.pool, bound.owner, once.commandId, {
          status: reply.statusCode,
          answer: String(payload),
        });
        if (first !== undefined) {
          reply.code(first.status);
          return first.answer;
        }
      }
    } catch (error) {
      request.log.warn({ err: error }, 'the answer to an Idempotency-Key could not be kept');
    }
    return payload;
  }
}

function answerBefore(error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (!(error instanceof AnsweredBefore)) throw error;
  (request as Keyed).boundKey = null;
  return sendKept(reply, error.kept);
}

const sendKept = (reply: FastifyReply, { status, answer }: KeptAnswer) =>
  reply.code(status).type(JSON_TYPE).send(answer);

function readKey({ headers }: FastifyRequest, required: boolean): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined || key === '') {
    if (required)
      throw keyError(
        `The Idempotency-Key header is required. Send a unique text of at most ${IDEMPOTENCY_KEY_LENGTH_MAX} characters per request.`,
      );
    return undefined;
  }
  if (typeof key !== 'string' || [...key].length > IDEMPOTENCY_KEY_LENGTH_MAX)
    throw keyError(
      `The Idempotency-Key header must be ${IDEMPOTENCY_KEY_LENGTH_MAX} characters or fewer.`,
    );
  return key;
}

const keyError = (message: string) => new FieldErrors({ 'Idempotency-Key': [message] });

/** The request as it was sent, but for the order of its fields and the space between them. */
function textOf(request: FastifyRequest): string {
  const { method, routeOptions, params, sourceMembers } = request as FastifyRequest & Sources;
  const fields = [...(sourceMembers ?? [])]
    .map(([name, { source }]) => `${name}:${source}`)
    .toSorted();
  return JSON.stringify([method, routeOptions.url, params, fields]);
}
