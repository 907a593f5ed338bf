/**
 * The merchant contract as types: requests, answers and events. They import nothing, so that the
 * SDK has no dependencies. Amounts are exact decimal text, `"1500.50"`; times are ISO 8601 in UTC.
 */

export type OrderType = 'Deposit' | 'Withdrawal';
export type WalletType =
  | 'ProviderA'
  | 'ProviderATillID'
  | 'ProviderAQR'
  | 'ProviderB'
  | 'TillID'
  | 'ProviderBQR'
  | 'BankAccount';
export type Currency = 'PKR' | 'INR' | 'BDT';
export type Stage =
  | 'Awaiting'
  | 'Assigned'
  | 'Sent'
  | 'Approved'
  | 'Rejected'
  | 'Completed'
  | 'Failed';
export type Status =
  | 'Awaiting'
  | 'Queued'
  | 'AwaitingCustomerPayment'
  | 'AwaitingMemberConfirmation'
  | 'AwaitingMemberPayout'
  | 'ManualReview'
  | 'Completed'
  | 'Rejected'
  | 'Expired'
  | 'CancelledTimeout'
  | 'Cancelled'
  | 'CancelledAuto'
  | 'Assigned'
  | 'Frozen'
  | 'Confirmed';

/** The fields of an order to create. */
export interface NewOrder {
  readonly orderType: OrderType;
  /** Decimal text, so that it is sent digit for digit. */
  readonly amount: string;
  readonly walletType: WalletType;
  readonly currency?: Currency;
  readonly merchantOrderRef?: string;
  readonly customerReference?: string;
  readonly customerAccountNumber?: string;
  readonly customerAccountName?: string;
  readonly callbackUrl?: string;
  readonly successUrl?: string;
  readonly failureUrl?: string;
  readonly metadata?: string;
  readonly txnRefDigitsRequired?: number;
  readonly maxRetryCount?: number;
}

export interface CreatedOrder {
  readonly orderId: string;
  readonly orderReference: string;
  readonly status: Status;
  readonly stage: Stage;
  readonly merchantOrderRef: string | null;
  readonly paymentPageUrl: string;
  readonly expiresAt: string;
}

/** When each milestone was reached; null when it was not. */
export interface Milestones {
  readonly createdAt: string;
  readonly awaitingAt: string | null;
  readonly assignedAt: string | null;
  readonly sentAt: string | null;
  readonly approvedAt: string | null;
  readonly rejectedAt: string | null;
  readonly completedAt: string | null;
  readonly failedAt: string | null;
}

export interface OrderStatus {
  readonly orderId: string;
  readonly orderReference: string;
  readonly status: Status;
  readonly stage: Stage;
  readonly amount: string;
  readonly fee: string | null;
  readonly currency: Currency;
  readonly orderType: OrderType;
  readonly merchantOrderRef: string | null;
  readonly queuedAt: string;
  readonly confirmedAt: string | null;
  readonly cancelledAt: string | null;
  readonly lifecycle: Milestones & { readonly stage: Stage };
}

export interface Balance {
  readonly availableBalance: string;
  readonly reservedBalance: string;
  readonly frozenBalance: string;
  readonly currency: Currency;
}

interface Outcome {
  readonly orderId: string;
  readonly orderReference: string;
  readonly merchantOrderRef: string | null;
  readonly orderType: OrderType;
  readonly amount: string;
  readonly currency: Currency;
  readonly lifecycle: Milestones;
  /** When the event was generated; the same in every retry of a delivery. */
  readonly timestamp: string;
}

export interface OrderCompleted extends Outcome {
  readonly eventType: 'order.completed';
  readonly status: 'Completed' | 'Confirmed';
  readonly stage: 'Completed';
  readonly fee: string | null;
  readonly completedAt: string;
}

export interface OrderFailed extends Outcome {
  readonly eventType: 'order.failed';
  readonly status: 'Rejected' | 'Expired' | 'CancelledTimeout' | 'Cancelled' | 'CancelledAuto';
  readonly stage: 'Failed';
  /** For people; not to be branched on. */
  readonly reason: string;
}

/** Sent when somebody of the merchant tests the receiver: it is about no order. */
export interface WebhookTest {
  readonly eventType: 'webhook.test';
  readonly test: true;
  readonly timestamp: string;
}

interface Alert {
  readonly test: false;
  /** The same at its beginning and at its end. */
  readonly alertId: string;
  readonly state: 'begun' | 'over';
  readonly beganAt: string;
  readonly endedAt: string | null;
  /** For people; not to be branched on. */
  readonly message: string;
  readonly timestamp: string;
}

export interface WebhookFailingAlert extends Alert {
  readonly eventType: 'alert.webhook_failing';
  readonly host: string;
  readonly failingSince: string;
  readonly lastError: string | null;
}

export interface LowBalanceAlert extends Alert {
  readonly eventType: 'alert.low_balance';
  readonly availableBalance: string;
  /** The limit that was set. */
  readonly lowBalance: string;
  readonly currency: 'PKR';
}

/** Of the orders of an hour. */
export interface ManyFailuresAlert extends Alert {
  readonly eventType: 'alert.many_failures';
  readonly failed: number;
  readonly ended: number;
}

/** Of the requests of an hour. */
export interface ManyRefusalsAlert extends Alert {
  readonly eventType: 'alert.many_refusals';
  readonly refused: number;
  /** The limit that was set. */
  readonly limit: number;
}

/** Sent when somebody of the merchant tests the alert URL. */
export interface AlertTest {
  readonly eventType: 'alert.test';
  readonly test: true;
  readonly alertId: string;
  readonly message: string;
  readonly timestamp: string;
}

/** What is sent to a merchant's alert URL, and never to the callback URL of an order. */
export type AlertEvent =
  | WebhookFailingAlert
  | LowBalanceAlert
  | ManyFailuresAlert
  | ManyRefusalsAlert
  | AlertTest;

/** The body of a webhook. Recognise duplicates by `orderId` and `eventType`. */
export type WebhookEvent = OrderCompleted | OrderFailed | WebhookTest | AlertEvent;
