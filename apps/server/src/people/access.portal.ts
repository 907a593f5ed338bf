import { type AuditActor, PORTAL_USERS_MAY } from '@munshi/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { endpointOf, type Face } from '../platform/http/bind.ts';
import { createCallerAddress } from '../platform/http/caller.ts';
import { Refused } from '../platform/refusals.ts';
import { keyOf } from '../writes/request-keys.ts';
import type { Caller } from '../writes/write.ts';
import type { Deps } from './deps.ts';
import type { Sessions } from './session.http.ts';
import type { Session } from './sessions.service.ts';
import type { PortalPrincipal } from './sessions.store.ts';

/** One of a merchant's own people, who acts. */
export interface PortalCaller extends Session<PortalPrincipal>, Caller<PortalActor> {
  readonly address: string;
}
type PortalActor = AuditActor & { readonly kind: 'portal' };
export type PortalFace = Face<PortalCaller>;

/** A request on a route that is not for anyone. */
interface Admitted extends FastifyRequest {
  portal: Omit<PortalCaller, 'once' | 'boundKey'>;
}

export const merchantOf = ({ principal }: Pick<PortalCaller, 'principal'>) => principal.merchantId;

/**
 * Has every route of the scope know its user, who may do what its endpoint needs. Call it
 * before the routes.
 */
export function guardRoutes(
  app: FastifyInstance,
  deps: Deps,
  sessions: Sessions<PortalPrincipal>,
): PortalFace {
  const callerAddress = createCallerAddress(deps.trustedProxies);
  app.decorateRequest('portal', null);
  app.addHook('onRoute', (route) => {
    const { needs } = endpointOf('portal', route);
    if (needs === 'anyone') return;
    route.onRequest = [
      async (request: FastifyRequest) => {
        const session = await sessions.authenticate(request);
        const { role, capabilities, portalUserId: id, name } = session.principal;
        if (!capabilities.has(needs))
          throw new Refused('role-too-low', PORTAL_USERS_MAY.refusal(role, needs));
        const address = callerAddress(request.raw);
        const actor = { kind: 'portal', id, name, address } as const;
        (request as Admitted).portal = { ...session, actor, address };
      },
      ...[route.onRequest ?? []].flat(),
    ];
  });
  app.addHook('onSend', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
  });
  return {
    app,
    callerOf: (request) => ({ ...(request as Admitted).portal, ...keyOf(request) }),
  };
}
