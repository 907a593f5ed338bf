import { MEMBER_READ_RECOVERY, MEMBER_RECOVER } from '@munshi/api';
import type { FastifyInstance } from 'fastify';
import { eventRoute } from '../events/routes.member.ts';
import { evidenceRoutes } from '../evidence/routes.member.ts';
import { pushRoutes } from '../member-alerts/push.routes.member.ts';
import { orderActionRoutes, orderSayingRoutes } from '../member-desk/actions.routes.member.ts';
import { orderRoutes } from '../member-desk/routes.member.ts';
import { accountRoutes } from '../members/accounts.routes.member.ts';
import { historyRoutes } from '../members/history.routes.member.ts';
import { meRoutes } from '../members/me.routes.member.ts';
import { memberSessionRoutes, signInRoute } from '../members/session.routes.member.ts';
import { guardRoutes } from '../people/access.member.ts';
import { createSessions } from '../people/session.http.ts';
import type { MemberPrincipal } from '../people/sessions.store.ts';
import { useJson } from '../platform/http/json.ts';
import { recoveryRoutes } from '../recovery/routes.ts';
import { insertAudit } from '../writes/audit-log.store.ts';
import { actOnce } from '../writes/request-keys.ts';
import type { FaceDeps } from './deps.ts';

/**
 * From its last use: members work by telephone, and must not be out of reach because nobody asked
 * for a while.
 */
const MEMBER_SESSION_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * The member face: `/api/member/…` (faces: Member face). All but the sign-in is for a signed-in
 * member, about what is theirs.
 */
export async function memberFace(app: FastifyInstance, deps: FaceDeps): Promise<void> {
  useJson(app);
  const sessions = await createSessions<MemberPrincipal>(app, deps, {
    kind: 'member',
    cookieName: 'munshi_member',
    path: '/api/member',
    lifetimeMs: MEMBER_SESSION_MS,
    fromLastUse: true,
    useRecordedMs: 5 * 60 * 1000,
    findSession: (_database, tokenHash, now) => deps.readers.memberSession({ tokenHash, now }),
    recordPassword: (client, { principalId, address, at, ids }) =>
      insertAudit(client, {
        ...{
          auditId: ids.uuid(at),
          actor: { kind: 'member', id: principalId },
          action: 'member.password',
          target: principalId,
          at,
        },
        detail: { address },
      }),
  });
  const forAnyone = { app, callerOf: () => undefined };
  signInRoute(forAnyone, deps, sessions);
  recoveryRoutes(forAnyone, deps, 'member', { read: MEMBER_READ_RECOVERY, use: MEMBER_RECOVER });

  app.register(async (own) => {
    const face = guardRoutes(own, sessions);
    actOnce(own, deps, (request) => ({
      callerKind: 'member',
      callerId: face.callerOf(request).principal.memberId,
    }));
    memberSessionRoutes(face, deps, sessions);
    eventRoute(face, deps);
    meRoutes(face, deps);
    accountRoutes(face, deps);
    orderRoutes(face, deps);
    orderActionRoutes(face, deps);
    orderSayingRoutes(face, deps);
    evidenceRoutes(face, deps);
    historyRoutes(face, deps);
    pushRoutes(face, deps);
  });
}
