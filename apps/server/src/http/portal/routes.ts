import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { useJson } from '../json.ts';
import { actOnce } from '../request-keys.ts';
import { createSessions } from '../session.ts';
import { guardRoutes } from './access.ts';
import { alertRoutes } from './alerts.ts';
import { deliveryRoutes } from './deliveries.ts';
import { announceOwnWrites, eventRoute } from './events.ts';
import { homeRoute } from './home.ts';
import { keyRoutes } from './keys.ts';
import { merchantRoutes } from './merchant.ts';
import { moneyRoutes } from './money.ts';
import { orderRoutes } from './orders.ts';
import { peopleRoutes } from './people.ts';
import { previewRoutes } from './previews.ts';
import { refusedRequestRoutes } from './refused-requests.ts';
import { portalSessions, sessionRoutes } from './session.ts';

/**
 * The portal face: `/api/portal/…`. A merchant's own people, about their own merchant alone, and
 * never about members. Every endpoint declares its role.
 */
export async function portalFace(app: FastifyInstance, deps: Deps): Promise<void> {
  useJson(app);
  const sessions = await createSessions(app, deps, portalSessions(deps));
  guardRoutes(app, deps, sessions);
  actOnce(app, deps, ({ portal }) => ({
    callerKind: 'portal',
    callerId: portal.principal.portalUserId,
  }));
  sessionRoutes(app, deps, sessions);
  homeRoute(app, deps);
  merchantRoutes(app, deps);
  announceOwnWrites(app, deps);
  eventRoute(app, deps);
  refusedRequestRoutes(app, deps);
  keyRoutes(app, deps);
  peopleRoutes(app, deps);
  moneyRoutes(app, deps);
  previewRoutes(app, deps);
  orderRoutes(app, deps);
  deliveryRoutes(app, deps);
  alertRoutes(app, deps);
}
