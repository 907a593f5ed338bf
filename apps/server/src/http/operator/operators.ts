import {
  CHANGE_OPERATOR,
  type ChangeOperator,
  CREATE_OPERATOR,
  CREATE_OPERATOR_TOKEN,
  type CreateOperator,
  type CreateOperatorToken,
  LIST_OPERATOR_TOKENS,
  LIST_OPERATORS,
  type Page,
  REVOKE_OPERATOR_TOKEN,
  REVOKE_OPERATOR_TOKENS,
} from '@munshi/api';
import type { FastifyInstance } from 'fastify';
import { performOrAsk } from '../../services/approvals.ts';
import { operatorChange, revokeTokens } from '../../services/operators.ts';
import { hashNewPassword } from '../../services/passwords.ts';
import { found } from '../../services/refusals.ts';
import { requireAlone } from '../../services/settings.ts';
import { findOperator, listOperators } from '../../storage/operators.ts';
import { listTokens, TOKEN_DAYS } from '../../storage/script-tokens.ts';
import type { Deps } from '../deps.ts';
import { pageOf, sendData, sendList } from '../json.ts';
import { callerOf } from './access.ts';
import { showMadeToken, showOperator, showRevoked, showToken } from './views.ts';

type AboutOperator<Body = unknown> = { Params: { operatorId: string }; Body: Body };

/** Operators with passwords and roles. */
export function operatorRoutes(app: FastifyInstance, deps: Deps): void {
  const { database, clock } = deps;

  app.post<{ Body: CreateOperator }>(
    '/operators',
    { schema: CREATE_OPERATOR },
    async (request, reply) => {
      const { username, name, role, password } = request.body;
      const hidden =
        password === undefined ? null : { passwordHash: await hashNewPassword(password) };
      const operation = {
        kind: 'operator-create',
        target: username,
        request: { username, name, role, password: hidden === null ? 'none' : 'given' },
        hidden,
        waits: true,
        makesOperator: true,
      } as const;
      return sendData(reply, await performOrAsk(deps, callerOf(request), operation, showOperator));
    },
  );

  app.patch<AboutOperator<ChangeOperator>>(
    '/operators/:operatorId',
    { schema: CHANGE_OPERATOR },
    async (request, reply) => {
      const self = request.operator.operatorId;
      const act = await operatorChange(deps, self, request.params.operatorId, request.body);
      if (act.waits && request.body.status === 'suspended') await requireAlone(database.pool);
      return sendData(reply, await performOrAsk(deps, callerOf(request), act, showOperator));
    },
  );

  app.get<{ Querystring: Page }>(
    '/operators',
    { schema: LIST_OPERATORS },
    async ({ query }, reply) => {
      const page = pageOf(query);
      const { after, limit } = page;
      const now = clock.now();
      const rows = await listOperators(database.pool, { now, after, limit: limit + 1 });
      return sendList(reply, page, rows, ({ operatorId }) => operatorId, showOperator);
    },
  );
}

/** Script tokens of operators. */
export function operatorTokenRoutes(app: FastifyInstance, deps: Deps): void {
  const { database, clock } = deps;
  const find = async (operatorId: string) =>
    found(await findOperator(database.pool, operatorId, clock.now()), 'Operator');

  app.post<AboutOperator<CreateOperatorToken>>(
    '/operators/:operatorId/tokens',
    { schema: CREATE_OPERATOR_TOKEN },
    async (request, reply) => {
      const { operatorId, username } = await find(request.params.operatorId);
      const { name, expiresInDays = TOKEN_DAYS } = request.body;
      const operation = {
        kind: 'operator-token',
        target: operatorId,
        request: { operatorId, username, name, expiresInDays },
        waits: operatorId !== request.operator.operatorId,
      } as const;
      return sendData(reply, await performOrAsk(deps, callerOf(request), operation, showMadeToken));
    },
  );

  app.get<{ Params: { operatorId: string }; Querystring: Page }>(
    '/operators/:operatorId/tokens',
    { schema: LIST_OPERATOR_TOKENS },
    async ({ params, query }, reply) => {
      const page = pageOf(query);
      const { operatorId } = await find(params.operatorId);
      const { after, limit } = page;
      const question = { operatorId, now: clock.now(), after, limit: limit + 1 };
      const rows = await listTokens(database.pool, question);
      return sendList(reply, page, rows, ({ tokenId }) => tokenId, showToken);
    },
  );

  app.delete<AboutOperator>(
    '/operators/:operatorId/tokens',
    { schema: REVOKE_OPERATOR_TOKENS },
    async (request, reply) => {
      const all = { operatorId: request.params.operatorId, tokenId: null };
      return sendData(
        reply,
        showRevoked(await revokeTokens(deps, callerOf(request), all, showRevoked)),
      );
    },
  );

  app.delete<{ Params: { operatorId: string; tokenId: string } }>(
    '/operators/:operatorId/tokens/:tokenId',
    { schema: REVOKE_OPERATOR_TOKEN },
    async (request, reply) =>
      sendData(
        reply,
        showRevoked(await revokeTokens(deps, callerOf(request), request.params, showRevoked)),
      ),
  );
}
