import { isUtf8 } from 'node:buffer';
import { hash, randomUUID, timingSafeEqual } from 'node:crypto';
import {
  BODY_BYTES_MAX,
  isoTime,
  type Order,
  readCreation,
  readIdempotencyKey,
  readSignature,
  type SignatureCode,
  stageOf,
} from '@munshi/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticator, Credential } from '../api-keys/authenticate.merchant.ts';
import { creationContent } from '../engine/creation-content.ts';
import type { MerchantFace } from '../merchants/access.merchant.ts';
import { CREATE_ORDER } from '../merchants/schemas.merchant.ts';
import type { Deps } from '../people/deps.ts';
import { createCallerAddress } from '../platform/http/caller.ts';
import {
  sendProblem,
  sendRefusal,
  sendSignatureError,
  sendUnauthenticated,
} from '../platform/http/errors.ts';
import { sendData } from '../platform/http/json.ts';
import { paymentPageUrl } from './payment-page-url.ts';

/**
 * POST /api/merchant/orders. The order of checks (merchant-api.md#order-of-checks): API key, size,
 * signature, binding, validation, business rules; the last three are decided by the engine, so that
 * the replay guard sees every signed body (decision 5).
 */
export function creationRoute(
  { app, callerOf }: MerchantFace,
  deps: Deps,
  authenticator: Authenticator,
): void {
  app.register(async (scope) => {
    readBytes(scope);
    scope.setErrorHandler((error: { code?: string }, request, reply) => {
      if (error.code !== 'FST_ERR_CTP_BODY_TOO_LARGE') throw error;
      // A little too much is read and dropped, and later requests on the connection are answered.
      reply.removeHeader('connection');
      return refuseEarly(authenticator, callerOf(request), reply, () =>
        sendSignatureError(reply, 'PAYLOAD_TOO_LARGE'),
      );
    });
    scope.route({
      method: 'POST',
      url: '/orders',
      schema: CREATE_ORDER,
      validatorCompiler: () => () => true, // the rules of core bind and validate; the schema documents them
      onRequest: (request, reply, done) => {
        // Fastify answers 415 to what is no media type, regardless of the parsers
        // (merchant-api.md#how-a-body-is-read).
        delete request.raw.headers['content-type'];
        const identify = (credential: Credential | undefined) => {
          if (credential === undefined) {
            sendUnauthenticated(reply);
            return;
          }
          identified(request).credential = credential;
          done();
        };
        const apiKeyHash = callerOf(request);
        const known = authenticator.known(apiKeyHash);
        if (known === undefined) authenticator.find(apiKeyHash).then(identify, done);
        else identify(known);
      },
      handler: creationHandler(deps, authenticator),
    });
  });
  app.decorateRequest('credential', null as unknown as Credential);
}

/** A request of a key that is known. */
interface Identified extends FastifyRequest {
  credential: Credential;
}
const identified = (request: FastifyRequest) => request as Identified;

/** Verifies and reads a request, submits its command and answers. */
function creationHandler(deps: Deps, authenticator: Authenticator) {
  const callerAddress = createCallerAddress(deps.trustedProxies);

  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { credential } = identified(request);
    const body = (request.body as Buffer | null | undefined) ?? Buffer.alloc(0);
    const signed = verifySignature(body, credential.signingSecret);
    if (!signed.ok)
      return refuseEarly(authenticator, credential.apiKeyHash, reply, () =>
        sendSignatureError(reply, signed.code),
      );

    const header = idempotencyHeader(request);
    const reading = readCreation(signed.members, header.repeated ? undefined : header.value);
    const key = readKey(header);
    if (!key.ok) {
      const errors = {
        ...(reading.kind === 'unbound' ? reading.errors : {}),
        'Idempotency-Key': [key.error],
      };
      return refuseEarly(authenticator, credential.apiKeyHash, reply, () =>
        sendProblem(reply, 400, 'One or more fields could not be read.', errors),
      );
    }
    const decision = await deps.engine.submit({
      kind: 'create-order',
      commandId: randomUUID(),
      apiKeyHash: credential.apiKeyHash,
      keyId: credential.keyId,
      merchantId: credential.merchantId,
      digest: signed.digest,
      idempotencyKey: key.key,
      callerAddress: callerAddress(request.raw),
      pageOrigin: deps.pageOrigin(),
      content: creationContent(reading),
    });
    if (!decision.ok) {
      const { code, detail } = decision.refusal;
      if (detail !== undefined)
        request.log.info(
          { merchantId: credential.merchantId, code },
          `an order was refused: ${detail}`,
        );
      const fields = code === 'invalid' && reading.kind === 'invalid' ? reading.fields : [];
      return sendRefusal(reply, decision.refusal, fields);
    }
    const { callbackUrl } = decision.result;
    if (callbackUrl !== null) deps.noteCallback?.(callbackUrl);
    return sendData(reply, creationReply(decision.result, deps));
  };
}

/**
 * A refusal that the engine does not see: a key remembered as active may have been revoked, and
 * that comes first.
 */
async function refuseEarly(
  authenticator: Authenticator,
  apiKeyHash: string,
  reply: FastifyReply,
  refuse: () => FastifyReply,
) {
  return (await authenticator.isActive(apiKeyHash)) ? refuse() : sendUnauthenticated(reply);
}

/** Any content type, counted while it streams in, nothing decoded. */
function readBytes(scope: FastifyInstance) {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: BODY_BYTES_MAX },
    (_request, body, done) => done(null, body),
  );
}

const readKey = (header: ReturnType<typeof idempotencyHeader>) =>
  header.repeated
    ? { ok: false as const, error: 'The Idempotency-Key header must be sent once.' }
    : readIdempotencyKey(header.value);

type Verification =
  | (Extract<ReturnType<typeof readSignature>, { ok: true }> & { readonly digest: string })
  | { readonly ok: false; readonly code: SignatureCode };

/**
 * Reads the body and checks its signature, in constant time and blind to the case of the hex digits
 * (merchant-api.md#how-a-body-is-read).
 */
function verifySignature(body: Buffer, signingSecret: string | null): Verification {
  if (!isUtf8(body)) return { ok: false, code: 'SIGNATURE_MALFORMED' };
  const reading = readSignature(body.toString('utf8'));
  if (!reading.ok) return reading;
  const digest = hash('md5', reading.canonical + (signingSecret ?? ''));
  const given = Buffer.from(reading.signature.toLowerCase(), 'utf8');
  const matches =
    given.length === digest.length && timingSafeEqual(given, Buffer.from(digest, 'utf8'));
  return matches && signingSecret !== null
    ? { ...reading, digest }
    : { ok: false, code: 'SIGNATURE_INVALID' };
}

/**
 * The header's text; HTTP hands it over byte by byte, and merchants who send UTF-8 mean its
 * characters.
 */
function idempotencyHeader({ raw }: FastifyRequest): {
  readonly value: string | undefined;
  readonly repeated: boolean;
} {
  const values = raw.headersDistinct['idempotency-key'] ?? [];
  const bytes = Buffer.from(values[0] ?? '', 'latin1');
  return {
    value: values[0] === undefined ? undefined : isUtf8(bytes) ? bytes.toString('utf8') : values[0],
    repeated: values.length > 1,
  };
}

/** The reply to a creation (merchant-api.md#answer). */
const creationReply = (order: Order, deps: Pick<Deps, 'vault'>) => ({
  orderId: order.orderId,
  orderReference: order.orderReference,
  status: order.status,
  stage: stageOf(order),
  merchantOrderRef: order.merchantOrderRef,
  paymentPageUrl: paymentPageUrl(order, deps),
  expiresAt: isoTime(order.expiresAt),
});
