import { type Instant, isFinal } from '@munshi/core';
import type { PageOrder } from '../orders/page.store.ts';
import type { Vault } from '../platform/vault.ts';

const ORDER_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const UNIX_SECONDS = /^[1-9]\d{0,11}$/;

/**
 * The outcome stays readable for this long to a customer who took part in time (page.md#the-link).
 */
const KEPT_MS = 24 * 3_600_000;

/** A payment page link as the service signed it, and its query as it was sent. */
export interface Link {
  readonly orderId: string;
  readonly query: string;
}

/**
 * The link, when the service has signed exactly it; undefined when a byte of it was changed. Reads
 * no order.
 */
export function readLink(
  orderId: string,
  query: Readonly<Record<string, unknown>>,
  vault: Vault,
): Link | undefined {
  const { expires, token } = query;
  if (
    typeof expires !== 'string' ||
    typeof token !== 'string' ||
    !ORDER_ID.test(orderId) ||
    !UNIX_SECONDS.test(expires)
  )
    return undefined;
  if (!vault.isLinkToken(token, orderId, Number(expires))) return undefined;
  return { orderId, query: `expires=${expires}&token=${token}` };
}

type Kept = Pick<
  PageOrder,
  'orderType' | 'status' | 'expiresAt' | 'sentAt' | 'completedAt' | 'failedAt' | 'accountSubmitted'
>;

/**
 * Whether the page still shows this order. Exactly at expiresAt is too late
 * (states.md#awaitingcustomerpayment), except for a customer who confirmed the deposit or submitted
 * the withdrawal's account in time, until 24 hours after the order is final (page.md#the-link).
 */
export function isShown(order: Kept, now: Instant): boolean {
  if (now < order.expiresAt) return true;
  const tookPart = order.orderType === 'Deposit' ? order.sentAt !== null : order.accountSubmitted;
  if (!tookPart || !isFinal(order.status)) return tookPart;
  return now < Math.max(order.completedAt ?? 0, order.failedAt ?? 0) + KEPT_MS;
}
