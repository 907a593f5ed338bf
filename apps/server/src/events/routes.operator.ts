import { type ChangeKind, OPERATOR_FOLLOW_EVENTS } from '@munshi/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Deps } from '../people/deps.ts';
import { findOperatorSession } from '../people/sessions.store.ts';
import { isPreview } from '../platform/http/preview.ts';
import { eventStreamRoute } from './routes.ts';

/** GET /events: what has changed, for operators' open screens. */
export function eventRoute(app: FastifyInstance, deps: Deps): void {
  const { database, notices } = deps;
  eventStreamRoute(app, deps, {
    endpoint: OPERATOR_FOLLOW_EVENTS,
    heartbeat: 'event: heartbeat\ndata: {}\n\n',
    readerOf: ({ operator }) => ({ id: operator.operatorId, session: operator.session }),
    findSession: (tokenHash, now) => findOperatorSession(database.pool, tokenHash, now),
    subscribe: (operatorId, { send, end, checkSession }) =>
      notices.subscribeToChanges(operatorId, {
        changed: (change) => send(change.kind, change),
        missed: end,
        checkSession,
      }),
  });
}

/** What a write changes that the engine does not report, by the first part of its path. */
const KINDS: Readonly<Record<string, ChangeKind>> = {
  orders: 'order',
  'late-claims': 'claim',
  approvals: 'approval',
  adjustments: 'approval',
  webhooks: 'delivery',
  members: 'member',
  'member-accounts': 'member',
};

/** Notifies operators' screens of every write of the scope that was answered well. */
export function announceWrites(app: FastifyInstance, { notices }: Deps): void {
  app.addHook('onResponse', async (request: FastifyRequest, reply) => {
    const { method, routeOptions, params, query } = request;
    if (method === 'GET' || method === 'HEAD' || reply.statusCode !== 200) return;
    if (isPreview(query) || routeOptions.config.endpoint?.decides?.by === 'nobody') return;
    const [noun = ''] = (routeOptions.url ?? '').slice(app.prefix.length + 1).split('/');
    if (noun === 'session') return;
    const [id = null] = Object.values((params ?? {}) as Record<string, string>);
    notices.changed([{ kind: KINDS[noun] ?? 'setting', id }]);
    if (noun === 'merchants' && id !== null)
      notices.ownChanged([{ merchantId: id, kind: 'setting' }]);
  });
}
