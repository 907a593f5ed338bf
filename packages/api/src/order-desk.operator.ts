import { NOTE_KINDS, ORDER_ACTIONS } from '@munshi/core';
import Type from 'typebox';
import { orEffect } from './approvals.effects.ts';
import { WaitingRequestView } from './approvals.operator.ts';
import { ASKS, BY_AMOUNT, one } from './contract/decider.ts';
import type { Shown } from './contract/endpoint.ts';
import {
  ACTIVE,
  allowedActions,
  CURRENCY,
  calledUrl,
  dataOf,
  EXPLAINED,
  either,
  enumOf,
  factor,
  id,
  METHODS,
  money,
  NOTED,
  namedEnum,
  namedObject,
  ORDER_TYPE,
  operator,
  optional,
  orNull,
  PAGE,
  REASON_CODE,
  STAGE,
  STATUS,
  searched,
  strictObject,
  time,
  timeOf,
  WAITING,
} from './contract/operator.ts';
import { DeliveryView } from './deliveries.operator.ts';
import { EvidenceView } from './evidence.operator.ts';
import { LateClaimView } from './late-claims.operator.ts';
import { MEMBER_ALERT_KIND } from './member-alerts.operator.ts';
import { ACCOUNT_STATUS } from './members.accounts.ts';
import { MemberOfLate } from './members.record.ts';
import { SimilarOrder } from './orders.similar.ts';
import { foundOrders, instantFilter, ORDER_FILTERS, ORDERS_FILE } from './orders.ts';

/** Orders, and what operators do to them. */

const { endpoint, write } = operator('Orders');

const text = Type.String();
const textOrNull = orNull(text);
const timeOrNull = orNull(time);

export type OrderView = Shown<typeof OrderView>;
const OrderView = namedObject('Order', {
  orderId: id('The order.'),
  orderReference: text,
  merchantId: id('The merchant.'),
  orderType: ORDER_TYPE,
  walletType: METHODS,
  currency: CURRENCY,
  amount: money(),
  fee: orNull(money()),
  status: STATUS,
  stage: STAGE,
  merchantOrderRef: textOrNull,
  customerReference: textOrNull,
  memberId: textOrNull,
  createdAt: time,
  assignedAt: timeOrNull,
  sentAt: timeOrNull,
  completedAt: timeOrNull,
  failedAt: timeOrNull,
  cancelledAt: timeOrNull,
  expiresAt: time,
  dueAt: timeOrNull,
  failureReason: textOrNull,
});
/** Who works on it: a courtesy between operators, which binds nobody. */
const claimFields = {
  claimedBy: orNull(
    namedObject(
      'OrderClaimant',
      { operatorId: text, name: text },
      { description: 'The operator who works on it; binds nobody.' },
    ),
  ),
  claimedUntil: timeOrNull,
};
export const ListedOrder = namedObject('ListedOrder', {
  ...OrderView.properties,
  ...claimFields,
  merchantName: text,
  memberName: textOrNull,
});
const FILTERS = {
  ...ORDER_FILTERS,
  merchantId: optional(id('The merchant.')),
  memberId: optional(id('Who holds the order, or held it last.')),
  dueFrom: instantFilter('Open, with its deadline at this time or later'),
  dueTo: instantFilter('Open, with its deadline before this time'),
  dueWithinMinutes: optional(
    Type.Integer({
      minimum: 0,
      maximum: 10_080,
      description: 'Open, with its deadline so many minutes from now or earlier.',
    }),
  ),
  hasLateClaim: optional(
    Type.Boolean({ description: 'Whether the customer says that they paid late.' }),
  ),
  hasFailingWebhook: optional(
    Type.Boolean({ description: 'Whether its latest delivery has failed.' }),
  ),
  search: optional(
    searched(
      'Anything, in any case: an orderId, orderReference (whole or its last six characters), merchantOrderRef or customerReference; the end or, among the newest orders, a part of one; a part of the name of a merchant, a member or a holder of a member’s account, or of a customer among the newest orders (`see-customers`); an account number of customer, payer or member, and a transaction ID, both however they are grouped, or the payment message with its ID; the last four digits of a customer’s or payer’s account; the digits that a customer entered; an amount (`2500`), with a time or date (`2500 10:40`, `2500 2026-01-31`, `2500 2026-01-31 10:40`).',
    ),
  ),
  utcOffset: optional(
    Type.Integer({
      minimum: -840,
      maximum: 840,
      description: 'Minutes that times in `search` are ahead of UTC; 0 by default.',
    }),
  ),
};

export const LIST_ORDERS = endpoint('GET /orders', {
  summary: 'List and search orders',
  needs: 'read',
  querystring: strictObject({ ...FILTERS, ...PAGE }),
  answer: foundOrders(ListedOrder),
  refusals: ['too-slow'],
});
export const COUNT_ORDERS = endpoint('GET /orders/count', {
  summary: 'Count orders',
  needs: 'read',
  description: 'As far as 10,000.',
  querystring: strictObject(FILTERS),
  answer: dataOf(
    Type.Object({
      count: Type.Integer(),
      more: Type.Boolean({ description: 'There are more than that.' }),
    }),
    'How many there are.',
  ),
  refusals: ['too-slow'],
});
export const EXPORT_ORDERS = endpoint('GET /orders.csv', {
  summary: 'Export orders as CSV',
  needs: 'read',
  audit: ['orders.export'],
  querystring: strictObject(FILTERS),
  answer: ORDERS_FILE,
  refusals: ['too-slow'],
});

export const OrderLifecycle = namedObject('OrderLifecycle', {
  stage: STAGE,
  createdAt: time,
  awaitingAt: timeOrNull,
  assignedAt: timeOrNull,
  sentAt: timeOrNull,
  approvedAt: timeOrNull,
  rejectedAt: timeOrNull,
  completedAt: timeOrNull,
  failedAt: timeOrNull,
});
const Holder = namedObject('OrderHolder', {
  memberId: text,
  name: text,
  username: text,
  status: ACTIVE,
  online: Type.Boolean(),
  openOrders: Type.Integer(),
  maxOpenOrders: Type.Integer(),
  floatBalance: money(),
  floatHeld: money('What open deposits hold.'),
  record: MemberOfLate,
  account: orNull(
    Type.Object(
      {
        accountId: text,
        walletType: METHODS,
        accountNumber: text,
        accountTitle: text,
        status: ACCOUNT_STATUS,
      },
      { description: 'Where a deposit is paid to, or a withdrawal is paid from.' },
    ),
  ),
});
const Actor = namedObject('Actor', {
  kind: enumOf(['merchant', 'customer', 'clock', 'member', 'operator']),
  id: textOrNull,
  name: orNull(Type.String({ description: 'As it is now.' })),
  address: orNull(Type.String({ description: 'From where, of an operator.' })),
});
const Creation = namedObject('OrderCreation', {
  kind: Type.Literal('created'),
  at: time,
  to: STATUS,
  actor: Actor,
});
const Move = namedObject('OrderMove', {
  kind: Type.Literal('moved'),
  at: time,
  from: STATUS,
  to: STATUS,
  trigger: Type.String({ description: 'What made it move.' }),
  actor: Actor,
  memberId: orNull(Type.String({ description: 'Who held the order afterwards.' })),
  memberName: textOrNull,
  note: textOrNull,
  internalNote: orNull(Type.String({ description: 'What the operator wrote for operators.' })),
  reasonCode: orNull(REASON_CODE),
});
const MASKED = 'Masked for people who are signed in; `reveal` shows it.';
const Note = namedObject('OrderNote', {
  kind: Type.Literal('note'),
  at: time,
  actor: Actor,
  about: namedEnum(
    'NoteKind',
    NOTE_KINDS,
    '`report`: of a payout in doubt; `otherAmount`: another amount arrived; `moneySeen`: the money came before the customer confirmed; `sending`: the member is paying it now. Of the customer: `correctedDigits`: the digits were others, which `note` has; `amountSent`: another amount; `paidBy`: whose account it came from.',
  ),
  amount: orNull(money('Of `otherAmount`: what arrived; of `amountSent`: what was sent.')),
  note: Type.String({ description: `Of \`paidBy\`: ${MASKED}` }),
});
const Alert = namedObject('OrderAlert', {
  memberId: text,
  memberName: text,
  kind: MEMBER_ALERT_KIND,
  alertedAt: time,
  pushedAt: timeOrNull,
  secondAt: timeOrNull,
  secondError: textOrNull,
  thirdAt: timeOrNull,
  thirdError: textOrNull,
  seenAt: timeOrNull,
  seenAfterMs: orNull(Type.Integer()),
  missedAt: timeOrNull,
});
const Posting = namedObject('OrderPosting', {
  postingId: text,
  kind: enumOf(['settlement']),
  memberId: textOrNull,
  wallet: money(),
  frozen: money(),
  memberFloat: money(),
  fees: money(),
  adjustments: money(),
  note: textOrNull,
  postedAt: time,
});
const FeeRule = namedObject('OrderFeeRule', {
  feeRuleId: id('The rule.'),
  merchantId: orNull(id('The merchant; null: the platform’s rule.')),
  walletType: METHODS,
  fixed: money(),
  percent: factor('2 is 2 %.'),
  minimum: orNull(money()),
  maximum: orNull(money()),
});
/** What the order was accepted with. */
const Terms = {
  rate: factor('PKR per unit of the currency.'),
  settlementAmount: money('What the merchant’s wallet moves by, PKR.'),
  floatAmount: money('What the member’s float moves by, PKR.'),
  apiKeyId: text,
  idempotencyKey: text,
  customerAccountNumber: orNull(Type.String({ description: MASKED })),
  customerAccountName: orNull(Type.String({ description: MASKED })),
  callbackUrl: orNull(calledUrl('Where its webhooks go.')),
  successUrl: textOrNull,
  failureUrl: textOrNull,
  txnRefDigitsRequired: Type.Integer(),
  maxRetryCount: Type.Integer(),
};
export type OrderDetailView = Shown<typeof OrderDetailView>;
const OrderDetailView = namedObject('OrderDetail', {
  ...OrderView.properties,
  ...claimFields,
  merchantName: text,
  lifecycle: OrderLifecycle,
  queuedAt: time,
  ...Terms,
  member: orNull(Holder),
  formerMemberIds: Type.Array(text),
  reassignments: Type.Integer(),
  feeRule: orNull(FeeRule),
  similar: Type.Array(SimilarOrder, {
    description: 'Orders like it, at most 50, those that are alike in most ways first.',
  }),
  evidence: Type.Array(EvidenceView, {
    description: 'Pictures that its members and its customer have handed in, the oldest first.',
  }),
  canReveal: Type.Boolean({
    description: 'Whether the asking operator may use `reveal` and open pictures.',
  }),
  payerAccount: orNull(Type.String({ description: `Whom a QR payment comes from. ${MASKED}` })),
  transactionDigits: orNull(Type.String({ description: 'What the customer entered.' })),
  memberTransactionReference: textOrNull,
  reasonCode: orNull(REASON_CODE),
  confirmRequestedBy: orNull(
    Type.String({ description: 'Who asked for a late confirmation that waits.' }),
  ),
  approvals: Type.Array(WaitingRequestView, { description: 'Requests about it that wait.' }),
  referenceTakenBy: orNull(
    Type.String({ description: 'A newer live order with this one’s merchantOrderRef.' }),
  ),
  lateClaims: Type.Array(LateClaimView, {
    description: 'What the customer left after expiry, oldest first; at most 3.',
  }),
  timeline: Type.Array(Type.Union([Creation, Move, Note]), {
    description: 'Creation, every move and every note, oldest first.',
  }),
  stepsRemovedAt: orNull(
    timeOf(
      'When steps, notes and alerts of its history were removed after their time; what is listed came later.',
    ),
  ),
  maskedAt: orNull(timeOf('When the customer’s data was masked for good: `reveal` shows no more.')),
  alerts: Type.Array(Alert, {
    description:
      'Whom it called, by which channels, and how late they saw it; those that left nothing to record are not listed.',
  }),
  postings: Type.Array(Posting, { description: 'The ledger entries: each sums to zero.' }),
  deliveries: Type.Array(DeliveryView, { description: 'The newest first.' }),
  allowedActions: allowedActions(ORDER_ACTIONS),
});
export const READ_ORDER = endpoint('GET /orders/:orderId', {
  summary: 'Read an order',
  needs: 'read',
  answer: dataOf(OrderDetailView, 'Everything about the order.'),
});

export const REVEAL_CUSTOMER = endpoint('POST /orders/:orderId/reveal', {
  summary: 'Show the customer’s data in full',
  needs: 'see-customers',
  decides: ASKS,
  audit: ['order.reveal'],
  description: 'Each call is an entry of the audit log.',
  answer: dataOf(
    Type.Object({
      customerAccountNumber: textOrNull,
      customerAccountName: textOrNull,
      payerAccount: textOrNull,
      paidBy: orNull(Type.String({ description: 'Who paid, as the customer says.' })),
    }),
    'The customer’s data.',
  ),
});

const OrderOrWaiting = either(
  OrderView,
  namedObject('PendingOrderApproval', { orderId: text, ...WAITING.properties }),
);
export const RESOLVE_ORDER = write('POST /orders/:orderId/resolve', {
  summary: 'Decide an order in ManualReview',
  needs: 'decide',
  decides: BY_AMOUNT,
  audit: ['order.resolve-request', 'order.resolve', 'late-claim.close'],
  description:
    'While a second operator is required, a Completed waits above the limit, by itself or with the sum of the day. So does a Cancelled of a withdrawal that its member may have paid. A Completed closes the order’s open late claims, with the same note.',
  body: strictObject({
    outcome: enumOf(['Completed', 'Cancelled']),
    ...EXPLAINED,
    memberId: optional(
      orNull(
        id(
          'Of a Completed: who received or paid the money, where it was not the holder. Their float moves, and the holder is free of the order.',
        ),
      ),
    ),
  }),
  answer: orEffect(OrderOrWaiting, 'The order at its outcome, or `pendingApproval`.'),
  refusals: ['second-operator', 'wrong-state', 'unprocessable'],
});
const Confirmation = strictObject(
  {
    ...EXPLAINED,
    memberId: optional(
      orNull(
        id(
          'Who received or paid the money. Without it the last holder, and where there is none the adjustments account.',
        ),
      ),
    ),
  },
  { title: 'OrderConfirmation' },
);
export const CONFIRM_ORDER = write('POST /orders/:orderId/confirm', {
  summary: 'Confirm a failed order after a dispute',
  needs: 'decide',
  decides: BY_AMOUNT,
  audit: ['order.confirm-request', 'order.confirm', 'late-claim.close'],
  description:
    'A withdrawal that takes the available balance below zero changes nothing yet: another operator must approve it. So does one above the limit, while a second operator is required. It closes the order’s open late claims, with the same note.',
  body: Confirmation,
  answer: orEffect(OrderOrWaiting, 'The completed order, or `pendingApproval`.'),
  refusals: ['wrong-state', 'unprocessable'],
});
export const CANCEL_ORDER = write('POST /orders/:orderId/cancel', {
  summary: 'Cancel an order',
  needs: 'decide',
  decides: one(
    'No money moves. While a second operator is required, a withdrawal that its member may have paid counts as money, and is refused above the limit.',
  ),
  audit: ['order.cancel'],
  description: 'One whose customer has not paid; one that is paid is escalated and resolved.',
  body: NOTED,
  preview: true,
  answer: orEffect(OrderView, 'The cancelled order.'),
  refusals: ['wrong-state', 'second-operator'],
});
export const ESCALATE_ORDER = write('POST /orders/:orderId/escalate', {
  summary: 'Take an order into ManualReview',
  needs: 'decide',
  decides: one('It moves no money: the order waits for a decision.'),
  audit: ['order.escalate'],
  description: 'One that a member holds.',
  body: NOTED,
  preview: true,
  answer: orEffect(OrderView, 'The order in review.'),
  refusals: ['wrong-state'],
});

const OrderClaimView = namedObject('OrderClaim', { orderId: id('The order.'), ...claimFields });
export const CLAIM_ORDER = write('POST /orders/:orderId/claim', {
  summary: 'Say that one is working on an order',
  needs: 'decide',
  decides: one('It says who works on the order, and decides nothing.'),
  audit: ['order.claim'],
  description:
    'For 10 minutes; again to go on. Others see it, and may act all the same: the order decides who was first.',
  answer: dataOf(OrderClaimView, 'It is claimed by the asker.'),
  refusals: ['claimed'],
});
export const UNCLAIM_ORDER = write('POST /orders/:orderId/unclaim', {
  summary: 'Leave an order',
  needs: 'decide',
  decides: one('It says who works on the order, and decides nothing.'),
  audit: ['order.unclaim'],
  description: 'Ends one’s own claim. Another operator’s stays.',
  answer: dataOf(OrderClaimView, 'Who works on it now.'),
});
