import type { AskingOperator } from './capability.ts';
import { type MemberAccount, takesNoOtherCurrency } from './matching.ts';
import type { Money } from './money.ts';

/** An account that may be approved, and who last gave its member a way to sign in. */
interface Approvable extends Pick<MemberAccount, 'status'> {
  readonly createdBy: string | null;
  readonly credentialBy: string | null;
}

/**
 * Whether this operator's approval of an account waits for another one
 * (security.md#two-operators). The operator who added the account has asked for it, and an
 * approver answers. For an account that was suspended the approver asks too.
 */
export const approvalNeedsTwo = (
  { status, createdBy, credentialBy }: Approvable,
  _after: unknown,
  { id, capabilities }: AskingOperator,
): boolean =>
  status !== 'pending' || !capabilities.has('approve') || createdBy === id || credentialBy === id;

/** What an account may take; amounts in wallet currency; null: no limit. */
export type AccountLimits = Pick<
  MemberAccount,
  'currencies' | 'minimumPerOrder' | 'maximumPerOrder' | 'maximumPerDay'
>;

/**
 * Whether an account could take an order after a change that it could not take before: that waits
 * for a second operator while one is required (security.md#two-operators).
 */
export function widensLimits(before: AccountLimits, after: AccountLimits): boolean {
  const raised = (most: Money | null, now: Money | null) =>
    most !== null && (now === null || now > most);
  return (
    !takesNoOtherCurrency(after, before) ||
    (after.minimumPerOrder ?? 0n) < (before.minimumPerOrder ?? 0n) ||
    raised(before.maximumPerOrder, after.maximumPerOrder) ||
    raised(before.maximumPerDay, after.maximumPerDay)
  );
}
