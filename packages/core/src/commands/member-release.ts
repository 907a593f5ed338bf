import { accept, type Context, type Decision, type Keys, refuse, type View } from '../decision.ts';
import type { Order } from '../order.ts';
import { endOrder } from '../step.ts';
import { concerns, memberMay, refuseSuspended } from './acting-member.ts';

/** The member gives back a deposit that the customer has not confirmed: it is cancelled. */
export interface MemberRelease {
  readonly kind: 'member-release';
  readonly commandId: string;
  readonly orderId: string;
  readonly memberId: string;
  readonly reason: string;
}

export const keys = ({ orderId, memberId }: MemberRelease): Keys => ({
  orders: [orderId],
  actingMemberId: memberId,
  settles: true,
});

export function decide(command: MemberRelease, view: View, ctx: Context): Decision<Order> {
  const suspended = refuseSuspended(command.memberId, view);
  if (suspended !== undefined) return suspended;
  const order = view.orders.get(command.orderId);
  const { commandId, memberId, reason } = command;
  if (order === undefined || !concerns(order, memberId))
    return refuse('not-found', 'Order not found.');
  if (order.orderType === 'Withdrawal')
    return refuse('wrong-state', 'A withdrawal is not released; reject or report it.');
  if (order.status === 'Cancelled') return accept(order);
  if (!memberMay('release', order, memberId)) {
    return refuse('wrong-state', `The order is ${order.status} and cannot be released now.`);
  }
  const actor = { kind: 'member' as const, id: memberId };
  return endOrder(
    order,
    { trigger: 'member-released', to: 'Cancelled', actor, commandId, reason, note: reason },
    view,
    ctx,
  );
}
