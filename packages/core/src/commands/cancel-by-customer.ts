import { accept, type Context, type Decision, type Keys, refuse, type View } from '../decision.ts';
import type { Order } from '../order.ts';
import { CUSTOMER, endOrder } from '../step.ts';
import { awaitsCustomer, EXPIRED_LINK } from './customer-actions.ts';

/** The customer presses Cancel on the page, before confirming or submitting an account. */
export interface CancelByCustomer {
  readonly kind: 'cancel-by-customer';
  readonly commandId: string;
  readonly orderId: string;
}

export const keys = ({ orderId }: CancelByCustomer): Keys => ({ orders: [orderId], settles: true });

/** Cancelling again answers the order. At expiresAt it is too late: the order expires. */
export function decide(command: CancelByCustomer, view: View, ctx: Context): Decision<Order> {
  const order = view.orders.get(command.orderId);
  if (order === undefined) return refuse('not-found', 'Order not found.');
  if (order.status === 'CancelledAuto') return accept(order);
  if (!awaitsCustomer(order))
    return refuse('wrong-state', 'This order can no longer be cancelled.');
  if (ctx.now >= order.expiresAt) return refuse('link-expired', EXPIRED_LINK);
  const { commandId } = command;
  return endOrder(
    order,
    {
      trigger: 'customer-cancelled',
      to: 'CancelledAuto',
      actor: CUSTOMER,
      commandId,
      reason: 'cancelled by the customer',
    },
    view,
    ctx,
  );
}
