import Type from 'typebox';
import type { Shown } from './contract/endpoint.ts';
import { OWN, portal } from './contract/portal.ts';
import {
  dataOf,
  enumOf,
  listOf,
  namedObject,
  PAGE,
  PAGE_QUERY,
  strictObject,
} from './contract/schemas.ts';
import {
  DELIVERY_FILTERS,
  EndpointFiguresView,
  foundDeliveries,
  ListedDeliveryView,
  NewDelivery,
  REPLAY_COUNT,
  REPLAYED,
  SENT,
  SINCE,
  TEST_WEBHOOK_PARTS,
} from './deliveries.operator.ts';

/** Webhook deliveries of the merchant. */

const { endpoint, write } = portal('Webhooks');

const { merchantId: _, merchantName: __, ...listed } = ListedDeliveryView.properties;
export type PortalListedDelivery = Shown<typeof PortalListedDelivery>;
const PortalListedDelivery = namedObject('ListedDelivery', listed);
export const PORTAL_LIST_DELIVERIES = endpoint('GET /deliveries', {
  summary: 'List deliveries',
  needs: 'read',
  querystring: strictObject({ ...DELIVERY_FILTERS, ...PAGE }),
  answer: foundDeliveries(PortalListedDelivery),
  refusals: ['too-slow'],
});

export type PortalDelivery = Shown<typeof PortalDelivery>;
const PortalDelivery = namedObject('Delivery', {
  ...listed,
  ...SENT,
  allowedActions: Type.Array(enumOf(['resend']), {
    description: '`resend` is called under its order: `/orders/{orderId}/deliveries/resend`.',
  }),
});
export const PORTAL_READ_DELIVERY = endpoint('GET /deliveries/:deliveryId', {
  summary: 'Read a delivery as it was sent',
  needs: 'read',
  answer: dataOf(PortalDelivery, 'The delivery.'),
});

const { merchantId: ___, merchantName: ____, ...receiver } = EndpointFiguresView.properties;
export type PortalReceiverView = Shown<typeof PortalReceiverView>;
const PortalReceiverView = namedObject('Receiver', receiver);
export const PORTAL_LIST_RECEIVERS = endpoint('GET /webhooks/receivers', {
  summary: 'List the receivers of webhooks with their figures of the last day',
  needs: 'read',
  querystring: PAGE_QUERY,
  answer: listOf(
    PortalReceiverView,
    'Those that fail first, the longest failing before the others.',
  ),
});

export const PORTAL_TEST_WEBHOOK = write('POST /webhooks/test', {
  summary: 'Send a test event',
  needs: 'write',
  decides: OWN,
  audit: ['webhook.test'],
  ...TEST_WEBHOOK_PARTS,
  description: `For admins. ${TEST_WEBHOOK_PARTS.description}`,
});

export const PORTAL_RESEND_DELIVERY = write('POST /orders/:orderId/deliveries/resend', {
  summary: 'Send the outcome of an order again',
  needs: 'write',
  decides: OWN,
  audit: ['delivery.resend'],
  description:
    'For admins. A new delivery of the present outcome, with a new id and body timestamp. Deliveries still being retried are superseded.',
  answer: dataOf(NewDelivery, 'The new delivery.'),
  refusals: ['wrong-state'],
});

export const PORTAL_COUNT_REPLAY = endpoint('GET /webhooks/replay', {
  summary: 'How many outcomes a replay would send again',
  needs: 'read',
  querystring: strictObject({ since: SINCE }),
  answer: REPLAY_COUNT,
  refusals: ['too-slow'],
});
export const PORTAL_REPLAY_WEBHOOKS = write('POST /webhooks/replay', {
  summary: 'Send every outcome since a time again',
  needs: 'write',
  decides: OWN,
  audit: ['webhooks.replay'],
  description:
    'For admins, within the last 30 days: each order that had a delivery since then gets a new one of its present outcome. A repeat with the same Idempotency-Key goes on where the first try ended.',
  body: strictObject({ since: SINCE }),
  answer: REPLAYED,
});
