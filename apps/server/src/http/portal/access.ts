import { includesPortalRole, type PortalRole } from '@munshi/core';
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import { Refused } from '../../services/refusals.ts';
import type { Session } from '../../services/sessions.ts';
import type { PortalPrincipal } from '../../storage/people/sessions.ts';
import { createCallerAddress } from '../caller.ts';
import type { Deps } from '../deps.ts';
import type { Sessions } from '../session.ts';

/** Who may send what. Every route of the face is named here. */
export const PORTAL_ROUTE_ROLES: Readonly<Record<string, PortalRole | 'anyone'>> = {
  'POST /session': 'anyone',
  'GET /session': 'viewer',
  'DELETE /session': 'viewer',
  'POST /password': 'viewer',
  'GET /sessions': 'viewer',
  'DELETE /sessions': 'viewer',
  'DELETE /sessions/:sessionId': 'viewer',
  'POST /recovery/read': 'anyone',
  'POST /recovery': 'anyone',
  'GET /one-time-code': 'viewer',
  'POST /one-time-code': 'viewer',
  'POST /one-time-code/confirm': 'viewer',
  'POST /one-time-code/recovery-codes': 'viewer',
  'POST /one-time-code/turn-off': 'viewer',
  'GET /home': 'viewer',
  'GET /merchant': 'viewer',
  'GET /balance': 'viewer',
  'GET /movements': 'viewer',
  'GET /movements.csv': 'viewer',
  'GET /statements': 'viewer',
  'GET /statements/:month': 'viewer',
  'GET /statements/:month/summary.csv': 'viewer',
  'GET /statements/:month/movements.csv': 'viewer',
  'GET /events': 'viewer',
  'GET /refused-requests': 'viewer',
  'GET /refused-requests/counts': 'viewer',
  'GET /api-keys': 'viewer',
  'POST /api-keys': 'admin',
  'POST /api-keys/regenerate': 'admin',
  'POST /api-keys/:keyId/revoke': 'admin',
  'GET /people': 'viewer',
  'POST /people': 'admin',
  'PATCH /people/:portalUserId': 'admin',
  'POST /people/:portalUserId/recovery-link': 'admin',
  'DELETE /people/:portalUserId/invitation': 'admin',
  'DELETE /people/:portalUserId/sessions': 'admin',
  'GET /settings': 'viewer',
  'PATCH /settings': 'admin',
  'GET /alert-settings': 'viewer',
  'PATCH /alert-settings': 'admin',
  'GET /alerts': 'viewer',
  'POST /alerts/test': 'admin',
  'POST /settings/page-preview': 'viewer',
  'POST /settings/address-test': 'viewer',
  'GET /orders': 'viewer',
  'GET /orders.csv': 'viewer',
  'GET /orders/:orderId': 'viewer',
  'GET /deliveries': 'viewer',
  'GET /deliveries/:deliveryId': 'viewer',
  'POST /orders/:orderId/deliveries/resend': 'admin',
  'POST /webhooks/test': 'admin',
  'GET /webhooks/receivers': 'viewer',
};

interface PortalCaller extends Session<PortalPrincipal> {
  readonly address: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the face's hook on every route that is not for anyone. */
    portal: PortalCaller;
  }
}

/** The user as the actor of a write that is recorded. */
export const callerOf = ({ portal, once, boundKey }: FastifyRequest) => {
  const { portalUserId: id, name } = portal.principal;
  return { actor: { kind: 'portal', id, name, address: portal.address }, once, boundKey } as const;
};

/**
 * Has every route of the scope know its user and hold the table of roles. Call it before the routes.
 */
export function guardRoutes(
  app: FastifyInstance,
  deps: Deps,
  sessions: Sessions<PortalPrincipal>,
): void {
  const callerAddress = createCallerAddress(deps.trustedProxies);
  app.decorateRequest('portal', null as unknown as PortalCaller);
  app.addHook('onRoute', (route) => {
    const needed = roleOf(route, app.prefix);
    if (needed === 'anyone') return;
    route.onRequest = [
      async (request: FastifyRequest) => {
        const session = await sessions.authenticate(request);
        const { role } = session.principal;
        if (!includesPortalRole(role, needed))
          throw new Refused('role-too-low', `This needs the role ${needed}; you have ${role}.`);
        request.portal = { ...session, address: callerAddress(request.raw) };
      },
      ...[route.onRequest ?? []].flat(),
    ];
  });
  app.addHook('onSend', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
  });
}

function roleOf({ method, url }: Pick<RouteOptions, 'method' | 'url'>, prefix: string) {
  const verb = String(method) === 'HEAD' ? 'GET' : String(method);
  const name = `${verb} ${url.slice(prefix.length)}`;
  const role = PORTAL_ROUTE_ROLES[name];
  if (role === undefined) throw new Error(`the portal route ${name} has no role`);
  return role;
}
