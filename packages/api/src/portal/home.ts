import { ATTENTION_CODES, CHECKLIST_STEPS } from '@munshi/core';
import Type from 'typebox';
import type { Shown } from '../endpoint.ts';
import { BalanceView } from '../operator/merchants.ts';
import { dataOf, money, orNull, time } from '../schemas.ts';
import { endpoint } from './face.ts';

/** What a merchant’s people see first. */

const Outcomes = Type.Object({
  created: Type.Integer(),
  completed: Type.Integer(),
  failed: Type.Integer(),
  sum: money('Of the completed ones, before fees. PKR.'),
  successRate: orNull(
    Type.Number({ description: 'Completed of those that have ended, 0 to 1; null: none has.' }),
  ),
  medianSeconds: orNull(Type.Integer({ description: 'From creation to completion.' })),
});
const OwnDayView = Type.Object({
  day: Type.String({ format: 'date', description: 'In the merchant’s time zone.' }),
  deposits: Outcomes,
  withdrawals: Outcomes,
});

export type PortalHomeView = Shown<typeof PortalHomeView>;
const PortalHomeView = Type.Object({
  asOf: time,
  balance: BalanceView,
  today: OwnDayView,
  yesterday: OwnDayView,
  attention: Type.Array(Type.Enum([...ATTENTION_CODES], { type: 'string' }), {
    description:
      'What to look at: a receiver of webhooks fails; less is available than withdrawals took yesterday; of the last hour at least half of 10 orders or more have failed, twice yesterday’s share; 10 requests or more were refused in the last hour; an active key was not used for 30 days; one is older than a year.',
  }),
  isNew: Type.Boolean({ description: 'No order was ever made: show the checklist.' }),
  checklist: Type.Array(
    Type.Object({
      step: Type.Enum([...CHECKLIST_STEPS], { type: 'string' }),
      done: Type.Boolean(),
    }),
    { description: 'From a key to verified webhooks, in this order; each ticks itself.' },
  ),
});
export const PORTAL_HOME = endpoint('GET /home', 'Merchant', 'How the merchant does today', {
  answer: dataOf(PortalHomeView, 'Orders count on the day of their creation.'),
  refusals: ['too-slow'],
});
