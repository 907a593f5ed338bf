import type {
  PORTAL_CONFIRM_CODE,
  PORTAL_READ_CODE_STATE,
  PORTAL_RENEW_RECOVERY_CODES,
  PORTAL_SET_UP_CODE,
  PORTAL_TURN_CODE_OFF,
} from '@munshi/api';
import type { FastifyReply } from 'fastify';
import { bind, type Face, type OnAnyFace } from '../platform/http/bind.ts';
import type { Deps } from './deps.ts';
import {
  type CodeOwner,
  confirmCode,
  renewRecoveryCodes,
  setUpCode,
  turnCodeOff,
} from './one-time-codes.service.ts';
import { type CodeHolder, readCodeState } from './one-time-codes.store.ts';
import type { Sessions } from './session.http.ts';
import type { Session } from './sessions.service.ts';

interface CodeRules<Who, Principal> {
  readonly state: OnAnyFace<typeof PORTAL_READ_CODE_STATE>;
  readonly setUp: OnAnyFace<typeof PORTAL_SET_UP_CODE>;
  readonly confirm: OnAnyFace<typeof PORTAL_CONFIRM_CODE>;
  readonly renew: OnAnyFace<typeof PORTAL_RENEW_RECOVERY_CODES>;
  readonly turnOff: OnAnyFace<typeof PORTAL_TURN_CODE_OFF>;
  /** Undefined: by a token of the environment, which has none. */
  holderOf(caller: Who): CodeHolder | undefined;
  /** A person signed in with a password. Throws `wrong-state` for script tokens. */
  signedIn(caller: Who): {
    readonly owner: CodeOwner;
    readonly session: Session<Principal>;
  };
}

const neverStored = (reply: FastifyReply) => reply.header('cache-control', 'no-store');

/** One's own one-time codes: the same for operators and for merchants' people. */
export function ownCodeRoutes<Who, Principal>(
  face: Face<Who>,
  deps: Deps,
  sessions: Sessions<Principal>,
  { signedIn, holderOf, ...endpoints }: CodeRules<Who, Principal>,
): void {
  bind(face, endpoints.state, async (_request, caller) => {
    const holder = holderOf(caller);
    if (holder === undefined) return { data: { on: false, recoveryCodesLeft: 0 } };
    return { data: await readCodeState(deps.database.pool, holder) };
  });

  bind(face, endpoints.setUp, async (request, caller, reply) => {
    neverStored(reply);
    const { owner } = signedIn(caller);
    await sessions.requirePassword(request, owner.username, request.body.currentPassword);
    return { data: await setUpCode(deps, owner) };
  });

  bind(face, endpoints.confirm, async (request, caller, reply) => {
    neverStored(reply);
    const { owner, session } = signedIn(caller);
    const first = { code: request.body.oneTimeCode, keep: session.tokenHash };
    const recoveryCodes = await confirmCode(deps, owner, first);
    deps.notices.sessionsEnded(owner.principalId);
    return { data: { recoveryCodes } };
  });

  bind(face, endpoints.renew, async (request, caller, reply) => {
    neverStored(reply);
    const { owner } = signedIn(caller);
    return {
      data: { recoveryCodes: await renewRecoveryCodes(deps, owner, request.body.oneTimeCode) },
    };
  });

  bind(face, endpoints.turnOff, async (request, caller) => {
    await turnCodeOff(deps, signedIn(caller).owner, request.body.oneTimeCode);
    return { data: { on: false, recoveryCodesLeft: 0 } };
  });
}
