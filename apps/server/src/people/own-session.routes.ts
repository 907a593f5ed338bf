import type {
  PORTAL_CHANGE_PASSWORD,
  PORTAL_END_OTHER_SESSIONS,
  PORTAL_END_SESSION,
  PORTAL_LIST_SESSIONS,
  PORTAL_SIGN_OUT,
} from '@munshi/api';
import type { AuditActor } from '@munshi/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { bind, type OnAnyFace } from '../platform/http/bind.ts';
import { pageAnswer, pageOf } from '../platform/http/lists.ts';
import { Refused } from '../platform/refusals.ts';
import { type Caller, doWrite } from '../writes/write.ts';
import type { Deps } from './deps.ts';
import type { Sessions } from './session.http.ts';
import type { Session } from './sessions.service.ts';
import { listSignIns, type SignInRecord } from './sessions.store.ts';
import { endSignIn } from './sign-ins.service.ts';

/** The person signed in. */
interface OwnSession<Principal> {
  readonly principalId: string;
  readonly username: string;
  /** Undefined: by a token of the environment, which has no password and no sign-ins. */
  readonly session: Session<Principal> | undefined;
}

interface OwnSessionRules<Principal> {
  readonly signOut: OnAnyFace<typeof PORTAL_SIGN_OUT>;
  readonly changePassword: OnAnyFace<typeof PORTAL_CHANGE_PASSWORD>;
  readonly list: OnAnyFace<typeof PORTAL_LIST_SESSIONS>;
  readonly end: OnAnyFace<typeof PORTAL_END_SESSION>;
  readonly endOthers: OnAnyFace<typeof PORTAL_END_OTHER_SESSIONS>;
  whoOf(request: FastifyRequest): OwnSession<Principal>;
  callerOf(request: FastifyRequest): Caller<AuditActor>;
}

/** Signing out, one's own password and one's own sign-ins: the same on every face. */
export function ownSessionRoutes<Principal>(
  app: FastifyInstance,
  deps: Deps,
  sessions: Sessions<Principal>,
  { whoOf, callerOf, ...endpoints }: OwnSessionRules<Principal>,
): void {
  bind(app, endpoints.signOut, async (request, reply) => {
    const { session } = whoOf(request);
    if (session === undefined || session.kind === 'operator-token')
      throw new Refused('wrong-state', 'A script token has no session to end; revoke it instead.');
    await sessions.signOut(reply, session);
    return { data: { signedOut: true } };
  });

  bind(app, endpoints.changePassword, async (request, reply) => {
    const { session, ...who } = whoOf(request);
    if (session === undefined)
      throw new Refused('wrong-state', 'A token of the environment has no password.');
    return { data: await sessions.changePassword(request, reply, who, request.body) };
  });

  bind(app, endpoints.list, async (request) => {
    const { session, principalId } = whoOf(request);
    if (session === undefined) return { data: [], nextCursor: null };
    const page = pageOf(request.query);
    const question = { principalId, now: deps.clock.now(), ...page.place };
    const rows = await listSignIns(deps.database.pool, question);
    const show = (row: SignInRecord) => ({ ...row, current: row.sessionId === session.sessionId });
    return pageAnswer(page, rows, (row) => row.sessionId, show);
  });

  /** With null all but the one that asks. */
  async function end(request: FastifyRequest, sessionId: string | null) {
    const { session, principalId } = whoOf(request);
    if (session === undefined) throw new Refused('not-found', 'Session not found.');
    const own = { principalId, tokenHash: session.tokenHash };
    return { data: await doWrite(deps, callerOf(request), endSignIn(own, sessionId)) };
  }
  bind(app, endpoints.end, (request) => end(request, request.params.sessionId));
  bind(app, endpoints.endOthers, (request) => end(request, null));
}
