import { MARK_KINDS, MEMBER_ACTIONS } from '@munshi/core';
import Type from 'typebox';
import { one } from './contract/decider.ts';
import type { Shown } from './contract/endpoint.ts';
import { member } from './contract/member.ts';
import {
  CURRENCY,
  dataOf,
  enumOf,
  lines,
  listOf,
  METHODS,
  money,
  namedObject,
  ORDER_TYPE,
  optional,
  orNull,
  PAGE,
  REASON_CODE,
  STAGE,
  STATUS,
  searched,
  strictObject,
  text,
  time,
  timeOf,
} from './contract/schemas.ts';
import { MEMBER_PERIOD } from './members.history.member.ts';

/** The orders of a member. */

const { endpoint, write } = member('Orders');

export type MemberOrderView = Shown<typeof MemberOrderView>;
const MemberOrderView = namedObject('Order', {
  orderId: Type.String(),
  orderReference: Type.String(),
  orderType: ORDER_TYPE,
  walletType: METHODS,
  amount: money(
    'In the order’s currency. A deposit comes in rounded up to two decimals, a withdrawal is paid rounded down.',
  ),
  currency: CURRENCY,
  floatAmount: money('What the float moves by, in PKR.'),
  status: STATUS,
  stage: STAGE,
  account: orNull(
    Type.Object(
      {
        accountId: Type.String(),
        walletType: METHODS,
        accountNumber: Type.String(),
        accountTitle: Type.String(),
      },
      { description: 'The member’s own account; null once the order is another member’s.' },
    ),
  ),
  customerAccountNumber: orNull(Type.String({ description: 'Where a withdrawal is to be paid.' })),
  customerAccountName: orNull(Type.String()),
  payerAccount: orNull(
    Type.String({
      description:
        'QR methods: the account number, or the last 4 IBAN digits, that the customer pays from.',
    }),
  ),
  transactionDigits: orNull(
    Type.String({
      description: 'The last digits of the transaction ID, as the customer entered them.',
    }),
  ),
  transactionReference: orNull(
    Type.String({ description: 'Of the ID that the member entered, without label and spaces.' }),
  ),
  handedOver: Type.Boolean({
    description: 'Another member has the order now. If it was paid already, report it.',
  }),
  heldBefore: Type.Boolean({
    description:
      'A withdrawal that the member had before and has again: they know whether they have paid it.',
  }),
  createdAt: time,
  assignedAt: orNull(time),
  sentAt: orNull(time),
  completedAt: orNull(time),
  failedAt: orNull(time),
  failureReason: orNull(Type.String()),
  reasonCode: orNull(REASON_CODE),
  dueAt: orNull(
    timeOf('By when the next step is due; then the order expires, is handed on or goes to review.'),
  ),
  duplicates: Type.Object(
    {
      own: Type.Array(
        Type.Object({
          orderId: Type.String(),
          orderReference: Type.String(),
          amount: money(),
          currency: CURRENCY,
          status: STATUS,
          sentAt: time,
        }),
        { description: 'Orders of one’s own, the newest first.' },
      ),
      elsewhere: Type.Boolean({ description: 'Also claimed for another member’s order.' }),
    },
    {
      description:
        'Deposits of the last 24 hours that may have been paid with the same payment. None any more once the member has decided.',
    },
  ),
  told: Type.Array(
    Type.Object({
      kind: enumOf(MARK_KINDS),
      amount: orNull(money('Of `otherAmount`: what arrived.')),
      note: Type.String(),
      at: time,
    }),
    {
      description:
        'What the member has said to operators of a deposit, the first first. Nothing any more once it was decided.',
    },
  ),
  added: orNull(
    Type.Object(
      {
        formerDigits: orNull(Type.String({ description: 'What the present digits correct.' })),
        amountSent: orNull(money('Another amount than the order’s, as the customer says.')),
        paidBy: orNull(Type.String({ description: 'Whose account it came from, by their word.' })),
        pictures: Type.Integer({ description: 'How many they have handed in.' }),
      },
      {
        description:
          'What the customer has said of the payment since they confirmed it; null: nothing, or it was decided.',
      },
    ),
  ),
  sendingSince: orNull(timeOf('A withdrawal in hand: since when the member is sending it.')),
  seenAt: orNull(timeOf('An order in hand: when the member first saw its alert.')),
  allowedActions: Type.Array(enumOf(MEMBER_ACTIONS), {
    description: 'What the member may do with it now.',
  }),
});
export const MEMBER_LIST_ORDERS = endpoint('GET /orders', {
  summary: 'List one’s own orders',
  description:
    'Open orders are those in hand, the oldest first. Closed ones, the newest first, are those that ended and those handed on to another member.',
  querystring: strictObject({
    state: optional(enumOf(['open', 'closed'], 'open by default.')),
    ...MEMBER_PERIOD,
    accountId: optional(Type.String({ format: 'uuid', description: 'One of one’s own.' })),
    search: optional(
      searched(
        'An amount, the digits that a customer entered, a reference (whole or its last six characters), a transaction ID or the payment message with it, or an account number.',
      ),
    ),
    ...PAGE,
  }),
  answer: listOf(MemberOrderView, 'Orders.'),
  refusals: ['too-slow'],
});
export const MEMBER_READ_ORDER = endpoint('GET /orders/:orderId', {
  summary: 'Read one of one’s own orders',
  answer: dataOf(MemberOrderView, 'The order.'),
});
const IN_HAND = one('The member who holds the order says so, and answers for it with their float.');
export const MEMBER_CONFIRM_ORDER = write('POST /orders/:orderId/confirm', {
  summary: 'Confirm a deposit’s receipt or a withdrawal’s payout',
  decides: IN_HAND,
  audit: [],
  description:
    'Confirming again answers the same order. A received amount that is neither the order’s nor what is sent of it, rounded to two decimals, changes nothing (422), and neither does a transaction that has completed another order of the account (409).',
  body: strictObject({
    receivedAmount: optional(orNull(money('What arrived, in the order’s currency.'))),
    transactionReference: optional(
      orNull(text(100, 'The ID of the payment that was received or sent, as typed or pasted.')),
    ),
  }),
  answer: dataOf(MemberOrderView, 'The completed order.'),
  refusals: ['wrong-state', 'unprocessable', 'transaction-used'],
});

const reason = lines(1000, 'Why. The merchant reads it when the order fails.');
const REASONED = {
  body: strictObject({ reason }, { title: 'MemberReason' }),
  answer: dataOf(MemberOrderView, 'The order as it is now.'),
};
export const MEMBER_REJECT_ORDER = write('POST /orders/:orderId/reject', {
  summary: 'Reject an order',
  decides: IN_HAND,
  audit: [],
  description:
    'No matching payment has arrived, or the withdrawal cannot be paid out. The order fails.',
  ...REASONED,
  body: strictObject({ reason, reasonCode: optional(orNull(REASON_CODE)) }),
  refusals: ['wrong-state'],
});
export const MEMBER_REPORT_ORDER = write('POST /orders/:orderId/report', {
  summary: 'Report an abnormal payment of a withdrawal',
  decides: IN_HAND,
  audit: [],
  description:
    'Wrong details, a refused transfer, or unsure whether it was sent: operations decide. Also for a withdrawal handed on to another member that was paid already.',
  ...REASONED,
  refusals: ['wrong-state', 'too-many'],
});
export const MEMBER_RELEASE_ORDER = write('POST /orders/:orderId/release', {
  summary: 'Give a deposit up',
  decides: IN_HAND,
  audit: [],
  description: 'Before its customer has confirmed it. The order is cancelled.',
  ...REASONED,
  refusals: ['wrong-state'],
});

export const MEMBER_NOTE_OTHER_AMOUNT = write('POST /orders/:orderId/note', {
  summary: 'Tell operators that another amount arrived',
  decides: IN_HAND,
  audit: [],
  description: 'The deposit stays as it is, and comes first in the operators’ queue.',
  body: strictObject({
    receivedAmount: money('What arrived, in the order’s currency.'),
    note: optional(orNull(lines(1000))),
  }),
  answer: dataOf(MemberOrderView, 'The order, as it was.'),
  refusals: ['wrong-state', 'too-many', 'unprocessable'],
});
export const MEMBER_NOTE_MONEY_SEEN = write('POST /orders/:orderId/money-seen', {
  summary: 'Note that the money is there before the customer has confirmed',
  decides: IN_HAND,
  audit: [],
  description:
    'The deposit stays as it is. If it ends without payment all the same, operators look into it.',
  body: strictObject({ note: optional(orNull(lines(1000))) }),
  answer: dataOf(MemberOrderView, 'The order, as it was.'),
  refusals: ['wrong-state', 'too-many'],
});
export const MEMBER_START_SENDING = write('POST /orders/:orderId/sending', {
  summary: 'Say that one is paying a withdrawal now',
  decides: IN_HAND,
  audit: [],
  description:
    'Its deadline moves by the operator’s grace, once. Operators see it. Saying it again changes nothing.',
  answer: dataOf(MemberOrderView, 'The order, with the deadline that it has now.'),
  refusals: ['wrong-state'],
});
export const MEMBER_MARK_SEEN = write('POST /orders/:orderId/seen', {
  summary: 'Say that one has seen the alert of an order',
  decides: IN_HAND,
  audit: [],
  description:
    'A withdrawal calls its member when it is assigned, a deposit when its customer has confirmed. The first time counts.',
  answer: dataOf(
    Type.Object({
      orderId: Type.String(),
      seenAt: orNull(time),
      seenAfterMs: orNull(
        Type.Integer({ description: 'Between the alert and this, by the service’s clock.' }),
      ),
    }),
    'When it was first seen; null: the order calls nobody.',
  ),
});
