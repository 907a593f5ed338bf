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
  mayBePaid,
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

/** An operator decides an order in manual review, or an open one of an older status. */
export interface OperatorResolve extends DecidedByOperators {
  readonly kind: 'operator-resolve';
  readonly commandId: string;
  readonly orderId: string;
  readonly outcome: 'Completed' | 'Cancelled';
  readonly note: string;
  /** Of a Completed: who received or paid the money; null: the holder. */
  readonly memberId: string | null;
}

export interface Resolution {
  readonly status: 'resolved';
  readonly order: Order;
}

export const keys = ({ orderId, memberId, sumOf }: OperatorResolve): Keys => ({
  orders: [orderId],
  settles: true,
  sums: sumKeys(sumOf),
  ...(memberId !== null && { members: [memberId] }),
});

/**
 * Completing an order, of which no member has given their word, counts as money that an operator
 * moves, and so does cancelling a withdrawal that its member may have paid
 * (security.md#two-operators).
 */
export function decide(
  command: OperatorResolve,
  view: View,
  ctx: Context,
): Decision<Resolution | NeedsTwo> {
  const { commandId, outcome, note, actor, asked, orderId, memberId, sumOf } = command;
  const order = view.orders.get(orderId);
  if (order === undefined) return refuse('not-found', 'Order not found.');
  const wrongState = refuseResolve(order);
  if (wrongState !== undefined) return wrongState;
  const settledBy = memberId === null ? undefined : view.members.get(memberId);
  if (memberId !== null && outcome === 'Cancelled')
    return refuse(
      'unprocessable',
      'Only an order that is completed names who received or paid the money.',
    );
  if (memberId !== null && settledBy === undefined)
    return refuse('unprocessable', 'There is no member with this memberId.');
  const counts = outcome === 'Completed' || mayBePaid(order);
  const act = { kind: 'order-resolve', amount: order.floatAmount } as const;
  const why = counts ? whyWaits(command, act, view, ctx.now) : null;
  if (why !== null) return accept(needsTwo(why));

  const ended = endOrder(
    order,
    {
      trigger: 'operator-resolved',
      to: outcome,
      actor,
      commandId,
      reason: note,
      note: historyNote(command),
      settledBy,
    },
    view,
    ctx,
  );
  const named = memberId === null ? {} : { memberId };
  const detail = { outcome, note: ownNote(command), ...named, ...askedWith(command) };
  const action = asked === null ? 'order.resolve' : 'order.resolve-approve';
  return accept(
    { status: 'resolved', order: ended.result },
    {
      ...ended.changes,
      audit: audited(action, orderId, detail, command, ctx),
      ...(counts && { sums: movedBy(sumOf, view, order.floatAmount, ctx.now) }),
    },
  );
}

/** Both outcomes are open to the same orders. */
export const refuseResolve = (order: Pick<Order, 'orderType' | 'status'>): Objection =>
  canMove(order, 'operator-resolved')
    ? undefined
    : refuse(
        'wrong-state',
        `The order is ${order.status}; only an order in ManualReview can be resolved.`,
      );

/**
 * Whether the customer or the member has said that money moved. A member's report is about a
 * payment that went wrong, and does not count.
 */
export const isAttested = (order: Order): boolean =>
  order.sentAt !== null || order.memberTransactionReference !== null;
