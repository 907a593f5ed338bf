import {
  CHANGE_OWN_PASSWORD,
  END_OTHER_SESSIONS,
  END_SESSION,
  type Given,
  LIST_APPROVALS,
  LIST_AUDIT,
  LIST_FEE_RULES,
  LIST_LATE_CLAIMS,
  LIST_MEMBERS,
  LIST_MERCHANTS,
  LIST_OPERATORS,
  LIST_ORDERS,
  LIST_SESSIONS,
  OPERATOR_READ_RECOVERY,
  OPERATOR_RECOVER,
  type OperatorSessionView,
  READ_SETTINGS,
  READ_WEBHOOK_HEALTH,
  RESOLVE_ORDER,
  SECTIONS,
  type Section,
  SIGN_IN,
  SIGN_OUT,
  WHO_AM_I,
} from '@munshi/api';
import type { AuditAction } from '@munshi/core';
import type pg from 'pg';
import { mayAsk, type OperatorFace } from '../people/access.operator.ts';
import { readLack } from '../people/approvers.service.ts';
import type { Deps } from '../people/deps.ts';
import { checkSignInCode } from '../people/one-time-codes.service.ts';
import { readCodeState } from '../people/one-time-codes.store.ts';
import { findOperator } from '../people/operators.store.ts';
import { ownSessionRoutes } from '../people/own-session.routes.ts';
import type { Sessions } from '../people/session.http.ts';
import { hashToken, type RecordedAct, type SessionRules } from '../people/sessions.service.ts';
import {
  type FoundSession,
  findOperatorSession,
  type OperatorPrincipal,
  recordSignIn,
} from '../people/sessions.store.ts';
import { bind } from '../platform/http/bind.ts';
import { found } from '../platform/refusals.ts';
import { recoveryRoutes } from '../recovery/routes.ts';
import { insertAudit } from '../writes/audit-log.store.ts';
import { auditEntry } from '../writes/write.ts';

/** Sign-ins of operators; each is in the audit log. */
export const operatorSessions = (deps: Deps) =>
  ({
    kind: 'operator',
    cookieName: 'munshi_operator',
    path: '/api/operator',
    lifetimeMs: 12 * 60 * 60 * 1000,
    fromLastUse: false,
    useRecordedMs: 60 * 1000, // an idle sign-in ends after 30 minutes
    findSession: findOperatorSession,
    checkCode: (principalId, oneTimeCode) =>
      checkSignInCode(deps, { kind: 'operator', principalId }, oneTimeCode),
    async recordSignIn(client, { oneTimeCode, ...by }) {
      const detail = oneTimeCode === 'none' ? {} : { oneTimeCode };
      await record(client, 'session.create', by, detail);
      return recordSignIn(client, 'operator', by.principalId, by);
    },
    recordPassword: (client, by) => record(client, 'operator.password', by),
  }) satisfies SessionRules<OperatorPrincipal> & { cookieName: string; path: string };

async function record(
  client: pg.PoolClient,
  action: AuditAction,
  { principalId, address, at, ids }: RecordedAct,
  detail = {},
) {
  const operator = await findOperator(client, principalId, at);
  const actor = { kind: 'operator', id: principalId, name: operator?.name ?? '', address } as const;
  await insertAudit(client, auditEntry(ids, actor, { action, target: principalId, detail }, at));
}

/** What each part of the console reads: a role that may read it may open the part. */
const SECTION_ENDPOINTS = {
  now: LIST_ORDERS,
  queues: RESOLVE_ORDER,
  orders: LIST_ORDERS,
  'late-claims': LIST_LATE_CLAIMS,
  approvals: LIST_APPROVALS,
  webhooks: READ_WEBHOOK_HEALTH,
  merchants: LIST_MERCHANTS,
  members: LIST_MEMBERS,
  fees: LIST_FEE_RULES,
  audit: LIST_AUDIT,
  operators: LIST_OPERATORS,
  settings: READ_SETTINGS,
} as const satisfies Record<Section, unknown>;

/** Who is signed in, and what they may open. */
function showSession(
  operator: OperatorPrincipal,
  session: Pick<FoundSession<unknown>, 'csrfToken' | 'expiresAt' | 'previous'> | undefined,
  { hasCode, approversMissing }: { readonly hasCode: boolean; readonly approversMissing: number },
): Given<OperatorSessionView> {
  return {
    operator: {
      ...operator,
      operatorId: operator.id,
      capabilities: operator.mustSetUpCode ? [] : [...operator.capabilities],
    },
    csrfToken: session?.csrfToken ?? null,
    expiresAt: session?.expiresAt ?? null,
    previousSignIn: session?.previous ?? null,
    oneTimeCode: operator.mustSetUpCode ? 'to-set-up' : hasCode ? 'on' : 'off',
    approversMissing,
    sections: SECTIONS.filter(
      (section) => !operator.mustSetUpCode && mayAsk(operator, SECTION_ENDPOINTS[section]),
    ),
  };
}

/** Signing in and out, and one's own password. */
export function sessionRoutes(
  face: OperatorFace,
  deps: Deps,
  sessions: Sessions<OperatorPrincipal>,
): void {
  const { database, clock } = deps;
  const hasCode = async (operatorId: string) =>
    operatorId.startsWith('env-')
      ? false
      : (await readCodeState(database.pool, { kind: 'operator', principalId: operatorId })).on;
  const readState = async (operatorId: string) => ({
    hasCode: await hasCode(operatorId),
    approversMissing: await readLack(database.pool, deps),
  });

  bind(face, SIGN_IN, async (request, _caller, reply) => {
    reply.header('cache-control', 'no-store');
    const { token } = await sessions.signIn(request, reply, request.body);
    const session = await findOperatorSession(database.pool, hashToken(token), clock.now());
    const { principal, ...rest } = found(session, 'Session');
    const shown = showSession(principal, rest, await readState(principal.id));
    return { data: { token, ...shown } };
  });

  bind(face, WHO_AM_I, async (_request, operator) => ({
    data: showSession(operator, operator.session, await readState(operator.id)),
  }));

  recoveryRoutes(face, deps, 'operator', { read: OPERATOR_READ_RECOVERY, use: OPERATOR_RECOVER });
  ownSessionRoutes(face, deps, sessions, {
    signOut: SIGN_OUT,
    changePassword: CHANGE_OWN_PASSWORD,
    list: LIST_SESSIONS,
    end: END_SESSION,
    endOthers: END_OTHER_SESSIONS,
    whoOf: ({ id: principalId, username, session }) => ({
      principalId,
      username,
      session,
    }),
  });
}
