import { ACTIVE_OR_SUSPENDED } from './active.ts';
import type { FeeRule } from './fee.ts';
import type { MemberId, OrderId } from './id.ts';
import type { WhitelistEntry } from './ip.ts';
import type { Assignment, ExpectedNeed, Member, Need } from './matching.ts';
import type { Currency, WalletType } from './method.ts';
import type { Factor, Money } from './money.ts';
import type { Instant, Order } from './order.ts';
import type { AddedLists, Lists, Looks, Names } from './row-kinds.ts';

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
  /** Whether the instance is a sandbox (testing.md). */
  readonly sandbox: boolean;
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

/** What calls a member: a withdrawal was assigned, or a deposit's customer has confirmed. */
export const ORDER_ALERT_KINDS = ['assigned', 'customer-confirmed'] as const;
export type OrderAlertKind = (typeof ORDER_ALERT_KINDS)[number];

/** What a member's event streams are sent after the commit. */
export const NOTICE_EVENTS = [
  ...ORDER_ALERT_KINDS,
  'customer-added',
  'withdrawn',
  'completed',
] as const;
export interface Notice {
  readonly memberId: MemberId;
  readonly event: (typeof NOTICE_EVENTS)[number];
  readonly orderId: OrderId;
}

/**
 * Everything that one decision changes: whole new rows, most of which replace the loaded ones,
 * written together.
 */
export interface Changes extends Partial<Lists & AddedLists> {
  readonly created?: Order;
  readonly replay?: Replay;
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
export interface View extends Looks {
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
  /**
   * The orderReference of another order of the same account that a transaction has completed, by
   * its transactionKey.
   */
  completedBy(order: Pick<Order, 'orderId' | 'accountId'>, transaction: string): string | undefined;
  merchant(merchantId: string): Merchant;
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
  newId<Id extends string = string>(): Id;
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
export interface Keys extends Partial<Names> {
  readonly creation?: CreationKeys;
  /**
   * The transactionKey of what completes the orders: others of their accounts that have it are
   * read.
   */
  readonly transaction?: string;
  /** The wallets of the orders' merchants and the orders' members are locked too. */
  readonly settles?: boolean;
  /** The orders' members are locked too: they may lose them. */
  readonly releases?: boolean;
  /** The member who acts: locked, because their status at that moment decides (decision 1). */
  readonly actingMemberId?: string;
  /** The merchant whose terms are read, besides a creation's. */
  readonly termsOf?: string;
  /** A member may have to be found: the hint by which candidates are loaded and locked. */
  readonly need?: ExpectedNeed;
}
