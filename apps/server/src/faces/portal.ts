import type { FastifyInstance } from 'fastify';
import { keyRoutes } from '../api-keys/routes.portal.ts';
import { pagePreviewRoute } from '../checkout/preview.routes.portal.ts';
import { deliveryRoutes } from '../deliveries/routes.portal.ts';
import { announceOwnWrites, eventRoute } from '../events/routes.portal.ts';
import { alertRoutes } from '../merchant-alerts/routes.portal.ts';
import { refusedRequestRoutes } from '../merchants/refused-requests.routes.portal.ts';
import { merchantRoutes } from '../merchants/routes.portal.ts';
import { orderRoutes } from '../order-desk/routes.portal.ts';
import { guardRoutes } from '../people/access.portal.ts';
import { createSessions } from '../people/session.http.ts';
import { useJson } from '../platform/http/json.ts';
import { homeRoute } from '../portal-home/routes.portal.ts';
import { peopleRoutes } from '../portal-people/routes.portal.ts';
import { portalSessions, sessionRoutes } from '../portal-people/session.routes.portal.ts';
import { moneyRoutes } from '../wallets/routes.portal.ts';
import { actOnce } from '../writes/request-keys.ts';
import type { FaceDeps } from './deps.ts';

/**
 * The portal face: `/api/portal/…`. A merchant's own people, about their own merchant alone, and
 * never about members. Every endpoint declares its role.
 */
export async function portalFace(app: FastifyInstance, deps: FaceDeps): Promise<void> {
  useJson(app);
  const sessions = await createSessions(app, deps, portalSessions(deps));
  const face = guardRoutes(app, deps, sessions);
  actOnce(app, deps, (request) => ({
    callerKind: 'portal',
    callerId: face.callerOf(request).principal.portalUserId,
  }));
  sessionRoutes(face, deps, sessions);
  homeRoute(face, deps);
  merchantRoutes(face, deps);
  announceOwnWrites(face, deps);
  eventRoute(face, deps);
  refusedRequestRoutes(face, deps);
  keyRoutes(face, deps);
  peopleRoutes(face, deps);
  moneyRoutes(face, deps);
  pagePreviewRoute(face, deps);
  orderRoutes(face, deps);
  deliveryRoutes(face, deps);
  alertRoutes(face, deps);
}
