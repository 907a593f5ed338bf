import type { Currency, Merchant, WalletType } from '@munshi/core';
import { type KindsOf, orNull, t } from '../../platform/database/columns.ts';

/** As core has it. */
export const MERCHANT_COLUMNS = {
  merchantId: t.uuid,
  name: t.text,
  status: t.oneOf<Merchant['status']>(),
  defaultCallbackUrl: orNull(t.text),
  depositMethods: t.listOf<WalletType>(),
  withdrawalMethods: t.listOf<WalletType>(),
  currencies: t.listOf<Currency>(),
  ipWhitelist: t.json<Merchant['ipWhitelist']>(),
} satisfies KindsOf<Merchant>;
