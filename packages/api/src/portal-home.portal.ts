import { CHECKLIST_STEPS } from '@munshi/core';
import Type from 'typebox';
import type { Shown } from './contract/endpoint.ts';
import { portal } from './contract/portal.ts';
import { dataOf, enumOf, money, namedObject, orNull, time } from './contract/schemas.ts';
import { BalanceView } from './wallets.operator.ts';

/** What a merchant’s people see first. */

const { endpoint } = portal('Merchant');

const Outcomes = namedObject('Outcomes', {
  created: Type.Integer(),
  completed: Type.Integer(),
  failed: Type.Integer(),
  sum: money('What the completed ones have moved the wallet by. PKR.'),
  successRate: orNull(
    Type.Number({ description: 'Completed of those that have ended, 0 to 1; null: none has.' }),
  ),
  medianSeconds: orNull(Type.Integer({ description: 'From creation to completion.' })),
});
export const OwnDayView = namedObject('Day', {
  day: Type.String({ format: 'date', description: 'In the merchant’s time zone.' }),
  deposits: Outcomes,
  withdrawals: Outcomes,
});

export type AttentionView = Shown<typeof AttentionView>;
const AttentionView = Type.Union([
  Type.Object({
    kind: Type.Literal('webhook-failing', {
      description: 'The last attempts to this receiver have failed.',
    }),
    host: Type.String(),
    since: time,
    lastError: orNull(Type.String()),
  }),
  Type.Object({
    kind: Type.Literal('low-balance', {
      description:
        'Less is available than the limit of the alerts, or without one than withdrawals took yesterday.',
    }),
    available: money('PKR.'),
    limit: orNull(money('Of the alerts. PKR.')),
    withdrawnYesterday: money('PKR.'),
  }),
  Type.Object({
    kind: Type.Literal('many-failures', {
      description:
        'Of the last hour at least half of 10 orders or more have failed, twice yesterday’s share.',
    }),
    failed: Type.Integer(),
    ended: Type.Integer(),
  }),
  Type.Object({
    kind: Type.Literal('many-refusals', {
      description: '10 requests or more were refused in the last hour.',
    }),
    refused: Type.Integer(),
  }),
  Type.Object({
    kind: Type.Literal('no-callback-url', {
      description: 'The merchant has none: orders without one of their own send no webhooks.',
    }),
  }),
  Type.Object({
    kind: enumOf(
      ['key-unused', 'key-old'],
      'An active key that was not used for 30 days, or one older than a year.',
    ),
    prefix: Type.String(),
    createdAt: time,
  }),
]);

export type PortalHomeView = Shown<typeof PortalHomeView>;
const PortalHomeView = namedObject('Home', {
  asOf: time,
  balance: BalanceView,
  today: OwnDayView,
  yesterday: OwnDayView,
  timeZone: Type.String({ description: 'Of the days.' }),
  attention: Type.Array(AttentionView, { description: 'The most urgent first.' }),
  isNew: Type.Boolean({ description: 'No order was ever made: show the checklist.' }),
  checklist: Type.Array(
    Type.Object({
      step: enumOf(CHECKLIST_STEPS),
      done: Type.Boolean(),
    }),
    { description: 'From a key to verified webhooks, in this order; each ticks itself.' },
  ),
});
export const PORTAL_READ_HOME = endpoint('GET /home', {
  summary: 'How the merchant does today',
  needs: 'read',
  answer: dataOf(PortalHomeView, 'Orders count on the day of their creation.'),
  refusals: ['too-slow'],
});
