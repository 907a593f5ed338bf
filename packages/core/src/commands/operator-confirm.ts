import { audited } from '../audit.ts';
import {
  accept,
  type Context,
  type Decision,
  type Keys,
  type Objection,
  refuse,
  type View,
} from '../decision.ts';
import {
  askedWith,
  type DecidedByOperators,
  historyNote,
  movedBy,
  type NeedsTwo,
  needsTwo,
  ownNote,
  sumKeys,
  whyWaits,
} from '../four-eyes.ts';
import { canMove } from '../lifecycle.ts';
import type { Order } from '../order.ts';
import { endOrder } from '../step.ts';

/** An operator confirms an order that had failed, after a dispute. */
export interface OperatorConfirm extends DecidedByOperators {
  readonly kind: 'operator-confirm';
  readonly commandId: string;
  readonly orderId: string;
  readonly note: string;
  /** Who received or paid the money; null: the last holder, else the adjustments account. */
  readonly memberId: string | null;
}

export interface LateConfirmation {
  readonly status: 'confirmed';
  readonly order: Order;
}

export const keys = ({ orderId, memberId, sumOf }: OperatorConfirm): Keys => ({
  orders: [orderId],
  settles: true,
  sums: sumKeys(sumOf),
  ...(memberId !== null && { members: [memberId] }),
});

/**
 * Two operators must agree when the confirmation takes the wallet's available balance below zero
 * (states.md#late-confirmations), and above the limit (security.md#two-operators).
 */
export function decide(
  command: OperatorConfirm,
  view: View,
  ctx: Context,
): Decision<LateConfirmation | NeedsTwo> {
  const { actor, asked, commandId, memberId, orderId, sumOf } = command;
  const order = view.orders.get(orderId);
  if (order === undefined) return refuse('not-found', 'Order not found.');
  const wrongState = refuseLateConfirmation(order);
  if (wrongState !== undefined) return wrongState;
  const namedId = memberId ?? order.memberId;
  const settledBy = namedId === null ? undefined : view.members.get(namedId);
  if (memberId !== null && settledBy === undefined)
    return refuse('unprocessable', 'There is no member with this memberId.');
  const act = { kind: 'order-confirm', amount: order.floatAmount } as const;
  const why =
    sumOf !== null && overdraws(order, view) ? 'below-zero' : whyWaits(command, act, view, ctx.now);
  if (why !== null) return accept(needsTwo(why));

  const ended = endOrder(
    order,
    {
      trigger: 'operator-confirmed',
      to: 'Completed',
      actor,
      commandId,
      note: historyNote(command),
      settledBy,
      patch: { liveReference: referenceFor(order, view) },
    },
    view,
    ctx,
  );
  const detail = { note: ownNote(command), memberId: namedId, ...askedWith(command) };
  const action = asked === null ? 'order.confirm' : 'order.confirm-approve';
  return accept(
    { status: 'confirmed', order: ended.result },
    {
      ...ended.changes,
      audit: audited(action, orderId, detail, command, ctx),
      sums: movedBy(sumOf, view, order.floatAmount, ctx.now),
    },
  );
}

function overdraws({ orderType, merchantId, settlementAmount }: Order, view: View): boolean {
  const { balance, reserved } = view.wallets.get(merchantId);
  return orderType === 'Withdrawal' && balance - settlementAmount < reserved;
}

export const refuseLateConfirmation = (order: Pick<Order, 'orderType' | 'status'>): Objection =>
  canMove(order, 'operator-confirmed')
    ? undefined
    : refuse(
        'wrong-state',
        `The order is ${order.status}; only an order that failed can be confirmed after a dispute.`,
      );

/** The order is live again, unless a newer order has its reference (decision 6). */
function referenceFor(order: Order, view: View): string | null {
  if (order.merchantOrderRef === null) return null;
  return view.liveOrder(order.merchantId, order.merchantOrderRef) === undefined
    ? order.merchantOrderRef
    : null;
}
