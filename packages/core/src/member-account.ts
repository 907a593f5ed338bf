import { areIndependent, type Control, refuseControlled } from './control.ts';
import { type Objection, refuse, type Settings } from './decision.ts';
import type { MemberAccount } from './matching.ts';
import type { Money } from './money.ts';

/**
 * While a second operator is required, an account is not approved by a person who has added it or
 * controls its member (security.md#two-operators).
 */
export function refuseAccountApproval(
  { createdBy, memberId }: { readonly createdBy: string | null; readonly memberId: string },
  control: Control,
  who: { readonly id: string },
  { requireSecondOperator }: Pick<Settings, 'requireSecondOperator'>,
): Objection {
  if (!requireSecondOperator) return undefined;
  if (createdBy === null || areIndependent(control, createdBy, who.id))
    return refuseControlled(control, memberId, who);
  return refuse(
    'second-operator',
    'An account must be approved by another operator than the one who added it.',
  );
}

/** What an account may take, in wallet currency; null: no limit. */
export type AccountLimits = Pick<
  MemberAccount,
  'minimumPerOrder' | 'maximumPerOrder' | 'maximumPerDay'
>;

/**
 * Whether an account could take an order after a change that it could not take before: that waits
 * for a second operator while one is required (security.md#two-operators).
 */
export function widensLimits(before: AccountLimits, after: AccountLimits): boolean {
  const raised = (most: Money | null, now: Money | null) =>
    most !== null && (now === null || now > most);
  return (
    (after.minimumPerOrder ?? 0n) < (before.minimumPerOrder ?? 0n) ||
    raised(before.maximumPerOrder, after.maximumPerOrder) ||
    raised(before.maximumPerDay, after.maximumPerDay)
  );
}

/**
 * A new account takes no more than one that its member has for the same provider, while a second
 * operator is required: it would be a way round `widensLimits`.
 */
export function refuseWiderAccount<
  Account extends AccountLimits & Pick<MemberAccount, 'walletType' | 'status'>,
>(
  account: Account,
  others: readonly Account[],
  { requireSecondOperator }: Pick<Settings, 'requireSecondOperator'>,
): Objection {
  const known = others.filter(
    ({ walletType, status }) => walletType === account.walletType && status !== 'pending',
  );
  const isNew = account.status === 'pending' && known.length > 0;
  if (!requireSecondOperator || !isNew || !known.every((other) => widensLimits(other, account)))
    return undefined;
  return refuse(
    'second-operator',
    'Its limits are wider than those of the member’s other accounts of this provider. Lower them first: wider ones need two operators.',
  );
}
