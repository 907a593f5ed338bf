import Type from 'typebox';
import type { Shown } from '../endpoint.ts';
import { dataOf, money, orNull, time } from '../schemas.ts';
import { endpoint } from './face.ts';

/** How the merchant does today, and what its people should look at. */

const Kind = Type.Object({
  created: Type.Integer({ description: 'Orders that were created on that day.' }),
  completed: Type.Integer({ description: 'Those of them that are completed by now.' }),
  failed: Type.Integer({ description: 'Those that have failed.' }),
  completedAmount: money('What the completed ones have moved the wallet by, PKR.'),
  medianSeconds: orNull(
    Type.Integer({ description: 'From creation to completion, half of them were faster.' }),
  ),
});
const PortalDay = Type.Object({
  day: Type.String({ description: 'In the merchant’s time zone, `2026-10-31`.' }),
  from: time,
  deposits: Kind,
  withdrawals: Kind,
});
const PortalConcern = Type.Union([
  Type.Object({
    kind: Type.Literal('webhooks-failing', {
      description: 'The last attempts to this receiver have failed.',
    }),
    host: Type.String(),
    since: time,
    lastError: orNull(Type.String()),
  }),
  Type.Object({
    kind: Type.Literal('low-balance', {
      description: 'Less is available than withdrawals took yesterday.',
    }),
    available: money('PKR.'),
    yesterday: money('PKR.'),
  }),
  Type.Object({
    kind: Type.Literal('many-failures', {
      description: 'Half or more of at least ten orders of today have failed.',
    }),
    failed: Type.Integer(),
    ended: Type.Integer(),
  }),
  Type.Object({
    kind: Type.Literal('key-old', { description: 'An API key in force for a year or more.' }),
    prefix: Type.String(),
    createdAt: time,
  }),
  Type.Object({
    kind: Type.Literal('key-unused', {
      description: 'An API key of 30 days or more that made none of the newest 5,000 orders.',
    }),
    prefix: Type.String(),
    createdAt: time,
  }),
]);
export type PortalConcernView = Shown<typeof PortalConcern>;
export type PortalOverviewView = Shown<typeof PortalOverviewView>;
const PortalOverviewView = Type.Object({
  asOf: time,
  timeZone: Type.String(),
  today: PortalDay,
  yesterday: PortalDay,
  concerns: Type.Array(PortalConcern, { description: 'The most urgent first.' }),
});
export const PORTAL_OVERVIEW = endpoint('GET /overview', 'Merchant', 'How the merchant does', {
  description: 'Today and yesterday, and what needs somebody’s attention.',
  answer: dataOf(PortalOverviewView, 'The overview.'),
  refusals: ['too-slow'],
});
