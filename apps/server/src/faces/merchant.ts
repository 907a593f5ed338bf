import type { FastifyInstance } from 'fastify';
import { createAuthenticator } from '../api-keys/authenticate.merchant.ts';
import { feedRoutes } from '../deliveries/routes.merchant.ts';
import { guardRoutes } from '../merchants/access.merchant.ts';
import { noteTraffic } from '../merchants/traffic.routes.merchant.ts';
import { creationRoute } from '../orders/routes.merchant.ts';
import { statusRoutes } from '../orders/status.routes.merchant.ts';
import { movesOrders } from '../sandbox/moves.service.ts';
import { moveRoute } from '../sandbox/routes.merchant.ts';
import { balanceRoute } from '../wallets/balance.routes.merchant.ts';
import type { FaceDeps } from './deps.ts';

/**
 * The merchant face: `/api/merchant/…` (merchant-api.md). Every request carries an API key; without
 * one, 401 and no body.
 */
export async function merchantFace(app: FastifyInstance, deps: FaceDeps): Promise<void> {
  const authenticator = createAuthenticator(deps);
  const face = guardRoutes(app, authenticator.keyHash);
  noteTraffic(face, deps);
  creationRoute(face, deps, authenticator);
  statusRoutes(face, deps);
  balanceRoute(face, deps);
  feedRoutes(face, deps, authenticator);
  if (movesOrders(deps)) moveRoute(face, deps);
}
