import { audited, type ForOperators } from '../audit.ts';
import {
  type Context,
  type Decision,
  type Keys,
  type Objection,
  refuse,
  type View,
} from '../decision.ts';
import { canMove } from '../lifecycle.ts';
import type { Order } from '../order.ts';
import type { Actor } from '../rows.ts';
import { moveOrder } from '../step.ts';

/** An operator takes an order that a member holds into manual review. */
export interface OperatorEscalate extends ForOperators {
  readonly kind: 'operator-escalate';
  readonly commandId: string;
  readonly orderId: string;
  readonly note: string;
  readonly actor: Actor;
}

export const keys = ({ orderId }: OperatorEscalate): Keys => ({ orders: [orderId] });

export function decide(command: OperatorEscalate, view: View, ctx: Context): Decision<Order> {
  const order = view.orders.get(command.orderId);
  if (order === undefined) return refuse('not-found', 'Order not found.');
  const refused = refuseEscalate(order);
  if (refused !== undefined) return refused;
  const { commandId, note, actor } = command;
  const { memberId, orderId } = order as Order & { readonly memberId: string };
  return moveOrder(
    order,
    { status: 'ManualReview', dueAt: null },
    { trigger: 'operator-escalated', actor, commandId, note },
    ctx,
    {
      notices: [{ memberId, event: 'withdrawn', orderId }],
      audit: audited('order.escalate', orderId, { note }, command, ctx),
    },
  );
}

/** An order that nobody holds is not escalated (states.md#manualreview). */
export function refuseEscalate(order: Pick<Order, 'orderType' | 'status' | 'memberId'>): Objection {
  if (!canMove(order, 'operator-escalated'))
    return refuse('wrong-state', `The order is ${order.status} and cannot be escalated.`);
  if (order.memberId !== null) return undefined;
  return refuse(
    'wrong-state',
    'Nobody holds this order; there is nothing to review. Cancel it instead.',
  );
}
