import type { AuditAction } from './audit-action.ts';
import type { DeliveryId, MemberId, OrderId } from './id.ts';
import type { Trigger } from './lifecycle.ts';
import type { Money } from './money.ts';
import type { Instant, Status } from './order.ts';
import type { AdjustmentKind } from './posting.ts';
import type { EventType } from './webhook-event.ts';

/** Rows that commands change, besides orders, members and postings. */

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
  readonly orderId: OrderId;
  readonly number: number;
  readonly from: Status;
  readonly to: Status;
  readonly trigger: Trigger;
  readonly actor: Actor;
  readonly memberId: MemberId | null;
  readonly note: string | null;
  /** The command that made the step: by which an unknown commit is looked up. */
  readonly commandId: string;
  readonly at: Instant;
}

export interface Delivery {
  readonly merchantId: string;
  readonly deliveryId: DeliveryId;
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

/** What a customer says of a payment after they have confirmed it (page.md#something-to-add). */
export const CUSTOMER_NOTE_KINDS = ['correctedDigits', 'amountSent', 'paidBy'] as const;
export type CustomerNoteKind = (typeof CUSTOMER_NOTE_KINDS)[number];
/**
 * What a member says of an order: a report of a withdrawal in review
 * (states.md#awaitingmemberpayout), an amount that is not the order's (member-app.md#orders), money
 * that came before its customer said so, the start of a payout; and what its customer says.
 */
export const NOTE_KINDS = [
  'report',
  'otherAmount',
  'moneySeen',
  'sending',
  ...CUSTOMER_NOTE_KINDS,
] as const;
export type NoteKind = (typeof NOTE_KINDS)[number];
/** Those of an order that has not ended: its page and its queue show them. */
export const MARK_KINDS = ['otherAmount', 'moneySeen'] as const satisfies readonly NoteKind[];
export type MarkKind = (typeof MARK_KINDS)[number];

/** A note about an order, without effect on its status. */
export interface OrderNote {
  readonly merchantId: string;
  readonly orderId: OrderId;
  readonly noteId: string;
  /** Counts this author's notes on the order, from 1. */
  readonly number: number;
  readonly actor: Actor;
  readonly kind: NoteKind;
  /** Of `otherAmount` and `amountSent`, in the order's currency. */
  readonly amount: Money | null;
  /** Of `correctedDigits`: the former digits. */
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
