import {
  PORTAL_CHANGE_PASSWORD,
  PORTAL_END_OTHER_SESSIONS,
  PORTAL_END_SESSION,
  PORTAL_LIST_SESSIONS,
  PORTAL_SIGN_IN,
  PORTAL_SIGN_OUT,
  PORTAL_WHO_AM_I,
  type PortalSessionView,
} from '@munshi/api';
import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import { found } from '../../services/refusals.ts';
import { hashToken, type RecordedAct, type SessionRules } from '../../services/sessions.ts';
import { auditEntry } from '../../services/write.ts';
import { insertAudit } from '../../storage/audit-log.ts';
import { findPortalUserByUsername } from '../../storage/passwords.ts';
import { findPortalUser } from '../../storage/portal-users.ts';
import {
  type FoundSession,
  findPortalSession,
  type PortalPrincipal,
  recordSignIn,
} from '../../storage/sessions.ts';
import { bind } from '../bind.ts';
import type { Deps } from '../deps.ts';
import { ownSessionRoutes } from '../own-session.ts';
import type { Sessions } from '../session.ts';
import { jsonTime } from '../values.ts';
import { callerOf } from './access.ts';

/** Sign-ins of a merchant's own people; each is in the audit log. */
export const portalSessions = {
  kind: 'portal',
  cookieName: 'munshi_portal',
  path: '/api/portal',
  lifetimeMs: 12 * 60 * 60 * 1000,
  fromLastUse: false,
  useRecordedMs: 60 * 1000, // an idle sign-in ends after 30 minutes
  findSession: findPortalSession,
  findByUsername: findPortalUserByUsername,
  async recordSignIn(client, by) {
    await record(client, 'session.create', by);
    return recordSignIn(client, 'portal', by.principalId, by);
  },
  recordPassword: (client, by) => record(client, 'portal-user.password', by),
} satisfies SessionRules<PortalPrincipal> & { cookieName: string; path: string };

async function record(
  client: pg.PoolClient,
  action: string,
  { principalId, address, at, ids }: RecordedAct,
) {
  const { name } = found(await findPortalUser(client, principalId), 'Portal user');
  const actor = { kind: 'portal', id: principalId, name, address } as const;
  await insertAudit(client, auditEntry(ids, actor, { action, target: principalId }, at));
}

/** Signing in and out, one's own password and sign-ins. */
export function sessionRoutes(
  app: FastifyInstance,
  deps: Deps,
  sessions: Sessions<PortalPrincipal>,
): void {
  const { database, clock } = deps;

  bind(app, PORTAL_SIGN_IN, async (request, reply) => {
    const { token } = await sessions.signIn(request, reply, request.body);
    const session = await findPortalSession(database.pool, hashToken(token), clock.now());
    return { data: { token, ...showSession(found(session, 'Session')) } };
  });

  bind(app, PORTAL_WHO_AM_I, async ({ portal }) => ({ data: showSession(portal) }));

  ownSessionRoutes(app, deps, sessions, {
    signOut: PORTAL_SIGN_OUT,
    changePassword: PORTAL_CHANGE_PASSWORD,
    list: PORTAL_LIST_SESSIONS,
    end: PORTAL_END_SESSION,
    endOthers: PORTAL_END_OTHER_SESSIONS,
    callerOf,
    whoOf({ portal: session }) {
      const { portalUserId: principalId, username } = session.principal;
      return { principalId, username, session };
    },
  });
}

const showSession = ({
  principal: { portalUserId, username, name, role, merchantId, merchantName },
  csrfToken,
  expiresAt,
  previous,
}: FoundSession<PortalPrincipal>): PortalSessionView => ({
  user: { portalUserId, username, name, role },
  merchant: { merchantId, name: merchantName },
  csrfToken,
  expiresAt: jsonTime(expiresAt),
  previousSignIn: previous && { ...previous, at: jsonTime(previous.at) },
});
