export type { AuditAction } from '@munshi/core';
/** The values that fields of the contract may have, in the order in which people read them. */
export {
  CURRENCIES,
  OPERATOR_ROLES,
  ORDER_TYPES,
  STAGES,
  STATUSES,
  WALLET_TYPES,
  WITHDRAWAL_METHODS,
} from '@munshi/core';
