import Type from 'typebox';
import { type Example, FAILURES, type ResponseDescription } from './contract/errors.ts';
import {
  answer,
  dataOf,
  message,
  refusal,
  TOO_LARGE,
  UNAUTHENTICATED,
} from './contract/merchant-answers.ts';
import { namedObject } from './contract/schemas.ts';

/** An outcome in the feed: what an attempt now would send (webhooks.md#headers). */
const FeedEvent = namedObject('FeedEvent', {
  deliveryId: Type.String({
    format: 'uuid',
    description: 'That of the webhook. What was sent again has another one.',
  }),
  headers: Type.Object(
    {
      'Content-Type': Type.String(),
      'X-SVC-Event': Type.String(),
      'X-SVC-Signature': Type.Optional(
        Type.String({ description: 'Absent while no key of the merchant can sign.' }),
      ),
      'X-SVC-Key-Prefix': Type.Optional(Type.String({ description: 'Absent for legacy keys.' })),
      'X-SVC-Delivery-Id': Type.String(),
      'X-SVC-Timestamp': Type.String(),
    },
    { description: 'As a webhook sent now would have them.' },
  ),
  body: Type.String({ description: 'The exact body of the webhook: verify these bytes in UTF-8.' }),
});

const FEED_EXAMPLE: Example = {
  summary: 'One outcome',
  value: {
    data: [
      {
        deliveryId: '019cebaf-d4b6-7c1e-8a35-6e9f10b2c7d4',
        headers: {
          'Content-Type': 'application/json; charset=utf-8',
          'X-SVC-Event': 'order.failed',
          'X-SVC-Signature':
            'sha256=5d1f0c7f4b5a8e7e3f8a61d7f7c3e0a2f5b4d9c8e7f6a5b4c3d2e1f0a9b8c7d6',
          'X-SVC-Key-Prefix': 'NotAKey0',
          'X-SVC-Delivery-Id': '019cebaf-d4b6-7c1e-8a35-6e9f10b2c7d4',
          'X-SVC-Timestamp': '1773480700',
        },
        body: '{"eventType":"order.failed","orderId":"019cebab-8995-7a3e-9c41-5d0f6b2a8e17","…":"…"}',
      },
    ],
    next: '1773480700118000',
  },
};

/** Every answer of `GET /api/merchant/events`. */
export const FEED_RESPONSES: Readonly<Record<string, ResponseDescription>> = {
  200: answer(
    'Outcomes behind the cursor, and the cursor for the next request. Without `data` there are no more for now.',
    Type.Object(
      {
        data: Type.Array(FeedEvent),
        next: Type.String({ description: 'Store it once what came with it is stored.' }),
      },
      { title: 'FeedResponse' },
    ),
    { outcome: FEED_EXAMPLE },
  ),
  400: refusal('A parameter is wrong.', {
    after: message('No cursor', 'after must be the `next` of an earlier answer, or `now`.'),
    limit: message('Another limit', 'limit must be a whole number from 1 to 100.'),
    wait: message('Another wait', 'wait must be a whole number of seconds, at most 25.'),
  }),
  401: UNAUTHENTICATED,
  429: {
    ...refusal('As many requests wait with this API key as may.', {
      waiting: message('Too many wait', '10 requests wait with this API key already.'),
    }),
    headers: { 'Retry-After': { type: 'integer', description: 'Seconds to wait.' } },
  },
  ...FAILURES,
};

/** The body of `POST /api/merchant/events/resend`. */
export const ResendRequest = namedObject('ResendRequest', {
  since: Type.String({
    description: 'A date or time in ISO 8601 with its zone, within the last 30 days.',
    examples: ['2026-03-14T09:00:00Z'],
  }),
});

/** Every answer of `POST /api/merchant/events/resend`. */
export const RESEND_RESPONSES: Readonly<Record<string, ResponseDescription>> = {
  200: answer(
    'For how many orders.',
    dataOf(Type.Object({ orders: Type.Integer() }), 'ResendResponse'),
    { resent: { summary: 'Of 12 orders', value: { data: { orders: 12 } } } },
  ),
  400: refusal('The time is missing or wrong.', {
    missing: message('Not sent', 'since is required.'),
    old: message('Too long ago', 'since must be within the last 30 days.'),
  }),
  401: UNAUTHENTICATED,
  413: TOO_LARGE,
  ...FAILURES,
};
