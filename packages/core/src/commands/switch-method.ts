import { accept, type Context, type Decision, type Keys, refuse, type View } from '../decision.ts';
import { quoteFee, settlementOf } from '../fee.ts';
import type { Need } from '../matching.ts';
import { METHODS, type WalletType } from '../method.ts';
import type { Order } from '../order.ts';
import {
  type Cause,
  CUSTOMER,
  handOver,
  holderOf,
  moveOrder,
  needOf,
  releaseFrom,
} from '../step.ts';
import { canSwitchMethod, EXPIRED_LINK, METHOD_SWITCHES_MAX } from './customer-actions.ts';

/** The customer picks another method on the page, before confirming (page.md#the-link). */
export interface SwitchMethod {
  readonly kind: 'switch-method';
  readonly commandId: string;
  readonly orderId: string;
  readonly merchantId: string;
  readonly walletType: WalletType;
  readonly need: Need;
}

export const keys = ({ orderId, merchantId, need }: SwitchMethod): Keys => ({
  orders: [orderId],
  need,
  termsOf: merchantId,
  releases: true,
});

/**
 * Answers the order under the new method. With no member for it the present assignment stays and
 * the page says so (page.md#the-link).
 */
export function decide(command: SwitchMethod, view: View, ctx: Context): Decision<Order> {
  const order = view.orders.get(command.orderId);
  if (order === undefined) return refuse('not-found', 'Order not found.');
  const { walletType } = command;
  if (order.orderType === 'Withdrawal')
    return refuse('wrong-state', 'The method of a withdrawal cannot be changed.');
  if (!canSwitchMethod(order))
    return refuse('wrong-state', 'The payment method can no longer be changed.');
  if (ctx.now >= order.expiresAt) return refuse('link-expired', EXPIRED_LINK);
  if (
    !METHODS[walletType].onPage ||
    !view.merchant(order.merchantId).depositMethods.includes(walletType)
  ) {
    return refuse('invalid', 'This payment method is not available. Please choose another one.');
  }

  const cause: Cause = {
    trigger: 'customer-switched-method',
    actor: CUSTOMER,
    commandId: command.commandId,
    note: walletType,
  };
  const status = 'AwaitingCustomerPayment';
  // The member who holds the order for this method keeps it, online or not: choosing the present
  // method opens the page.
  if (order.memberId !== null && order.walletType === walletType) {
    return order.status === status ? accept(order) : moveOrder(order, { status }, cause, ctx);
  }
  const switches = walletType === order.walletType ? 0 : 1;
  if (order.methodSwitches + switches > METHOD_SWITCHES_MAX) {
    return refuse(
      'too-many',
      `The payment method of an order can be changed ${METHOD_SWITCHES_MAX} times. Please pay by the present one.`,
    );
  }
  const holder = holderOf(order, view);
  const released = holder && releaseFrom(order, holder);
  const found = view.findMember(needOf({ ...order, walletType }), ctx.now, released);
  if (found === undefined)
    return refuse(
      'no-member',
      'Nobody can receive a payment by this method right now. Please choose another one or try again shortly.',
    );

  const fee = quoteFee({ ...order, walletType }, view.feeRules(order.merchantId, order.createdAt));
  const patch = {
    status,
    dueAt: order.expiresAt,
    walletType,
    methodSwitches: order.methodSwitches + switches,
    fee,
    ...settlementOf({ ...order, fee }),
    payerAccount: null,
  } as const;
  return handOver(order, { ...cause, found, released, patch }, ctx);
}
