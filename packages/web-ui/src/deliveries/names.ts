import { ALERT_EVENTS, type EventType } from '@munshi/web';

/** Alerts by their titles, distinguished from events of orders. */
const alertEvents = Object.fromEntries(
  Object.entries(ALERT_EVENTS).map(([event, title]) => [
    event,
    event === 'alert.test' ? title : `Alert: ${title.toLowerCase()}`,
  ]),
) as typeof ALERT_EVENTS;

export const EVENT_NAMES = {
  'order.completed': 'Order completed',
  'order.failed': 'Order failed',
  'webhook.test': 'Test',
  ...alertEvents,
} satisfies Record<EventType, string>;

export const STATUS_NAMES = {
  pending: 'Pending',
  /** Pending after a failed attempt. */
  failing: 'Failing',
  delivered: 'Delivered',
  abandoned: 'Given up',
  superseded: 'Superseded',
};
