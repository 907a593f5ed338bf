import { accept, type Context, type Decision, type Keys, refuse, type View } from '../decision.ts';
import type { Need } from '../matching.ts';
import type { Order } from '../order.ts';
import { CLOCK, findFor, handOver, payoutUntil } from '../step.ts';

/**
 * Looks for a member for a waiting withdrawal: one came online or freed capacity, or the check of
 * every minute asks (states.md#awaiting).
 */
export interface AssignWaiting {
  readonly kind: 'assign-waiting';
  readonly commandId: string;
  readonly orderId: string;
  readonly need: Need;
}

export const keys = ({ orderId, need }: AssignWaiting): Keys => ({ orders: [orderId], need });

/**
 * Answers the order; it keeps waiting when nobody is eligible or it no longer waits. A withdrawal
 * past its wait is left to the clock (states.md#awaitingcustomerpayment).
 */
export function decide(command: AssignWaiting, view: View, ctx: Context): Decision<Order> {
  const order = view.orders.get(command.orderId);
  if (order === undefined) return refuse('not-found', 'Order not found.');
  if (
    order.orderType !== 'Withdrawal' ||
    order.status !== 'Awaiting' ||
    order.customerAccountNumber === null
  )
    return accept(order);
  if (order.dueAt !== null && ctx.now >= order.dueAt) return accept(order);
  const found = findFor(order, view, ctx);
  if (found === undefined) return accept(order);
  const { commandId } = command;
  const patch = payoutUntil(view, ctx);
  return handOver(order, { trigger: 'member-found', actor: CLOCK, commandId, found, patch }, ctx);
}
