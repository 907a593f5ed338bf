import type { Instant, Order } from '@munshi/core';
import type { ServiceDeps } from '../writes/deps.ts';
import { type AlertedOrder, markAlertSeen } from './store.ts';

/** Alerts: what calls a member to an order, and when they saw it (member-app.md#alerts). */

type Held = Pick<Order, 'orderId' | 'memberId' | 'status' | 'holderSince' | 'sentAt'>;

/** What calls its holder to an order now; undefined where nothing does. */
export function alertOf({
  orderId,
  memberId,
  status,
  holderSince,
  sentAt,
}: Held): AlertedOrder | undefined {
  if (memberId === null) return undefined;
  if (status === 'AwaitingMemberPayout' && holderSince !== null)
    return { orderId, memberId, kind: 'assigned', alertedAt: holderSince };
  if (status === 'AwaitingMemberConfirmation' && sentAt !== null)
    return { orderId, memberId, kind: 'customer-confirmed', alertedAt: sentAt };
  return undefined;
}

/** Records that the holder has seen the alert; undefined if the order has no alert. */
export async function seen(
  { database, clock }: Pick<ServiceDeps, 'database' | 'clock'>,
  order: Held,
): Promise<{ readonly seenAt: Instant; readonly alertedAt: Instant } | undefined> {
  const alert = alertOf(order);
  return alert && markAlertSeen(database.pool, alert, clock.now());
}
