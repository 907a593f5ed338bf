import type { AuditAction } from './audit-action.ts';
import type { Actor, AuditEntry, Context } from './decision.ts';

interface ByOperator {
  readonly commandId: string;
  readonly actor: Actor;
}

/** The audit entry of an operator's command, written with its effect. */
export function audited(
  action: AuditAction,
  target: string,
  detail: AuditEntry['detail'],
  { commandId, actor }: ByOperator,
  ctx: Context,
): AuditEntry {
  return { auditId: ctx.newId(), actor, action, target, detail, at: ctx.now, commandId };
}
