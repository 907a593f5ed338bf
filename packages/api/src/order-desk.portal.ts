import Type from 'typebox';
import type { Shown } from './contract/endpoint.ts';
import { OWN, portal } from './contract/portal.ts';
import {
  CURRENCY,
  calledUrl,
  dataOf,
  enumOf,
  factor,
  METHODS,
  money,
  namedObject,
  ORDER_TYPE,
  optional,
  orNull,
  PAGE,
  STAGE,
  STATUS,
  searched,
  strictObject,
  time,
} from './contract/schemas.ts';
import { OrderLifecycle } from './order-desk.operator.ts';
import { foundOrders, ORDER_FILTERS, ORDERS_FILE } from './orders.ts';

/** The merchant’s orders, without anything of the members who carry them out. */

const { endpoint, write } = portal('Orders');

const text = Type.String();
const textOrNull = orNull(text);
const timeOrNull = orNull(time);

export type PortalOrderView = Shown<typeof PortalOrderView>;
const PortalOrderView = namedObject('Order', {
  orderId: text,
  orderReference: text,
  merchantOrderRef: textOrNull,
  customerReference: textOrNull,
  orderType: ORDER_TYPE,
  walletType: METHODS,
  currency: CURRENCY,
  amount: money(),
  fee: orNull(money('In the currency of the order.')),
  status: STATUS,
  stage: STAGE,
  createdAt: time,
  completedAt: timeOrNull,
  failedAt: timeOrNull,
  cancelledAt: timeOrNull,
  expiresAt: time,
  failureReason: textOrNull,
});

const FILTERS = {
  ...ORDER_FILTERS,
  search: optional(
    searched(
      'In any case: an orderId, orderReference (whole or its last six characters), merchantOrderRef or customerReference; the end or, among the newest orders, a part of one; the last four digits of the account that a withdrawal is paid to; or an amount.',
    ),
  ),
};

export const PORTAL_LIST_ORDERS = endpoint('GET /orders', {
  summary: 'List and search orders',
  needs: 'read',
  querystring: strictObject({ ...FILTERS, ...PAGE }),
  answer: foundOrders(PortalOrderView),
  refusals: ['too-slow'],
});
export const PORTAL_EXPORT_ORDERS = endpoint('GET /orders.csv', {
  summary: 'Export orders as CSV',
  needs: 'read',
  audit: ['orders.export'],
  querystring: strictObject(FILTERS),
  answer: ORDERS_FILE,
  refusals: ['too-slow'],
});

export type PortalOrderDetail = Shown<typeof PortalOrderDetail>;
const PortalOrderDetail = namedObject('OrderDetail', {
  ...PortalOrderView.properties,
  lifecycle: OrderLifecycle,
  rate: factor('PKR per unit of the currency.'),
  settlementAmount: money('What the wallet moves by, with the fee taken into account, PKR.'),
  apiKeyId: text,
  idempotencyKey: text,
  callbackUrl: orNull(calledUrl('Where its webhooks go.')),
  successUrl: textOrNull,
  failureUrl: textOrNull,
  customerAccountNumber: orNull(Type.String({ description: 'As it was sent, but masked.' })),
  customerAccountName: orNull(Type.String({ description: 'The same.' })),
  txnRefDigitsRequired: Type.Integer(),
  maxRetryCount: Type.Integer(),
  paymentPageUrl: orNull(
    Type.String({
      description:
        'The customer’s link. For admins, until it expires; null also while its page takes the account of a withdrawal.',
    }),
  ),
  steps: Type.Array(
    Type.Object({
      at: time,
      status: STATUS,
      by: enumOf(
        ['merchant', 'customer', 'member', 'operator', 'clock'],
        'Who made it so, without saying which member or operator.',
      ),
    }),
    { description: 'What happened, the first step first.' },
  ),
  paymentPageQr: orNull(
    Type.String({ description: 'The same link as a QR code, SVG; null once the order has ended.' }),
  ),
  allowedActions: Type.Array(enumOf(['resend']), {
    description: 'What the user may do with it now.',
  }),
  moves: Type.Array(STATUS, {
    description:
      'Where the user can move it: empty but in a sandbox, and where a developer runs it.',
  }),
});
export const PORTAL_READ_ORDER = endpoint('GET /orders/:orderId', {
  summary: 'Read an order',
  needs: 'read',
  answer: dataOf(PortalOrderDetail, 'The order and its story.'),
});

export const PORTAL_MOVE_ORDER = write('POST /orders/:orderId/move', {
  summary: 'Move an order of a sandbox to a status',
  needs: 'write',
  decides: OWN,
  audit: ['sandbox.move'],
  description:
    'For admins. As the merchant’s backend can (`POST /api/merchant/sandbox/orders/{id}`); a live service answers `not-found`.',
  body: strictObject({ to: STATUS }),
  answer: dataOf(Type.Object({ orderId: text, status: STATUS }), 'The order afterwards.'),
  refusals: ['not-found', 'wrong-state'],
});
