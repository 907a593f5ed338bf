import type {
  PORTAL_CONFIRM_CODE,
  PORTAL_READ_CODE_STATE,
  PORTAL_RENEW_RECOVERY_CODES,
  PORTAL_SET_UP_CODE,
  PORTAL_TURN_CODE_OFF,
} from '@munshi/api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { bind, type OnAnyFace } from '../platform/http/bind.ts';
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

interface CodeRules<Principal> {
  readonly state: OnAnyFace<typeof PORTAL_READ_CODE_STATE>;
  readonly setUp: OnAnyFace<typeof PORTAL_SET_UP_CODE>;
  readonly confirm: OnAnyFace<typeof PORTAL_CONFIRM_CODE>;
  readonly renew: OnAnyFace<typeof PORTAL_RENEW_RECOVERY_CODES>;
  readonly turnOff: OnAnyFace<typeof PORTAL_TURN_CODE_OFF>;
  /** Undefined: by a token of the environment, which has none. */
  holderOf(request: FastifyRequest): CodeHolder | undefined;
  /** A person signed in with a password. Throws `wrong-state` for script tokens. */
  signedIn(request: FastifyRequest): {
    readonly owner: CodeOwner;
    readonly session: Session<Principal>;
  };
}

const neverStored = (reply: FastifyReply) => reply.header('cache-control', 'no-store');

/** One's own one-time codes: the same for operators and for merchants' people. */
export function ownCodeRoutes<Principal>(
  app: FastifyInstance,
  deps: Deps,
  sessions: Sessions<Principal>,
  { signedIn, holderOf, ...endpoints }: CodeRules<Principal>,
): void {
  bind(app, endpoints.state, async (request) => {
    const holder = holderOf(request);
    if (holder === undefined) return { data: { on: false, recoveryCodesLeft: 0 } };
    return { data: await readCodeState(deps.database.pool, holder) };
  });

  bind(app, endpoints.setUp, async (request, reply) => {
    neverStored(reply);
    const { owner } = signedIn(request);
    await sessions.requirePassword(request, owner.username, request.body.currentPassword);
    return { data: await setUpCode(deps, owner) };
  });

  bind(app, endpoints.confirm, async (request, reply) => {
    neverStored(reply);
    const { owner, session } = signedIn(request);
    const first = { code: request.body.oneTimeCode, keep: session.tokenHash };
    const recoveryCodes = await confirmCode(deps, owner, first);
    deps.notices.sessionsEnded(owner.principalId);
    return { data: { recoveryCodes } };
  });

  bind(app, endpoints.renew, async (request, reply) => {
    neverStored(reply);
    const { owner } = signedIn(request);
    return {
      data: { recoveryCodes: await renewRecoveryCodes(deps, owner, request.body.oneTimeCode) },
    };
  });

  bind(app, endpoints.turnOff, async (request) => {
    await turnCodeOff(deps, signedIn(request).owner, request.body.oneTimeCode);
    return { data: { on: false, recoveryCodesLeft: 0 } };
  });
}
