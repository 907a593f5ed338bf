import { audited, type ForOperators } from '../audit.ts';
import {
  accept,
  type Context,
  type Decision,
  type Keys,
  type Objection,
  refuse,
  type View,
} from '../decision.ts';
import { mayBePaid, movedBy, sumKeys, whyWaits } from '../four-eyes.ts';
import { canMove } from '../lifecycle.ts';
import type { Order } from '../order.ts';
import type { Actor } from '../rows.ts';
import { endOrder } from '../step.ts';

/** An operator cancels an order whose customer has not paid. */
export interface OperatorCancel extends ForOperators {
  readonly kind: 'operator-cancel';
  readonly commandId: string;
  readonly orderId: string;
  readonly note: string;
  readonly actor: Actor;
  /** The sum of the day in which it counts; null: in none. */
  readonly sumOf: string | null;
}

export const keys = ({ orderId, sumOf }: OperatorCancel): Keys => ({
  orders: [orderId],
  settles: true,
  sums: sumKeys(sumOf),
});

export function decide(command: OperatorCancel, view: View, ctx: Context): Decision<Order> {
  const order = view.orders.get(command.orderId);
  if (order === undefined) return refuse('not-found', 'Order not found.');
  const { commandId, note, actor, sumOf } = command;
  const refused = refuseCancel(order) ?? refuseLargePayout(order, command, view, ctx);
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
    ...(mayBePaid(order) && { sums: movedBy(sumOf, view, order.floatAmount, ctx.now) }),
  });
}

/** Against cancelling alone what a member may have paid, above the limit. In review it can wait. */
const refuseLargePayout = (
  order: Order,
  command: OperatorCancel,
  view: View,
  { now }: Context,
): Objection =>
  mayBePaid(order) &&
  whyWaits(command, { kind: 'order-resolve', amount: order.floatAmount }, view, now) !== null
    ? refuse(
        'second-operator',
        'Its member may have paid, and it is more than you decide alone today: escalate it, and resolve it as Cancelled. Another operator approves that.',
      )
    : undefined;

export function refuseCancel(order: Pick<Order, 'orderType' | 'status'>): Objection {
  if (order.status === 'AwaitingMemberConfirmation')
    return refuse('wrong-state', 'The customer has paid: escalate the order, then resolve it.');
  if (order.status === 'ManualReview')
    return refuse('wrong-state', 'The order is in ManualReview: resolve it.');
  if (canMove(order, 'operator-cancelled')) return undefined;
  return refuse('wrong-state', `The order is ${order.status} and cannot be cancelled.`);
}
