import { DELIVERY_SEARCH_KINDS, EVENT_TYPES, RECEIVER_ALERT_KINDS } from '@munshi/core';
import Type, { type TSchema } from 'typebox';
import { orEffect } from './approvals.effects.ts';
import { one } from './contract/decider.ts';
import type { Shown } from './contract/endpoint.ts';
import {
  allowedActions,
  calledUrl,
  dataOf,
  enumOf,
  id,
  listOf,
  namedEnum,
  namedObject,
  operator,
  optional,
  orNull,
  PAGE,
  PAGE_QUERY,
  pageIn,
  searched,
  strictObject,
  time,
} from './contract/operator.ts';

/** Webhook deliveries and the health of their receivers. */

const deliveries = operator('Deliveries');
const webhooks = operator('Webhooks');

export const AttemptView = namedObject('Attempt', {
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
export type DeliveryView = Shown<typeof DeliveryView>;
export const DeliveryView = namedObject('Delivery', {
  deliveryId: id('What `X-SVC-Delivery-Id` carries.'),
  eventType: namedEnum('WebhookEventType', EVENT_TYPES),
  url: calledUrl(),
  status: namedEnum('DeliveryStatus', ['pending', 'delivered', 'abandoned', 'superseded']),
  createdAt: time,
  nextAttemptAt: orNull(time),
  attempts: Type.Array(AttemptView),
  allowedActions: allowedActions(['retry-now']),
});
export const LIST_DELIVERIES = deliveries.endpoint('GET /orders/:orderId/deliveries', {
  summary: "List an order's webhook deliveries",
  needs: 'read',
  querystring: PAGE_QUERY,
  answer: listOf(DeliveryView, 'The newest first.'),
});
export const RETRY_DELIVERY = deliveries.write('POST /orders/:orderId/deliveries/retry-now', {
  summary: 'Retry the latest failed delivery now',
  needs: 'decide',
  decides: one('It says once more what has happened.'),
  audit: ['delivery.retry'],
  description:
    'With the same delivery id and body, abandoned deliveries too. One whose body was removed after its time answers 409.',
  preview: true,
  answer: orEffect(DeliveryView, 'The delivery, due now.'),
  refusals: ['wrong-state'],
});
export const RESEND_DELIVERY = deliveries.write('POST /orders/:orderId/deliveries/resend', {
  summary: 'Send the outcome again',
  needs: 'decide',
  decides: one('It says once more what has happened.'),
  audit: ['delivery.resend'],
  description:
    'A new delivery of the present outcome, with a new id and body timestamp. Deliveries still being retried are superseded.',
  preview: true,
  answer: orEffect(DeliveryView, 'The new delivery.'),
  refusals: ['wrong-state'],
});

export const NewDelivery = namedObject('NewDelivery', { deliveryId: Type.String() });
export const TEST_WEBHOOK_PARTS = {
  description:
    'Sends `webhook.test` to the default callback URL, signed and repeated like any other: a delivery with attempts. It is about no order. Five a minute at most; a newer test takes the place of one that is still tried.',
  answer: dataOf(NewDelivery, 'The delivery, due now.'),
  refusals: ['wrong-state'],
} as const;
export const TEST_WEBHOOK = deliveries.write('POST /merchants/:merchantId/webhooks/test', {
  summary: 'Send a test event to a merchant',
  ...TEST_WEBHOOK_PARTS,
  needs: 'write',
  decides: one('A test is about no order.'),
  audit: ['webhook.test'],
});

const MERCHANT_FILTER = optional(id('Of this merchant alone.'));
const DELIVERY_STATUS = DeliveryView.properties.status;
const EVENT_TYPE = DeliveryView.properties.eventType;
const HOST = Type.String({ maxLength: 300, description: 'Host and port of the callback URL.' });

export type ListedDeliveryView = Shown<typeof ListedDeliveryView>;
export const ListedDeliveryView = namedObject('ListedDelivery', {
  deliveryId: id('What `X-SVC-Delivery-Id` carries.'),
  orderId: id('The order that it is about; of a test the merchant’s id, of an alert the alert’s.'),
  orderReference: orNull(Type.String({ description: 'Null: a test or an alert.' })),
  merchantId: id('Whose receiver it goes to.'),
  merchantName: Type.String(),
  eventType: EVENT_TYPE,
  url: calledUrl(),
  host: HOST,
  status: DELIVERY_STATUS,
  createdAt: time,
  nextAttemptAt: orNull(time),
  attemptsMade: Type.Integer(),
  lastAttempt: orNull(
    namedObject('LastAttempt', {
      startedAt: time,
      durationMs: Type.Integer(),
      responseStatus: orNull(Type.Integer()),
      error: orNull(Type.String()),
    }),
  ),
});
export const DELIVERY_FILTERS = {
  status: optional(DELIVERY_STATUS),
  eventType: optional(EVENT_TYPE),
  host: optional(HOST),
  responseStatus: optional(
    Type.Integer({ minimum: 100, maximum: 599, description: 'Any attempt was answered so.' }),
  ),
  search: optional(
    searched(
      'In any case: a delivery’s or its order’s id, the order’s orderReference (whole or its last six characters), merchantOrderRef (the end, too), customerReference, or a part of one or of the URL among the newest.',
    ),
  ),
  orderId: optional(id('Of this order.')),
  from: optional(
    Type.String({ maxLength: 40, description: 'Made at this time or later, ISO 8601.' }),
  ),
  to: optional(Type.String({ maxLength: 40, description: 'Made before this time, ISO 8601.' })),
};
const SEARCH_KIND = namedEnum('DeliverySearchKind', DELIVERY_SEARCH_KINDS);
export type SearchedDeliveriesView = Shown<typeof SearchedView>;
const SearchedView = namedObject('SearchedDeliveries', {
  inAll: Type.Array(SEARCH_KIND, {
    description: 'What `search` was looked for as in all deliveries.',
  }),
  inNewest: Type.Array(SEARCH_KIND, {
    description: 'In the newest 10,000 deliveries and those of the newest 10,000 orders.',
  }),
  newestFrom: orNull({
    ...time,
    description: 'All since then are among the newest; null: they are all that there are.',
  }),
});
/** Deliveries, and what the text of the search was taken for. */
export function foundDeliveries<Row extends TSchema>(row: Row) {
  const { properties, ...named } = listOf(row, 'The newest first.');
  return Type.Object({ ...properties, searched: orNull(SearchedView) }, named);
}
export const LIST_ALL_DELIVERIES = deliveries.endpoint('GET /deliveries', {
  summary: 'List deliveries',
  needs: 'read',
  querystring: strictObject({ merchantId: MERCHANT_FILTER, ...DELIVERY_FILTERS, ...PAGE }),
  answer: foundDeliveries(ListedDeliveryView),
  refusals: ['too-slow'],
});
export const SentAttemptView = namedObject('SentAttempt', {
  ...AttemptView.properties,
  headers: orNull(
    Type.Array(Type.Object({ name: Type.String(), value: Type.String() }), {
      description: 'As they were sent with it; null when nothing was sent.',
    }),
  ),
});
/** What was sent, as far as it is kept (retention). */
export const SENT = {
  body: orNull(
    Type.String({ description: 'As it is sent, to the byte; null once it is removed.' }),
  ),
  bodyRemovedAt: orNull(time),
  attemptsRemoved: Type.Integer({ description: 'How many of `attempts` are removed.' }),
  attempts: Type.Array(SentAttemptView, { description: 'The oldest first.' }),
};
export type DeliveryDetailView = Shown<typeof DeliveryDetailView>;
const DeliveryDetailView = namedObject('DeliveryDetail', {
  ...ListedDeliveryView.properties,
  isLatest: Type.Boolean({ description: 'The order has no newer one.' }),
  ...SENT,
  allowedActions: allowedActions(['retry-now', 'resend']),
});
export const READ_DELIVERY = deliveries.endpoint('GET /deliveries/:deliveryId', {
  summary: 'Read a delivery as it was sent',
  needs: 'read',
  description:
    '`retry-now` and `resend` are called under its order: `/orders/{orderId}/deliveries/…`.',
  answer: dataOf(DeliveryDetailView, 'The delivery.'),
});
export type EndpointView = Shown<typeof EndpointView>;
export const EndpointView = namedObject('WebhookEndpoint', {
  merchantId: id('Whose receiver it is.'),
  merchantName: Type.String(),
  host: Type.String({ description: 'Host and port of the callback URLs.' }),
  status: namedEnum(
    'WebhookEndpointStatus',
    ['healthy', 'failing'],
    'failing: the last three attempts or more have failed.',
  ),
  failingSince: orNull(time),
  consecutiveFailures: Type.Integer(),
  lastSuccessAt: orNull(time),
  lastFailureAt: orNull(time),
  lastError: orNull(Type.String()),
  pending: Type.Integer({ description: 'Deliveries that wait for an attempt.' }),
  failing: Type.Integer({ description: 'Those of them that have failed before.' }),
  abandoned: Type.Integer(),
});
export const READ_WEBHOOK_HEALTH = webhooks.endpoint('GET /webhooks/health', {
  summary: 'Read the health of deliveries and their receivers',
  needs: 'read',
  querystring: strictObject({ ...PAGE, merchantId: MERCHANT_FILTER }),
  answer: pageIn(
    Type.Object({
      pending: Type.Integer(),
      failing: Type.Integer(),
      abandoned: Type.Integer(),
      nextDueAt: orNull(time),
      endpoints: Type.Array(EndpointView),
    }),
    'Counts of deliveries, and the endpoints by page: those that fail first, the longest failing before the others.',
  ),
});
export type EndpointFiguresView = Shown<typeof EndpointFiguresView>;
export const EndpointFiguresView = namedObject('WebhookEndpointFigures', {
  ...EndpointView.properties,
  lastDay: orNull(
    Type.Object(
      {
        attempts: Type.Integer(),
        succeeded: Type.Integer(),
        medianMs: orNull(Type.Integer()),
        p95Ms: orNull(Type.Integer()),
        since: time,
      },
      {
        description:
          'Attempts of deliveries that were made in the last 24 hours, or of the newest 100,000; null where counting took too long.',
      },
    ),
  ),
});
export const LIST_WEBHOOK_ENDPOINTS = webhooks.endpoint('GET /webhooks/endpoints', {
  summary: 'List receivers with their figures of the last day',
  needs: 'read',
  querystring: strictObject({ merchantId: MERCHANT_FILTER, ...PAGE }),
  answer: listOf(
    EndpointFiguresView,
    'Those that fail first, the longest failing before the others.',
  ),
});
const AlertView = namedObject('WebhookAlert', {
  alertId: id('Of the alert.'),
  merchantId: id('Whose receiver it is.'),
  host: Type.String(),
  kind: enumOf(RECEIVER_ALERT_KINDS),
  detail: orNull(Type.String({ description: 'The last error.' })),
  at: time,
});
export const LIST_WEBHOOK_ALERTS = webhooks.endpoint('GET /webhooks/alerts', {
  summary: 'When endpoints started to fail and recovered',
  needs: 'read',
  querystring: strictObject({ ...PAGE, merchantId: MERCHANT_FILTER }),
  answer: listOf(AlertView, 'The newest first.'),
});
/** Since when outcomes are sent again. */
export const SINCE = Type.String({ format: 'date-time', description: 'ISO 8601, with its zone.' });
export const REPLAY_COUNT = dataOf(
  Type.Object({
    orders: Type.Integer({ description: 'As far as 10,000.' }),
    more: Type.Boolean(),
  }),
  'Orders with a delivery since then.',
);
export const REPLAYED = dataOf(
  Type.Object({ replayed: Type.Integer() }),
  'For how many orders webhooks were sent again.',
);
export const COUNT_REPLAY = webhooks.endpoint('GET /webhooks/replay', {
  summary: 'How many outcomes a replay would send again',
  needs: 'read',
  querystring: strictObject({ since: SINCE, merchantId: MERCHANT_FILTER }),
  answer: REPLAY_COUNT,
  refusals: ['too-slow'],
});
export const REPLAY_WEBHOOKS = webhooks.write('POST /webhooks/replay', {
  summary: 'Send every outcome since a time again',
  needs: 'write',
  decides: one('It says once more what has happened.'),
  audit: ['webhooks.replay'],
  description:
    'For a receiver that has lost deliveries: each order that had one since then gets a new one of its present outcome, as resend makes it. A repeat with the same Idempotency-Key goes on where the first try ended.',
  body: strictObject({ since: SINCE, merchantId: MERCHANT_FILTER }),
  answer: REPLAYED,
  refusals: ['not-found'],
});
