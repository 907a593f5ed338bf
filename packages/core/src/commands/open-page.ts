import { accept, type Context, type Decision, type Keys, refuse, type View } from '../decision.ts';
import type { Need } from '../matching.ts';
import { METHODS } from '../method.ts';
import type { Order } from '../order.ts';
import { type Cause, CUSTOMER, handOver, moveOrder, needOf } from '../step.ts';
import { canOpen, EXPIRED_LINK } from './customer-actions.ts';

/**
 * The customer's page asks for an account: when it opens, and every ten seconds while a deposit
 * waits (decision 8, page.md#the-link).
 */
export interface OpenPage {
  readonly kind: 'open-page';
  readonly commandId: string;
  readonly orderId: string;
  /** What the order needed when the page was read; undefined if it needs no member. */
  readonly need: Need | undefined;
}

export const keys = ({ orderId, need }: OpenPage): Keys => ({
  orders: [orderId],
  ...(need && { need }),
});

/**
 * Answers the order as it is after opening; if there is nothing to do it is unchanged
 * (states.md#deposits, page.md#the-link, states.md#queued).
 */
export function decide(command: OpenPage, view: View, ctx: Context): Decision<Order> {
  const order = view.orders.get(command.orderId);
  if (order === undefined) return refuse('not-found', 'Order not found.');
  if (!canOpen(order)) return accept(order);
  if (ctx.now >= order.expiresAt) return refuse('link-expired', EXPIRED_LINK);
  // A BankAccount deposit opens on the list of the other methods.
  if (!METHODS[order.walletType].onPage) return accept(order);

  const cause: Cause = {
    trigger: 'customer-opened-page',
    actor: CUSTOMER,
    commandId: command.commandId,
  };
  const status = 'AwaitingCustomerPayment';
  if (order.memberId !== null) return moveOrder(order, { status }, cause, ctx);
  const found = view.findMember(needOf(order), ctx.now);
  if (found === undefined) return accept(order);
  return handOver(order, { ...cause, found, patch: { status, dueAt: order.expiresAt } }, ctx);
}
