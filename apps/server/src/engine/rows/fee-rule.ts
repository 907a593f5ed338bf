import type { FeeRule, Instant, OrderType, WalletType } from '@munshi/core';
import {
  columns,
  type KindsOf,
  orNull,
  type RecordOf,
  t,
} from '../../platform/database/columns.ts';

export const FEE_RULE_COLUMNS = {
  feeRuleId: t.uuid,
  merchantId: orNull(t.uuid),
  orderType: t.oneOf<OrderType>(),
  walletType: t.oneOf<WalletType>(),
  fixed: t.amount,
  percent: t.factor,
  minimum: orNull(t.amount),
  maximum: orNull(t.amount),
  fromAmount: orNull(t.amount),
  toAmount: orNull(t.amount),
  validFrom: t.instant,
  validUntil: orNull(t.instant),
} satisfies KindsOf<FeeRule & { validFrom: Instant; validUntil: Instant | null }>;
export const FEE_RULE = columns('', FEE_RULE_COLUMNS);
/** A rule with when it is in force. */
export type TimedFeeRule = RecordOf<typeof FEE_RULE>;
