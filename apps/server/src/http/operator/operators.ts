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
import { findOperator, listOperators } from '../../storage/operators.ts';
import {
  deleteTokens,
  findOperatorByUsername,
  listTokens,
  TOKEN_DAYS,
  type TokenRecord,
} from '../../storage/sessions.ts';
import type { Deps } from '../deps.ts';
import { jsonTime, pageOf, Refused, sendData, sendList } from '../json.ts';
import { hashNewPassword } from '../new-password.ts';
import { isPromotion, showOperator } from './acts.ts';
import { actOrAsk, requireAlone } from './second-operator.ts';
import { found, recordedWrite } from './write.ts';

const showToken = ({ tokenId, name, createdAt, expiresAt, lastUsedAt }: TokenRecord) => ({
  ...{
    tokenId,
    name,
    createdAt: jsonTime(createdAt),
    expiresAt: jsonTime(expiresAt),
    lastUsedAt: jsonTime(lastUsedAt),
  },
});

/** Operators with passwords and roles, and their script tokens. */
export function operatorRoutes(app: FastifyInstance, deps: Deps): void {
  const { database, clock } = deps;

  app.post<{ Body: CreateOperator }>(
    '/operators',
    { schema: CREATE_OPERATOR },
    async (request, reply) => {
      const { username, name, role, password } = request.body;
      const hidden =
        password === undefined ? null : { passwordHash: await hashNewPassword(password) };
      const asked = { username, name, role, password: hidden === null ? 'none' : 'given' };
      return actOrAsk(deps, request, reply, {
        kind: 'operator-create',
        target: username,
        request: asked,
        hidden,
        waits: true,
        makesOperator: true,
      });
    },
  );

  app.patch<{ Params: { operatorId: string }; Body: ChangeOperator }>(
    '/operators/:operatorId',
    { schema: CHANGE_OPERATOR },
    async (request, reply) => {
      const { operatorId } = request.params;
      const { name = null, role = null, status = null, password } = request.body;
      if (operatorId === request.operator.operatorId && (role !== null || status !== null)) {
        throw new Refused('wrong-state', 'Another operator must change your own role or status.');
      }
      const before = found(await findOperator(database.pool, operatorId, clock.now()), 'Operator');
      const ownPassword = password !== undefined && operatorId === request.operator.operatorId;
      if (
        ownPassword &&
        (await findOperatorByUsername(database.pool, before.username))?.passwordHash !== null
      ) {
        throw new Refused(
          'wrong-state',
          'Change your own password with POST /password, which asks for the present one.',
        );
      }
      const promoted = role !== null && isPromotion(before.role, role);
      const reinstated = status === 'active' && before.status !== 'active';
      const waits =
        promoted ||
        reinstated ||
        (password !== undefined && operatorId !== request.operator.operatorId);
      if (waits && status === 'suspended') await requireAlone(database.pool);
      const hidden =
        password === undefined ? null : { passwordHash: await hashNewPassword(password) };
      const asked = {
        ...{ operatorId, username: before.username },
        ...(name !== null && { name, nameBefore: before.name }),
        ...(role !== null && { role, roleBefore: before.role }),
        ...(status !== null && { status, statusBefore: before.status }),
        ...(hidden !== null && { password: 'a new one' }),
      };
      const act = {
        kind: 'operator-change',
        target: operatorId,
        request: asked,
        hidden,
        waits,
        makesOperator: promoted || reinstated,
      } as const;
      return actOrAsk(deps, request, reply, act);
    },
  );

  app.get<{ Querystring: Page }>(
    '/operators',
    { schema: LIST_OPERATORS },
    async (request, reply) => {
      const page = pageOf(request.query);
      const rows = await listOperators(database.pool, {
        now: clock.now(),
        after: page.after,
        limit: page.limit + 1,
      });
      return sendList(reply, page, rows, ({ operatorId }) => operatorId, showOperator);
    },
  );

  app.post<{ Params: { operatorId: string }; Body: CreateOperatorToken }>(
    '/operators/:operatorId/tokens',
    { schema: CREATE_OPERATOR_TOKEN },
    async (request, reply) => {
      const { operatorId } = request.params;
      const { name, expiresInDays = TOKEN_DAYS } = request.body;
      const { username } = found(
        await findOperator(database.pool, operatorId, clock.now()),
        'Operator',
      );
      const waits = operatorId !== request.operator.operatorId;
      return actOrAsk(deps, request, reply, {
        kind: 'operator-token',
        target: operatorId,
        request: { operatorId, username, name, expiresInDays },
        waits,
      });
    },
  );

  app.get<{ Params: { operatorId: string }; Querystring: Page }>(
    '/operators/:operatorId/tokens',
    { schema: LIST_OPERATOR_TOKENS },
    async (request, reply) => {
      const page = pageOf(request.query);
      const now = clock.now();
      const { operatorId } = found(
        await findOperator(database.pool, request.params.operatorId, now),
        'Operator',
      );
      const rows = await listTokens(database.pool, {
        operatorId,
        now,
        after: page.after,
        limit: page.limit + 1,
      });
      return sendList(reply, page, rows, ({ tokenId }) => tokenId, showToken);
    },
  );

  app.delete<{ Params: { operatorId: string } }>(
    '/operators/:operatorId/tokens',
    { schema: REVOKE_OPERATOR_TOKENS },
    async (request, reply) => {
      const { operatorId } = request.params;
      const revoked = await recordedWrite(deps, request, async (client, now) => {
        found(await findOperator(client, operatorId, now), 'Operator');
        const result = (await deleteTokens(client, { operatorId, tokenId: null, now })).length;
        return {
          result,
          answer: { revoked: result },
          action: 'operator.token-revoke',
          target: operatorId,
          detail: { revoked: result },
        };
      });
      return sendData(reply, { revoked });
    },
  );

  app.delete<{ Params: { operatorId: string; tokenId: string } }>(
    '/operators/:operatorId/tokens/:tokenId',
    { schema: REVOKE_OPERATOR_TOKEN },
    async (request, reply) => {
      const { operatorId, tokenId } = request.params;
      await recordedWrite(deps, request, async (client, now) => {
        const name = found((await deleteTokens(client, { operatorId, tokenId, now }))[0], 'Token');
        return {
          result: undefined,
          answer: { revoked: 1 },
          action: 'operator.token-revoke',
          target: operatorId,
          detail: { revoked: 1, tokenId, name },
        };
      });
      return sendData(reply, { revoked: 1 });
    },
  );
}
