import type { Given, MerchantView } from '@munshi/api';
import { type AskingOperator, merchantActions } from '@munshi/core';
import { logoPath } from './logo.ts';
import type { MerchantRecord } from './store.ts';

/** `pathPrefix`: what a proxy takes off before the service's own paths. */
export const showMerchant = (
  merchant: MerchantRecord,
  who: AskingOperator,
  pathPrefix: string,
): Given<MerchantView> => ({
  ...merchant,
  logo: merchant.logo === null ? null : `${pathPrefix}${logoPath(merchant.logo)}`,
  allowedActions: merchantActions(merchant, who),
});
