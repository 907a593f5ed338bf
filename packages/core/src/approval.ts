import type { ApprovalId } from './id.ts';
import type { Money } from './money.ts';
import type { Instant } from './order.ts';

/** A request for a second operator, waiting or answered, that names everything to be done. */
export interface Approval {
  readonly approvalId: ApprovalId;
  readonly kind: ApprovalKind;
  /**
   * What it is about, such as an order, or the request itself. Of each endpoint one request of an
   * asker waits for it.
   */
  readonly target: string;
  /** What will be done, amounts as exact text. It never changes. */
  readonly request: Readonly<Record<string, string | number | boolean | null>>;
  /** The request as it came, which is sent once more when it is approved. */
  readonly asked: AskedWrite | null;
  readonly requestedBy: string;
  readonly requestedName: string;
  readonly requestedAt: Instant;
  readonly expiresAt: Instant;
  /**
   * `approved`: to be fetched by the requester. `fallen`: the requester was suspended or lost the
   * role.
   */
  readonly status: ApprovalStatus;
  readonly decidedBy: string | null;
  readonly decidedName: string | null;
  readonly decidedAt: Instant | null;
  readonly note: string | null;
}

export interface AskedWrite {
  /** `POST /fee-rules`, within the operator face. */
  readonly endpoint: string;
  readonly params: Readonly<Record<string, string>>;
  /** The source text: numbers are exact. */
  readonly body: string | null;
}

export const APPROVAL_STATUSES = [
  'pending',
  'approved',
  'done',
  'declined',
  'withdrawn',
  'fallen',
] as const;
type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

/** Requests about money. */
export const MONEY_KINDS = [
  'adjustment',
  'float-adjustment',
  'order-confirm',
  'order-resolve',
] as const;
export type MoneyKind = (typeof MONEY_KINDS)[number];
/** Those that give a secret, made when it is fetched, so that the approver never sees it. */
export const FETCHED_KINDS = [
  'api-key',
  'operator-token',
  'operator-recovery',
  'member-recovery',
  'portal-link',
] as const;
export type FetchedKind = (typeof FETCHED_KINDS)[number];
/** Who fetches the secret of a request: of a key an admin of its merchant, or else an approver. */
export const FETCHERS = ['asker', 'merchant', 'approver'] as const;
export type Fetcher = (typeof FETCHERS)[number];
export const APPROVAL_KINDS = [
  ...MONEY_KINDS,
  ...FETCHED_KINDS,
  'operator-create',
  'operator-change',
  'member-password',
  'settings',
  'one-time-code-removal',
  'account-change',
  'own-keys',
  // Any other endpoint that waits: `asked` says which.
  'write',
] as const;
export type ApprovalKind = (typeof APPROVAL_KINDS)[number];

/** What an operator has moved alone on a day, UTC, in wallet currency. */
export interface MovedAlone {
  readonly operatorId: string;
  readonly day: number;
  readonly amount: Money;
}
