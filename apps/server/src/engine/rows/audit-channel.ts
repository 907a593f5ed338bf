import { channel } from 'node:diagnostics_channel';
import type { AuditEntry } from '@munshi/core';

/**
 * Every entry of the audit log as it is written, for whoever listens in this process: tests hold it
 * to what the endpoint under way declares.
 */
const AUDIT_CHANNEL = channel('munshi.audit-log');

export function publishAudit(entry: AuditEntry): void {
  if (AUDIT_CHANNEL.hasSubscribers) AUDIT_CHANNEL.publish(entry);
}
