import type { OrderType } from './method.ts';
import { formatMoney, type Money } from './money.ts';
import type { Order } from './order.ts';

/** The smallest amount of every currency that people can send, 0.01. */
const SMALLEST: Money = 100n;

/**
 * What is sent of an order, in its currency: orders have up to four decimals, wallets and banks two
 * (states.md#what-is-sent). A deposit is rounded up, so that it is covered; a withdrawal down, but
 * never to nothing. Wallets, fees, float and webhooks go by `amount`.
 */
export function payableAmount({ orderType, amount }: Pick<Order, 'orderType' | 'amount'>): Money {
  const more = amount % SMALLEST;
  if (more === 0n) return amount;
  const below = amount - more;
  return orderType === 'Deposit' || below === 0n ? below + SMALLEST : below;
}

/** Whether this is what was sent of the order: what is payable, or its exact amount. */
export const isSentFor = (order: Pick<Order, 'orderType' | 'amount'>, sent: Money): boolean =>
  sent === order.amount || sent === payableAmount(order);

/**
 * The other amounts of orders of a kind of which this is payable: isSentFor, for an index of
 * amounts.
 */
export function amountsRoundedTo(sent: Money, orderType: OrderType): readonly Money[] {
  const found: Money[] = [];
  for (let amount = sent - SMALLEST + 1n; amount < sent + SMALLEST; amount += 1n)
    if (amount > 0n && amount !== sent && payableAmount({ orderType, amount }) === sent)
      found.push(amount);
  return found;
}

/** As QR codes and links to apps have amounts: with all decimals of the currency, `1500.50`. */
export function codeAmount(payable: Money): string {
  const [whole, decimals = ''] = formatMoney(payable).split('.');
  return `${whole}.${decimals.padEnd(2, '0')}`;
}
