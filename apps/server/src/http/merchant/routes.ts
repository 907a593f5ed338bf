import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { sendUnauthenticated } from '../errors.ts';
import { type Authenticator, createAuthenticator } from './authenticate.ts';
import { balanceRoute } from './balance.ts';
import { creationRoute } from './orders.ts';
import { statusRoutes } from './status.ts';
import { noteTraffic } from './traffic.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** SHA-256 of the merchant's API key, in hex. */
    apiKeyHash: string;
  }
}

/**
 * The merchant face: `/api/merchant/…` (merchant-api.md). Every request carries an API key; without
 * one, 401 and no body.
 */
export async function merchantFace(app: FastifyInstance, deps: Deps): Promise<void> {
  const authenticator = createAuthenticator(deps);
  app.decorateRequest('apiKeyHash', '');
  app.addHook('onRequest', requireKey(authenticator));
  noteTraffic(app, deps);
  creationRoute(app, deps, authenticator);
  statusRoutes(app, deps);
  balanceRoute(app, deps);
}

/**
 * A key of the right form is needed to go on; whether it is active is checked by the statement that
 * reads or writes.
 */
const requireKey =
  (authenticator: Authenticator) =>
  (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
    const apiKeyHash = authenticator.keyHash(request.raw);
    if (apiKeyHash === undefined) {
      sendUnauthenticated(reply);
      return;
    }
    request.apiKeyHash = apiKeyHash;
    done();
  };
