import type { MerchantView } from '@munshi/api';
import type { AsText } from '@munshi/web';

export type Merchant = AsText<MerchantView>;

/** What every tab of a merchant's page gets. */
export interface TabProps {
  readonly merchant: Merchant;
}
