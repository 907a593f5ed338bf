export type { AuditAction, AuditField, ForeignCurrency, Trigger } from '@munshi/core';
/** The values that fields of the contract may have, in the order in which people read them. */
export {
  ACCOUNT_STATUSES,
  ACTIVE_OR_SUSPENDED,
  ADJUSTMENT_KINDS,
  CURRENCIES,
  FOREIGN_CURRENCIES,
  MERCHANT_STATUSES,
  MONEY_KINDS,
  ORDER_TYPES,
  STAGES,
  STATUSES,
  WALLET_TYPES,
  WITHDRAWAL_METHODS,
} from '@munshi/core';
