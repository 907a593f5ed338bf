import { type AuditView, LIST_AUDIT } from '@munshi/api';
import type { FastifyInstance } from 'fastify';
import { type AuditRecord, listAudit } from '../../storage/audit-log.ts';
import { bind } from '../bind.ts';
import type { Deps } from '../deps.ts';
import { pageAnswer, pageOf } from '../lists.ts';
import { jsonTime } from '../values.ts';

const showEntry = (entry: AuditRecord): AuditView => ({
  auditId: entry.auditId,
  at: jsonTime(entry.at),
  actor: {
    kind: entry.actorKind,
    id: entry.actorId,
    name: entry.actorName,
    address: entry.address,
  },
  action: entry.action,
  target: entry.target,
  detail: entry.detail,
});

/** Who did what, when, from where. */
export function auditLogRoutes(app: FastifyInstance, { database }: Deps): void {
  bind(app, LIST_AUDIT, async ({ query }) => {
    const page = pageOf(query);
    const { actorId = null, action = null, target = null } = query;
    const question = { actorId, action, target, after: page.after, limit: page.limit + 1 };
    const rows = await listAudit(database.pool, question);
    return pageAnswer(page, rows, ({ auditId }) => auditId, showEntry);
  });
}
