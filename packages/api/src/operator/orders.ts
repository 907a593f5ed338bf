import { STAGES, STATUSES, WALLET_TYPES } from '@munshi/core';
import Type, { type Static } from 'typebox';
import { LateClaimView } from './late-claims.ts';
import {
  answers,
  dataOf,
  id,
  listOf,
  METHODS,
  money,
  note,
  ORDER_TYPE,
  optional,
  orNull,
  orWaiting,
  PAGE,
  params,
  route,
  strict,
  time,
  WAITING,
  writeRoute,
} from './schemas.ts';
import { DeliveryView } from './webhooks.ts';

/** Orders, and what operators do to them. */

const OrderView = Type.Object({
  orderId: id('The order.'),
  orderReference: Type.String(),
  merchantId: id('The merchant.'),
  orderType: ORDER_TYPE,
  walletType: METHODS,
  currency: Type.String(),
  amount: money(),
  fee: orNull(money()),
  status: Type.Enum([...STATUSES], { type: 'string' }),
  stage: Type.Enum([...STAGES], { type: 'string' }),
  merchantOrderRef: orNull(Type.String()),
  customerReference: orNull(Type.String()),
  memberId: orNull(Type.String()),
  createdAt: time,
  assignedAt: orNull(time),
  sentAt: orNull(time),
  completedAt: orNull(time),
  failedAt: orNull(time),
  cancelledAt: orNull(time),
  expiresAt: time,
  dueAt: orNull(time),
  failureReason: orNull(Type.String()),
});
const several = <T extends string>(values: readonly T[]) =>
  Type.Array(Type.Enum([...values], { type: 'string' }), { maxItems: 20 });

export type ListOrders = Static<typeof LIST_ORDERS.querystring>;
export const LIST_ORDERS = route('Orders', 'List and search orders', {
  querystring: Type.Object(
    {
      status: optional(several(STATUSES)),
      stage: optional(several(STAGES)),
      orderType: optional(ORDER_TYPE),
      walletType: optional(several(WALLET_TYPES)),
      merchantId: optional(id('The merchant.')),
      memberId: optional(id('Who holds the order, or held it last.')),
      from: optional(
        Type.String({ maxLength: 40, description: 'Created at this time or later, ISO 8601.' }),
      ),
      to: optional(
        Type.String({ maxLength: 40, description: 'Created before this time, ISO 8601.' }),
      ),
      search: optional(
        Type.String({
          maxLength: 200,
          description: 'A whole orderId, orderReference, merchantOrderRef or customerReference.',
        }),
      ),
      ...PAGE,
    },
    strict,
  ),
  response: answers(
    'Orders, the newest first.',
    listOf(
      Type.Intersect([
        OrderView,
        Type.Object({ merchantName: Type.String(), memberName: orNull(Type.String()) }),
      ]),
    ),
    400,
  ),
});

const OrderDetail = Type.Intersect([
  OrderView,
  Type.Object({
    merchantName: Type.String(),
    member: orNull(
      Type.Object(
        { memberId: Type.String(), name: Type.String(), username: Type.String() },
        { description: 'With status, presence and account.' },
      ),
    ),
    lateClaims: Type.Array(LateClaimView, {
      description: 'What the customer left after expiry, oldest first; at most 3.',
    }),
    timeline: Type.Array(
      Type.Object({ at: time, kind: Type.Enum(['created', 'moved', 'note'], { type: 'string' }) }),
      {
        description: 'Creation, every move and every note, oldest first.',
      },
    ),
    postings: Type.Array(Type.Object({ postingId: Type.String(), kind: Type.String() }), {
      description: 'The ledger entries: each sums to zero.',
    }),
    deliveries: Type.Array(DeliveryView),
    allowedActions: Type.Array(Type.String(), {
      description: 'What the asking operator may do with it now, by the last part of the path.',
    }),
  }),
]);
export const READ_ORDER = route('Orders', 'Read an order', {
  params: params('orderId'),
  response: answers('Everything about the order.', dataOf(OrderDetail), 404),
});

export type NoteBody = Static<typeof NOTE>;
const NOTE = Type.Object({ note }, strict);
export const action = (summary: string, description: string, done: string) =>
  writeRoute('Orders', summary, {
    description,
    params: params('orderId'),
    body: NOTE,
    response: answers(done, dataOf(OrderView), 400, 404, 409),
  });

export type ResolveOrder = Static<typeof RESOLVE_ORDER.body>;
export const RESOLVE_ORDER = writeRoute('Orders', 'Decide an order in ManualReview', {
  params: params('orderId'),
  body: Type.Object(
    { outcome: Type.Enum(['Completed', 'Cancelled'], { type: 'string' }), note },
    strict,
  ),
  description:
    'While a second operator is required, a Completed above the limit, or of which neither customer nor member has said that money moved, waits.',
  response: answers(
    'The order at its outcome, or `pendingApproval`.',
    orWaiting(OrderView),
    400,
    404,
    409,
  ),
});
const MEMBER_WHO = optional(
  orNull(
    id(
      'Who received or paid the money, when nobody holds the order; without anybody the adjustments account stands in.',
    ),
  ),
);
const confirmed = Type.Union([OrderView, WAITING]);
export type ConfirmOrder = Static<typeof CONFIRM_ORDER.body>;
export const CONFIRM_ORDER = writeRoute('Orders', 'Confirm a failed order after a dispute', {
  description:
    'A withdrawal that takes the available balance below zero changes nothing yet: another operator must approve it. So does one above the limit, while a second operator is required.',
  params: params('orderId'),
  body: Type.Object({ note, memberId: MEMBER_WHO }, strict),
  response: answers(
    'The completed order, or `pendingApproval`.',
    dataOf(confirmed),
    400,
    404,
    409,
    422,
  ),
});
export const APPROVE_CONFIRMATION = writeRoute('Orders', 'Approve a late confirmation', {
  description: 'By another operator than the one who asked for it.',
  params: params('orderId'),
  body: Type.Object({ note, memberId: MEMBER_WHO }, strict),
  response: answers('The completed order.', dataOf(OrderView), 400, 404, 409, 422),
});
export const CANCEL_ORDER = action(
  'Cancel an order',
  'One whose customer has not paid; one that is paid is escalated and resolved.',
  'The cancelled order.',
);
export const ESCALATE_ORDER = action(
  'Take an order into ManualReview',
  'One that a member holds.',
  'The order in review.',
);
