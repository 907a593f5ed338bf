import Type, { type Static } from 'typebox';
import {
  answers,
  dataOf,
  id,
  listOf,
  optional,
  orNull,
  PAGE,
  PAGE_QUERY,
  pageIn,
  params,
  route,
  strict,
  time,
  writeRoute,
} from './schemas.ts';

/** Webhook deliveries and the health of their receivers. */

const AttemptView = Type.Object({
  number: Type.Integer(),
  startedAt: time,
  durationMs: Type.Integer(),
  succeeded: Type.Boolean(),
  responseStatus: orNull(Type.Integer()),
  error: orNull(
    Type.String({
      description:
        'Why it failed: what was answered, that nothing was in time, or why the address was refused.',
    }),
  ),
  answer: orNull(Type.String({ description: 'The first KB of the answer.' })),
  requested: Type.Boolean({ description: 'An operator asked for this attempt.' }),
});
export const DeliveryView = Type.Object({
  deliveryId: id('What `X-SVC-Delivery-Id` carries.'),
  eventType: Type.Enum(['order.completed', 'order.failed'], { type: 'string' }),
  url: Type.String(),
  status: Type.Enum(['pending', 'delivered', 'abandoned', 'superseded'], { type: 'string' }),
  createdAt: time,
  nextAttemptAt: orNull(time),
  attempts: Type.Array(AttemptView),
});
export const LIST_DELIVERIES = route('Deliveries', "List an order's webhook deliveries", {
  params: params('orderId'),
  querystring: PAGE_QUERY,
  response: answers('The newest first.', listOf(DeliveryView), 400, 404),
});
export const RETRY_DELIVERY = writeRoute('Deliveries', 'Retry the latest failed delivery now', {
  description: 'With the same delivery id and body, abandoned deliveries too.',
  params: params('orderId'),
  response: answers('The delivery, due now.', dataOf(DeliveryView), 404, 409),
});
export const RESEND_DELIVERY = writeRoute('Deliveries', 'Send the outcome again', {
  description:
    'A new delivery of the present outcome, with a new id and body timestamp. Deliveries still being retried are superseded.',
  params: params('orderId'),
  response: answers('The new delivery.', dataOf(DeliveryView), 404, 409),
});

const MERCHANT_FILTER = optional(id('Of this merchant alone.'));
const EndpointView = Type.Object({
  merchantId: id('Whose receiver it is.'),
  merchantName: Type.String(),
  host: Type.String({ description: 'Host and port of the callback URLs.' }),
  status: Type.Enum(['healthy', 'failing'], {
    type: 'string',
    description: 'failing: the last three attempts or more have failed.',
  }),
  failingSince: orNull(time),
  consecutiveFailures: Type.Integer(),
  lastSuccessAt: orNull(time),
  lastFailureAt: orNull(time),
  lastError: orNull(Type.String()),
  pending: Type.Integer({ description: 'Deliveries that wait for an attempt.' }),
  failing: Type.Integer({ description: 'Those of them that have failed before.' }),
  abandoned: Type.Integer(),
});
export type ReadWebhookHealth = Static<typeof READ_WEBHOOK_HEALTH.querystring>;
export const READ_WEBHOOK_HEALTH = route('Webhooks', 'How deliveries and their receivers do', {
  querystring: Type.Object({ ...PAGE, merchantId: MERCHANT_FILTER }, strict),
  response: answers(
    'Counts of deliveries, and the endpoints by page: those that fail first, the longest failing before the others.',
    pageIn(
      Type.Object({
        pending: Type.Integer(),
        failing: Type.Integer(),
        abandoned: Type.Integer(),
        nextDueAt: orNull(time),
        endpoints: Type.Array(EndpointView),
      }),
    ),
    400,
  ),
});
const AlertView = Type.Object({
  alertId: id('Of the alert.'),
  merchantId: id('Whose receiver it is.'),
  host: Type.String(),
  kind: Type.Enum(['failing', 'recovered'], { type: 'string' }),
  detail: orNull(Type.String({ description: 'The last error.' })),
  at: time,
});
export type ListWebhookAlerts = Static<typeof LIST_WEBHOOK_ALERTS.querystring>;
export const LIST_WEBHOOK_ALERTS = route(
  'Webhooks',
  'When endpoints started to fail and recovered',
  {
    querystring: Type.Object({ ...PAGE, merchantId: MERCHANT_FILTER }, strict),
    response: answers('The newest first.', listOf(AlertView), 400),
  },
);
export type ReplayWebhooks = Static<typeof REPLAY_WEBHOOKS.body>;
export const REPLAY_WEBHOOKS = writeRoute('Webhooks', 'Send every outcome since a time again', {
  description:
    'For a receiver that has lost what it was told: each order that had a delivery since then gets a new one of its present outcome, as resend makes it.',
  body: Type.Object({ since: time, merchantId: MERCHANT_FILTER }, strict),
  response: answers(
    'How many deliveries were made.',
    dataOf(Type.Object({ replayed: Type.Integer() })),
    400,
    404,
  ),
});
