import { amountText, exactUtc } from '@munshi/web';
import { statusLabel } from '@munshi/web-ui';
import type { OrderDetail } from './order.ts';
import { texts } from './texts.ts';

/** An order in plain words for its merchant: nothing of the member, no account, no operator. */
export function merchantSummary(order: OrderDetail): string {
  const { summary } = texts;
  const amount = amountText(order.amount, order.currency);
  const line = <T>(value: T | null, write: (value: T) => string) =>
    value === null ? [] : [write(value)];
  const time = (at: string | null, write: (at: string) => string) =>
    line(at, (known) => write(exactUtc(Date.parse(known))));
  return [
    summary.head(order.orderReference, amount, texts.kinds[order.orderType]),
    ...line(order.merchantOrderRef, summary.yourReference),
    ...line(order.customerReference, summary.customerReference),
    summary.status(statusLabel(order.status)),
    ...line(order.fee, (fee) => summary.fee(amountText(fee, order.currency))),
    ...time(order.createdAt, summary.created),
    ...(order.orderType === 'Deposit' ? time(order.sentAt, summary.paid) : []),
    ...line(order.transactionDigits, summary.digits),
    ...time(order.completedAt, summary.completed),
    ...(order.completedAt === null ? time(order.failedAt, summary.failed) : []),
    ...(order.completedAt === null ? line(order.failureReason, summary.reason) : []),
  ].join('\n');
}
