import { ACTIVE_OR_SUSPENDED } from './active.ts';
import type { MovedAlone } from './approval.ts';
import type { AuditAction } from './audit-action.ts';
import type { FeeRule } from './fee.ts';
import type { WhitelistEntry } from './ip.ts';
import type { Trigger } from './lifecycle.ts';
import type { Assignment, ExpectedNeed, Member, Need } from './matching.ts';
import type { Currency, WalletType } from './method.ts';
import type { Factor, Money } from './money.ts';
import type { Instant, Order, Status } from './order.ts';
import type { AdjustmentKind, Posting } from './posting.ts';
import type { EventType } from './webhook-event.ts';

/** Platform settings that the rules read; durations in milliseconds. */
export interface Settings {
  readonly paymentPageTtlMs: number;
  readonly awaitingWithdrawalTimeoutMs: number;
  readonly payoutWindowMs: number;
  readonly memberConfirmationWindowMs: number;
  /** Adjustments above it wait for a second operator; null: none waits. Wallet currency. */
  readonly adjustmentApprovalLimit: Money | null;
  /**
   * Whether moving money above the limit, or making operators and keys, takes two operators. A null
   * limit then counts as 0 (security.md#two-operators).
   */
  readonly requireSecondOperator: boolean;
  /** What a withdrawal's deadline moves by once its member says that they are sending. */
  readonly sendingGraceMs: number;
}

export const MERCHANT_STATUSES = [...ACTIVE_OR_SUSPENDED, 'closed'] as const;
export type MerchantStatus = (typeof MERCHANT_STATUSES)[number];

export interface Merchant {
  readonly merchantId: string;
  readonly name: string;
  readonly status: MerchantStatus;
  readonly defaultCallbackUrl: string | null;
  readonly depositMethods: readonly WalletType[];
  readonly withdrawalMethods: readonly WalletType[];
  readonly currencies: readonly Currency[];
  readonly ipWhitelist: { readonly enabled: boolean; readonly entries: readonly WhitelistEntry[] };
}

/**
 * A merchant's wallet, in wallet currency. Available is balance − reserved; frozen has left the
 * balance (security.md#two-operators).
 */
export interface Wallet {
  readonly merchantId: string;
  readonly balance: Money;
  readonly reserved: Money;
  readonly frozen: Money;
  /** A late confirmation took available below zero (states.md#late-confirmations, decision 2). */
  readonly overdrawn: boolean;
}

export interface ApiKey {
  readonly keyId: string;
  readonly merchantId: string;
  readonly revoked: boolean;
}

/** A signed body that was accepted: which Idempotency-Key came with it, and when first. */
export interface Replay {
  readonly merchantId: string;
  readonly keyId: string;
  readonly digest: string;
  readonly idempotencyKey: string;
  readonly acceptedAt: Instant;
  /** The expired acceptance that this one replaces. */
  readonly replaces: Instant | null;
}

export const ADJUSTMENT_STATUSES = ['applied', 'pendingApproval'] as const;

export interface Adjustment {
  readonly adjustmentId: string;
  readonly merchantId: string;
  readonly kind: AdjustmentKind;
  readonly amount: Money;
  readonly reason: string;
  readonly status: (typeof ADJUSTMENT_STATUSES)[number];
  readonly requestedBy: string;
  readonly requestedAt: Instant;
  readonly approvedBy: string | null;
  readonly approvedAt: Instant | null;
}

export type Actor =
  | { readonly kind: 'merchant' | 'customer' | 'clock'; readonly id: null }
  | { readonly kind: 'member'; readonly id: string }
  | {
      readonly kind: 'operator';
      readonly id: string;
      readonly name: string;
      readonly address: string;
    };

/**
 * The people whom the audit log can name: a merchant's own people act on settings, never on orders.
 */
export type AuditActor =
  | Actor
  | {
      readonly kind: 'portal';
      readonly id: string;
      readonly name: string;
      readonly address: string;
    };

/**
 * One step of an order's history; `number` counts from 1 after creation, which the order itself
 * records.
 */
export interface Move {
  readonly merchantId: string;
  readonly orderId: string;
  readonly number: number;
  readonly from: Status;
  readonly to: Status;
  readonly trigger: Trigger;
  readonly actor: Actor;
  readonly memberId: string | null;
  readonly note: string | null;
  /** The command that made the step: by which an unknown commit is looked up. */
  readonly commandId: string;
  readonly at: Instant;
}

export interface Delivery {
  readonly merchantId: string;
  readonly deliveryId: string;
  /**
   * What it is about: an order, an alert, or for a test the merchant. A newer delivery about the
   * same ends the retries of an older one. Stored as `order_id`.
   */
  readonly subjectId: string;
  readonly apiKeyId: string;
  readonly eventType: EventType;
  /** Null: of an order without a callback URL. It is in the feed alone (decision 33). */
  readonly url: string | null;
  readonly body: string;
  readonly createdAt: Instant;
}

/**
 * What a member says of an order: a report of a withdrawal in review
 * (states.md#awaitingmemberpayout), an amount that is not the order's (member-app.md#orders), money
 * that came before its customer said so, the start of a payout.
 */
export const NOTE_KINDS = ['report', 'otherAmount', 'moneySeen', 'sending'] as const;
export type NoteKind = (typeof NOTE_KINDS)[number];
/** Those of an order that has not ended: its page and its queue show them. */
export const MARK_KINDS = ['otherAmount', 'moneySeen'] as const satisfies readonly NoteKind[];
export type MarkKind = (typeof MARK_KINDS)[number];

/** A note about an order, without effect on its status. */
export interface OrderNote {
  readonly merchantId: string;
  readonly orderId: string;
  readonly noteId: string;
  /** Counts this author's notes on the order, from 1. */
  readonly number: number;
  readonly actor: Actor;
  readonly kind: NoteKind;
  /** Of `otherAmount`, in the order's currency. */
  readonly amount: Money | null;
  readonly text: string;
  readonly at: Instant;
}

/** An operator's act, written with its effect. */
export interface AuditEntry {
  readonly auditId: string;
  readonly actor: AuditActor;
  readonly action: AuditAction;
  readonly target: string;
  readonly detail: Readonly<Record<string, string | number | boolean | null>>;
  readonly at: Instant;
  /** The command that did it, by which the engine recognises repeats. */
  readonly commandId?: string;
}

/** What calls a member: a withdrawal was assigned, or a deposit's customer has confirmed. */
export const ORDER_ALERT_KINDS = ['assigned', 'customer-confirmed'] as const;
export type OrderAlertKind = (typeof ORDER_ALERT_KINDS)[number];

/** What a member's event streams are sent after the commit. */
export const NOTICE_EVENTS = [...ORDER_ALERT_KINDS, 'withdrawn', 'completed'] as const;
export interface Notice {
  readonly memberId: string;
  readonly event: (typeof NOTICE_EVENTS)[number];
  readonly orderId: string;
}

/**
 * Everything that one decision changes: whole new rows that replace the loaded ones, written
 * together.
 */
export interface Changes {
  readonly created?: Order;
  readonly order?: Order;
  readonly members?: readonly Member[];
  readonly wallet?: Wallet;
  readonly replay?: Replay;
  readonly moves?: readonly Move[];
  readonly posting?: Posting;
  readonly delivery?: Delivery;
  readonly adjustment?: Adjustment;
  readonly moved?: readonly MovedAlone[];
  readonly note?: OrderNote;
  readonly audit?: AuditEntry;
  readonly notices?: readonly Notice[];
}

/** Why a rule refused. The HTTP layer maps every code to its status in one total table. */
export type RefusalCode =
  | 'key-not-active'
  | 'signature-replayed'
  | 'unbound'
  | 'invalid'
  | 'terms-differ'
  | 'merchant-not-active'
  | 'address-not-listed'
  | 'method-disabled'
  | 'reference-live'
  | 'transaction-used'
  | 'amount-too-small'
  | 'insufficient-balance'
  | 'not-found'
  | 'wrong-state'
  | 'link-expired'
  | 'no-member'
  | 'too-many'
  | 'unprocessable'
  | 'second-operator'
  | 'suspended';

export interface Refusal {
  readonly code: RefusalCode;
  readonly message: string;
  /** Detail for operators beyond the message; never sent to the caller. */
  readonly detail?: string;
  /** Binding errors by field, for `unbound`. */
  readonly errors?: Readonly<Record<string, readonly string[]>>;
}

export interface Accepted<Result> {
  readonly ok: true;
  readonly result: Result;
  readonly changes: Changes;
}

/** A refusal may still record something: the replay guard remembers refused requests too. */
export type Decision<Result> =
  | Accepted<Result>
  | { readonly ok: false; readonly refusal: Refusal; readonly changes: Changes };

export const accept = <Result>(result: Result, changes: Changes = {}): Accepted<Result> => ({
  ok: true,
  result,
  changes,
});

export const refuse = (
  code: RefusalCode,
  message: string,
): Extract<Decision<never>, { ok: false }> => ({
  ok: false,
  refusal: { code, message },
  changes: {},
});

/** What a rule answers that only refuses: undefined where it has nothing against it. */
export type Objection = ReturnType<typeof refuse> | undefined;

/** The same refusal, with detail for operators beyond its message. */
export const withDetail = <Refused extends { readonly refusal: Refusal }>(
  refused: Refused,
  detail: string,
): Refused => ({
  ...refused,
  refusal: { ...refused.refusal, detail },
});

/**
 * The rows that a decision may look at. Asking for one that the command's keys did not name is a
 * bug and throws.
 */
export interface View {
  readonly settings: Settings;
  apiKey(hash: string): ApiKey | undefined;
  replay(keyId: string, digest: string): Replay | undefined;
  /** The order that an Idempotency-Key is bound to. */
  boundOrder(keyId: string, idempotencyKey: string): Order | undefined;
  /**
   * The orderReference of the live order with that merchantOrderRef; of several (decision 6), the
   * one that owns it.
   */
  liveOrder(merchantId: string, merchantOrderRef: string): string | undefined;
  order(orderId: string): Order | undefined;
  /**
   * The orderReference of another order of the same account that a transaction has completed, by
   * its transactionKey.
   */
  completedBy(order: Pick<Order, 'orderId' | 'accountId'>, transaction: string): string | undefined;
  /** What was noted of an order, by whom. */
  notes(
    orderId: string,
  ): readonly Omit<OrderNote, 'merchantId' | 'orderId' | 'noteId' | 'number'>[];
  merchant(merchantId: string): Merchant;
  wallet(merchantId: string): Wallet;
  member(memberId: string): Member | undefined;
  adjustment(adjustmentId: string): Adjustment | undefined;
  movedAlone(operatorId: string): MovedAlone;
  /** The fee rules in force at that time, of the merchant and of the platform. */
  feeRules(merchantId: string, at: Instant): Iterable<FeeRule>;
  /** Wallet currency per unit of `currency` at that time; undefined while no rate is set. */
  rate(currency: Currency, at: Instant): Factor | undefined;
  /**
   * The best eligible member. `instead` replaces its loaded row (a member about to be released).
   */
  findMember(need: Need, at: Instant, instead?: Member): Assignment | undefined;
}

/** What a decision gets besides rows: the time and new ids (decision 1, merchant-api.md#answer). */
export interface Context {
  readonly now: Instant;
  newId(): string;
  newReference(): string;
  /** What is kept of the hash of the compared terms once an order's personal data is masked. */
  keyedDigest(termsDigest: string): string;
}

interface CreationKeys {
  readonly apiKeyHash: string;
  readonly keyId: string;
  readonly merchantId: string;
  readonly digest: string;
  readonly idempotencyKey: string;
  readonly merchantOrderRef: string | null;
}

/** The rows that a command needs, named before it is decided. */
export interface Keys {
  readonly creation?: CreationKeys;
  readonly orderId?: string;
  /** The order's notes are read too. */
  readonly notes?: boolean;
  /** The transactionKey of what completes the order: others of its account that have it are read. */
  readonly transaction?: string;
  /** The wallet of the order's merchant and the order's member are locked too. */
  readonly settles?: boolean;
  /** The order's member is locked too: they may lose it. */
  readonly releases?: boolean;
  readonly walletOf?: string;
  readonly memberIds?: readonly string[];
  /** The member who acts: locked, because their status at that moment decides (decision 1). */
  readonly actingMemberId?: string;
  readonly adjustmentId?: string;
  /** The operators whose sums of the day are locked. */
  readonly sumsOf?: readonly string[];
  /** The merchant whose terms are read, besides a creation's. */
  readonly termsOf?: string;
  /** A member may have to be found: the hint by which candidates are loaded and locked. */
  readonly need?: ExpectedNeed;
}
