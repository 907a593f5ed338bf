import { amountText, exactUtc } from '@munshi/web';
import { statusLabel } from '@munshi/web-ui';
import type { OrderDetail } from './order.ts';

/** An order in plain words for its merchant: nothing of the member, no account, no operator. */
export function merchantSummary(order: OrderDetail): string {
  const { orderReference, orderType, currency, completedAt } = order;
  const line = (name: string, value: string | null) =>
    value === null ? [] : [`${name}: ${value}`];
  const time = (name: string, at: string | null) =>
    line(name, at === null ? null : exactUtc(Date.parse(at)));
  return [
    `Order ${orderReference}: ${amountText(order.amount, currency)} ${orderType.toLowerCase()}`,
    ...line('Your reference', order.merchantOrderRef),
    ...line('Customer reference', order.customerReference),
    ...line('Status', statusLabel(order.status)),
    ...line('Fee', order.fee === null ? null : amountText(order.fee, currency)),
    ...time('Created', order.createdAt),
    ...time('The customer said that they paid', orderType === 'Deposit' ? order.sentAt : null),
    ...line('Digits of their transaction', order.transactionDigits),
    ...time('Completed', completedAt),
    ...time('Failed', completedAt === null ? order.failedAt : null),
    ...line('Reason', completedAt === null ? order.failureReason : null),
  ].join('\n');
}
