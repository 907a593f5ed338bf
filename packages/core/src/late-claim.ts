import { type MeantDigits, readDigits } from './customer-input.ts';
import { METHODS } from './method.ts';
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

export const LATE_CLAIM_STATUSES = ['open', 'closed'] as const;
export type LateClaimStatus = (typeof LATE_CLAIM_STATUSES)[number];

type Ended = Pick<Order, 'orderType' | 'status' | 'sentAt' | 'expiresAt' | 'failedAt'>;
type Shown = Pick<Order, 'walletType' | 'payerAccount' | 'sentAt'>;

/**
 * Whether a deposit's customer was ever shown an account or a code to pay to. `openings` counts how
 * often the order came to AwaitingCustomerPayment: once when the page was opened, and once for each
 * change of method. A QR method shows its code when the payer is given. A change of method clears
 * the payer, so a method that was left again counts as shown: its code may have been scanned.
 */
export function wasShownWhereToPay(
  { walletType, payerAccount, sentAt }: Shown,
  openings: number,
): boolean {
  if (sentAt !== null || payerAccount !== null || openings > 1) return true;
  return openings === 1 && METHODS[walletType].submission === 'transactionDigits';
}

/**
 * Whether the time for late claims of this order has come and is not over: a deposit that failed,
 * however it ended, or that has expired unconfirmed though nobody has written that down yet. For 30
 * days from expiresAt, or from a later failure of one that was confirmed in time.
 */
export function isOpenToLateClaims(order: Ended, now: Instant): boolean {
  if (order.orderType !== 'Deposit' || hasSucceeded(order.status)) return false;
  const decidedAt = order.sentAt === null ? null : order.failedAt;
  const since = Math.max(order.expiresAt, decidedAt ?? 0);
  const ended = hasFailed(order.status) || (order.sentAt === null && now >= order.expiresAt);
  return ended && now < since + LATE_CLAIM_WINDOW_MS;
}

/** What a claim says: the digits of a transaction, the payer's account, or both. */
export interface ClaimedPayment {
  readonly transactionDigits: string | null;
  /** As a QR method was given it; null for a method that asks for digits. */
  readonly payerAccount: string | null;
}

/**
 * What the customer claims to have paid: digits as they typed or pasted them, which an order that
 * knows its payer needs none of. Undefined where the text means none, or several.
 */
export function readClaimedPayment(
  { payerAccount }: Pick<Order, 'payerAccount'>,
  entered: string,
): ClaimedPayment | undefined {
  if (entered.trim() === '' && payerAccount !== null)
    return { transactionDigits: null, payerAccount };
  const [meant, ...others] = readClaimedDigits(entered);
  return meant === undefined || others.length > 0
    ? undefined
    : { transactionDigits: meant.digits, payerAccount };
}

/** The fewest that any order asks for. */
export const CLAIMED_DIGITS_MIN = 4;
/** Of the longer IDs of some apps the last ones tell. */
const CLAIMED_DIGITS_MAX = 20;

/** The digits that a text may mean (readDigits). */
export const readClaimedDigits = (text: string): readonly MeantDigits[] =>
  readDigits(text, CLAIMED_DIGITS_MIN, CLAIMED_DIGITS_MAX);
