import { readAccountNumber } from '../account-number.ts';
import { wrongPayer } from '../customer-input.ts';
import { accept, type Context, type Decision, type Keys, refuse, type View } from '../decision.ts';
import { METHODS } from '../method.ts';
import type { Order } from '../order.ts';
import {
  asksPayer,
  awaitsPayment,
  EXPIRED_LINK,
  FORMER_ACCOUNT,
  showsFormerAccount,
} from './customer-actions.ts';

/**
 * The payer's account number or IBAN digits, which QR methods ask for before the code is shown
 * (merchant-api.md#payment-methods).
 */
export interface SubmitPayer {
  readonly kind: 'submit-payer';
  readonly commandId: string;
  readonly orderId: string;
  /** As the customer typed or pasted it. */
  readonly accountNumber: string | null;
  readonly ibanLast4: string | null;
  /** As in ConfirmPayment. */
  readonly methodSwitches?: number | undefined;
}

export const keys = ({ orderId }: SubmitPayer): Keys => ({ orders: [orderId] });

export function decide(command: SubmitPayer, view: View, ctx: Context): Decision<Order> {
  const order = view.orders.get(command.orderId);
  if (order === undefined) return refuse('not-found', 'Order not found.');
  if (!awaitsPayment(order))
    return refuse('wrong-state', 'This payment no longer takes the payer’s account.');
  if (ctx.now >= order.expiresAt) return refuse('link-expired', EXPIRED_LINK);
  if (showsFormerAccount(order, command.methodSwitches))
    return refuse('wrong-state', FORMER_ACCOUNT);
  const { submission } = METHODS[order.walletType];
  if (!asksPayer(order))
    return refuse('wrong-state', 'This payment method does not ask for the payer’s account.');
  const { ibanLast4 } = command;
  const accountNumber = command.accountNumber && readAccountNumber(command.accountNumber, order);
  const wrong = wrongPayer(order, { accountNumber, ibanLast4 });
  if (wrong !== undefined) return refuse('invalid', wrong.message);
  const payerAccount = submission === 'payerAccount' ? accountNumber : ibanLast4;
  if (order.payerAccount === payerAccount) return accept(order);
  const named: Order = { ...order, payerAccount };
  return accept(named, { orders: [named] });
}
