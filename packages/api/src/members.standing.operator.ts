import { WITHDRAWN_FATES } from '@munshi/core';
import Type from 'typebox';
import { TAKES_AWAY } from './contract/decider.ts';
import type { Shown } from './contract/endpoint.ts';
import {
  CURRENCY,
  csvFile,
  dataOf,
  enumOf,
  id,
  listOf,
  METHODS,
  money,
  namedObject,
  ORDER_TYPE,
  operator,
  orNull,
  PAGE_QUERY,
  STAGE,
  STATUS,
  time,
} from './contract/operator.ts';
import { PhoneView } from './member-alerts.member.ts';
import { MEMBER_ALERT_KIND } from './member-alerts.operator.ts';
import { ORDER_CURRENCIES } from './members.accounts.ts';
import { NO_ORDERS_CODES } from './members.member.ts';
import { MemberOfLate } from './members.record.ts';
import { SignInsEnded } from './people.ts';

/** How a member stands: what is in hand, how they have done, how they are alerted, their float. */

const { endpoint, write } = operator('Members');

const text = Type.String();

const SUM = namedObject('OrderSum', { count: Type.Integer(), amount: money('PKR.') });

export type MemberStandingView = Shown<typeof MemberStandingView>;
const MemberStandingView = namedObject('MemberStanding', {
  memberId: id('The member.'),
  noOrdersBecause: Type.Array(enumOf(NO_ORDERS_CODES), {
    description: 'Empty: orders come as merchants create them.',
  }),
  record: MemberOfLate,
  today: Type.Object(
    { received: SUM, paid: SUM },
    { description: 'Completed orders that were created since midnight UTC.' },
  ),
  ordersInHand: Type.Array(
    Type.Object({
      orderId: id('The order.'),
      orderReference: text,
      orderType: ORDER_TYPE,
      walletType: METHODS,
      currency: CURRENCY,
      amount: money(),
      status: STATUS,
      stage: STAGE,
      dueAt: orNull(time),
      ifSuspended: enumOf(WITHDRAWN_FATES, 'What suspending the member would make of it.'),
    }),
    { description: 'At most 200, the oldest first.' },
  ),
  sameNumbers: Type.Array(
    Type.Object({
      accountId: id('An account of the member.'),
      otherAccountId: id('Another member’s account with the same number.'),
      memberId: id('Whose it is.'),
      memberName: text,
    }),
    { description: 'Accounts of others with the number of one of theirs.' },
  ),
  sessions: Type.Array(
    Type.Object({
      sessionId: text,
      createdAt: time,
      lastUsedAt: orNull(time),
      expiresAt: time,
      userAgent: orNull(Type.String({ description: 'What the browser says of itself.' })),
    }),
    { description: 'Where they are signed in, the newest first.' },
  ),
  orderCurrencies: ORDER_CURRENCIES,
});
export const READ_MEMBER_STANDING = endpoint('GET /members/:memberId/standing', {
  summary: 'See how a member stands',
  needs: 'read',
  answer: dataOf(MemberStandingView, 'What is in hand, how they have done, where they are.'),
});

const MemberAlertsView = namedObject('MemberAlerts', {
  memberId: id('The member.'),
  phones: Type.Array(PhoneView, { description: 'Where their alerts are pushed to.' }),
  takenOffline: orNull(
    Type.Object(
      { at: time, missed: Type.Integer() },
      { description: 'Missed alerts in a row took them offline, and they have not come back.' },
    ),
  ),
  alerts: Type.Array(
    Type.Object({
      orderId: id('The order.'),
      orderReference: Type.String(),
      kind: MEMBER_ALERT_KIND,
      alertedAt: time,
      seenAfterMs: orNull(Type.Integer()),
      pushedAt: orNull(time),
      secondAt: orNull(time),
      thirdAt: orNull(time),
      missed: Type.Boolean(),
    }),
    { description: 'The last 50, the newest first.' },
  ),
});
export const READ_MEMBER_ALERTS = endpoint('GET /members/:memberId/alerts', {
  summary: 'See how a member is alerted',
  needs: 'read',
  answer: dataOf(MemberAlertsView, 'Phones, and what they have seen of late.'),
});

export type MovementView = Shown<typeof MovementView>;
const MovementView = namedObject('FloatMovement', {
  movementId: id('The ledger entry.'),
  kind: enumOf(
    ['settlement', 'float'],
    '`settlement`: an order completed; `float`: an operator adjusted it.',
  ),
  amount: money('What the float moved by; below zero it became less. PKR.'),
  orderId: orNull(text),
  orderReference: orNull(text),
  note: orNull(text),
  at: time,
});
export const LIST_MEMBER_MOVEMENTS = endpoint('GET /members/:memberId/movements', {
  summary: 'List what moved a member’s float',
  needs: 'read',
  querystring: PAGE_QUERY,
  answer: listOf(MovementView, 'The newest first, orders by their creation.'),
});

export const EXPORT_MEMBER_MOVEMENTS = endpoint('GET /members/:memberId/movements.csv', {
  summary: 'The same as a CSV file',
  needs: 'read',
  answer: csvFile('All of them, the newest first.'),
});

export const END_MEMBER_SESSION = write('DELETE /members/:memberId/sessions/:sessionId', {
  summary: 'End one of a member’s sign-ins',
  needs: 'write',
  decides: TAKES_AWAY,
  audit: ['member.sessions-end'],
  description: 'What is pushed to that phone stops with it. Orders in hand stay.',
  answer: dataOf(SignInsEnded, 'It has ended: 1.'),
});
export const END_MEMBER_SESSIONS = write('DELETE /members/:memberId/sessions', {
  summary: 'End a member’s sign-ins',
  needs: 'write',
  decides: TAKES_AWAY,
  audit: ['member.sessions-end'],
  description: 'They sign in again; orders in hand stay.',
  answer: dataOf(SignInsEnded, 'How many have ended.'),
});
