import { STATUSES } from '@munshi/core';
import Type from 'typebox';
import type { Shown } from './contract/endpoint.ts';
import { member } from './contract/member.ts';
import {
  csvFile,
  dataOf,
  enumOf,
  listOf,
  METHODS,
  money,
  namedEnum,
  namedObject,
  ORDER_TYPE,
  optional,
  orNull,
  PAGE,
  strictObject,
  time,
  timeOf,
} from './contract/schemas.ts';

/** What a member has received and paid: movements of the float, days, one order’s steps, CSV. */

const me = member('Me');
const orders = member('Orders');

const instant = (description: string) =>
  optional(
    Type.String({
      maxLength: 40,
      description: `${description}: an ISO 8601 date, by the clock of \`utcOffset\`, or time with its zone.`,
    }),
  );
const UTC_OFFSET = optional(
  Type.Integer({
    minimum: -840,
    maximum: 840,
    description: 'Minutes that the member’s clock is ahead of UTC, for days; 0 by default.',
  }),
);
/** From and to are by the time of an order’s creation, which never changes. */
export const MEMBER_PERIOD = {
  from: instant('Created at this time or later'),
  to: instant('Created before this time'),
  utcOffset: UTC_OFFSET,
};

const AccountName = namedObject('AccountName', {
  accountId: Type.String(),
  walletType: METHODS,
  accountNumber: Type.String(),
});

export type OwnMovement = Shown<typeof OwnMovement>;
const OwnMovement = namedObject('Movement', {
  movementId: Type.String({ description: 'The ledger entry.' }),
  kind: enumOf(
    ['settlement', 'float'],
    '`settlement`: an order completed; `float`: an operator adjusted it.',
  ),
  amount: money('What the float moved by; below zero it became less. PKR.'),
  orderId: orNull(Type.String()),
  orderReference: orNull(Type.String()),
  orderType: orNull(ORDER_TYPE),
  account: orNull(AccountName),
  note: orNull(Type.String({ description: 'The operator’s reason.' })),
  at: time,
  countedAt: timeOf(
    'Where it stands in the list and in the days: when its order was created, or it was adjusted.',
  ),
});
export const MEMBER_LIST_MOVEMENTS = me.endpoint('GET /movements', {
  summary: 'List what moved one’s float',
  description:
    'Orders stand at the time of their creation (`countedAt`), and `from` and `to` go by it; `at` is when the float moved.',
  querystring: strictObject({ ...MEMBER_PERIOD, ...PAGE }),
  answer: listOf(OwnMovement, 'The newest first.'),
});

const Sum = namedObject('DaySum', { count: Type.Integer(), amount: money('In PKR.') });
const MemberDay = namedObject('Day', {
  date: Type.String({ format: 'date', description: 'By the clock of `utcOffset`.' }),
  received: Sum,
  paid: Sum,
  failed: Type.Integer({ description: 'Orders of that day that ended without payment.' }),
  floatAdded: money('By operators, in PKR.'),
  floatTaken: money('By operators, in PKR.'),
  accounts: Type.Array(Type.Object({ account: orNull(AccountName), received: Sum, paid: Sum }), {
    description: 'The same by account; null: of orders that were confirmed late.',
  }),
});
export const MEMBER_LIST_DAYS = orders.endpoint('GET /days', {
  summary: 'What came and went by day',
  description:
    'Completed orders by the day of their creation, the latest day first; days without anything are left out. The last 31 days by default, and 93 at most.',
  querystring: strictObject(MEMBER_PERIOD),
  answer: dataOf(
    Type.Object({ from: time, to: time, days: Type.Array(MemberDay) }),
    'Counts and sums.',
  ),
});

export const MEMBER_EXPORT_ORDERS = orders.endpoint('GET /orders.csv', {
  summary: 'Export a month of one’s orders as CSV',
  querystring: strictObject({
    month: Type.String({
      pattern: '^20\\d{2}-(0[1-9]|1[0-2])$',
      description: 'Such as 2026-01.',
    }),
    utcOffset: UTC_OFFSET,
  }),
  answer: csvFile('Every order that was created in that month and has ended, the newest first.'),
});

export type MemberStep = Shown<typeof MemberStep>;
const MemberStep = namedObject('Step', {
  at: time,
  status: namedEnum('OrderStatus', STATUSES, 'What the order became.'),
  by: enumOf(['merchant', 'customer', 'member', 'operator', 'clock']),
  own: Type.Boolean({ description: 'The member who asks has done it.' }),
  note: orNull(Type.String({ description: 'What the member themselves said.' })),
});
export const MEMBER_READ_TIMELINE = orders.endpoint('GET /orders/:orderId/timeline', {
  summary: 'What happened to one of one’s own orders',
  answer: dataOf(
    Type.Object({ orderId: Type.String(), steps: Type.Array(MemberStep) }),
    'Every step, the first one first.',
  ),
});
