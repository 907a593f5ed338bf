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
  readonly added: { readonly paidBy: string | null } | null;
}

/** How this order fits the message. */
export function fitOf(order: ShownOrder, message: PaymentMessage): PaymentFit {
  // A name or last digits, as the customer wrote it: each is found by its own rule.
  const paidBy = order.added?.paidBy ?? null;
  return paymentFit(
    {
      ...order,
      amount: money(order.amount),
      createdAt: Date.parse(order.createdAt),
      accounts: known([order.payerAccount, order.customerAccountNumber, paidBy]),
      names: known([order.customerAccountName, paidBy]),
    },
    message,
  );
}

const known = (texts: readonly (string | null)[]) => texts.filter((text) => text !== null);
