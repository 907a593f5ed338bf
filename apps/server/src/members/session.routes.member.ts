import {
  MEMBER_CHANGE_PASSWORD,
  MEMBER_END_OTHER_SESSIONS,
  MEMBER_END_SESSION,
  MEMBER_LIST_SESSIONS,
  MEMBER_SIGN_IN,
  MEMBER_SIGN_OUT,
  MEMBER_WHO_AM_I,
} from '@munshi/api';
import type { MemberFace } from '../people/access.member.ts';
import type { Deps } from '../people/deps.ts';
import { ownSessionRoutes } from '../people/own-session.routes.ts';
import type { Sessions } from '../people/session.http.ts';
import type { MemberPrincipal } from '../people/sessions.store.ts';
import { bind, type Face } from '../platform/http/bind.ts';
import { findMember } from './store.ts';

/** POST /session. */
export function signInRoute(
  face: Face<unknown>,
  { database }: Deps,
  sessions: Sessions<MemberPrincipal>,
): void {
  bind(face, MEMBER_SIGN_IN, async (request, _caller, reply) => {
    reply.header('cache-control', 'no-store');
    const signIn = await sessions.signIn(request, reply, request.body);
    const {
      memberId = signIn.principalId,
      username = '',
      name = '',
    } = (await findMember(database.pool, signIn.principalId)) ?? {};
    return { data: { ...signIn, member: { memberId, username, name } } };
  });
}

/** GET and DELETE /session, POST /password, and one's sign-ins. */
export function memberSessionRoutes(
  face: MemberFace,
  deps: Deps,
  sessions: Sessions<MemberPrincipal>,
): void {
  bind(face, MEMBER_WHO_AM_I, async (_request, caller) => {
    return { data: { ...caller, member: caller.principal } };
  });

  ownSessionRoutes(face, deps, sessions, {
    signOut: MEMBER_SIGN_OUT,
    changePassword: MEMBER_CHANGE_PASSWORD,
    list: MEMBER_LIST_SESSIONS,
    end: MEMBER_END_SESSION,
    endOthers: MEMBER_END_OTHER_SESSIONS,
    whoOf(session) {
      const { memberId: principalId, username } = session.principal;
      return { principalId, username, session };
    },
  });
}
