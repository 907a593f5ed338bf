import { type Change, type ChangeKind, OPERATOR_FOLLOW_EVENTS } from '@munshi/api';
import type { OperatorFace } from '../people/access.operator.ts';
import type { Deps } from '../people/deps.ts';
import { findOperatorSession } from '../people/sessions.store.ts';
import { servedBy } from '../platform/http/bind.ts';
import { isPreview } from '../platform/http/preview.ts';
import { eventStreamRoute } from './routes.ts';

/** GET /events: what has changed, for operators' open screens. */
export function eventRoute(face: OperatorFace, deps: Deps): void {
  const { database, notices } = deps;
  eventStreamRoute(face, deps, {
    endpoint: OPERATOR_FOLLOW_EVENTS,
    heartbeat: 'event: heartbeat\ndata: {}\n\n',
    readerOf: ({ id, session }) => ({ id, session }),
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
  webhooks: 'delivery',
  members: 'member',
  'member-accounts': 'member',
};

/** Paths name ids by their kind (`memberId`); of a setting the first parameter is the id. */
function changeOf(kind: ChangeKind, params: Readonly<Record<string, string>>): Change {
  const [first] = Object.values(params);
  return { kind, id: (kind === 'setting' ? first : params[`${kind}Id`]) ?? null } as Change;
}

/** Notifies operators' screens of every write of the scope that was answered well. */
export function announceWrites({ app }: OperatorFace, { notices }: Deps): void {
  app.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions, params, query } = request;
    if (method === 'GET' || method === 'HEAD' || reply.statusCode !== 200) return;
    if (isPreview(query) || servedBy(request)?.decides?.by === 'nobody') return;
    const [noun = ''] = (routeOptions.url ?? '').slice(app.prefix.length + 1).split('/');
    if (noun === 'session') return;
    const given = (params ?? {}) as Readonly<Record<string, string>>;
    notices.changed([changeOf(KINDS[noun] ?? 'setting', given)]);
    const { merchantId } = given;
    if (noun === 'merchants' && merchantId !== undefined)
      notices.ownChanged([{ merchantId, kind: 'setting' }]);
  });
}
