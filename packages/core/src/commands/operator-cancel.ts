import { audited, type ForOperators } from '../audit.ts';
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
import { refuseOwnPayout, type Standing } from '../four-eyes.ts';
import { canMove } from '../lifecycle.ts';
import type { Order } from '../order.ts';
import { endOrder } from '../step.ts';

/** An operator cancels an order whose customer has not paid. */
export interface OperatorCancel extends ForOperators {
  readonly kind: 'operator-cancel';
  readonly commandId: string;
  readonly orderId: string;
  readonly note: string;
  readonly actor: Actor;
  readonly standing: Standing;
}

export const keys = ({ orderId }: OperatorCancel): Keys => ({ orderId, settles: true });

export function decide(command: OperatorCancel, view: View, ctx: Context): Decision<Order> {
  const order = view.order(command.orderId);
  if (order === undefined) return refuse('not-found', 'Order not found.');
  const { commandId, note, actor, standing } = command;
  const refused = refuseCancel(order) ?? refuseOwnPayout(order, standing, view.settings);
  if (refused !== undefined) return refused;
  const ended = endOrder(
    order,
    { trigger: 'operator-cancelled', to: 'Cancelled', actor, commandId, reason: note, note },
    view,
    ctx,
  );
  return accept(ended.result, {
    ...ended.changes,
    audit: audited('order.cancel', order.orderId, { note }, command, ctx),
  });
}

export function refuseCancel(order: Pick<Order, 'orderType' | 'status'>): Objection {
  if (order.status === 'AwaitingMemberConfirmation')
    return refuse('wrong-state', 'The customer has paid: escalate the order, then resolve it.');
  if (order.status === 'ManualReview')
    return refuse('wrong-state', 'The order is in ManualReview: resolve it.');
  if (canMove(order, 'operator-cancelled')) return undefined;
  return refuse('wrong-state', `The order is ${order.status} and cannot be cancelled.`);
}
