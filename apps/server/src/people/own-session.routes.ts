import type {
  PORTAL_CHANGE_PASSWORD,
  PORTAL_END_OTHER_SESSIONS,
  PORTAL_END_SESSION,
  PORTAL_LIST_SESSIONS,
  PORTAL_SIGN_OUT,
} from '@munshi/api';
import type { AuditActor } from '@munshi/core';
import { bind, type Face, type OnAnyFace } from '../platform/http/bind.ts';
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

interface OwnSessionRules<Who, Principal> {
  readonly signOut: OnAnyFace<typeof PORTAL_SIGN_OUT>;
  readonly changePassword: OnAnyFace<typeof PORTAL_CHANGE_PASSWORD>;
  readonly list: OnAnyFace<typeof PORTAL_LIST_SESSIONS>;
  readonly end: OnAnyFace<typeof PORTAL_END_SESSION>;
  readonly endOthers: OnAnyFace<typeof PORTAL_END_OTHER_SESSIONS>;
  whoOf(caller: Who): OwnSession<Principal>;
}

/** Signing out, one's own password and one's own sign-ins: the same on every face. */
export function ownSessionRoutes<Who extends Caller<AuditActor>, Principal>(
  face: Face<Who>,
  deps: Deps,
  sessions: Sessions<Principal>,
  { whoOf, ...endpoints }: OwnSessionRules<Who, Principal>,
): void {
  bind(face, endpoints.signOut, async (_request, caller, reply) => {
    const { session } = whoOf(caller);
    if (session === undefined || session.kind === 'operator-token')
      throw new Refused('wrong-state', 'A script token has no session to end; revoke it instead.');
    await sessions.signOut(reply, session);
    return { data: { signedOut: true } };
  });

  bind(face, endpoints.changePassword, async (request, caller, reply) => {
    const { session, ...who } = whoOf(caller);
    if (session === undefined)
      throw new Refused('wrong-state', 'A token of the environment has no password.');
    return { data: await sessions.changePassword(request, reply, who, request.body) };
  });

  bind(face, endpoints.list, async (request, caller) => {
    const { session, principalId } = whoOf(caller);
    if (session === undefined) return { data: [], nextCursor: null };
    const page = pageOf(request.query);
    const question = { principalId, now: deps.clock.now(), ...page.place };
    const rows = await listSignIns(deps.database.pool, question);
    const show = (row: SignInRecord) => ({ ...row, current: row.sessionId === session.sessionId });
    return pageAnswer(page, rows, (row) => row.sessionId, show);
  });

  /** With null all but the one that asks. */
  async function end(caller: Who, sessionId: string | null) {
    const { session, principalId } = whoOf(caller);
    if (session === undefined) throw new Refused('not-found', 'Session not found.');
    const own = { principalId, tokenHash: session.tokenHash };
    return { data: await doWrite(deps, caller, endSignIn(own, sessionId)) };
  }
  bind(face, endpoints.end, ({ params }, caller) => end(caller, params.sessionId));
  bind(face, endpoints.endOthers, (_request, caller) => end(caller, null));
}
