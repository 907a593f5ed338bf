import {
  MEMBER_CHANGE_PASSWORD,
  MEMBER_END_OTHER_SESSIONS,
  MEMBER_END_SESSION,
  MEMBER_LIST_SESSIONS,
  MEMBER_RECOVERY,
  MEMBER_SIGN_IN,
  MEMBER_SIGN_OUT,
  MEMBER_WHO_AM_I,
  READ_MEMBER_RECOVERY,
} from '@munshi/api';
import type { FastifyInstance } from 'fastify';
import { readRecovery, recover } from '../../services/recovery-links.ts';
import type { Session } from '../../services/sessions.ts';
import { endSignIn } from '../../services/sign-ins.ts';
import { findMember } from '../../storage/members.ts';
import type { MemberPrincipal } from '../../storage/sessions.ts';
import { bind } from '../bind.ts';
import { createCallerAddress } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { showRecovery } from '../recovery.ts';
import { type Sessions, showSignIn } from '../session.ts';
import { listOwnSignIns } from '../sign-ins.ts';
import { jsonTime } from '../values.ts';
import { callerOf } from './caller.ts';

/** POST /session. */
export function signInRoute(
  app: FastifyInstance,
  { database }: Deps,
  sessions: Sessions<MemberPrincipal>,
): void {
  bind(app, MEMBER_SIGN_IN, async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const signIn = await sessions.signIn(request, reply, request.body);
    const {
      memberId = signIn.principalId,
      username = '',
      name = '',
    } = (await findMember(database.pool, signIn.principalId)) ?? {};
    return { data: { ...showSignIn(signIn), member: { memberId, username, name } } };
  });
}

/** POST /recovery: for who has a recovery link, and no session. */
export function recoveryRoutes(app: FastifyInstance, deps: Deps): void {
  const callerAddress = createCallerAddress(deps.trustedProxies);
  bind(app, READ_MEMBER_RECOVERY, async ({ body }) => ({
    data: showRecovery(await readRecovery(deps, 'member', body.token)),
  }));
  bind(app, MEMBER_RECOVERY, async ({ body, raw }) => ({
    data: await recover(deps, 'member', body, callerAddress(raw)),
  }));
}

/** GET and DELETE /session, POST /password, and one's sign-ins. */
export function ownSessionRoutes(
  app: FastifyInstance,
  deps: Deps,
  sessions: Sessions<MemberPrincipal>,
): void {
  bind(app, MEMBER_WHO_AM_I, async ({ member }) => {
    const { memberId, username, name } = member.principal;
    const { csrfToken, expiresAt } = member;
    return {
      data: { member: { memberId, username, name }, csrfToken, expiresAt: jsonTime(expiresAt) },
    };
  });

  bind(app, MEMBER_SIGN_OUT, async ({ member }, reply) => {
    await sessions.signOut(reply, member);
    return { data: { signedOut: true } };
  });

  bind(app, MEMBER_CHANGE_PASSWORD, async (request, reply) => {
    const { memberId: principalId, username } = request.member.principal;
    const who = { principalId, username };
    return {
      data: showSignIn(await sessions.changePassword(request, reply, who, request.body)),
    };
  });

  bind(app, MEMBER_LIST_SESSIONS, async ({ member, query }) => {
    const { principal, sessionId } = member;
    return listOwnSignIns(deps, query, { principalId: principal.memberId, sessionId });
  });

  const ownSignIn = ({ principal, tokenHash }: Session<MemberPrincipal>) => ({
    principalId: principal.memberId,
    tokenHash,
  });
  bind(app, MEMBER_END_SESSION, async (request) => {
    const { sessionId } = request.params;
    const own = ownSignIn(request.member);
    return { data: { ended: await endSignIn(deps, callerOf(request), own, sessionId) } };
  });
  bind(app, MEMBER_END_OTHER_SESSIONS, async (request) => {
    const own = ownSignIn(request.member);
    return { data: { ended: await endSignIn(deps, callerOf(request), own, null) } };
  });
}
