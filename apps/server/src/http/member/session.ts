import {
  MEMBER_CHANGE_PASSWORD,
  MEMBER_SIGN_IN,
  MEMBER_SIGN_OUT,
  MEMBER_WHO_AM_I,
} from '@munshi/api';
import type { FastifyInstance } from 'fastify';
import { findMember } from '../../storage/members.ts';
import type { MemberPrincipal } from '../../storage/sessions.ts';
import { bind } from '../bind.ts';
import type { Deps } from '../deps.ts';
import { type Sessions, showSignIn } from '../session.ts';
import { jsonTime } from '../values.ts';

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

/** GET and DELETE /session, and POST /password. */
export function ownSessionRoutes(app: FastifyInstance, sessions: Sessions<MemberPrincipal>): void {
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
}
