import { accept, type Context, type Decision, type Keys, refuse, type View } from '../decision.ts';
import type { Need } from '../matching.ts';
import type { Order } from '../order.ts';
import {
  type Cause,
  CLOCK,
  endOrder,
  handOver,
  holderOf,
  moveOrder,
  needOf,
  releaseFrom,
} from '../step.ts';

/** Takes an order from a suspended member or a withdrawn account. */
export interface WithdrawMember {
  readonly kind: 'withdraw-member';
  readonly commandId: string;
  readonly orderId: string;
  readonly need: Need;
}

export const keys = ({ orderId, need }: WithdrawMember): Keys => ({
  orders: [orderId],
  need,
  settles: true,
});

/** What becomes of an order whose member or account is suspended. */
export const WITHDRAWN_FATES = ['stays', 'cancelled', 'matched-again'] as const;
export type WithdrawnFate = (typeof WITHDRAWN_FATES)[number];

/** Only an unpaid deposit leaves: its customer must not pay to that account any more. */
export function fateWhenWithdrawn({ status }: Pick<Order, 'status'>): WithdrawnFate {
  if (status === 'Queued') return 'matched-again';
  return status === 'AwaitingCustomerPayment' ? 'cancelled' : 'stays';
}

/**
 * A deposit whose account the customer has seen is cancelled; one that was not opened is matched
 * again and stays Queued.
 */
export function decide(command: WithdrawMember, view: View, ctx: Context): Decision<Order> {
  const order = view.orders.get(command.orderId);
  if (order === undefined) return refuse('not-found', 'Order not found.');
  const holder = holderOf(order, view);
  const fate = fateWhenWithdrawn(order);
  if (holder === undefined || fate === 'stays') return accept(order);
  const account = holder.accounts.find(({ accountId }) => accountId === order.accountId);
  if (holder.status === 'active' && account?.status === 'approved') return accept(order);

  const { commandId } = command;
  if (fate === 'cancelled') {
    const reason = 'the receiving account was withdrawn before payment';
    return endOrder(
      order,
      { trigger: 'member-withdrawn', to: 'CancelledAuto', actor: CLOCK, commandId, reason },
      view,
      ctx,
    );
  }
  const released = releaseFrom(order, holder);
  const found = view.findMember(needOf(order), ctx.now, released);
  const cause: Cause = { trigger: 'member-withdrawn', actor: CLOCK, commandId };
  if (found !== undefined) {
    const patch = { status: 'Queued', dueAt: order.expiresAt } as const;
    return handOver(order, { ...cause, found, released, patch }, ctx);
  }
  const nobody = { memberId: null, accountId: null, holderSince: null };
  const { memberId } = holder;
  return moveOrder(order, nobody, cause, ctx, {
    members: [released],
    notices: [{ memberId, event: 'withdrawn', orderId: order.orderId }],
  });
}
