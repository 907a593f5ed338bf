import {
  BALANCE_RESPONSES,
  CREATION_REQUEST_EXAMPLES,
  CREATION_RESPONSES,
  CreationRequest,
  FEED_RESPONSES,
  IdempotencyKey,
  MOVE_RESPONSES,
  RESEND_RESPONSES,
  ResendRequest,
  STATUS_BY_ID_RESPONSES,
  STATUS_BY_REFERENCE_RESPONSES,
} from '@munshi/api';

/**
 * What the routes look like in the OpenAPI document. None of it decides: bodies and headers
 * are read by core's rules, queries by the handler, and replies are sent as the handlers wrote
 * them.
 */

export const CREATE_ORDER = {
  operationId: 'createOrder',
  tags: ['Orders'],
  summary: 'Create a deposit or a withdrawal',
  description:
    'Checks run in this order: API key (401, empty body), size (413), signature (401 with a code), binding and validation (400), account, address, method, reference and funding (403, 422, 409, 422). Send the body byte by byte as it was signed. For an optional field null counts as not sent, and so does an empty string. Unknown fields are signed and otherwise ignored.',
  headers: {
    type: 'object',
    required: ['Idempotency-Key'],
    properties: { 'Idempotency-Key': IdempotencyKey },
  },
  body: { ...CreationRequest, 'x-examples': CREATION_REQUEST_EXAMPLES },
  response: CREATION_RESPONSES,
};

export const STATUS_BY_ID = {
  operationId: 'getOrderStatus',
  tags: ['Orders'],
  summary: 'Look up an order by its orderId or orderReference',
  description:
    'Any API key of the merchant may ask. While the customer is on the page ask every 5 to 10 seconds, then back off; stop at a final status.',
  params: {
    type: 'object',
    required: ['id'],
    properties: {
      id: { type: 'string', description: 'The orderId (uuid) or the orderReference (`ORD-…`).' },
    },
  },
  response: STATUS_BY_ID_RESPONSES,
};

export const STATUS_BY_REFERENCE = {
  operationId: 'getOrderStatusByReference',
  tags: ['Orders'],
  summary: 'Look up an order by a reference',
  description:
    'Send exactly one of the two. Of several orders with one merchantOrderRef the latest is answered.',
  querystring: {
    type: 'object',
    properties: {
      merchantOrderRef: {
        type: 'string',
        maxLength: 200,
        description: "The merchant's own reference.",
      },
      orderReference: {
        type: 'string',
        maxLength: 100,
        description: "The service's reference, `ORD-…`.",
      },
    },
  },
  response: STATUS_BY_REFERENCE_RESPONSES,
};

export const BALANCE = {
  operationId: 'getBalance',
  tags: ['Wallet'],
  summary: 'Read the wallet balance',
  description:
    'The merchant is the one that the API key belongs to. All three amounts are of one moment.',
  response: BALANCE_RESPONSES,
};

export const MOVE_ORDER = {
  operationId: 'moveOrder',
  tags: ['Sandbox'],
  summary: 'Move an order to a status',
  description:
    'In a sandbox, and where a developer runs the service. The service walks there by the steps of customer, member, operator and time; webhooks, fees and the wallet are what they would be.',
  params: STATUS_BY_ID.params,
  response: MOVE_RESPONSES,
};

export const FEED = {
  operationId: 'listEvents',
  tags: ['Events'],
  summary: 'Read the outcomes of orders',
  description:
    'Every outcome as its webhook has it, in order, each once in a pass, orders without a callback URL included. Begin without `after`, then send the `next` of each answer as `after`. `wait` holds the answer until something comes.',
  querystring: {
    type: 'object',
    properties: {
      after: {
        type: 'string',
        description:
          'The `next` of an earlier answer; `now`: from now on; not sent: from 30 days ago.',
      },
      limit: { type: 'integer', minimum: 1, maximum: 100, default: 100 },
      wait: {
        type: 'integer',
        minimum: 0,
        maximum: 25,
        default: 0,
        description: 'Seconds for which the answer is held while there is nothing.',
      },
    },
  },
  response: FEED_RESPONSES,
};

export const RESEND = {
  operationId: 'resendEvents',
  tags: ['Events'],
  summary: 'Send outcomes again since a time',
  description:
    'Each order with a webhook since then gets a new one of its present outcome, at its callback URL.',
  body: ResendRequest,
  response: RESEND_RESPONSES,
};
