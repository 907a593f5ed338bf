import Type from 'typebox';
import type { Shown } from './contract/endpoint.ts';
import {
  dataOf,
  METHODS,
  money,
  namedObject,
  operator,
  orNull,
  time,
  timeOf,
} from './contract/operator.ts';

/** How the platform does now. */

const { endpoint } = operator('Queues');

const HOUR = {
  created: Type.Integer(),
  completed: Type.Integer({ description: 'Of those created.' }),
  failed: Type.Integer(),
};
const HOUR_IN_PARTS = {
  ...HOUR,
  slices: Type.Array(namedObject('OrderCounts', HOUR), {
    description: 'Its 12 parts of 5 minutes, the oldest first.',
  }),
};
const oldest = (description: string) => orNull(timeOf(description));

export type OverviewView = Shown<typeof OverviewView>;
const OverviewView = namedObject('Overview', {
  asOf: time,
  membersOnline: Type.Integer(),
  lastHour: namedObject('HourOfOrders', HOUR_IN_PARTS, {
    description: 'Orders created in the last 60 minutes.',
  }),
  weekBefore: namedObject('HourOfOrders', HOUR_IN_PARTS, {
    description: 'In the same 60 minutes a week before.',
  }),
  methods: Type.Array(
    Type.Object({
      walletType: METHODS,
      waiting: Type.Integer({ description: 'Orders that nobody holds.' }),
      oldestWaitingAt: oldest('When the first of them was created.'),
      inHand: Type.Integer({ description: 'Orders that a member holds.' }),
      toConfirm: Type.Integer({ description: 'Those of them that wait for the member.' }),
      soonestDueAt: oldest('When the first of their windows ends.'),
      membersFree: Type.Integer({
        description: 'Members online with an approved account and room for an order.',
      }),
      freeCapacity: Type.Integer({ description: 'Orders that they can still take.' }),
      freeFloat: money('Their float that is not held, PKR.'),
      hours: Type.Array(
        Type.Object({
          from: time,
          ...HOUR,
          medianConfirmSeconds: orNull(
            Type.Integer({ description: 'From the customer’s word to completion, of deposits.' }),
          ),
        }),
        { description: 'By the hour of creation, the last 12, the oldest first.' },
      ),
    }),
    { description: 'Every method.' },
  ),
});
export const READ_OVERVIEW = endpoint('GET /overview', {
  summary: 'See how the platform does now',
  needs: 'read',
  description: 'Read at most every two seconds; hours that are over, every ten minutes.',
  answer: dataOf(OverviewView, 'How it does.'),
});
