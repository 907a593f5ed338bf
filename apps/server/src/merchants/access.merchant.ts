import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Face } from '../platform/http/bind.ts';
import { sendUnauthenticated } from '../platform/http/errors.ts';

/** The merchant face. It knows a caller by the SHA-256 of their API key, in hex. */
export type MerchantFace = Face<string>;

/** A request whose key was read: a property and no look-up, as creations are many. */
interface Keyed extends FastifyRequest {
  apiKeyHash: string;
}

/**
 * Has every route of the scope know its key, which has the right form. Whether it is active is
 * checked by the statement that reads or writes. Call it before the routes.
 */
export function guardRoutes(
  app: FastifyInstance,
  keyHash: (request: IncomingMessage) => string | undefined,
): MerchantFace {
  app.decorateRequest('apiKeyHash', '');
  app.addHook('onRequest', (request, reply, done) => {
    const apiKeyHash = keyHash(request.raw);
    if (apiKeyHash === undefined) {
      sendUnauthenticated(reply);
      return;
    }
    (request as Keyed).apiKeyHash = apiKeyHash;
    done();
  });
  return { app, callerOf: (request) => (request as Keyed).apiKeyHash };
}
