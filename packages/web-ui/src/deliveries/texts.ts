import { ALERT_EVENTS, type EventType } from '@munshi/web';

/** Alerts by their titles, distinguished from events of orders. */
const alertEvents = Object.fromEntries(
  Object.entries(ALERT_EVENTS).map(([event, title]) => [
    event,
    event === 'alert.test' ? title : `Alert: ${title.toLowerCase()}`,
  ]),
) as typeof ALERT_EVENTS;

/** Every word about what was sent to a receiver, and what it answered. */
export const texts = {
  statuses: {
    pending: 'Pending',
    retried: 'Retried',
    delivered: 'Delivered',
    abandoned: 'Given up',
    superseded: 'Superseded',
  },
  events: {
    'order.completed': 'Completed',
    'order.failed': 'Failed',
    'webhook.test': 'Test',
    ...alertEvents,
  } satisfies Record<EventType, string>,
  title: 'Delivery',
  testLead: 'A test of the default callback URL. It belongs to no order.',
  facts: 'About it',
  order: 'Order',
  url: 'Address',
  id: 'Delivery id',
  made: 'Made',
  next: 'Next attempt',
  resend: 'Resend…',
  resendTitle: 'Send the outcome again',
  resendLead:
    'A new delivery of the present outcome, with a new id and time. Deliveries that are still retried are superseded.',
  resendButton: 'Resend the outcome',
  body: 'Body as sent',
  bytes: 'The bytes of the body',
  copyBody: 'the body',
  attempts: 'Attempts',
  none: 'No attempt has been made yet.',
  attemptsRemoved: (count: number) =>
    count === 1
      ? 'One attempt was made. It is no longer kept.'
      : `${count} attempts were made. They are no longer kept.`,
  bodyRemoved: (day: string) =>
    `The body was removed on ${day}, after the time for which bodies are kept. A resend makes it anew from the order.`,
  attempt: (number: number) => `Attempt ${number}`,
  took: (ms: number) => `took ${ms.toLocaleString('en')} ms`,
  answered: (status: number) => `answered ${status}`,
  noAnswer: 'no answer',
  asked: 'asked for by an operator',
  headers: 'Headers as sent',
  answer: 'What came back',
  signature: 'Signature check',
  signatureLead:
    'Paste what the receiver computed: HMAC-SHA256 over the exact bytes of the body with the signing secret, in hex after “sha256=”.',
  computed: 'Computed by the receiver',
  sent: 'Sent with the last attempt',
  same: 'The same: the receiver has the right secret and the right bytes.',
  differs:
    'Not the same: another secret, or the body was changed before it was signed, by parsing and writing it again for example.',
} as const;
