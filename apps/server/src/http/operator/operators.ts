import {
  CHANGE_OPERATOR,
  CREATE_OPERATOR,
  CREATE_OPERATOR_TOKEN,
  LIST_OPERATOR_TOKENS,
  LIST_OPERATORS,
  MAKE_OPERATOR_RECOVERY,
  REVOKE_OPERATOR_TOKEN,
  REVOKE_OPERATOR_TOKENS,
} from '@munshi/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { performOrAsk } from '../../services/approvals.ts';
import { operatorChange, operatorCreation, revokeTokens } from '../../services/operators.ts';
import { recoveryOperation } from '../../services/recovery-links.ts';
import { found } from '../../services/refusals.ts';
import {
  findOperator,
  listOperators,
  type OperatorRecord,
} from '../../storage/people/operators.ts';
import { listTokens, TOKEN_DAYS } from '../../storage/people/script-tokens.ts';
import { bind } from '../bind.ts';
import type { Deps } from '../deps.ts';
import { pageAnswer, pageOf } from '../lists.ts';
import { askingOperator, callerOf } from './access.ts';
import { showMadeToken, showOperator, showRecoveryLink, showRevoked, showToken } from './views.ts';

const shownTo =
  ({ operator: who }: Pick<FastifyRequest, 'operator'>) =>
  (operator: OperatorRecord) =>
    showOperator(operator, askingOperator(who));

/** Operators with passwords and roles. */
export function operatorRoutes(app: FastifyInstance, deps: Deps): void {
  bind(app, CREATE_OPERATOR, async (request) => {
    const operation = await operatorCreation(request.body);
    return { data: await performOrAsk(deps, callerOf(request), operation, shownTo(request)) };
  });

  bind(app, CHANGE_OPERATOR, async (request) => {
    const caller = callerOf(request);
    const { operatorId } = request.params;
    const operation = await operatorChange(deps, caller.actor, operatorId, request.body);
    return { data: await performOrAsk(deps, caller, operation, shownTo(request)) };
  });

  bind(app, MAKE_OPERATOR_RECOVERY, async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const caller = callerOf(request);
    const { operatorId } = request.params;
    const { pool } = deps.database;
    const now = deps.clock.now();
    const operation = await recoveryOperation(pool, 'operator', operatorId, caller.actor, now);
    return { data: await performOrAsk(deps, caller, operation, showRecoveryLink) };
  });

  bind(app, LIST_OPERATORS, async (request) => {
    const page = pageOf(request.query);
    const { after, limit } = page;
    const now = deps.clock.now();
    const rows = await listOperators(deps.database.pool, { now, after, limit: limit + 1 });
    return pageAnswer(page, rows, ({ operatorId }) => operatorId, shownTo(request));
  });
}

/** Script tokens of operators. */
export function operatorTokenRoutes(app: FastifyInstance, deps: Deps): void {
  const { database, clock } = deps;
  const findOne = async (operatorId: string) =>
    found(await findOperator(database.pool, operatorId, clock.now()), 'Operator');

  bind(app, CREATE_OPERATOR_TOKEN, async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const { operatorId, username } = await findOne(request.params.operatorId);
    const { name, expiresInDays = TOKEN_DAYS } = request.body;
    const operation = {
      kind: 'operator-token',
      target: operatorId,
      request: { operatorId, username, name, expiresInDays },
      waits: CREATE_OPERATOR_TOKEN.decides.needsTwo(
        { operatorId },
        undefined,
        request.operator.actor,
      ),
    } as const;
    return { data: await performOrAsk(deps, callerOf(request), operation, showMadeToken) };
  });

  bind(app, LIST_OPERATOR_TOKENS, async ({ params, query }) => {
    const { operatorId } = await findOne(params.operatorId);
    const page = pageOf(query);
    const { after, limit } = page;
    const question = { operatorId, now: clock.now(), after, limit: limit + 1 };
    const rows = await listTokens(database.pool, question);
    return pageAnswer(page, rows, ({ tokenId }) => tokenId, showToken);
  });

  bind(app, REVOKE_OPERATOR_TOKENS, async (request) => {
    const all = { operatorId: request.params.operatorId, tokenId: null };
    return { data: showRevoked(await revokeTokens(deps, callerOf(request), all, showRevoked)) };
  });

  bind(app, REVOKE_OPERATOR_TOKEN, async (request) => {
    const one = request.params;
    return { data: showRevoked(await revokeTokens(deps, callerOf(request), one, showRevoked)) };
  });
}
