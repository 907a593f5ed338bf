import {
  type AccountTerms,
  type ExpectedNeed,
  isOffered,
  takesNoOtherCurrency,
} from '@munshi/core';
import type { MemberHint } from './rows/candidates.ts';

/** How hints about a member are compared and completed. */

/** Whether the known accounts already admit the member to every group that these do. */
export const hasMethodsOf = (known: MemberHint, { accounts }: MemberHint) =>
  accounts === known.accounts ||
  accounts.every((account) =>
    known.accounts.some(
      (other) => account.walletType === other.walletType && takesNoOtherCurrency(account, other),
    ),
  );

/** The row, completed by the known accounts of those methods that were not loaded with it. */
export function withKnownAccounts(row: MemberHint, known: MemberHint | undefined): MemberHint {
  if (known === undefined) return row;
  const others = known.accounts.filter(
    ({ walletType }) => !row.accounts.some((account) => account.walletType === walletType),
  );
  return { ...row, accounts: [...row.accounts, ...others] };
}

/** The member as they would be without an open order of this need. */
export const without = (member: MemberHint, need: ExpectedNeed): MemberHint => ({
  ...member,
  openOrders: member.openOrders - 1,
  floatHeld: member.floatHeld - (need.orderType === 'Deposit' ? (need.floatAmount ?? 0n) : 0n),
});

/** Whether two rows of a member say the same about what they can take. */
export function saysTheSame(a: MemberHint, b: MemberHint): boolean {
  return (
    a.openOrders === b.openOrders &&
    a.lastAssignedAt === b.lastAssignedAt &&
    a.online === b.online &&
    a.status === b.status &&
    a.maxOpenOrders === b.maxOpenOrders &&
    a.floatBalance - a.floatHeld === b.floatBalance - b.floatHeld &&
    haveSameTerms(a.accounts, b.accounts)
  );
}

/**
 * Whether the accounts that take new orders are equal. Today's usage matters only for an account
 * with a daily limit.
 */
function haveSameTerms(a: MemberHint['accounts'], b: MemberHint['accounts']): boolean {
  if (a === b) return true;
  const offered = (accounts: MemberHint['accounts']) => accounts.filter(isOffered);
  const [known, read] = [offered(a), offered(b)];
  const alike = (one: AccountTerms, other: AccountTerms) =>
    one.walletType === other.walletType &&
    takesNoOtherCurrency(one, other) &&
    takesNoOtherCurrency(other, one) &&
    one.minimumPerOrder === other.minimumPerOrder &&
    one.maximumPerOrder === other.maximumPerOrder &&
    one.maximumPerDay === other.maximumPerDay &&
    (one.maximumPerDay === null || (one.day === other.day && one.dayAmount === other.dayAmount));
  return (
    known.length === read.length &&
    read.every((account) => known.some((other) => alike(account, other)))
  );
}
