import { accept, type Context, type Decision, type Keys, refuse, type View } from '../decision.ts';
import { type Money, moneyText } from '../money.ts';
import { hasSucceeded, type Instant, isFinal, type Order } from '../order.ts';
import { isSentFor, payableAmount } from '../payable.ts';
import { endOrder, moveOrder } from '../step.ts';
import { transactionId, transactionKey } from '../transaction-id.ts';
import { concerns, memberMay, refuseSuspended } from './acting-member.ts';

/** The member confirms a deposit's receipt or a withdrawal's payout. */
export interface MemberConfirm {
  readonly kind: 'member-confirm';
  readonly commandId: string;
  readonly orderId: string;
  readonly memberId: string;
  /**
   * What arrived, in the order's currency: what was payable, or the order's exact amount. Null when
   * the member did not say.
   */
  readonly receivedAmount: Money | null;
  /** As the member typed or pasted it. */
  readonly transactionReference: string | null;
}

export const keys = ({ orderId, memberId, transactionReference }: MemberConfirm): Keys => ({
  orders: [orderId],
  actingMemberId: memberId,
  settles: true,
  ...(transactionReference !== null && { transaction: transactionKey(transactionReference) }),
});

/**
 * Answers the completed order; confirming it again answers the same. A different amount changes
 * nothing (states.md#awaitingmemberconfirmation), and neither does a transaction that has completed
 * another order of the account (states.md#one-transaction-one-order).
 */
export function decide(command: MemberConfirm, view: View, ctx: Context): Decision<Order> {
  const suspended = refuseSuspended(command.memberId, view);
  if (suspended !== undefined) return suspended;
  const order = view.orders.get(command.orderId);
  const { commandId, memberId, receivedAmount, transactionReference } = command;
  if (order === undefined || !concerns(order, memberId))
    return refuse('not-found', 'Order not found.');
  if (order.memberId !== memberId) {
    const [standing, way] = isFinal(order.status)
      ? [` and is ${order.status} now`, 'tell an operator']
      : ['', 'report it'];
    return refuse(
      'wrong-state',
      `This order was handed to another member${standing}. If you have already paid it, ${way}.`,
    );
  }
  if (receivedAmount !== null && !isSentFor(order, receivedAmount)) {
    const amounts = `${moneyText(receivedAmount, order.currency)} is not the order's ${moneyText(payableAmount(order), order.currency)}`;
    return refuse(
      'unprocessable',
      `The received amount ${amounts}; nothing was changed. Reject the order, or ask an operator.`,
    );
  }
  if (hasSucceeded(order.status)) return accept(order);
  if (!memberMay('confirm', order, memberId)) {
    return refuse('wrong-state', `The order is ${order.status} and cannot be confirmed now.`);
  }
  const id = transactionReference === null ? null : transactionId(transactionReference);
  const other = id === null ? undefined : view.completedBy(order, transactionKey(id));
  if (other !== undefined)
    return refuse(
      'transaction-used',
      `Transaction ${id} has already completed order ${other} of this account. Check its ID. If one payment was for both, ask an operator: they can complete this order with a note.`,
    );
  const actor = { kind: 'member' as const, id: memberId };
  const member = view.members.get(memberId);
  if (member !== undefined && isHeldSinceBefore(order, member.recoveredAt))
    return moveOrder(
      order,
      { status: 'ManualReview', dueAt: null },
      { trigger: 'member-confirmed', actor, commandId, note: recoveredNote(id) },
      ctx,
      { notices: [{ memberId: member.memberId, event: 'withdrawn', orderId: order.orderId }] },
    );
  const patch = { memberTransactionReference: id };
  return endOrder(
    order,
    { trigger: 'member-confirmed', to: 'Completed', actor, commandId, patch },
    view,
    ctx,
  );
}

/**
 * Whether the member has held the order since before a recovery link of theirs was used, or an
 * operator gave them a password: another person may confirm what they took on
 * (security.md#two-operators).
 */
const isHeldSinceBefore = (
  { holderSince }: Pick<Order, 'holderSince'>,
  recoveredAt: Instant | null,
): boolean => recoveredAt !== null && holderSince !== null && holderSince <= recoveredAt;

/** The reference stands in the note: the order has no word of its member until an operator decides. */
const recoveredNote = (transactionReference: string | null): string =>
  `Confirmed ${transactionReference === null ? '' : `with transaction ${transactionReference} `}after the member was given another way to sign in.`;
