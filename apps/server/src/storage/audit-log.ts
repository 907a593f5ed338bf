import type { AuditEntry, Instant } from '@munshi/core';
import type { Queryable } from './db.ts';
import { auditRow, type Row } from './rows.ts';
import { execute, type Page, query, statement, unprepared } from './statement.ts';

const INSERT = statement(
  'insert-audit-entry',
  `insert into audit_log
     (audit_id, actor_kind, actor_id, actor_name, address, action, target, detail, at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
);

/**
 * Writes what an operator did, in the transaction of its effect. The engine writes the entries of
 * its own commands.
 */
export async function insertAudit(db: Queryable, entry: AuditEntry): Promise<void> {
  const row = auditRow(entry);
  await execute(db, INSERT, [
    row.audit_id,
    row.actor_kind,
    row.actor_id,
    row.actor_name,
    row.address,
    row.action,
    row.target,
    JSON.stringify(row.detail),
    row.at,
  ]);
}

export interface AuditRecord {
  readonly auditId: string;
  readonly actorKind: string;
  readonly actorId: string | null;
  readonly actorName: string | null;
  readonly address: string | null;
  readonly action: string;
  readonly target: string;
  readonly detail: AuditEntry['detail'];
  readonly at: Instant;
}

const readRecord = (row: Row): AuditRecord => ({
  auditId: row['audit_id'],
  actorKind: row['actor_kind'],
  actorId: row['actor_id'],
  actorName: row['actor_name'],
  address: row['address'],
  action: row['action'],
  target: row['target'],
  detail: row['detail'],
  at: row['at'],
});

export interface AuditQuestion extends Page {
  readonly actorId: string | null;
  readonly action: string | null;
  readonly target: string | null;
}

const LIST = unprepared(
  'list-audit-entries',
  `select audit_id, actor_kind, actor_id, actor_name, address, action, target, detail, at
   from audit_log
   where ($1::text is null or actor_id = $1)
     and ($2::text is null or action = $2)
     and ($3::text is null or target = $3)
     and ($4::uuid is null or audit_id < $4)
   order by audit_id desc
   limit $5`,
);

/** The audit log, the newest first: its ids sort by time. */
export async function listAudit(
  db: Queryable,
  { actorId, action, target, after, limit }: AuditQuestion,
): Promise<readonly AuditRecord[]> {
  return (await query(db, LIST, [actorId, action, target, after, limit])).map(readRecord);
}
