import type { Fraction, Units } from './arithmetic.ts';
import type { Create } from './creation.ts';
import type { Asked } from './four-eyes.ts';
import type { Act } from './index.ts';
import type { Currency, Kind, Method, Status } from './tables.ts';

/**
 * What the model knows. Counts and sums (open orders, held float, reservations, usage of a day) are
 * not kept but worked out from the orders whenever they are asked for, so that they cannot drift as
 * a service's counters could.
 */
export interface Model {
  now: number;
  readonly merchants: Record<string, ModelMerchant>;
  readonly members: Record<string, ModelMember>;
  readonly orders: ModelOrder[];
  /** Signed bodies by API key and body: with which Idempotency-Key first, and when (decision 5). */
  readonly guards: Record<string, { idempotencyKey: string; at: number }>;
  readonly feeRules: ModelFeeRule[];
  readonly rates: Partial<Record<Currency, Fraction>>;
  /** What waits for a second operator, or waited. */
  readonly requests: ModelRequest[];
  /** What operators have moved without a second one. */
  readonly alone: { readonly operator: number; readonly at: number; readonly amount: Units }[];
  /** `adjustmentApprovalLimit`; null: none. */
  limit: Units | null;
  /** `requireSecondOperator`. */
  fourEyes: boolean;
  thirdActive: boolean;
  /** What a payout's deadline moves by once its member says that they are sending. */
  readonly graceMs: number;
  /**
   * What operators and members have done under an Idempotency-Key: repeated, it is answered as it
   * was (apis.md#repeats).
   */
  readonly writes: { readonly act: Act; readonly answers: Verdict['answers'] }[];
  /**
   * False where several processes assign: each knows what the others did to members up to two
   * seconds later, so turns are not exact.
   */
  readonly turnsKept: boolean;
}

export interface ModelMerchant {
  active: boolean;
  /** Whether there is an address that webhooks go to by default. */
  readonly hook: boolean;
  depositMethods: readonly Method[];
  withdrawalMethods: readonly Method[];
  readonly currencies: readonly Currency[];
  readonly keys: Record<string, { revoked: boolean }>;
  balance: Units;
  frozen: Units;
}

export interface ModelMember {
  online: boolean;
  active: boolean;
  maxOpenOrders: number;
  float: Units;
  lastAssigned: number | null;
  readonly accounts: Record<string, ModelAccount>;
}

export interface ModelAccount {
  readonly method: Method;
  /** Null: every one. */
  readonly currencies: readonly Currency[] | null;
  approved: boolean;
  readonly minimum: Units | null;
  readonly maximum: Units | null;
  readonly daily: Units | null;
}

export interface ModelFeeRule {
  readonly merchant: string | null;
  readonly kind: Kind;
  readonly method: Method;
  readonly fixed: Units;
  readonly percent: Fraction;
  readonly minimum: Units | null;
  readonly maximum: Units | null;
  readonly from: Units | null;
  readonly to: Units | null;
  readonly since: number;
  until: number | null;
}

export interface ModelRequest {
  readonly does: Asked;
  /** Of settings: what they were when their second operator was asked. */
  readonly shown: {
    readonly limit: Units | null;
    readonly required: boolean;
    readonly active: boolean;
  };
  readonly operator: number;
  readonly at: number;
  status: 'pending' | 'done' | 'declined' | 'withdrawn' | 'fallen';
  decidedBy: number | null;
  decidedAt: number | null;
}

/** What a merchant asks for. Amounts as they are written. */
export interface Terms {
  readonly kind: Kind;
  readonly amount: string;
  readonly method: Method;
  readonly currency: Currency;
  readonly reference: string | null;
  /** A withdrawal's receiving account. */
  readonly account: string | null;
  readonly accountName: string | null;
}

export interface ModelOrder {
  readonly number: number;
  readonly merchant: string;
  readonly asked: Create;
  readonly terms: Terms;
  readonly amount: Units;
  readonly rate: Fraction;
  /** Whether its webhooks have an address. */
  readonly hook: boolean;
  readonly createdAt: number;
  method: Method;
  switches: number;
  fee: Units | null;
  status: Status;
  /** Whether a withdrawal's receiving account is known, and whether it came by the page. */
  account: boolean;
  accountByPage: boolean;
  payer: boolean;
  /** Of the payment's transaction, as the customer has them. */
  digits: string | null;
  member: string | null;
  memberAccount: string | null;
  /** Every assignment: it counts in its account's day until it is given back. */
  readonly takes: {
    readonly member: string;
    readonly account: string;
    readonly at: number;
    returned: boolean;
  }[];
  /** Who lost it to another member when their time had passed (states.md#awaitingmemberpayout). */
  readonly former: string[];
  /** What members and its customer have said of it, which moves it nowhere. */
  readonly notes: ModelNote[];
  /** The pictures that each member has handed in, by their number. */
  readonly evidence: Record<string, number[]>;
  /** When each member first saw that it called them (member-app.md#alerts). */
  readonly seen: Record<string, number>;
  reassignments: number;
  awaitingAt: number | null;
  assignedAt: number | null;
  sentAt: number | null;
  completedAt: number | null;
  rejectedAt: number | null;
  failedAt: number | null;
  cancelledAt: number | null;
  dueAt: number | null;
  readonly events: ModelEvent[];
}

export interface ModelNote {
  /** A member, or `customer`. */
  readonly by: string;
  readonly kind:
    | 'report'
    | 'otherAmount'
    | 'moneySeen'
    | 'sending'
    | 'correctedDigits'
    | 'amountSent'
    | 'paidBy';
  readonly amount: Units | null;
  readonly text: string;
  readonly at: number;
}

/**
 * A webhook that must be there, once. `reason` is null where the specification leaves its text
 * open.
 */
export interface ModelEvent {
  readonly type: 'order.completed' | 'order.failed';
  readonly status: Status;
  readonly at: number;
  readonly reason: string | null;
}

export interface Holder {
  readonly member: string;
  readonly account: string;
}

/** The service's choice among equally eligible members; throws if it chose none of them. */
export type Follow = (order: ModelOrder, allowed: readonly Holder[]) => Holder;

/** Why a request is refused, by the specification's causes. */
export type Cause =
  | 'key'
  | 'replayed'
  | 'terms'
  | 'inactive'
  | 'method'
  | 'reference'
  | 'small'
  | 'funds'
  | 'not-found'
  | 'state'
  | 'expired'
  | 'nobody'
  | 'input'
  | 'beyond'
  | 'same-operator';

/**
 * What may be answered: several where the specification does not say which of several true things
 * is said first.
 */
export interface Verdict {
  readonly answers: readonly ('ok' | 'pending' | Cause)[];
  readonly order?: ModelOrder;
  /** The exact text, where the specification has it. */
  readonly message?: string;
}

export const ok = (order?: ModelOrder): Verdict => ({ answers: ['ok'], ...(order && { order }) });
export const no = (...answers: Verdict['answers']): Verdict => ({ answers });

/**
 * Amount less or plus fee at the order's rate: what the wallet moves by (merchant-api.md#balance,
 * decision 3).
 */
export const isOpenWithdrawal = (order: ModelOrder): boolean =>
  order.terms.kind === 'Withdrawal' && order.completedAt === null && order.failedAt === null;
