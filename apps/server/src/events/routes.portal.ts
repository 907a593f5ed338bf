import { PORTAL_FOLLOW_EVENTS } from '@munshi/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Deps } from '../people/deps.ts';
import { findPortalSession } from '../people/sessions.store.ts';
import { eventStreamRoute } from './routes.ts';

/** GET /events: what has changed of the merchant, for its people's open screens. */
export function eventRoute(app: FastifyInstance, deps: Deps): void {
  const { database, notices } = deps;
  eventStreamRoute(app, deps, {
    endpoint: PORTAL_FOLLOW_EVENTS,
    heartbeat: 'event: heartbeat\ndata: {}\n\n',
    readerOf: ({ portal }) => ({ id: portal.principal.portalUserId, session: portal }),
    findSession: (tokenHash, now) => findPortalSession(database.pool, tokenHash, now),
    subscribe: (_id, { send, end, checkSession }, { portal: { principal } }) =>
      notices.subscribeToMerchant(principal, {
        changed: (kind) => send(kind, { kind }),
        missed: end,
        checkSession,
      }),
  });
}

/** Notifies the merchant's open screens of every write of the scope that was answered well. */
export function announceOwnWrites(app: FastifyInstance, { notices }: Deps): void {
  app.addHook('onResponse', async ({ method, portal, routeOptions }: FastifyRequest, reply) => {
    if (method === 'GET' || method === 'HEAD' || reply.statusCode !== 200) return;
    if (portal === null || routeOptions.config.endpoint?.decides?.by === 'nobody') return;
    notices.ownChanged([{ merchantId: portal.principal.merchantId, kind: 'setting' }]);
  });
}
