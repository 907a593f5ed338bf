import type { AuditAction } from './audit-action.ts';
import { type AuditEntry, type Objection, refuse } from './decision.ts';

/**
 * Who controls a member: operators who made them or gave them a password or link. What they do in
 * the member's name they decide themselves, so they are no second operator about them (D66).
 */

/** What the audit log says about how a member signs in. */
export const CREDENTIAL_ACTIONS = [
  'member.create',
  'member.identity',
  'member.recovery-link',
  'member.recover',
] as const satisfies readonly AuditAction[];

export type CredentialEntry = Pick<AuditEntry, 'action' | 'detail'> & {
  readonly actor: { readonly id: string | null };
};

/**
 * Operators by their ids, of entries from the oldest on. Control ends where a link of somebody else
 * is used: from then on it is theirs. It never ends by time.
 */
export function controllersOf(entries: readonly CredentialEntry[]): ReadonlySet<string> {
  let controllers = new Set<string>();
  let linkBy: string | null = null;
  for (const { action, actor, detail } of entries) {
    const asker = String(detail['requestedBy'] ?? actor.id);
    const gives = action === 'member.create' || setsPassword(action, detail);
    if (gives) controllers.add(asker);
    if (action === 'member.recovery-link') linkBy = actor.id;
    if (action === 'member.recover' && linkBy !== null && !controllers.has(linkBy))
      controllers = new Set([linkBy]);
  }
  return controllers;
}

/** Whoever controls a member does not approve what is about them. */
export const refuseControlled = (
  controllers: ReadonlySet<string>,
  who: { readonly id: string },
): Objection =>
  controllers.has(who.id)
    ? refuse(
        'second-operator',
        'You made this member, or a password or link of theirs: another operator approves what is about them.',
      )
    : undefined;

const setsPassword = (action: string, { fields }: AuditEntry['detail']): boolean =>
  action === 'member.identity' && String(fields).split(', ').includes('password');
