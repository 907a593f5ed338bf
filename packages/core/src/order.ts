import type { MemberId, OrderId } from './id.ts';
import type { Currency, OrderType, WalletType } from './method.ts';
import type { Factor, Money } from './money.ts';

/** Milliseconds since the epoch, UTC. Time is always an input (decision 1). */
export type Instant = number;

/** ISO 8601 UTC, or null: the form of every timestamp in the API. */
export const isoTime = (at: Instant | null): string | null =>
  at === null ? null : new Date(at).toISOString();

export const STAGES = [
  'Awaiting',
  'Assigned',
  'Sent',
  'Approved',
  'Rejected',
  'Completed',
  'Failed',
] as const;
export type Stage = (typeof STAGES)[number];

/**
 * What a status means for money: `open` holds capacity and reservations, `succeeded` has settled,
 * `failed` has not.
 */
type Phase = 'open' | 'succeeded' | 'failed';

interface StatusRule {
  readonly appliesTo: 'both' | OrderType;
  readonly phase: Phase;
  /** Undefined where the stage also depends on what the customer did (ManualReview). */
  readonly stage: Stage | undefined;
  /** Readable everywhere, never written. Only operators end the open ones. */
  readonly legacy?: true;
}

/** Every status with its stage (merchant-api.md#statuses). */
export const STATUS = {
  Awaiting: { appliesTo: 'both', phase: 'open', stage: 'Awaiting' },
  Queued: { appliesTo: 'Deposit', phase: 'open', stage: 'Assigned' },
  AwaitingCustomerPayment: { appliesTo: 'Deposit', phase: 'open', stage: 'Assigned' },
  AwaitingMemberConfirmation: { appliesTo: 'Deposit', phase: 'open', stage: 'Sent' },
  AwaitingMemberPayout: { appliesTo: 'Withdrawal', phase: 'open', stage: 'Assigned' },
  ManualReview: { appliesTo: 'both', phase: 'open', stage: undefined },
  Completed: { appliesTo: 'both', phase: 'succeeded', stage: 'Completed' },
  Rejected: { appliesTo: 'both', phase: 'failed', stage: 'Failed' },
  Expired: { appliesTo: 'Deposit', phase: 'failed', stage: 'Failed' },
  CancelledTimeout: { appliesTo: 'both', phase: 'failed', stage: 'Failed' },
  Cancelled: { appliesTo: 'both', phase: 'failed', stage: 'Failed' },
  CancelledAuto: { appliesTo: 'both', phase: 'failed', stage: 'Failed' },
  Assigned: { appliesTo: 'both', phase: 'open', stage: 'Assigned', legacy: true },
  Frozen: { appliesTo: 'both', phase: 'open', stage: 'Assigned', legacy: true },
  Confirmed: { appliesTo: 'both', phase: 'succeeded', stage: 'Completed', legacy: true },
} as const satisfies Record<string, StatusRule>;

export type Status = keyof typeof STATUS;
export const STATUSES = Object.keys(STATUS) as readonly Status[];

const phaseOf = (status: Status): Phase => STATUS[status].phase;
export const isFinal = (status: Status): boolean => phaseOf(status) !== 'open';
export const hasFailed = (status: Status): boolean => phaseOf(status) === 'failed';
/**
 * Open orders of the older statuses: they use no capacity or float, and only an operator ends them
 * (states.md#assigned).
 */
export const isLegacy = (status: Status): boolean =>
  'legacy' in STATUS[status] && phaseOf(status) === 'open';
/** Whether an order uses its member's capacity and, as a deposit, holds their float. */
export const usesCapacity = (status: Status): boolean =>
  phaseOf(status) === 'open' && !isLegacy(status);
export const hasSucceeded = (status: Status): boolean => phaseOf(status) === 'succeeded';

/**
 * The canonical stage: a function of the status and, in manual review, of whether a deposit's
 * customer had paid (merchant-api.md#statuses).
 */
export function stageOf(
  order: Pick<Order, 'status' | 'orderType'> & { readonly sentAt: unknown },
): Stage {
  return (
    STATUS[order.status].stage ??
    (order.orderType === 'Deposit' && order.sentAt !== null ? 'Sent' : 'Assigned')
  );
}

/**
 * Why a member rejects an order, as its customer reads it: no payment has come, another amount has,
 * it came from another person, it was taken back.
 */
export const REASON_CODES = [
  'notReceived',
  'otherAmount',
  'otherSender',
  'reversed',
  'other',
] as const;
export type ReasonCode = (typeof REASON_CODES)[number];

/**
 * One order as the engine sees it: the whole row. Money is in the order's currency unless noted.
 */
export interface Order {
  readonly merchantId: string;
  readonly orderId: OrderId;
  readonly orderReference: string;
  readonly apiKeyId: string;
  readonly idempotencyKey: string;
  /** Hex of the MD5 that signed the creating body; null on orders older than the replay guard. */
  readonly signatureDigest: string | null;
  /**
   * Hash of the seven compared terms as sent at creation; null on orders older than the terms check
   * (merchant-api.md#idempotency).
   */
  readonly termsDigest: string | null;
  readonly orderType: OrderType;
  /** The method in force: the requested one until the customer switches on the page. */
  readonly walletType: WalletType;
  readonly currency: Currency;
  readonly amount: Money;
  readonly fee: Money | null;
  /** Wallet currency per unit of the order's currency, fixed at acceptance (decision 3). */
  readonly rate: Factor;
  /**
   * What the merchant's wallet moves by when the order completes, in wallet currency: amount − fee
   * or amount + fee.
   */
  readonly settlementAmount: Money;
  /** What the member's float moves by, in wallet currency: the amount without the fee. */
  readonly floatAmount: Money;
  readonly merchantOrderRef: string | null;
  /**
   * The reference while this order is the live one that owns it (decision 6); null once it failed,
   * and if it was confirmed late beside a newer one.
   */
  readonly liveReference: string | null;
  readonly customerReference: string | null;
  readonly customerAccountNumber: string | null;
  readonly customerAccountName: string | null;
  readonly callbackUrl: string | null;
  readonly successUrl: string | null;
  readonly failureUrl: string | null;
  readonly metadata: string | null;
  readonly txnRefDigitsRequired: number;
  readonly maxRetryCount: number;
  /**
   * Base of the payment page link, fixed at creation so that a repeat answers the original link
   * (merchant-api.md#idempotency).
   */
  readonly pageOrigin: string;
  readonly createdStatus: Status;
  readonly status: Status;
  readonly memberId: MemberId | null;
  readonly accountId: string | null;
  /** Who lost it at the end of their payout window, the first first; each time counts. */
  readonly formerMemberIds: readonly string[];
  readonly reassignments: number;
  readonly createdAt: Instant;
  readonly awaitingAt: Instant | null;
  /** The first assignment (merchant-api.md#order-status). */
  readonly assignedAt: Instant | null;
  /** The assignment in force. */
  readonly holderSince: Instant | null;
  readonly sentAt: Instant | null;
  readonly completedAt: Instant | null;
  readonly rejectedAt: Instant | null;
  readonly failedAt: Instant | null;
  readonly cancelledAt: Instant | null;
  readonly expiresAt: Instant;
  /** When time next changes this order; null if never. */
  readonly dueAt: Instant | null;
  /** The payer's account number or IBAN digits (QR methods). */
  readonly payerAccount: string | null;
  readonly transactionDigits: string | null;
  readonly memberTransactionReference: string | null;
  readonly failureReason: string | null;
  /** What the member who rejected it chose to say to the customer. */
  readonly reasonCode: ReasonCode | null;
  /** How many moves the history holds. */
  readonly moves: number;
  /** How often the customer has switched to another method (page.md#the-link). */
  readonly methodSwitches: number;
}

/** What people call an order by: the last part of its reference. */
export const shortReference = (orderReference: string): string =>
  orderReference.slice(orderReference.lastIndexOf('-') + 1);

/**
 * The milestones that the wire calls `lifecycle`. Approval happens in the same step as completion
 * (merchant-api.md#order-status).
 */
export interface Lifecycle<Time> extends Stamps<Time> {
  readonly stage: Stage;
  readonly approvedAt: Time | null;
}

/** When things happened to an order. */
export type Stamped = Pick<
  Order,
  'createdAt' | 'awaitingAt' | 'assignedAt' | 'holderSince' | 'sentAt' | 'completedAt' | 'failedAt'
>;

interface Stamps<Time> {
  readonly createdAt: Time;
  readonly awaitingAt: Time | null;
  readonly assignedAt: Time | null;
  readonly sentAt: Time | null;
  readonly rejectedAt: Time | null;
  readonly completedAt: Time | null;
  readonly failedAt: Time | null;
}

/** `Time`: instants, or the text of them. */
export function lifecycleOf<Time = Instant>(
  order: Pick<Order, 'status' | 'orderType'> & Stamps<Time>,
): Lifecycle<Time> {
  return {
    stage: stageOf(order),
    createdAt: order.createdAt,
    awaitingAt: order.awaitingAt,
    assignedAt: order.assignedAt,
    sentAt: order.sentAt,
    approvedAt: order.completedAt,
    rejectedAt: order.rejectedAt,
    completedAt: order.completedAt,
    failedAt: order.failedAt,
  };
}

/**
 * A withdrawal in progress keeps this much of its merchant's wallet reserved, in wallet currency
 * (merchant-api.md#balance).
 */
export function reservedBy(order: Order): Money {
  return order.orderType === 'Withdrawal' && !isFinal(order.status) ? order.settlementAmount : 0n;
}

/** When the order last changed, by its own timestamps. Nothing happens to it before that. */
export function latestStamp(order: Stamped): Instant {
  const { createdAt, awaitingAt, assignedAt, holderSince, sentAt, completedAt, failedAt } = order;
  return Math.max(
    createdAt,
    awaitingAt ?? 0,
    assignedAt ?? 0,
    holderSince ?? 0,
    sentAt ?? 0,
    completedAt ?? 0,
    failedAt ?? 0,
  );
}
