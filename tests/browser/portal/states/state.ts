import type { PortalRole } from '@munshi/core';
import type { Page } from 'playwright-core';
import type { PortalShop } from '../../../support/portal-shop.ts';

/**
 * A state of a screen to look at: `npm run test:deep -- screens` checks each, `npm run screenshots`
 * saves it.
 */
export interface PortalState {
  /** `orders-empty`: the screen and its state; names the pictures. */
  readonly name: string;
  /** Null: nobody is signed in. `admin` by default. */
  readonly role?: PortalRole | null;
  /** The merchant that has orders of every kind, or one that has just been made. */
  readonly of?: 'shop' | 'newcomer';
  /** Below /portal. */
  path(shop: PortalShop): string;
  /** Brings the page into the state. It waits until the state is there. */
  reach(page: Page, shop: PortalShop): Promise<unknown>;
}
