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

/** The body of a webhook. Recognise duplicates by `orderId` and `eventType`. */
export type WebhookEvent = OrderCompleted | OrderFailed | WebhookTest;
