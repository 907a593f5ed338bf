import { MERCHANT_COUNTED_MAX, type MerchantView } from '@munshi/api';
import type { AsText } from '@munshi/web';

export type Merchant = AsText<MerchantView>;

/** What every tab of a merchant's page gets. */
export interface TabProps {
  readonly merchant: Merchant;
}

/** Adjustments of its wallet. */
export const KINDS = { credit: 'Credit', debit: 'Debit', freeze: 'Freeze', unfreeze: 'Unfreeze' };

export const STATUSES = { active: 'Active', suspended: 'Suspended', closed: 'Closed' };

/** A count that goes as far as `MERCHANT_COUNTED_MAX`. */
export const atLeast = (count: number): string =>
  count < MERCHANT_COUNTED_MAX ? String(count) : `${count}+`;
export const counted = (count: number, what: string): string =>
  `${atLeast(count)} ${count === 1 ? what : `${what}s`}`;
