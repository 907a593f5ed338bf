import { PORTAL_USERS_MAY } from '@munshi/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { endpointOf } from '../platform/http/bind.ts';
import { createCallerAddress } from '../platform/http/caller.ts';
import { Refused } from '../platform/refusals.ts';
import type { Deps } from './deps.ts';
import type { Sessions } from './session.http.ts';
import type { Session } from './sessions.service.ts';
import type { PortalPrincipal } from './sessions.store.ts';

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

export const merchantOf = ({ portal }: Pick<FastifyRequest, 'portal'>) =>
  portal.principal.merchantId;

/**
 * Has every route of the scope know its user, who may do what its endpoint needs. Call it
 * before the routes.
 */
export function guardRoutes(
  app: FastifyInstance,
  deps: Deps,
  sessions: Sessions<PortalPrincipal>,
): void {
  const callerAddress = createCallerAddress(deps.trustedProxies);
  app.decorateRequest('portal', null as unknown as PortalCaller);
  app.addHook('onRoute', (route) => {
    const { needs } = endpointOf('portal', route);
    if (needs === 'anyone') return;
    route.onRequest = [
      async (request: FastifyRequest) => {
        const session = await sessions.authenticate(request);
        const { role, capabilities } = session.principal;
        if (!capabilities.has(needs))
          throw new Refused('role-too-low', PORTAL_USERS_MAY.refusal(role, needs));
        request.portal = { ...session, address: callerAddress(request.raw) };
      },
      ...[route.onRequest ?? []].flat(),
    ];
  });
  app.addHook('onSend', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
  });
}
