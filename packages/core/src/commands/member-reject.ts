import { accept, type Context, type Decision, type Keys, refuse, type View } from '../decision.ts';
import type { Order, ReasonCode } from '../order.ts';
import { endOrder } from '../step.ts';
import { concerns, memberMay, refuseSuspended } from './acting-member.ts';

/** The member found no matching payment, or will not pay the withdrawal out. */
export interface MemberReject {
  readonly kind: 'member-reject';
  readonly commandId: string;
  readonly orderId: string;
  readonly memberId: string;
  /** For the merchant, the member and operators; never shown to the customer. */
  readonly reason: string;
  readonly reasonCode?: ReasonCode | null | undefined;
}

export const keys = ({ orderId, memberId }: MemberReject): Keys => ({
  orders: [orderId],
  actingMemberId: memberId,
  settles: true,
});

export function decide(command: MemberReject, view: View, ctx: Context): Decision<Order> {
  const suspended = refuseSuspended(command.memberId, view);
  if (suspended !== undefined) return suspended;
  const order = view.orders.get(command.orderId);
  const { commandId, memberId, reason, reasonCode = null } = command;
  if (order === undefined || !concerns(order, memberId))
    return refuse('not-found', 'Order not found.');
  if (order.memberId !== memberId)
    return refuse('wrong-state', 'This order was handed to another member.');
  if (order.status === 'Rejected') return accept(order);
  if (!memberMay('reject', order, memberId)) {
    return refuse('wrong-state', `The order is ${order.status} and cannot be rejected now.`);
  }
  const actor = { kind: 'member' as const, id: memberId };
  return endOrder(
    order,
    {
      trigger: 'member-rejected',
      to: 'Rejected',
      actor,
      commandId,
      reason,
      note: reason,
      patch: { reasonCode },
    },
    view,
    ctx,
  );
}
