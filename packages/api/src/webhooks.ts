import { hasSucceeded, type SENT_EVENTS, STATUSES, testBody } from '@munshi/core';
import Type from 'typebox';
import type { Example } from './contract/errors.ts';
import { enumOf, strictObject, timeOf } from './contract/schemas.ts';
import { Lifecycle, StatusData } from './orders.merchant.ts';

/** What the service posts to a merchant's callback URL. Source: spec, Webhooks. */

const { orderId, orderReference, merchantOrderRef, orderType, amount, fee, currency } =
  StatusData.properties;
const { stage: _, ...milestones } = Lifecycle.properties;

const lifecycle = strictObject(milestones, {
  description: 'Milestones in ISO 8601 UTC; null while not reached.',
  title: 'Milestones',
});
const timestamp = timeOf('When the event was generated; identical in every retry of the delivery.');
const order = { orderId, orderReference, merchantOrderRef, orderType, amount };

const CompletedEvent = strictObject(
  {
    eventType: Type.Literal('order.completed'),
    ...order,
    fee,
    currency,
    status: enumOf(
      STATUSES.filter(hasSucceeded),
      'Where the order stood when the event was generated.',
    ),
    stage: Type.Literal('Completed'),
    lifecycle,
    completedAt: timeOf('When the order was settled.'),
    timestamp,
  },
  { title: 'CompletedEvent' },
);

const FailedEvent = strictObject(
  {
    eventType: Type.Literal('order.failed'),
    ...order,
    currency,
    status: enumOf(
      ['Rejected', 'Expired', 'CancelledTimeout', 'Cancelled', 'CancelledAuto'],
      'Where the order stood when the event was generated.',
    ),
    stage: Type.Literal('Failed'),
    lifecycle,
    reason: Type.String({
      description: 'Free text for people, such as why a member rejected. Not to be branched on.',
    }),
    timestamp,
  },
  { title: 'FailedEvent' },
);

const header = (name: string, description: string, required = true) => ({
  name,
  in: 'header',
  required,
  schema: { type: 'string' },
  description,
});

const DESCRIPTION =
  'Sent to the order’s `callbackUrl`, or to the merchant’s default one. Check `X-SVC-Signature` over the raw body before anything else, and know a duplicate by `orderId` and `eventType`. An attempt that is not acknowledged is repeated, ten times in all, with the same body.';

/** A webhook as OpenAPI has it. */
const webhook = (
  operationId: string,
  summary: string,
  schema: object,
  examples: Readonly<Record<string, Example>>,
  description = DESCRIPTION,
) => ({
  post: {
    operationId,
    summary,
    description,
    security: [],
    parameters: [
      header('X-SVC-Event', 'The `eventType` of the body.'),
      header(
        'X-SVC-Signature',
        '`sha256=` and the lower-case hex HMAC-SHA256 of the raw body, keyed with the signing secret.',
      ),
      header(
        'X-SVC-Key-Prefix',
        'The 8 characters after `mk_live_` of the API key whose secret signed; absent for legacy keys.',
        false,
      ),
      header('X-SVC-Delivery-Id', 'The delivery; its retries keep it.'),
      header('X-SVC-Timestamp', 'Unix seconds of this attempt.'),
    ],
    requestBody: { required: true, content: { 'application/json': { schema, examples } } },
    responses: {
      '2XX': { description: 'Acknowledged, within five seconds; the body is ignored.' },
      default: { description: 'A failed attempt: it is repeated later.' },
    },
  },
});

const CREATED = '2026-03-14T09:26:53.589Z';
const PAID = '2026-03-14T09:29:02.004Z';
const SETTLED = '2026-03-14T09:31:40.118Z';

/**
 * Every event whole, with the fields in the order in which they are sent. docs/webhooks.md shows
 * these.
 */
export const WEBHOOK_EXAMPLES = {
  depositCompleted: {
    summary: 'A deposit that the member has confirmed',
    value: {
      eventType: 'order.completed',
      orderId: '019cebab-8995-7a3e-9c41-5d0f6b2a8e17',
      orderReference: 'ORD-20260314092653-7K2M9Q',
      merchantOrderRef: 'INV-1001',
      orderType: 'Deposit',
      amount: 1500.5,
      fee: 30.01,
      currency: 'PKR',
      status: 'Completed',
      stage: 'Completed',
      lifecycle: {
        createdAt: CREATED,
        awaitingAt: null,
        assignedAt: CREATED,
        sentAt: PAID,
        approvedAt: SETTLED,
        rejectedAt: null,
        completedAt: SETTLED,
        failedAt: null,
      },
      completedAt: SETTLED,
      timestamp: SETTLED,
    },
  },
  withdrawalCompleted: {
    summary: 'A withdrawal that was paid out, without a fee',
    value: {
      eventType: 'order.completed',
      orderId: '019cebcb-d984-71c2-8f06-2b9d4e7a1c53',
      orderReference: 'ORD-20260314100211-0V8XJ3',
      merchantOrderRef: 'PAYOUT-2001',
      orderType: 'Withdrawal',
      amount: 2500,
      fee: null,
      currency: 'PKR',
      status: 'Completed',
      stage: 'Completed',
      lifecycle: {
        createdAt: '2026-03-14T10:02:11.204Z',
        awaitingAt: null,
        assignedAt: '2026-03-14T10:02:11.204Z',
        sentAt: '2026-03-14T10:09:47.730Z',
        approvedAt: '2026-03-14T10:09:47.730Z',
        rejectedAt: null,
        completedAt: '2026-03-14T10:09:47.730Z',
        failedAt: null,
      },
      completedAt: '2026-03-14T10:09:47.730Z',
      timestamp: '2026-03-14T10:09:47.730Z',
    },
  },
  failed: {
    summary: 'A deposit that an operator has cancelled',
    value: {
      eventType: 'order.failed',
      orderId: '019cebe2-4c11-7d58-a3f0-9b7c2e61d405',
      orderReference: 'ORD-20260314102642-4NQ8ZT',
      merchantOrderRef: null,
      orderType: 'Deposit',
      amount: 750,
      currency: 'PKR',
      status: 'Cancelled',
      stage: 'Failed',
      lifecycle: {
        createdAt: '2026-03-14T10:26:42.065Z',
        awaitingAt: null,
        assignedAt: '2026-03-14T10:26:42.065Z',
        sentAt: null,
        approvedAt: null,
        rejectedAt: null,
        completedAt: null,
        failedAt: '2026-03-14T10:31:05.440Z',
      },
      reason: 'the customer asked for it',
      timestamp: '2026-03-14T10:31:05.440Z',
    },
  },
} as const satisfies Record<string, Example>;

const { depositCompleted, withdrawalCompleted, failed } = WEBHOOK_EXAMPLES;

const WebhookTestEvent = strictObject(
  {
    eventType: Type.Literal('webhook.test'),
    test: Type.Literal(true, { description: 'Nothing has happened: it is a test.' }),
    timestamp,
  },
  { title: 'WebhookTestEvent' },
);

/** Every event that is sent to a merchant, by name: the `webhooks` of its OpenAPI document. */
export const WEBHOOKS = {
  'order.completed': webhook('orderCompleted', 'An order was settled', CompletedEvent, {
    depositCompleted,
    withdrawalCompleted,
  }),
  'order.failed': webhook('orderFailed', 'An order ended without settlement', FailedEvent, {
    failed,
  }),
  'webhook.test': webhook(
    'webhookTest',
    'A test of the default callback URL',
    WebhookTestEvent,
    {
      test: {
        summary: 'A test',
        value: JSON.parse(testBody(Date.UTC(2026, 2, 14, 9, 26, 59, 105))),
      },
    },
    'Sent to the merchant’s default callback URL when somebody asks for it; signed and repeated like webhooks of orders.',
  ),
} satisfies Record<(typeof SENT_EVENTS)[number], object>;
