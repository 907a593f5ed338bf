import {
  CONFIRM_CODE,
  READ_CODE_STATE,
  REMOVE_CODE,
  RENEW_RECOVERY_CODES,
  SET_UP_CODE,
  TURN_CODE_OFF,
} from '@munshi/api';
import { refuseCodeRemoval } from '@munshi/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { performOrAsk } from '../../services/approvals.ts';
import { found, Refused, refuseOn } from '../../services/refusals.ts';
import { findOperator } from '../../storage/people/operators.ts';
import type { OperatorPrincipal } from '../../storage/people/sessions.ts';
import { bind } from '../bind.ts';
import type { Deps } from '../deps.ts';
import { ownCodeRoutes } from '../one-time-codes.ts';
import type { Sessions } from '../session.ts';
import { callerOf } from './access.ts';

/** Codes are about who signs in with a password: a script token changes nothing of them. */
function signedIn({ operator }: Pick<FastifyRequest, 'operator'>) {
  const { session, operatorId, username, actor } = operator;
  if (session === undefined || session.kind !== 'operator')
    throw new Refused('wrong-state', 'Sign in with your password: a script token has no codes.');
  return {
    owner: { kind: 'operator', principalId: operatorId, username, actor },
    session,
  } as const;
}

/** One's own one-time codes, and those of others. */
export function oneTimeCodeRoutes(
  app: FastifyInstance,
  deps: Deps,
  sessions: Sessions<OperatorPrincipal>,
): void {
  const { pool } = deps.database;

  ownCodeRoutes(app, deps, sessions, {
    state: READ_CODE_STATE,
    setUp: SET_UP_CODE,
    confirm: CONFIRM_CODE,
    renew: RENEW_RECOVERY_CODES,
    turnOff: TURN_CODE_OFF,
    signedIn,
    holderOf: ({ operator: { session, operatorId } }) =>
      session && { kind: 'operator', principalId: operatorId },
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
    } as const;
    return { data: await performOrAsk(deps, caller, operation, (removed) => removed) };
  });
}
