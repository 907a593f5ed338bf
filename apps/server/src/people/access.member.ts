import type { AuditActor } from '@munshi/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Face } from '../platform/http/bind.ts';
import { keyOf } from '../writes/request-keys.ts';
import type { Caller } from '../writes/write.ts';
import type { Sessions } from './session.http.ts';
import type { Session } from './sessions.service.ts';
import type { MemberPrincipal } from './sessions.store.ts';

/** The member who acts. */
export interface MemberCaller extends Session<MemberPrincipal>, Caller<MemberActor> {}
type MemberActor = AuditActor & { readonly kind: 'member' };
export type MemberFace = Face<MemberCaller>;

interface Admitted extends FastifyRequest {
  member: Session<MemberPrincipal>;
}

/** Has every route of the scope know its member. Call it before the routes. */
export function guardRoutes(app: FastifyInstance, sessions: Sessions<MemberPrincipal>): MemberFace {
  app.decorateRequest('member', null);
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    (request as Admitted).member = await sessions.authenticate(request);
  });
  return {
    app,
    callerOf(request) {
      const { member } = request as Admitted;
      const actor = { kind: 'member', id: member.principal.memberId } as const;
      return { ...member, ...keyOf(request), actor };
    },
  };
}
