import {
  CHANGE_OWN_PASSWORD,
  type ChangeOwnPassword,
  SIGN_IN,
  SIGN_OUT,
  type SignIn,
  WHO_AM_I,
} from '@munshi/api';
import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import { auditEntry } from '../../services/write.ts';
import { insertAudit } from '../../storage/audit-log.ts';
import { findOperator } from '../../storage/operators.ts';
import { findOperatorByUsername } from '../../storage/passwords.ts';
import { findOperatorSession, type OperatorPrincipal } from '../../storage/sessions.ts';
import type { Deps } from '../deps.ts';
import { sendRefusal } from '../errors.ts';
import { jsonTime, Refused, sendData } from '../json.ts';
import type { RecordedAct, SessionRules, Sessions } from '../session.ts';
import type { Operator } from './access.ts';

/** Sign-ins of operators; each is in the audit log. */
export const OPERATOR_SESSIONS: SessionRules<OperatorPrincipal> = {
  kind: 'operator',
  cookieName: 'munshi_operator',
  path: '/api/operator',
  lifetimeMs: 12 * 60 * 60 * 1000,
  fromLastUse: false,
  findSession: findOperatorSession,
  findByUsername: findOperatorByUsername,
  recordSignIn: (client, by) => record(client, 'session.create', by),
  recordPassword: (client, by) => record(client, 'operator.password', by),
};

async function record(
  client: pg.PoolClient,
  action: string,
  { principalId, address, at }: RecordedAct,
) {
  const operator = await findOperator(client, principalId, at);
  const actor = { kind: 'operator', id: principalId, name: operator?.name ?? '', address } as const;
  await insertAudit(client, auditEntry(actor, { action, target: principalId }, at));
}

const showOperator = ({ operatorId, username, name, role }: OperatorPrincipal) => ({
  operatorId,
  username,
  name,
  role,
});
const showSession = (operator: Pick<Operator, 'session'> & OperatorPrincipal) => ({
  operator: showOperator(operator),
  csrfToken: operator.session?.csrfToken ?? null,
  expiresAt: jsonTime(operator.session?.expiresAt ?? null),
});

/** POST, GET and DELETE `/session`, and POST `/password`. */
export function sessionRoutes(
  app: FastifyInstance,
  deps: Deps,
  sessions: Sessions<OperatorPrincipal>,
): void {
  app.post<{ Body: SignIn }>('/session', { schema: SIGN_IN }, async (request, reply) => {
    const signIn = await sessions.signIn(request, reply, request.body);
    if (!signIn.ok) return sendRefusal(reply, signIn.refusal);
    const { token, csrfToken, expiresAt, principalId } = signIn;
    const operator = await findOperator(deps.database.pool, principalId, deps.clock.now());
    return sendData(reply, {
      token,
      csrfToken,
      expiresAt: jsonTime(expiresAt),
      operator: operator && showOperator(operator),
    });
  });

  app.get('/session', { schema: WHO_AM_I }, async ({ operator }, reply) =>
    sendData(reply, showSession(operator)),
  );

  app.delete('/session', { schema: SIGN_OUT }, async ({ operator: { session } }, reply) => {
    if (session === undefined || session.kind === 'operator-token')
      throw new Refused('wrong-state', 'A script token has no session to end; revoke it instead.');
    await sessions.signOut(reply, session);
    return sendData(reply, { signedOut: true });
  });

  app.post<{ Body: ChangeOwnPassword }>(
    '/password',
    { schema: CHANGE_OWN_PASSWORD },
    async (request, reply) => {
      const { operatorId: principalId, username, session } = request.operator;
      if (session === undefined)
        throw new Refused('wrong-state', 'A token of the environment has no password.');
      const signIn = await sessions.changePassword(
        request,
        reply,
        { principalId, username },
        request.body,
      );
      if (!signIn.ok) return sendRefusal(reply, signIn.refusal);
      const { token, csrfToken, expiresAt } = signIn;
      return sendData(reply, { token, csrfToken, expiresAt: jsonTime(expiresAt) });
    },
  );
}
