/**
 * Which of one's orders a pasted message may be about: core's rule, for orders as the faces write
 * them. Loaded where a message is pasted.
 */
import {
  type ComparedOrder,
  money,
  type PaymentFit,
  type PaymentMessage,
  paymentFit,
} from '@munshi/core';

export {
  type FitWarning,
  fitRank,
  mayBeAbout,
  onlyIdOf,
  type PaymentFit,
  type PaymentMessage,
  readPaymentMessage,
} from '@munshi/core';

interface ShownOrder extends Pick<ComparedOrder, 'orderType' | 'transactionDigits'> {
  readonly amount: string;
  readonly createdAt: string;
  readonly payerAccount: string | null;
  readonly customerAccountNumber: string | null;
  readonly customerAccountName: string | null;
}

/** How this order fits the message. */
export const fitOf = (order: ShownOrder, message: PaymentMessage): PaymentFit =>
  paymentFit(
    {
      ...order,
      amount: money(order.amount),
      createdAt: Date.parse(order.createdAt),
      accounts: known([order.payerAccount, order.customerAccountNumber]),
      names: known([order.customerAccountName]),
    },
    message,
  );

const known = (texts: readonly (string | null)[]) => texts.filter((text) => text !== null);
