import {
  AUDIT_CSV,
  AUDIT_CSV_ROWS_MAX,
  type AuditChainView,
  type AuditView,
  LIST_AUDIT,
  type QueryOf,
  READ_AUDIT_CHAIN,
} from '@munshi/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type ChainState, readChainState } from '../../services/audit-chain.ts';
import { type AuditQuestion, type AuditRecord, listAudit } from '../../storage/audit-log.ts';
import type { Page } from '../../storage/statement.ts';
import { bind } from '../bind.ts';
import { pagesOf, sendCsv } from '../csv.ts';
import type { Deps } from '../deps.ts';
import { pageAnswer, pageOf } from '../lists.ts';
import { jsonTime, readTime } from '../values.ts';

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

const showChain = ({ broken, checkedAt, ...chain }: ChainState): AuditChainView => ({
  ...chain,
  broken: broken && { ...broken, soundUntil: jsonTime(broken.soundUntil) },
  checkedAt: jsonTime(checkedAt),
});

type Filters = Omit<AuditQuestion, keyof Page>;

const filtersOf = (query: QueryOf<typeof AUDIT_CSV>): Filters => ({
  actor: query.actor ?? null,
  actorId: query.actorId ?? null,
  action: query.action ?? null,
  target: query.target ?? null,
  address: query.address ?? null,
  from: readTime('from', query.from) ?? null,
  to: readTime('to', query.to) ?? null,
});

/** Who did what, when, from where, and whether that is still what was written. */
export function auditLogRoutes(app: FastifyInstance, deps: Deps): void {
  const { pool } = deps.database;

  bind(app, LIST_AUDIT, async ({ query }) => {
    const page = pageOf(query);
    const { after, limit } = page;
    const rows = await listAudit(pool, { ...filtersOf(query), after, limit: limit + 1 });
    return pageAnswer(page, rows, ({ auditId }) => auditId, showEntry);
  });

  app.route({
    method: AUDIT_CSV.method,
    url: AUDIT_CSV.path,
    schema: AUDIT_CSV as object,
    handler: ({ query }: FastifyRequest, reply) => {
      const filters = filtersOf(query as QueryOf<typeof AUDIT_CSV>);
      const read = (after: string | null, limit: number) =>
        listAudit(pool, { ...filters, after, limit });
      return sendCsv(reply, {
        name: 'audit-log',
        columns: COLUMNS,
        pages: pagesOf(read, ({ auditId }) => auditId, { rowsMax: AUDIT_CSV_ROWS_MAX }),
        cells: cellsOf,
      });
    },
  });

  bind(app, READ_AUDIT_CHAIN, async () => ({ data: showChain(await readChainState(deps)) }));
}

const COLUMNS = ['at', 'actorKind', 'actorId', 'actor', 'address', 'action', 'target', 'detail'];
const cellsOf = (entry: AuditRecord) => [
  jsonTime(entry.at),
  entry.actorKind,
  entry.actorId,
  entry.actorName,
  entry.address,
  entry.action,
  entry.target,
  JSON.stringify(entry.detail),
];
