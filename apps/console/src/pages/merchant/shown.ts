import type { MerchantView } from '@munshi/api';
import type { AsText } from '@munshi/web';

export type Merchant = AsText<MerchantView>;

/** What every tab of a merchant's page gets. */
export interface TabProps {
  readonly merchant: Merchant;
}

/** Adjustments of its wallet. */
export const KINDS = { credit: 'Credit', debit: 'Debit', freeze: 'Freeze', unfreeze: 'Unfreeze' };

export const STATUSES = { active: 'Active', suspended: 'Suspended', closed: 'Closed' };
