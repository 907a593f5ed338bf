import type { Actor, AuditEntry, Context } from './decision.ts';

/** The audit entry of an operator's act, to be written with its effect. */
export function audited(action: string, target: string, detail: AuditEntry['detail'], actor: Actor, ctx: Context): AuditEntry {
  return { auditId: ctx.newId(), actor, action, target, detail, at: ctx.now };
}
