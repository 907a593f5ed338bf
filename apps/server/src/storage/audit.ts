import type { AuditEntry, Instant } from '@munshi/core';
import type { Queryable } from './db.ts';
import { auditRow } from './rows.ts';

/**
 * Writes what an operator did; in the transaction of its effect. The engine writes the entries of
 * its own commands.
 */
export async function insertAudit(db: Queryable, entry: AuditEntry): Promise<void> {
  const text = `insert into audit_log (audit_id, actor_kind, actor_id, actor_name, address, action, target, detail, at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;
  const row = auditRow(entry);
  const values = [
    row.audit_id,
    row.actor_kind,
    row.actor_id,
    row.actor_name,
    row.address,
    row.action,
    row.target,
    JSON.stringify(row.detail),
    row.at,
  ];
  await db.query({ name: 'insert-audit-entry', text, values });
}

export interface AuditRecord {
  readonly auditId: string;
  readonly actorKind: string;
  readonly actorId: string | null;
  readonly actorName: string | null;
  readonly address: string | null;
  readonly action: string;
  readonly target: string;
  readonly detail: object;
  readonly at: Instant;
}

export interface AuditQuestion {
  readonly actorId: string | null;
  readonly action: string | null;
  readonly target: string | null;
  /** Entries older than this one. */
  readonly after: string | null;
  readonly limit: number;
}

/** The audit log, the newest first: its ids sort by time. */
export async function listAudit(
  db: Queryable,
  { actorId, action, target, after, limit }: AuditQuestion,
): Promise<readonly AuditRecord[]> {
  const text = `select audit_id, actor_kind, actor_id, actor_name, address, action, target, detail, at from audit_log
    where ($1::text is null or actor_id = $1) and ($2::text is null or action = $2) and ($3::text is null or target = $3)
      and ($4::uuid is null or audit_id < $4)
    order by audit_id desc limit $5`;
  const { rows } = await db.query({ text, values: [actorId, action, target, after, limit] });
  return rows.map((row) => ({
    auditId: row.audit_id,
    actorKind: row.actor_kind,
    actorId: row.actor_id,
    actorName: row.actor_name,
    address: row.address,
    action: row.action,
    target: row.target,
    detail: row.detail,
    at: row.at,
  }));
}
