import {
  CHANGE_OWN_PASSWORD,
  type OperatorSessionView,
  SIGN_IN,
  SIGN_OUT,
  WHO_AM_I,
} from '@munshi/api';
import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import { found, Refused } from '../../services/refusals.ts';
import type { RecordedAct, SessionRules } from '../../services/sessions.ts';
import { auditEntry } from '../../services/write.ts';
import { insertAudit } from '../../storage/audit-log.ts';
import { findOperator } from '../../storage/operators.ts';
import { findOperatorByUsername } from '../../storage/passwords.ts';
import { findOperatorSession, type OperatorPrincipal } from '../../storage/sessions.ts';
import { bind } from '../bind.ts';
import type { Deps } from '../deps.ts';
import { type Sessions, showSignIn } from '../session.ts';
import { jsonTime } from '../values.ts';
import type { Operator } from './access.ts';

/** Sign-ins of operators; each is in the audit log. */
export const OPERATOR_SESSIONS = {
  kind: 'operator',
  cookieName: 'munshi_operator',
  path: '/api/operator',
  lifetimeMs: 12 * 60 * 60 * 1000,
  fromLastUse: false,
  findSession: findOperatorSession,
  findByUsername: findOperatorByUsername,
  recordSignIn: (client, by) => record(client, 'session.create', by),
  recordPassword: (client, by) => record(client, 'operator.password', by),
} satisfies SessionRules<OperatorPrincipal> & { cookieName: string; path: string };

async function record(
  client: pg.PoolClient,
  action: string,
  { principalId, address, at, ids }: RecordedAct,
) {
  const operator = await findOperator(client, principalId, at);
  const actor = { kind: 'operator', id: principalId, name: operator?.name ?? '', address } as const;
  await insertAudit(client, auditEntry(ids, actor, { action, target: principalId }, at));
}

const showPrincipal = ({ operatorId, username, name, role }: OperatorPrincipal) => ({
  operatorId,
  username,
  name,
  role,
});

const showSession = (operator: Operator): OperatorSessionView => ({
  operator: showPrincipal(operator),
  csrfToken: operator.session?.csrfToken ?? null,
  expiresAt: jsonTime(operator.session?.expiresAt ?? null),
});

/** Signing in and out, and one's own password. */
export function sessionRoutes(
  app: FastifyInstance,
  { database, clock }: Deps,
  sessions: Sessions<OperatorPrincipal>,
): void {
  bind(app, SIGN_IN, async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const signIn = await sessions.signIn(request, reply, request.body);
    const operator = await findOperator(database.pool, signIn.principalId, clock.now());
    return {
      data: { ...showSignIn(signIn), operator: showPrincipal(found(operator, 'Operator')) },
    };
  });

  bind(app, WHO_AM_I, async ({ operator }) => ({ data: showSession(operator) }));

  bind(app, SIGN_OUT, async ({ operator: { session } }, reply) => {
    if (session === undefined || session.kind === 'operator-token')
      throw new Refused('wrong-state', 'A script token has no session to end; revoke it instead.');
    await sessions.signOut(reply, session);
    return { data: { signedOut: true } };
  });

  bind(app, CHANGE_OWN_PASSWORD, async (request, reply) => {
    const { operatorId: principalId, username, session } = request.operator;
    if (session === undefined)
      throw new Refused('wrong-state', 'A token of the environment has no password.');
    const who = { principalId, username };
    const changed = await sessions.changePassword(request, reply, who, request.body);
    return { data: showSignIn(changed) };
  });
}
