import {
  type Given,
  PORTAL_CHANGE_PASSWORD,
  PORTAL_CONFIRM_CODE,
  PORTAL_END_OTHER_SESSIONS,
  PORTAL_END_SESSION,
  PORTAL_LIST_SESSIONS,
  PORTAL_READ_CODE_STATE,
  PORTAL_READ_RECOVERY,
  PORTAL_RECOVER,
  PORTAL_RENEW_RECOVERY_CODES,
  PORTAL_SET_UP_CODE,
  PORTAL_SIGN_IN,
  PORTAL_SIGN_OUT,
  PORTAL_TURN_CODE_OFF,
  PORTAL_WHO_AM_I,
  type PortalSessionView,
} from '@munshi/api';
import type { AuditAction } from '@munshi/core';
import type pg from 'pg';
import { findMerchant } from '../merchants/store.ts';
import type { PortalFace } from '../people/access.portal.ts';
import type { Deps } from '../people/deps.ts';
import { ownCodeRoutes } from '../people/one-time-codes.routes.ts';
import { checkSignInCode } from '../people/one-time-codes.service.ts';
import { readCodeState } from '../people/one-time-codes.store.ts';
import { ownSessionRoutes } from '../people/own-session.routes.ts';
import { findPortalUser } from '../people/portal-users.store.ts';
import type { Sessions } from '../people/session.http.ts';
import { hashToken, type RecordedAct, type SessionRules } from '../people/sessions.service.ts';
import {
  type FoundSession,
  findPortalSession,
  type PortalPrincipal,
  recordSignIn,
} from '../people/sessions.store.ts';
import { bind } from '../platform/http/bind.ts';
import { found } from '../platform/refusals.ts';
import { recoveryRoutes } from '../recovery/routes.ts';
import { insertAudit } from '../writes/audit-log.store.ts';
import { auditEntry } from '../writes/write.ts';

/** Sign-ins of a merchant's own people; each is in the audit log. */
export const portalSessions = (deps: Deps) =>
  ({
    kind: 'portal',
    cookieName: 'munshi_portal',
    path: '/api/portal',
    lifetimeMs: 12 * 60 * 60 * 1000,
    fromLastUse: false,
    useRecordedMs: 60 * 1000, // an idle sign-in ends after 30 minutes
    findSession: findPortalSession,
    checkCode: (principalId, oneTimeCode) =>
      checkSignInCode(deps, { kind: 'portal', principalId }, oneTimeCode),
    async recordSignIn(client, { oneTimeCode, ...by }) {
      await record(client, 'session.create', by, oneTimeCode === 'none' ? {} : { oneTimeCode });
      return recordSignIn(client, 'portal', by.principalId, by);
    },
    recordPassword: (client, by) => record(client, 'portal-user.password', by),
  }) satisfies SessionRules<PortalPrincipal> & { cookieName: string; path: string };

async function record(
  client: pg.PoolClient,
  action: AuditAction,
  { principalId, address, at, ids }: RecordedAct,
  detail = {},
) {
  const { name } = found(await findPortalUser(client, principalId), 'Portal user');
  const actor = { kind: 'portal', id: principalId, name, address } as const;
  await insertAudit(client, auditEntry(ids, actor, { action, target: principalId, detail }, at));
}

/** Signing in and out, one's own password and sign-ins. */
export function sessionRoutes(
  face: PortalFace,
  deps: Deps,
  sessions: Sessions<PortalPrincipal>,
): void {
  const { database, clock } = deps;
  const showSession = async (session: FoundSession<PortalPrincipal>) => {
    const { principal } = session;
    const { on } = await readCodeState(database.pool, codesOf(principal));
    const { timeZone } = found(await findMerchant(database.pool, principal.merchantId), 'Merchant');
    return { ...showSignedIn(session, timeZone), oneTimeCode: on ? 'on' : 'off' } as const;
  };

  bind(face, PORTAL_SIGN_IN, async (request, _caller, reply) => {
    const { token } = await sessions.signIn(request, reply, request.body);
    const session = await findPortalSession(database.pool, hashToken(token), clock.now());
    return { data: { token, ...(await showSession(found(session, 'Session'))) } };
  });

  bind(face, PORTAL_WHO_AM_I, async (_request, caller) => ({ data: await showSession(caller) }));

  recoveryRoutes(face, deps, 'portal', { read: PORTAL_READ_RECOVERY, use: PORTAL_RECOVER });
  ownCodeRoutes(face, deps, sessions, {
    state: PORTAL_READ_CODE_STATE,
    setUp: PORTAL_SET_UP_CODE,
    confirm: PORTAL_CONFIRM_CODE,
    renew: PORTAL_RENEW_RECOVERY_CODES,
    turnOff: PORTAL_TURN_CODE_OFF,
    holderOf: ({ principal }) => codesOf(principal),
    signedIn(caller) {
      const { principal, actor } = caller;
      return {
        owner: { ...codesOf(principal), username: principal.username, actor },
        session: caller,
      };
    },
  });

  ownSessionRoutes(face, deps, sessions, {
    signOut: PORTAL_SIGN_OUT,
    changePassword: PORTAL_CHANGE_PASSWORD,
    list: PORTAL_LIST_SESSIONS,
    end: PORTAL_END_SESSION,
    endOthers: PORTAL_END_OTHER_SESSIONS,
    whoOf(session) {
      const { portalUserId: principalId, username } = session.principal;
      return { principalId, username, session };
    },
  });
}

const codesOf = ({ portalUserId }: PortalPrincipal) =>
  ({ kind: 'portal', principalId: portalUserId }) as const;

const showSignedIn = (
  { principal, csrfToken, expiresAt, previous }: FoundSession<PortalPrincipal>,
  timeZone: string,
): Omit<Given<PortalSessionView>, 'oneTimeCode'> => ({
  user: { ...principal, capabilities: [...principal.capabilities] },
  merchant: { merchantId: principal.merchantId, name: principal.merchantName, timeZone },
  csrfToken,
  expiresAt,
  previousSignIn: previous,
});
