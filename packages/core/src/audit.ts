import type { AuditAction } from './audit-action.ts';
import type { Context } from './decision.ts';
import type { Actor, AuditEntry } from './rows.ts';

/**
 * What an operator writes for operators alone. It is kept in the audit log, and in a request while
 * that waits: neither is read by another face.
 */
export interface ForOperators {
  readonly internalNote?: string | undefined;
}

/** The same as a field of what is kept: none where nothing was written. */
export const forOperators = ({ internalNote }: ForOperators): { readonly internalNote?: string } =>
  internalNote === undefined ? {} : { internalNote };

interface ByOperator extends ForOperators {
  readonly commandId: string;
  readonly actor: Actor;
}

/** The audit entry of an operator's command, as its changes have it. */
export function audited(
  action: AuditAction,
  target: string,
  detail: AuditEntry['detail'],
  { commandId, actor, ...command }: ByOperator,
  ctx: Context,
): readonly AuditEntry[] {
  const all = { ...detail, ...forOperators(command) };
  return [{ auditId: ctx.newId(), actor, action, target, detail: all, at: ctx.now, commandId }];
}
