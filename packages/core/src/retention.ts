import { LATE_CLAIM_WINDOW_MS } from './late-claim.ts';
import { type Instant, isFinal, latestStamp, type Order, type Stamped } from './order.ts';

/**
 * What is deleted some time after its order is over: the steps, notes and alerts of its history,
 * the attempts of its webhooks, their bodies, its late claims, and sign-ins that have ended. The
 * customer's personal data is masked instead. Nothing else of an order ever is (decision 20).
 */
export const RETENTION_KINDS = [
  'history',
  'attempts',
  'bodies',
  'late-claims',
  'personal-data',
  'sessions',
] as const;
export type RetentionKind = (typeof RETENTION_KINDS)[number];

/** Days for which each is kept; what is not named is kept for ever. */
export type RetentionPolicy = Readonly<Partial<Record<RetentionKind, number>>>;

const DAY_MS = 24 * 3_600_000;

/**
 * Until its customer can no longer claim a payment, what an order went through is looked up.
 * Answers of repeated writes are kept for 30 days too.
 */
export const RETENTION_DAYS_MIN = LATE_CLAIM_WINDOW_MS / DAY_MS + 5;
export const RETENTION_DAYS_MAX = 36_500;

/** What was over by then may be deleted. */
export const keptSince = (now: Instant, days: number): Instant => now - days * DAY_MS;

/** What decides whether an order is done with. */
export interface Concluded extends Stamped, Pick<Order, 'status'> {
  /** A late claim of its customer that nobody has closed. */
  readonly hasOpenClaim: boolean;
  /** A webhook of it is still to be sent. */
  readonly hasDeliveryDue: boolean;
}

/**
 * Whether nothing more is to come of an order that was over by `before`: its status is final, no
 * customer waits for an answer about it, and its merchant has been notified, or its webhook
 * abandoned.
 */
export const isDoneWith = (order: Concluded, before: Instant): boolean =>
  isFinal(order.status) &&
  !order.hasOpenClaim &&
  !order.hasDeliveryDue &&
  latestStamp(order) < before;
