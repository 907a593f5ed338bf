import {
  CONFIRM_CODE,
  READ_CODE_STATE,
  REMOVE_CODE,
  RENEW_RECOVERY_CODES,
  SET_UP_CODE,
  TURN_CODE_OFF,
} from '@munshi/api';
import { refuseCodeRemoval } from '@munshi/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { performOrAsk } from '../../services/approvals.ts';
import {
  confirmCode,
  renewRecoveryCodes,
  setUpCode,
  turnCodeOff,
} from '../../services/one-time-codes.ts';
import { found, Refused, refuseOn } from '../../services/refusals.ts';
import { readCodeState } from '../../storage/one-time-codes.ts';
import { findOperator } from '../../storage/operators.ts';
import type { OperatorPrincipal } from '../../storage/sessions.ts';
import { bind } from '../bind.ts';
import type { Deps } from '../deps.ts';
import type { Sessions } from '../session.ts';
import { callerOf } from './access.ts';

/** Codes are about who signs in with a password: a script token changes nothing of them. */
function signedIn({ operator }: Pick<FastifyRequest, 'operator'>) {
  const { session } = operator;
  if (session === undefined || session.kind !== 'operator')
    throw new Refused('wrong-state', 'Sign in with your password: a script token has no codes.');
  return { owner: operator, actor: operator.actor, session };
}

const neverStored = (reply: FastifyReply) => reply.header('cache-control', 'no-store');

/** One's own one-time codes, and those of others. */
export function oneTimeCodeRoutes(
  app: FastifyInstance,
  deps: Deps,
  sessions: Sessions<OperatorPrincipal>,
): void {
  const { pool } = deps.database;

  bind(app, READ_CODE_STATE, async ({ operator: { session, operatorId } }) => ({
    data:
      session === undefined
        ? { on: false, recoveryCodesLeft: 0 }
        : await readCodeState(pool, operatorId),
  }));

  bind(app, SET_UP_CODE, async (request, reply) => {
    neverStored(reply);
    const { owner, actor } = signedIn(request);
    await sessions.requirePassword(request, owner.username, request.body.currentPassword);
    return { data: await setUpCode(deps, actor, owner) };
  });

  bind(app, CONFIRM_CODE, async (request, reply) => {
    neverStored(reply);
    const { owner, actor, session } = signedIn(request);
    const first = { code: request.body.oneTimeCode, keep: session.tokenHash };
    const recoveryCodes = await confirmCode(deps, actor, owner, first);
    deps.notices.sessionsEnded(owner.operatorId);
    return { data: { recoveryCodes } };
  });

  bind(app, RENEW_RECOVERY_CODES, async (request, reply) => {
    neverStored(reply);
    const { owner, actor } = signedIn(request);
    const { oneTimeCode } = request.body;
    return { data: { recoveryCodes: await renewRecoveryCodes(deps, actor, owner, oneTimeCode) } };
  });

  bind(app, TURN_CODE_OFF, async (request) => {
    const { owner, actor } = signedIn(request);
    await turnCodeOff(deps, actor, owner, request.body.oneTimeCode);
    return { data: { on: false, recoveryCodesLeft: 0 } };
  });

  bind(app, REMOVE_CODE, async (request) => {
    const caller = callerOf(request);
    const { operatorId } = request.params;
    const operator = found(await findOperator(pool, operatorId, deps.clock.now()), 'Operator');
    refuseOn(refuseCodeRemoval(operator, caller.actor));
    const operation = {
      kind: 'one-time-code-removal',
      target: operatorId,
      request: { operatorId, username: operator.username },
      waits: true,
    } as const;
    return { data: await performOrAsk(deps, caller, operation, (removed) => removed) };
  });
}
