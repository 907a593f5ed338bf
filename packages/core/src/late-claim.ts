import { hasSucceeded, type Instant, type Order } from './order.ts';

/**
 * How long after expiry a customer can say that they did pay. Late transfers show within days, bank
 * statements within a month; later, members' records become hard to search.
 */
export const LATE_CLAIM_WINDOW_MS = 30 * 24 * 3_600_000;

/**
 * Different claims of one order: enough for a typing error or a second transfer, not for guessing.
 */
export const LATE_CLAIMS_MAX = 3;

/**
 * Whether the customer may still say that they paid this order: a deposit past expiresAt that did
 * not complete and that they did not confirm in time, whether or not its expiry has been written
 * yet.
 */
export function isOpenToLateClaims(
  order: Pick<Order, 'orderType' | 'status' | 'sentAt' | 'expiresAt'>,
  now: Instant,
): boolean {
  const expiredFor = now - order.expiresAt;
  return (
    order.orderType === 'Deposit' &&
    order.sentAt === null &&
    !hasSucceeded(order.status) &&
    expiredFor >= 0 &&
    expiredFor < LATE_CLAIM_WINDOW_MS
  );
}

/**
 * The digits of a transaction ID as customers type or paste them, without spaces and dashes: 4, the
 * fewest that any order asks for, to 20, which every whole ID fits. Undefined for anything else.
 */
export function readClaimedDigits(text: string): string | undefined {
  const digits = text.replace(/[\s\p{Dash_Punctuation}]/gu, '');
  return /^[0-9]{4,20}$/.test(digits) ? digits : undefined;
}
