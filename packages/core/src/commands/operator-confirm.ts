import { audited } from '../audit.ts';
import { type Actor, accept, type Context, type Decision, type Keys, refuse, type View } from '../decision.ts';
import { hasFailed, type Order } from '../order.ts';
import { endOrder } from '../step.ts';

/** An operator confirms an order that had failed, after a dispute (spec: States; D22, D42). */
export interface OperatorConfirm {
  readonly kind: 'operator-confirm';
  readonly commandId: string;
  readonly orderId: string;
  readonly note: string;
  /** Who received or paid the money; null: whom the request being approved named, else the last holder, else the adjustments account. */
  readonly memberId: string | null;
  /** The second operator's agreement to a confirmation that asked for one. */
  readonly approval: boolean;
  readonly actor: Actor & { readonly kind: 'operator' };
}

export interface LateConfirmation {
  readonly status: 'confirmed' | 'pendingApproval';
  readonly order: Order;
}

export const keys = ({ orderId, memberId }: OperatorConfirm): Keys => ({ orderId, settles: true, ...(memberId !== null && { memberIds: [memberId] }) });

/** Two operators must agree when the confirmation takes the wallet's available balance below zero; then and only then (D42). */
export function decide(command: OperatorConfirm, view: View, ctx: Context): Decision<LateConfirmation> {
  const { actor, approval, commandId, note } = command;
  const order = view.order(command.orderId);
  if (order === undefined) return refuse('not-found', 'Order not found.');
  if (!hasFailed(order.status)) {
    return refuse('wrong-state', `The order is ${order.status}; only an order that failed can be confirmed after a dispute.`);
  }
  const namedId = command.memberId ?? order.confirmMemberId ?? order.memberId;
  const settledBy = namedId === null ? undefined : view.member(namedId);
  if (command.memberId !== null && settledBy === undefined) return refuse('unprocessable', 'There is no member with this memberId.');

  const wallet = view.wallet(order.merchantId);
  const overdraws = order.orderType === 'Withdrawal' && wallet.balance - order.settlementAmount < wallet.reserved;
  const requestedBy = order.confirmRequestedBy;
  if (approval && requestedBy === null) return refuse('wrong-state', 'No confirmation of this order waits for approval.');
  if (approval && requestedBy === actor.id)
    return refuse('second-operator', 'The confirmation must be approved by another operator than the one who asked for it.');
  if (overdraws && !approval) {
    const pending: Order = { ...order, confirmRequestedBy: actor.id, confirmMemberId: command.memberId };
    const audit = audited('order.confirm-request', order.orderId, { note }, command, ctx);
    return accept({ status: 'pendingApproval', order: pending }, { order: pending, audit });
  }
  const patch = { liveReference: referenceFor(order, view) };
  const ended = endOrder(order, { trigger: 'operator-confirmed', to: 'Completed', actor, commandId, note, settledBy, patch }, view, ctx);
  const audit = audited(approval ? 'order.confirm-approve' : 'order.confirm', order.orderId, { note, memberId: namedId }, command, ctx);
  return accept({ status: 'confirmed', order: ended.order }, { ...ended.changes, audit });
}

/** The order is live again, unless a newer order has taken its reference (D22). */
function referenceFor(order: Order, view: View): string | null {
  if (order.merchantOrderRef === null) return null;
  return view.liveOrder(order.merchantId, order.merchantOrderRef) === undefined ? order.merchantOrderRef : null;
}
