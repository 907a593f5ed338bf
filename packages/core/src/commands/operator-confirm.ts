import { audited } from '../audit.ts';
import {
  type Actor,
  accept,
  type Context,
  type Decision,
  type Keys,
  type Objection,
  refuse,
  type View,
} from '../decision.ts';
import {
  type Approval,
  decided,
  movedAlone,
  movedOn,
  needsSecondOperator,
  newApproval,
  noteOfTwo,
  type Outcome,
  refuseApproval,
} from '../four-eyes.ts';
import { canMove } from '../lifecycle.ts';
import type { Instant, Order } from '../order.ts';
import { endOrder } from '../step.ts';

/** An operator confirms an order that had failed, after a dispute (states.md; D22, D42). */
export interface OperatorConfirm {
  readonly kind: 'operator-confirm';
  readonly commandId: string;
  readonly orderId: string;
  /** Null for an approval without a note. */
  readonly note: string | null;
  /**
   * Who received or paid the money; null: the last holder, else the adjustments account. An
   * approval names the member of the request.
   */
  readonly memberId: string | null;
  /** The second operator's agreement to a confirmation that asked for one. */
  readonly approval: boolean;
  /** The request that is approved: no other one about the order. */
  readonly approvalId?: string | undefined;
  readonly actor: Actor & { readonly kind: 'operator' };
}

/** Done, or waiting for the approval of this request. */
export type LateConfirmation = { readonly order: Order } & Outcome<'confirmed'>;

export const keys = ({ orderId, memberId, actor }: OperatorConfirm): Keys => ({
  orderId,
  settles: true,
  approvalOf: orderId,
  sumOf: actor.id,
  ...(memberId !== null && { memberIds: [memberId] }),
});

/**
 * Two operators must agree when the confirmation takes the wallet's available balance below zero
 * (D42), and above the limit (D66).
 */
export function decide(
  command: OperatorConfirm,
  view: View,
  ctx: Context,
): Decision<LateConfirmation> {
  const { actor, approval, commandId, memberId, note, orderId } = command;
  const order = view.order(orderId);
  if (order === undefined) return refuse('not-found', 'Order not found.');
  const wrongState = refuseLateConfirmation(order);
  if (wrongState !== undefined) return wrongState;
  const asked = view.pendingApproval('order-confirm', orderId);
  const namedId = memberId ?? order.memberId;
  const settledBy = namedId === null ? undefined : view.member(namedId);
  if (memberId !== null && settledBy === undefined)
    return refuse('unprocessable', 'There is no member with this memberId.');

  if (approval) {
    const refused = refuseConfirmationApproval(asked, actor, ctx.now, command.approvalId);
    if (refused !== undefined) return refused;
    if (asked?.request['memberId'] !== memberId)
      return refuse(
        'wrong-state',
        'The request names another member. It is approved as it stands, or declined.',
      );
  }
  const wallet = view.wallet(order.merchantId);
  const overdraws =
    order.orderType === 'Withdrawal' && wallet.balance - order.settlementAmount < wallet.reserved;
  const sum = view.movedAlone(actor.id);
  const amount = order.floatAmount;
  const needsTwo =
    overdraws ||
    needsSecondOperator(view.settings, {
      kind: 'order-confirm',
      amount,
      today: movedOn(sum, ctx.now),
    });
  if (needsTwo && !approval) {
    const request = newApproval(
      'order-confirm',
      commandId,
      orderId,
      { note, memberId, outcome: 'Completed' },
      actor,
      ctx.now,
    );
    const audit = audited(
      'order.confirm-request',
      orderId,
      { approvalId: commandId, note },
      command,
      ctx,
    );
    return accept(
      { status: 'pendingApproval', approvalId: commandId, order },
      { approvals: [...withdrawn(asked, actor, ctx), request], audit },
    );
  }
  const by = approval && asked !== undefined ? asked : undefined;
  const why = by === undefined ? note : noteOfTwo(by, actor, note);
  const patch = { liveReference: referenceFor(order, view) };
  const ended = endOrder(
    order,
    {
      trigger: 'operator-confirmed',
      to: 'Completed',
      actor,
      commandId,
      note: why,
      settledBy,
      patch,
    },
    view,
    ctx,
  );
  const detail = { note, memberId: namedId, ...(by && { requestedBy: by.requestedBy }) };
  const audit = audited(
    by ? 'order.confirm-approve' : 'order.confirm',
    orderId,
    detail,
    command,
    ctx,
  );
  const two =
    by === undefined
      ? { moved: movedAlone(sum, amount, ctx.now), approvals: withdrawn(asked, actor, ctx) }
      : { approvals: [decided(by, 'done', actor, note, ctx)] };
  return accept(
    { status: 'confirmed', approvalId: null, order: ended.order },
    { ...ended.changes, audit, ...two },
  );
}

export const refuseLateConfirmation = (order: Pick<Order, 'orderType' | 'status'>): Objection =>
  canMove(order, 'operator-confirmed')
    ? undefined
    : refuse(
        'wrong-state',
        `The order is ${order.status}; only an order that failed can be confirmed after a dispute.`,
      );

/** `asked`: the request about the order that waits. */
export function refuseConfirmationApproval(
  asked: Approval | undefined,
  who: { readonly id: string },
  now: Instant,
  approvalId = asked?.approvalId,
): Objection {
  if (asked === undefined)
    return refuse('wrong-state', 'No confirmation of this order waits for approval.');
  return refuseApproval(asked, who, now, approvalId);
}

/** A newer request about the same order replaces the waiting one. */
export const withdrawn = (
  asked: Approval | undefined,
  actor: OperatorConfirm['actor'],
  ctx: Context,
): readonly Approval[] =>
  asked === undefined
    ? []
    : [decided(asked, 'withdrawn', actor, 'A newer request has taken its place.', ctx)];

/** The order is live again, unless a newer order has its reference (D22). */
function referenceFor(order: Order, view: View): string | null {
  if (order.merchantOrderRef === null) return null;
  return view.liveOrder(order.merchantId, order.merchantOrderRef) === undefined
    ? order.merchantOrderRef
    : null;
}
