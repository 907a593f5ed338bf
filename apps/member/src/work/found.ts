import { accountKey, isSentFor, readAmount, transactionKey } from '@munshi/web';
import type { Order } from './orders.ts';

/** As the service searches, as far as a phone can. */
export function isFound(order: Order, search: string): boolean {
  const text = search.trim();
  const amount = readAmount(text);
  if (amount !== undefined && isSentFor(order, amount)) return true;
  return [accountKey, transactionKey].some((keyOf) => {
    const key = keyOf(text);
    return key.length >= 4 && numbersOf(order).some((number) => keyOf(number).endsWith(key));
  });
}

const numbersOf = (order: Order): readonly string[] =>
  [
    order.orderReference,
    order.transactionDigits,
    order.transactionReference,
    order.customerAccountNumber,
    order.payerAccount,
  ].filter((number) => number !== null);
