import {
  MEMBER_CHANGE_PASSWORD,
  MEMBER_SIGN_IN,
  MEMBER_SIGN_OUT,
  MEMBER_WHO_AM_I,
  type MemberChangePassword,
  type MemberSignIn,
} from '@munshi/api';
import type { FastifyInstance } from 'fastify';
import { findMember } from '../../storage/members.ts';
import type { MemberPrincipal } from '../../storage/sessions.ts';
import type { Deps } from '../deps.ts';
import { sendError } from '../errors.ts';
import { jsonTime, sendData } from '../json.ts';
import type { Sessions } from '../session.ts';

/** POST /session. */
export function signInRoute(
  app: FastifyInstance,
  { database }: Deps,
  sessions: Sessions<MemberPrincipal>,
): void {
  app.post<{ Body: MemberSignIn }>(
    '/session',
    { schema: MEMBER_SIGN_IN },
    async (request, reply) => {
      reply.header('cache-control', 'no-store');
      const signIn = await sessions.signIn(request, reply, request.body);
      if (!signIn.ok) return sendError(reply, signIn.status, signIn.error);
      const {
        memberId = signIn.principalId,
        username = '',
        name = '',
      } = (await findMember(database.pool, signIn.principalId)) ?? {};
      return sendData(reply, {
        token: signIn.token,
        csrfToken: signIn.csrfToken,
        expiresAt: jsonTime(signIn.expiresAt),
        member: { memberId, username, name },
      });
    },
  );
}

/** GET and DELETE /session, and POST /password. */
export function ownSessionRoutes(
  app: FastifyInstance,
  { notices }: Deps,
  sessions: Sessions<MemberPrincipal>,
): void {
  app.get('/session', { schema: MEMBER_WHO_AM_I }, async ({ member }, reply) => {
    const { memberId, username, name } = member.principal;
    return sendData(reply, {
      member: { memberId, username, name },
      csrfToken: member.csrfToken,
      expiresAt: jsonTime(member.expiresAt),
    });
  });

  app.delete('/session', { schema: MEMBER_SIGN_OUT }, async ({ member }, reply) => {
    await sessions.signOut(reply, member);
    notices.sessionsEnded(member.principal.memberId);
    return sendData(reply, { signedOut: true });
  });

  app.post<{ Body: MemberChangePassword }>(
    '/password',
    { schema: MEMBER_CHANGE_PASSWORD },
    async (request, reply) => {
      const { memberId: principalId, username } = request.member.principal;
      const signIn = await sessions.changePassword(
        request,
        reply,
        { principalId, username },
        request.body,
      );
      if (!signIn.ok) return sendError(reply, signIn.status, signIn.error);
      return sendData(reply, {
        token: signIn.token,
        csrfToken: signIn.csrfToken,
        expiresAt: jsonTime(signIn.expiresAt),
      });
    },
  );
}
