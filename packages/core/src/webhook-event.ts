import type { AlertId, OrderId } from './id.ts';
import { formatMoney, type Money } from './money.ts';
import {
  hasSucceeded,
  type Instant,
  isoTime,
  lifecycleOf,
  type Order,
  type Stamped,
  stageOf,
} from './order.ts';

/** What is sent. */
export const SENT_EVENTS = ['order.completed', 'order.failed', 'webhook.test'] as const;
/** Alerts that versions before sent to a URL, by their titles: their deliveries are still listed. */
export const ALERT_EVENTS = {
  'alert.webhook_failing': 'Webhooks fail',
  'alert.low_balance': 'Low balance',
  'alert.many_failures': 'Many orders fail',
  'alert.many_refusals': 'Many requests are refused',
  'alert.test': 'Test alert',
} as const;
const ALERT_EVENT_TYPES = Object.keys(ALERT_EVENTS) as readonly (keyof typeof ALERT_EVENTS)[];
export const EVENT_TYPES = [...SENT_EVENTS, ...ALERT_EVENT_TYPES] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** Notes for operators about a receiver. */
export const RECEIVER_ALERT_KINDS = ['failing', 'recovered'] as const;
export type ReceiverAlertKind = (typeof RECEIVER_ALERT_KINDS)[number];

/** What an event is about: an order, an alert, or for a test nothing but its merchant. */
export type EventSubject =
  | { readonly kind: 'order'; readonly orderId: OrderId }
  | { readonly kind: 'alert'; readonly alertId: AlertId }
  | { readonly kind: 'merchant' };

const isAlertEvent = (type: EventType): boolean => ALERT_EVENT_TYPES.some((one) => one === type);

/** The id of a delivery's subject is an order's only of some events. */
export function eventSubjectOf({
  eventType,
  subjectId,
}: {
  readonly eventType: EventType;
  readonly subjectId: string;
}): EventSubject {
  if (eventType === 'webhook.test') return { kind: 'merchant' };
  return isAlertEvent(eventType)
    ? { kind: 'alert', alertId: subjectId as AlertId }
    : { kind: 'order', orderId: subjectId as OrderId };
}

/** The body of a test: nothing of any order is in it (webhooks.md#a-test-event). */
export const testBody = (at: Instant): string =>
  JSON.stringify({ eventType: 'webhook.test', test: true, timestamp: isoTime(at) });
/** Tests of one merchant within a minute. */
export const TESTS_PER_MINUTE = 5;

/** The event of an order in this final status (webhooks.md#the-bodies). */
export const eventTypeOf = (order: Pick<Order, 'status'>): EventType =>
  hasSucceeded(order.status) ? 'order.completed' : 'order.failed';

/** What a webhook says of an order. */
export type WebhookOrder = Omit<Stamped, 'holderSince'> &
  Pick<
    Order,
    | 'orderReference'
    | 'merchantOrderRef'
    | 'orderType'
    | 'amount'
    | 'fee'
    | 'currency'
    | 'status'
    | 'rejectedAt'
    | 'failureReason'
  > & { readonly orderId: string };

/**
 * The webhook's body, made once when the order reaches its outcome and sent unchanged by every
 * attempt (decision 13). Amounts are exact decimals (webhooks.md#the-bodies).
 */
export function webhookBody(order: WebhookOrder, at: Instant): string {
  const completed = hasSucceeded(order.status);
  const { stage: _, ...stamps } = lifecycleOf(order);
  const lifecycle = Object.fromEntries(
    Object.entries(stamps).map(([name, stamp]) => [name, isoTime(stamp)]),
  );
  const fields: [string, string][] = [
    ['eventType', JSON.stringify(eventTypeOf(order))],
    ['orderId', JSON.stringify(order.orderId)],
    ['orderReference', JSON.stringify(order.orderReference)],
    ['merchantOrderRef', JSON.stringify(order.merchantOrderRef)],
    ['orderType', JSON.stringify(order.orderType)],
    ['amount', formatMoney(order.amount)],
    ...(completed ? [['fee', feeText(order.fee)] as [string, string]] : []),
    ['currency', JSON.stringify(order.currency)],
    ['status', JSON.stringify(order.status)],
    ['stage', JSON.stringify(stageOf(order))],
    ['lifecycle', JSON.stringify(lifecycle)],
    completed
      ? ['completedAt', JSON.stringify(isoTime(order.completedAt))]
      : ['reason', JSON.stringify(order.failureReason ?? '')],
    ['timestamp', JSON.stringify(isoTime(at))],
  ];
  return `{${fields.map(([name, value]) => `"${name}":${value}`).join(',')}}`;
}

const feeText = (fee: Money | null) => (fee === null ? 'null' : formatMoney(fee));
