import type { AccountLimits, Currency, MemberAccount, WalletType } from '@munshi/core';
import { type KindsOf, orNull, t } from '../../platform/database/columns.ts';

/**
 * What people are shown of a member's account. It never changes: another number is another account.
 */
export const SHOWN_ACCOUNT = {
  accountId: t.uuid,
  walletType: t.oneOf<WalletType>(),
  accountNumber: t.text,
  accountTitle: t.text,
  qrPayload: orNull(t.text),
};
export const LIMITS = {
  currencies: orNull(t.listOf<Currency>()),
  minimumPerOrder: orNull(t.amount),
  maximumPerOrder: orNull(t.amount),
  maximumPerDay: orNull(t.amount),
} satisfies KindsOf<AccountLimits>;
export const USAGE = { day: t.integer, dayAmount: t.amount };
/** The account as core has it. */
export const ACCOUNT = {
  ...SHOWN_ACCOUNT,
  status: t.oneOf<MemberAccount['status']>(),
  paused: t.boolean,
  ...LIMITS,
  ...USAGE,
} satisfies KindsOf<MemberAccount>;
