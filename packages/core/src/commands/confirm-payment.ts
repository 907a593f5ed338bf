import { wrongTransactionDigits } from '../customer-input.ts';
import { accept, type Context, type Decision, type Keys, refuse, type View } from '../decision.ts';
import { isFinal, type Order } from '../order.ts';
import { CUSTOMER, moveOrder } from '../step.ts';
import {
  asksPayer,
  awaitsPayment,
  EXPIRED_LINK,
  FORMER_ACCOUNT,
  lacksPayer,
  showsFormerAccount,
} from './customer-actions.ts';

/** The customer says that the deposit is paid. */
export interface ConfirmPayment {
  readonly kind: 'confirm-payment';
  readonly commandId: string;
  readonly orderId: string;
  readonly transactionDigits: string | null;
  /** How many the page had seen that they confirm on: showsFormerAccount. */
  readonly methodSwitches?: number | undefined;
}

export const keys = ({ orderId }: ConfirmPayment): Keys => ({ orders: [orderId] });

/** Confirming again changes nothing and answers the order. At expiresAt it is too late. */
export function decide(command: ConfirmPayment, view: View, ctx: Context): Decision<Order> {
  const order = view.orders.get(command.orderId);
  if (order === undefined) return refuse('not-found', 'Order not found.');
  if (order.orderType === 'Withdrawal')
    return refuse('wrong-state', 'A withdrawal is not confirmed by the customer.');
  if (order.sentAt !== null) return accept(order);
  if (!isFinal(order.status) && ctx.now >= order.expiresAt)
    return refuse('link-expired', EXPIRED_LINK);
  if (!awaitsPayment(order)) return refuse('wrong-state', 'This payment cannot be confirmed now.');

  if (showsFormerAccount(order, command.methodSwitches))
    return refuse('wrong-state', FORMER_ACCOUNT);
  if (lacksPayer(order))
    return refuse('wrong-state', 'Enter your account first; the QR code is shown after it.');
  const wrong = wrongTransactionDigits(order, command.transactionDigits);
  if (wrong !== undefined) return refuse('invalid', wrong.message);
  const confirmed = {
    status: 'AwaitingMemberConfirmation',
    sentAt: ctx.now,
    transactionDigits: asksPayer(order) ? null : command.transactionDigits,
    dueAt: ctx.now + view.settings.memberConfirmationWindowMs,
  } as const;
  const { commandId } = command;
  const { memberId, orderId } = order;
  return moveOrder(
    order,
    confirmed,
    { trigger: 'customer-confirmed', actor: CUSTOMER, commandId },
    ctx,
    { notices: memberId === null ? [] : [{ memberId, event: 'customer-confirmed', orderId }] },
  );
}
