import { randomBytes } from 'node:crypto';
import {
  CHANGE_OPERATOR,
  type ChangeOperator,
  CREATE_OPERATOR,
  CREATE_OPERATOR_TOKEN,
  type CreateOperator,
  type CreateOperatorToken,
  LIST_OPERATORS,
  REVOKE_OPERATOR_TOKENS,
} from '@munshi/api';
import type { FastifyInstance } from 'fastify';
import { uuidV7 } from '../../engine/ids.ts';
import { hashPassword } from '../../passwords.ts';
import { findOperator, insertOperator, listOperators, type OperatorRecord, updateOperator } from '../../storage/operators.ts';
import { DAY_MS, deleteSessionsOf, insertSession, TOKEN_DAYS } from '../../storage/sessions.ts';
import type { Deps } from '../deps.ts';
import { jsonTime, pageOf, Refused, sendData, sendList } from '../json.ts';
import { hashToken } from '../session.ts';
import { found, namesOf, recordedWrite, refuseTaken } from './write.ts';

const show = (operator: OperatorRecord) => ({ ...operator, createdAt: jsonTime(operator.createdAt) });

/** Operators with passwords and roles, and their script tokens. */
export function operatorRoutes(app: FastifyInstance, deps: Deps): void {
  const { database } = deps;

  app.post<{ Body: CreateOperator }>('/operators', { schema: CREATE_OPERATOR }, async (request, reply) => {
    const { username, name, role, password } = request.body;
    const passwordHash = password === undefined ? null : await hashPassword(password);
    const operator = await recordedWrite(deps, request, async (client, now) => {
      const operatorId = uuidV7(now);
      const taken = refuseTaken(`The username ${username} is taken.`);
      await insertOperator(client, { operatorId, username, name, role, passwordHash, createdAt: now }).catch(taken);
      const result = found(await findOperator(client, operatorId), 'Operator');
      return { result, answer: show(result), action: 'operator.create', target: operatorId, detail: { username, role } };
    });
    return sendData(reply, show(operator));
  });

  app.patch<{ Params: { operatorId: string }; Body: ChangeOperator }>('/operators/:operatorId', { schema: CHANGE_OPERATOR }, async (request, reply) => {
    const { operatorId } = request.params;
    const { name = null, role = null, status = null, password } = request.body;
    if (operatorId === request.operator.operatorId && (role !== null || status !== null)) {
      throw new Refused('wrong-state', 'Another operator must change your own role or status.');
    }
    const passwordHash = password === undefined ? null : await hashPassword(password);
    const operator = await recordedWrite(deps, request, async (client) => {
      await updateOperator(client, operatorId, { name, role, status, passwordHash });
      if (passwordHash !== null) for (const kind of ['operator', 'operator-token'] as const) await deleteSessionsOf(client, operatorId, kind);
      const result = found(await findOperator(client, operatorId), 'Operator');
      return { result, action: 'operator.update', target: operatorId, detail: { fields: namesOf(request.body), role: result.role, status: result.status } };
    });
    return sendData(reply, show(operator));
  });

  app.get<{ Querystring: { limit?: number; cursor?: string } }>('/operators', { schema: LIST_OPERATORS }, async (request, reply) => {
    const page = pageOf(request.query);
    const rows = await listOperators(database.pool, page.after, page.limit + 1);
    return sendList(reply, page, rows, ({ operatorId }) => operatorId, show);
  });

  app.post<{ Params: { operatorId: string }; Body: CreateOperatorToken }>(
    '/operators/:operatorId/tokens',
    { schema: CREATE_OPERATOR_TOKEN },
    async (request, reply) => {
      const { operatorId } = request.params;
      const { name, expiresInDays = TOKEN_DAYS } = request.body;
      const token = `op_${randomBytes(32).toString('base64url')}`;
      const expiresAt = await recordedWrite(deps, request, async (client, now) => {
        const { status } = found(await findOperator(client, operatorId), 'Operator');
        if (status !== 'active') throw new Refused('wrong-state', 'This operator is suspended.');
        const session = { tokenHash: hashToken(token), kind: 'operator-token', principalId: operatorId, csrfToken: null, name, createdAt: now } as const;
        const result = now + expiresInDays * DAY_MS;
        await insertSession(client, { ...session, expiresAt: result });
        const answer = { operatorId, name, expiresAt: jsonTime(result), secretShown: true };
        return { result, answer, action: 'operator.token', target: operatorId, detail: { name, expiresInDays } };
      });
      return sendData(reply, { operatorId, name, expiresAt: jsonTime(expiresAt), token });
    },
  );

  app.delete<{ Params: { operatorId: string } }>('/operators/:operatorId/tokens', { schema: REVOKE_OPERATOR_TOKENS }, async (request, reply) => {
    const { operatorId } = request.params;
    const revoked = await recordedWrite(deps, request, async (client) => {
      found(await findOperator(client, operatorId), 'Operator');
      const result = await deleteSessionsOf(client, operatorId, 'operator-token');
      return { result, answer: { revoked: result }, action: 'operator.token-revoke', target: operatorId, detail: { revoked: result } };
    });
    return sendData(reply, { revoked });
  });
}
