import { audited } from '../audit.ts';
import {
  type Actor,
  accept,
  type Context,
  type Decision,
  type Keys,
  refuse,
  type View,
} from '../decision.ts';
import { movesTo } from '../lifecycle.ts';
import type { Order } from '../order.ts';
import { moveOrder } from '../step.ts';

/** An operator takes an order that a member holds into manual review. */
export interface OperatorEscalate {
  readonly kind: 'operator-escalate';
  readonly commandId: string;
  readonly orderId: string;
  readonly note: string;
  readonly actor: Actor;
}

export const keys = ({ orderId }: OperatorEscalate): Keys => ({ orderId });

/** An order that nobody holds is not escalated (D59). */
export function decide(command: OperatorEscalate, view: View, ctx: Context): Decision<Order> {
  const order = view.order(command.orderId);
  if (order === undefined) return refuse('not-found', 'Order not found.');
  if (!movesTo(order.orderType, order.status, 'operator-escalated').includes('ManualReview')) {
    return refuse('wrong-state', `The order is ${order.status} and cannot be escalated.`);
  }
  if (order.memberId === null)
    return refuse(
      'wrong-state',
      'Nobody holds this order; there is nothing to review. Cancel it instead.',
    );
  const { commandId, note, actor } = command;
  const escalated = moveOrder(
    order,
    { ...order, status: 'ManualReview', dueAt: null },
    { trigger: 'operator-escalated', actor, commandId, note },
    ctx,
  );
  const notices = [
    { memberId: order.memberId, event: 'withdrawn' as const, orderId: order.orderId },
  ];
  return accept(escalated.order, {
    order: escalated.order,
    moves: [escalated.move],
    notices,
    audit: audited('order.escalate', order.orderId, { note }, command, ctx),
  });
}
