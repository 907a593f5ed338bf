import {
  type AuditView,
  EXPORT_AUDIT,
  type Given,
  LIST_AUDIT,
  type QueryOf,
  READ_AUDIT_CHAIN,
  READ_NOTICES,
} from '@munshi/api';
import { isoTime, UTC } from '@munshi/core';
import type { OperatorFace } from '../people/access.operator.ts';
import type { Deps } from '../people/deps.ts';
import type { Page } from '../platform/database/statement.ts';
import { bind, bindCsv } from '../platform/http/bind.ts';
import { type CsvColumns, pagesOf, valueCell } from '../platform/http/csv.ts';
import { pageAnswer, pageOf } from '../platform/http/lists.ts';
import { readTime } from '../platform/http/values.ts';
import { type AuditQuestion, type AuditRecord, listAudit } from '../writes/audit-log.store.ts';
import { readChainState } from './chain.service.ts';
import { readNames } from './names.store.ts';
import { listNotices } from './notices.store.ts';

const idsOf = ({ target, detail }: AuditRecord): readonly string[] =>
  [target, ...Object.values(detail)].filter((value) => typeof value === 'string');

const showEntry = (entry: AuditRecord, names: ReadonlyMap<string, string>): Given<AuditView> => ({
  ...entry,
  names: Object.fromEntries(
    idsOf(entry).flatMap((id) => {
      const name = names.get(id);
      return name === undefined ? [] : [[id, name]];
    }),
  ),
  actor: {
    kind: entry.actorKind,
    id: entry.actorId,
    name: entry.actorName,
    address: entry.address,
  },
});

type Filters = Omit<AuditQuestion, keyof Page>;

const filtersOf = (query: QueryOf<typeof EXPORT_AUDIT>): Filters => ({
  actor: query.actor ?? null,
  actorId: query.actorId ?? null,
  action: query.action ?? null,
  target: query.target ?? null,
  address: query.address ?? null,
  from: readTime('from', query.from, UTC) ?? null,
  to: readTime('to', query.to, UTC) ?? null,
});

/** How long admins are shown what another has decided alone. */
const NOTICE_MS = 72 * 60 * 60 * 1000;

/** Who did what, when, from where, and whether that is still what was written. */
export function auditLogRoutes(face: OperatorFace, deps: Deps): void {
  const { pool } = deps.database;

  bind(face, LIST_AUDIT, async ({ query }) => {
    const page = pageOf(query);
    const rows = await listAudit(pool, { ...filtersOf(query), ...page.place });
    const names = await readNames(pool, rows.flatMap(idsOf));
    return pageAnswer(
      page,
      rows,
      ({ auditId }) => auditId,
      (entry) => showEntry(entry, names),
    );
  });

  bindCsv(face, EXPORT_AUDIT, ({ query }) => {
    const filters = filtersOf(query);
    const read = (after: string | null, limit: number) =>
      listAudit(pool, { ...filters, after, limit });
    const pages = pagesOf(read, ({ auditId }) => auditId);
    return { name: 'audit-log', columns: COLUMNS, pages };
  });

  bind(face, READ_AUDIT_CHAIN, async () => ({ data: await readChainState(deps) }));

  bind(face, READ_NOTICES, async (_request, { id }) => ({
    data: { notices: await listNotices(pool, deps.clock.now() - NOTICE_MS, id) },
  }));
}

const COLUMNS: CsvColumns<AuditRecord> = {
  at: ({ at }) => valueCell(isoTime(at)),
  actorKind: ({ actorKind }) => actorKind,
  actorId: ({ actorId }) => actorId,
  actor: ({ actorName }) => actorName,
  address: ({ address }) => address,
  action: ({ action }) => action,
  target: ({ target }) => target,
  detail: ({ detail }) => JSON.stringify(detail),
  isAsked: ({ isAsked }) => isAsked,
};
