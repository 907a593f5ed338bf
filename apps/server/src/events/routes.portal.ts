import { PORTAL_FOLLOW_EVENTS } from '@munshi/api';
import { merchantOf, type PortalFace } from '../people/access.portal.ts';
import type { Deps } from '../people/deps.ts';
import { findPortalSession } from '../people/sessions.store.ts';
import { servedBy } from '../platform/http/bind.ts';
import { eventStreamRoute } from './routes.ts';

/** GET /events: what has changed of the merchant, for its people's open screens. */
export function eventRoute(face: PortalFace, deps: Deps): void {
  const { database, notices } = deps;
  eventStreamRoute(face, deps, {
    endpoint: PORTAL_FOLLOW_EVENTS,
    heartbeat: 'event: heartbeat\ndata: {}\n\n',
    readerOf: (caller) => ({ id: caller.principal.portalUserId, session: caller }),
    findSession: (tokenHash, now) => findPortalSession(database.pool, tokenHash, now),
    subscribe: (_id, { send, end, checkSession }, { principal }) =>
      notices.subscribeToMerchant(principal, {
        changed: (kind) => send(kind, { kind }),
        missed: end,
        checkSession,
      }),
  });
}

/** Notifies the merchant's open screens of every write of the scope that was answered well. */
export function announceOwnWrites({ app, callerOf }: PortalFace, { notices }: Deps): void {
  app.addHook('onResponse', async (request, reply) => {
    const { method } = request;
    if (method === 'GET' || method === 'HEAD' || reply.statusCode !== 200) return;
    const endpoint = servedBy(request);
    if (endpoint?.needs === 'anyone' || endpoint?.decides?.by === 'nobody') return;
    notices.ownChanged([{ merchantId: merchantOf(callerOf(request)), kind: 'setting' }]);
  });
}
