import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Authenticator, createAuthenticator } from '../api-keys/authenticate.merchant.ts';
import { feedRoutes } from '../deliveries/routes.merchant.ts';
import { noteTraffic } from '../merchants/traffic.routes.merchant.ts';
import { creationRoute } from '../orders/routes.merchant.ts';
import { statusRoutes } from '../orders/status.routes.merchant.ts';
import { sendUnauthenticated } from '../platform/http/errors.ts';
import { balanceRoute } from '../wallets/balance.routes.merchant.ts';
import type { FaceDeps } from './deps.ts';

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
export async function merchantFace(app: FastifyInstance, deps: FaceDeps): Promise<void> {
  const authenticator = createAuthenticator(deps);
  app.decorateRequest('apiKeyHash', '');
  app.addHook('onRequest', requireKey(authenticator));
  noteTraffic(app, deps);
  creationRoute(app, deps, authenticator);
  statusRoutes(app, deps);
  balanceRoute(app, deps);
  feedRoutes(app, deps, authenticator);
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
