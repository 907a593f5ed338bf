import { readAccountNumber } from '../account-number.ts';
import { wrongAccount } from '../customer-input.ts';
import { accept, type Context, type Decision, type Keys, refuse, type View } from '../decision.ts';
import type { Need } from '../matching.ts';
import { isFinal, type Order } from '../order.ts';
import { type Cause, CUSTOMER, findFor, handOver, moveOrder, payoutUntil } from '../step.ts';
import { awaitsCustomer, EXPIRED_LINK } from './customer-actions.ts';

/** The customer of a withdrawal created without an account submits where to pay. */
export interface SubmitAccount {
  readonly kind: 'submit-account';
  readonly commandId: string;
  readonly orderId: string;
  /** As the customer typed or pasted it. */
  readonly accountNumber: string;
  readonly accountName: string;
  readonly need: Need;
}

export const keys = ({ orderId, need }: SubmitAccount): Keys => ({ orders: [orderId], need });

/**
 * The submitted account is final: submitting again has no further effect. The name is required
 * (states.md#awaiting).
 */
export function decide(command: SubmitAccount, view: View, ctx: Context): Decision<Order> {
  const order = view.orders.get(command.orderId);
  if (order === undefined) return refuse('not-found', 'Order not found.');
  if (order.orderType === 'Deposit') return refuse('wrong-state', 'A deposit takes no account.');
  if (order.customerAccountNumber !== null) return accept(order);
  if (isFinal(order.status)) return refuse('wrong-state', 'This withdrawal has ended.');
  if (!awaitsCustomer(order)) return refuse('wrong-state', 'This withdrawal takes no account now.');
  if (ctx.now >= order.expiresAt) return refuse('link-expired', EXPIRED_LINK);
  const accountNumber = readAccountNumber(command.accountNumber, order);
  const [wrong] = wrongAccount({ ...command, accountNumber });
  if (wrong !== undefined) return refuse('invalid', wrong.message);

  const submitted = {
    customerAccountNumber: accountNumber,
    customerAccountName: command.accountName.trim(),
  };
  const cause: Cause = {
    trigger: 'customer-submitted-account',
    actor: CUSTOMER,
    commandId: command.commandId,
  };
  const found = findFor(order, view, ctx);
  if (found === undefined) {
    const dueAt = ctx.now + view.settings.awaitingWithdrawalTimeoutMs;
    return moveOrder(order, { ...submitted, dueAt }, cause, ctx);
  }
  const patch = { ...submitted, ...payoutUntil(view, ctx) };
  return handOver(order, { ...cause, found, patch }, ctx);
}
