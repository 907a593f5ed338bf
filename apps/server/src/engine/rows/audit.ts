import { channel } from 'node:diagnostics_channel';
import type { AuditEntry } from '@munshi/core';
import { orNull, t } from '../../platform/database/columns.ts';

/** An entry of the audit log as people read it. */
export const AUDIT_ENTRY = {
  auditId: t.uuid,
  actorKind: t.text,
  actorId: orNull(t.text),
  actorName: orNull(t.text),
  address: orNull(t.text),
  action: t.text,
  target: t.text,
  detail: t.json<AuditEntry['detail']>(),
  at: t.instant,
};
/** As it is stored. */
export const AUDIT_COLUMNS = { ...AUDIT_ENTRY, commandId: orNull(t.uuid) };

export const auditRecord = ({ actor, commandId, ...entry }: AuditEntry) => ({
  ...entry,
  actorKind: actor.kind,
  actorId: actor.id,
  actorName: 'name' in actor ? actor.name : null,
  address: 'address' in actor ? actor.address : null,
  commandId: commandId ?? null,
});

/**
 * Every entry of the audit log as it is written, for listeners in this process: tests hold it
 * to what the endpoint under way declares.
 */
const AUDIT_CHANNEL = channel('munshi.audit-log');

export function publishAudit(entry: AuditEntry): void {
  if (AUDIT_CHANNEL.hasSubscribers) AUDIT_CHANNEL.publish(entry);
}
