import { audited } from '../audit.ts';
import { type Actor, accept, type Context, type Decision, type Keys, refuse, type View } from '../decision.ts';
import { movesTo } from '../lifecycle.ts';
import type { Order } from '../order.ts';
import { endOrder } from '../step.ts';

/** An operator decides an order in manual review, or an open one of before this service (D72). */
export interface OperatorResolve {
  readonly kind: 'operator-resolve';
  readonly commandId: string;
  readonly orderId: string;
  readonly outcome: 'Completed' | 'Cancelled';
  readonly note: string;
  readonly actor: Actor;
}

export const keys = ({ orderId }: OperatorResolve): Keys => ({ orderId, settles: true });

export function decide(command: OperatorResolve, view: View, ctx: Context): Decision<Order> {
  const order = view.order(command.orderId);
  if (order === undefined) return refuse('not-found', 'Order not found.');
  if (!movesTo(order.orderType, order.status, 'operator-resolved').includes(command.outcome)) {
    return refuse('wrong-state', `The order is ${order.status}; only an order in ManualReview can be resolved.`);
  }
  const { commandId, outcome, note, actor } = command;
  const ended = endOrder(order, { trigger: 'operator-resolved', to: outcome, actor, commandId, reason: note, note }, view, ctx);
  return accept(ended.order, { ...ended.changes, audit: audited('order.resolve', order.orderId, { outcome, note }, command, ctx) });
}
