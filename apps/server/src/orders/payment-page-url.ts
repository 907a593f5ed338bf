import type { Order } from '@munshi/core';
import type { Deps } from '../people/deps.ts';

/** The hosted page's pre-signed link: the same for an order as long as it lives. */
export function paymentPageUrl(
  order: Pick<Order, 'orderId' | 'expiresAt' | 'pageOrigin'>,
  { vault }: Pick<Deps, 'vault'>,
): string {
  const expires = Math.floor(order.expiresAt / 1000);
  return `${order.pageOrigin}/pay/${order.orderId}?expires=${expires}&token=${vault.linkToken(order.orderId, expires)}`;
}
