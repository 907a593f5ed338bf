import { accept, type Context, type Decision, type Keys, refuse, type View } from '../decision.ts';
import type { Need } from '../matching.ts';
import type { Order } from '../order.ts';
import {
  CLOCK,
  endOrder,
  handOver,
  holderOf,
  moveOrder,
  needOfAnother,
  payoutUntil,
  releaseFrom,
} from '../step.ts';

/**
 * An order's dueAt has passed: expiry, or the end of a wait, the payout window or the member's
 * confirmation window.
 */
export interface PassDeadline {
  readonly kind: 'pass-deadline';
  readonly commandId: string;
  readonly orderId: string;
  /** Set if the payout may go to another member. */
  readonly need: Need | undefined;
  /** The wait is skipped: in a sandbox alone. */
  readonly early?: true;
}

export const keys = ({ orderId, need }: PassDeadline): Keys => ({
  orders: [orderId],
  settles: true,
  ...(need && { need }),
});

const REASONS = {
  noMember: 'no eligible member became available in time',
  checkoutExpired: 'checkout expired before payment',
  noAccount: 'the customer did not provide their withdrawal account in time',
} as const;

/**
 * Answers the order; one that is no longer due is unchanged, so a late or repeated command is
 * harmless.
 */
export function decide(command: PassDeadline, view: View, ctx: Context): Decision<Order> {
  const order = view.orders.get(command.orderId);
  if (order === undefined) return refuse('not-found', 'Order not found.');
  if (order.dueAt === null || (ctx.now < order.dueAt && !command.early)) return accept(order);
  const { commandId } = command;
  const end = (
    to: 'CancelledTimeout' | 'Expired',
    trigger: 'link-expired' | 'wait-timed-out',
    reason: string,
  ): Decision<Order> => {
    return endOrder(order, { trigger, to, actor: CLOCK, commandId, reason }, view, ctx);
  };

  switch (order.status) {
    case 'Awaiting':
      if (order.orderType === 'Deposit')
        return end('CancelledTimeout', 'link-expired', REASONS.noMember);
      if (order.customerAccountNumber === null)
        return end('CancelledTimeout', 'link-expired', REASONS.noAccount);
      return end('CancelledTimeout', 'wait-timed-out', REASONS.noMember);
    case 'Queued':
    case 'AwaitingCustomerPayment':
      return end('Expired', 'link-expired', REASONS.checkoutExpired);
    case 'AwaitingMemberConfirmation':
      return escalate(order, 'confirmation-timed-out', commandId, ctx);
    case 'AwaitingMemberPayout':
      return reassign(order, commandId, view, ctx);
    default:
      return accept(order);
  }
}

function escalate(
  order: Order,
  trigger: 'confirmation-timed-out' | 'payout-timed-out',
  commandId: string,
  ctx: Context,
): Decision<Order> {
  const review = { status: 'ManualReview', dueAt: null } as const;
  return moveOrder(order, review, { trigger, actor: CLOCK, commandId }, ctx);
}

/**
 * Reassigns the withdrawal to another member, or sends it to manual review when retries or members
 * run out (states.md#awaitingmemberpayout).
 */
function reassign(order: Order, commandId: string, view: View, ctx: Context): Decision<Order> {
  const holder = holderOf(order, view);
  const found =
    holder === undefined || order.reassignments >= order.maxRetryCount
      ? undefined
      : view.findMember(needOfAnother(order), ctx.now);
  if (holder === undefined || found === undefined)
    return escalate(order, 'payout-timed-out', commandId, ctx);

  const patch = {
    ...payoutUntil(view, ctx),
    formerMemberIds: [...order.formerMemberIds, holder.memberId],
    reassignments: order.reassignments + 1,
  };
  const released = releaseFrom(order, holder);
  return handOver(
    order,
    { trigger: 'payout-timed-out', actor: CLOCK, commandId, found, released, patch },
    ctx,
  );
}
