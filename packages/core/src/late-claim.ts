import { hasFailed, hasSucceeded, type Instant, type Order } from './order.ts';

/**
 * How long afterwards a customer can say that they did pay. Late transfers show within days, bank
 * statements within a month; later, members' records become hard to search.
 */
export const LATE_CLAIM_WINDOW_MS = 30 * 24 * 3_600_000;

/**
 * Different claims of one order: enough for a typing error or a second transfer, not for guessing.
 */
export const LATE_CLAIMS_MAX = 3;

/**
 * Whether the customer may still say that they paid this order (D62): a deposit that failed, however
 * it ended, or that has expired unconfirmed though nobody has written that down yet. For 30 days
 * from expiresAt, or from a later failure of one that was confirmed in time.
 */
export function isOpenToLateClaims(
  order: Pick<Order, 'orderType' | 'status' | 'sentAt' | 'expiresAt' | 'failedAt'>,
  now: Instant,
): boolean {
  if (order.orderType !== 'Deposit' || hasSucceeded(order.status)) return false;
  const decidedAt = order.sentAt === null ? null : order.failedAt;
  const since = Math.max(order.expiresAt, decidedAt ?? 0);
  const ended = hasFailed(order.status) || (order.sentAt === null && now >= order.expiresAt);
  return ended && now < since + LATE_CLAIM_WINDOW_MS;
}

/**
 * The digits of a transaction ID as customers type or paste them, without spaces and dashes: 4, the
 * fewest that any order asks for, to 20, which every whole ID fits. Undefined for anything else.
 */
export function readClaimedDigits(text: string): string | undefined {
  const digits = text.replace(/[\s\p{Dash_Punctuation}]/gu, '');
  return /^[0-9]{4,20}$/.test(digits) ? digits : undefined;
}
