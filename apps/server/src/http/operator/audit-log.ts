import { LIST_AUDIT, type ListAudit } from '@munshi/api';
import type { FastifyInstance } from 'fastify';
import { type AuditRecord, listAudit } from '../../storage/audit-log.ts';
import type { Deps } from '../deps.ts';
import { jsonTime, pageOf, sendList } from '../json.ts';

const show = ({
  auditId,
  at,
  actorKind,
  actorId,
  actorName,
  address,
  action,
  target,
  detail,
}: AuditRecord) => ({
  auditId,
  at: jsonTime(at),
  actor: { kind: actorKind, id: actorId, name: actorName, address },
  action,
  target,
  detail,
});

/** GET `/audit-log`: who did what, when, from where. */
export function auditLogRoutes(app: FastifyInstance, { database }: Deps): void {
  app.get<{ Querystring: ListAudit }>(
    '/audit-log',
    { schema: LIST_AUDIT },
    async (request, reply) => {
      const page = pageOf(request.query);
      const { actorId = null, action = null, target = null } = request.query;
      const rows = await listAudit(database.pool, {
        actorId,
        action,
        target,
        after: page.after,
        limit: page.limit + 1,
      });
      return sendList(reply, page, rows, ({ auditId }) => auditId, show);
    },
  );
}
