import type { Actor, Context, Refusal, Settings } from './decision.ts';
import { dayOf } from './matching.ts';
import type { Money } from './money.ts';
import type { Instant } from './order.ts';

/** A request for a second operator, waiting or answered, that names everything to be done (D66). */
export interface Approval {
  readonly approvalId: string;
  readonly kind: ApprovalKind;
  /**
   * What it is about: an order, an adjustment, or the request itself. For money at most one request
   * of a kind waits for each.
   */
  readonly target: string;
  /** What will be done, amounts as exact text. It never changes. */
  readonly request: Readonly<Record<string, string | number | boolean | null>>;
  readonly requestedBy: string;
  readonly requestedName: string;
  readonly requestedAt: Instant;
  readonly expiresAt: Instant;
  /**
   * `approved`: to be fetched by the requester. `fallen`: the requester was suspended or lost the
   * role.
   */
  readonly status: 'pending' | 'approved' | 'done' | 'declined' | 'withdrawn' | 'fallen';
  readonly decidedBy: string | null;
  readonly decidedName: string | null;
  readonly decidedAt: Instant | null;
  readonly note: string | null;
}

type MoneyKind = 'adjustment' | 'float-adjustment' | 'order-confirm' | 'order-resolve';
export type ApprovalKind =
  | MoneyKind
  | 'api-key'
  | 'operator-create'
  | 'operator-change'
  | 'operator-token'
  | 'member-password'
  | 'settings';

/** How long a request may wait, and how long an approved key or token may be fetched. */
export const APPROVAL_MS = 24 * 60 * 60 * 1000;

/** What an operator has moved alone on a day, UTC, in wallet currency. */
export interface MovedAlone {
  readonly operatorId: string;
  readonly day: number;
  readonly amount: Money;
}

interface MoneyAct {
  readonly kind: MoneyKind;
  readonly amount: Money;
  /**
   * What its operator has moved alone on this day, before it; 0 for resolutions of orders in
   * review, which count by themselves (D96).
   */
  readonly today: Money;
  /** Neither the customer nor the member has said that money moved (D67). */
  readonly unattested?: boolean;
}

/**
 * Whether money waits for a second operator. By the single amount, the operator's sum of the day,
 * and what was said (D46, D66, D67).
 */
export function needsSecondOperator(
  settings: Settings,
  { kind, amount, today, unattested = false }: MoneyAct,
): boolean {
  const { requireSecondOperator, adjustmentApprovalLimit: limit } = settings;
  if (!requireSecondOperator) return kind === 'adjustment' && limit !== null && amount > limit;
  const allowed = limit ?? 0n;
  return unattested || today + amount > allowed;
}

/** The operator's sum of today, UTC. */
export const movedOn = ({ day, amount }: MovedAlone, now: Instant): Money =>
  day === dayOf(now) ? amount : 0n;

/** The sum of the operator's day with one more amount. */
export function movedAlone(before: MovedAlone, amount: Money, now: Instant): MovedAlone {
  return { ...before, day: dayOf(now), amount: movedOn(before, now) + amount };
}

type Operator = Actor & { readonly kind: 'operator' };

/** A new waiting request. */
export function newApproval(
  kind: ApprovalKind,
  approvalId: string,
  target: string,
  request: Approval['request'],
  actor: Operator,
  now: Instant,
): Approval {
  const requested = {
    requestedBy: actor.id,
    requestedName: actor.name,
    requestedAt: now,
    expiresAt: now + APPROVAL_MS,
  };
  return {
    approvalId,
    kind,
    target,
    request,
    ...requested,
    status: 'pending',
    decidedBy: null,
    decidedName: null,
    decidedAt: null,
    note: null,
  };
}

/**
 * Why this operator cannot approve it now; undefined when they can. `approvalId` is the request
 * that they have read, which may have been replaced.
 */
export function refuseApproval(
  approval: Approval,
  actor: Operator,
  now: Instant,
  approvalId = approval.approvalId,
): Refusal | undefined {
  if (approval.approvalId !== approvalId)
    return {
      code: 'wrong-state',
      message: 'A newer request has taken the place of this one. Read that one.',
    };
  if (approval.status !== 'pending')
    return {
      code: 'wrong-state',
      message: `This request is ${approval.status}; it no longer waits for approval.`,
    };
  if (now >= approval.expiresAt)
    return { code: 'wrong-state', message: 'This request has expired. It has to be made again.' };
  if (approval.requestedBy !== actor.id) return undefined;
  return {
    code: 'second-operator',
    message: 'This must be approved by another operator than the one who asked for it.',
  };
}

export function decided(
  approval: Approval,
  status: Approval['status'],
  { id, name }: Operator,
  note: string | null,
  { now }: Pick<Context, 'now'>,
): Approval {
  return { ...approval, status, decidedBy: id, decidedName: name, decidedAt: now, note };
}

/** The history's note on a move by two operators. */
export const noteOfTwo = (approval: Approval, actor: Operator, note: string | null): string =>
  [
    approval.request['note'],
    `Asked for by ${approval.requestedName}, approved by ${actor.name}.`,
    note,
  ]
    .filter((part) => part !== null)
    .join(' ');
