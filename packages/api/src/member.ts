import { CURRENCIES, ORDER_TYPES, QR_PAYLOAD_BYTES_MAX, STATUSES } from '@munshi/core';
import Type, { type Static } from 'typebox';
import {
  ACTIVE,
  answersOf,
  dataOf,
  listOf,
  METHODS,
  money,
  OWN_PASSWORD,
  optional,
  orNull,
  PAGE,
  PAGE_QUERY,
  RENEWED,
  refusalsOf,
  route,
  strict,
  text,
  time,
  writeRoute,
} from './schemas.ts';

/**
 * The wire contract of the member face, `/api/member`: the schemas that the server checks requests
 * with, and what it answers.
 */

const REFUSALS = refusalsOf({
  403: 'The member is suspended, or the anti-forgery token is missing.',
  404: 'There is no such order among the member’s.',
  422: 'The received amount is not the order’s.',
});
const answers = answersOf(REFUSALS);
const ORDER_ID = Type.Object({
  orderId: Type.String({ description: 'The orderId (uuid). Any other order, or none: 404.' }),
});

// ---- Session

const MemberName = Type.Object({
  memberId: Type.String(),
  username: Type.String(),
  name: Type.String(),
});
const SessionView = Type.Object({
  member: MemberName,
  csrfToken: orNull(
    Type.String({ description: 'To be sent as `X-CSRF-Token` with every write by cookie.' }),
  ),
  expiresAt: orNull(time),
});

export type MemberSignIn = Static<typeof MEMBER_SIGN_IN.body>;
export const MEMBER_SIGN_IN = route('Session', 'Sign in', {
  description:
    'Sets the session cookie, and answers the token for scripts that send it as `Authorization: Bearer`.',
  security: [],
  body: Type.Object(
    { username: Type.String({ maxLength: 100 }), password: Type.String({ maxLength: 200 }) },
    strict,
  ),
  response: answers(
    'Signed in, for 30 days from the last use.',
    dataOf(Type.Intersect([Type.Object({ token: Type.String() }), SessionView])),
    400,
    429,
  ),
});
export const MEMBER_WHO_AM_I = route('Session', 'Who is signed in', {
  response: answers('The member, and the anti-forgery token.', dataOf(SessionView)),
});
export const MEMBER_SIGN_OUT = route('Session', 'Sign out', {
  description: 'Presence stays as it is: orders keep coming until the member goes offline.',
  response: answers('The session has ended.', dataOf(Type.Object({ signedOut: Type.Boolean() }))),
});
export type MemberChangePassword = Static<typeof MEMBER_CHANGE_PASSWORD.body>;
export const MEMBER_CHANGE_PASSWORD = route('Session', 'Change one’s own password', {
  description:
    'Ends all sessions of the member; who asks goes on in a new one. A wrong present password counts as a sign-in that failed. Takes no Idempotency-Key: once it is done, a repeat is refused.',
  body: OWN_PASSWORD,
  response: answers(
    'The password is changed, and this is the new session.',
    dataOf(RENEWED),
    400,
    429,
  ),
});

// ---- Me

const AccountView = Type.Object({
  accountId: Type.String(),
  walletType: METHODS,
  accountNumber: Type.String(),
  accountTitle: Type.String(),
  qrPayload: orNull(Type.String()),
  status: Type.Enum(['pending', 'approved', 'suspended'], { type: 'string' }),
  minimumPerOrder: orNull(money('In PKR.')),
  maximumPerOrder: orNull(money('In PKR.')),
  maximumPerDay: orNull(money('In PKR, by UTC days.')),
  usedToday: money('Taken on during this day, UTC.'),
});

/** Why a member gets no orders, or fewer than they could. */
export const NO_ORDERS_CODES = [
  'suspended',
  'offline',
  'no-approved-account',
  'capacity-full',
  'no-float',
  'daily-limit',
] as const;
export type NoOrdersReason = Static<typeof NoOrdersReason>;
const NoOrdersReason = Type.Object({
  code: Type.Enum([...NO_ORDERS_CODES], { type: 'string' }),
  stops: Type.Enum(['everything', 'deposits', 'account'], {
    type: 'string',
    description: 'What does not come: any order, deposits, or orders to one account.',
  }),
  accountId: orNull(Type.String({ description: 'The account that is stopped.' })),
  message: Type.String({ description: 'What it is and what helps, for the member.' }),
});

const MemberView = Type.Object({
  memberId: Type.String(),
  name: Type.String(),
  username: Type.String(),
  status: ACTIVE,
  online: Type.Boolean(),
  currency: Type.Literal('PKR'),
  float: Type.Object({
    balance: money(),
    held: money('What open deposits hold.'),
    free: money('What new deposits can take; below zero after a late confirmation.'),
  }),
  capacity: Type.Object({
    maxOpenOrders: Type.Integer(),
    openOrders: Type.Integer(),
    free: Type.Integer(),
  }),
  lastAssignedAt: orNull(time),
  accounts: Type.Array(AccountView),
  noOrdersBecause: Type.Array(NoOrdersReason, {
    description: 'Empty: orders come as merchants create them.',
  }),
});
export const MEMBER_ME = route('Me', 'Status, float, accounts and capacity', {
  response: answers('The member as they stand now.', dataOf(MemberView)),
});
export type Presence = Static<typeof MEMBER_PRESENCE.body>;
export const MEMBER_PRESENCE = route('Me', 'Come online or go offline', {
  description:
    'Offline members get no new orders; those in hand stay. Presence does not lapse by itself.',
  body: Type.Object({ online: Type.Boolean() }, strict),
  response: answers('The member as they stand now.', dataOf(MemberView), 400, 409),
});

// ---- Accounts

export type AddOwnAccount = Static<typeof MEMBER_ADD_ACCOUNT.body>;
export const MEMBER_ADD_ACCOUNT = writeRoute('Accounts', 'Add an account of one’s own', {
  body: Type.Object(
    {
      walletType: METHODS,
      accountNumber: text(50),
      accountTitle: text(200, 'The name that customers see when they pay.'),
      qrPayload: optional(
        orNull(
          text(
            QR_PAYLOAD_BYTES_MAX,
            `What the QR code holds: at most ${QR_PAYLOAD_BYTES_MAX} bytes of UTF-8.`,
          ),
        ),
      ),
      minimumPerOrder: optional(orNull(money('In PKR.'))),
      maximumPerOrder: optional(orNull(money('In PKR.'))),
      maximumPerDay: optional(orNull(money('In PKR, by UTC days.'))),
    },
    strict,
  ),
  response: answers(
    'The account; it takes orders once an operator has approved it.',
    dataOf(AccountView),
    400,
    409,
  ),
});
export const MEMBER_LIST_ACCOUNTS = route('Accounts', 'List one’s own accounts', {
  querystring: PAGE_QUERY,
  response: answers('Accounts, the oldest first.', listOf(AccountView), 400),
});

// ---- Orders

/** What a member may do with an order now. */
export const MEMBER_ACTIONS = ['confirm', 'reject', 'report', 'release'] as const;
export type MemberAction = (typeof MEMBER_ACTIONS)[number];

const MemberOrderView = Type.Object({
  orderId: Type.String(),
  orderReference: Type.String(),
  orderType: Type.Enum([...ORDER_TYPES], { type: 'string' }),
  walletType: METHODS,
  amount: money('To receive or to send, in the order’s currency.'),
  currency: Type.Enum([...CURRENCIES], { type: 'string' }),
  floatAmount: money('What the float moves by, in PKR.'),
  status: Type.Enum([...STATUSES], { type: 'string' }),
  stage: Type.String(),
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
  transactionReference: orNull(Type.String({ description: 'As the member entered it.' })),
  handedOver: Type.Boolean({
    description: 'Another member has the order now. If it was paid already, report it.',
  }),
  createdAt: time,
  assignedAt: orNull(time),
  sentAt: orNull(time),
  completedAt: orNull(time),
  failedAt: orNull(time),
  failureReason: orNull(Type.String()),
  dueAt: orNull(
    Type.String({
      format: 'date-time',
      description:
        'By when the next step is due; then the order expires, is handed on or goes to review.',
    }),
  ),
  allowedActions: Type.Array(Type.Enum([...MEMBER_ACTIONS], { type: 'string' })),
});

export type ListMemberOrders = Static<typeof MEMBER_LIST_ORDERS.querystring>;
export const MEMBER_LIST_ORDERS = route('Orders', 'List one’s own orders', {
  description:
    'Open orders are those in hand, the oldest first. Closed ones, the newest first, are those that ended and those handed on to another member.',
  querystring: Type.Object(
    {
      state: optional(
        Type.Enum(['open', 'closed'], { type: 'string', description: 'open by default.' }),
      ),
      ...PAGE,
    },
    strict,
  ),
  response: answers('Orders.', listOf(MemberOrderView), 400),
});
export const MEMBER_READ_ORDER = route('Orders', 'Read one of one’s own orders', {
  params: ORDER_ID,
  response: answers('The order.', dataOf(MemberOrderView), 404),
});
export type MemberConfirmation = Static<typeof MEMBER_CONFIRM.body>;
export const MEMBER_CONFIRM = writeRoute(
  'Orders',
  'Confirm a deposit’s receipt or a withdrawal’s payout',
  {
    description:
      'Confirming again answers the same order. A received amount that differs from the order’s changes nothing (422).',
    params: ORDER_ID,
    body: Type.Object(
      {
        receivedAmount: optional(orNull(money('What arrived, in the order’s currency.'))),
        transactionReference: optional(
          orNull(text(100, 'Of the payment that was received or sent.')),
        ),
      },
      strict,
    ),
    response: answers('The completed order.', dataOf(MemberOrderView), 400, 404, 409, 422),
  },
);

export type MemberReason = Static<typeof REASON>;
const REASON = Type.Object(
  { reason: text(1000, 'Why. The merchant is told it when the order fails.') },
  strict,
);
const action = (summary: string, description: string) =>
  writeRoute('Orders', summary, {
    description,
    params: ORDER_ID,
    body: REASON,
    response: answers('The order as it is now.', dataOf(MemberOrderView), 400, 404, 409),
  });
export const MEMBER_REJECT = action(
  'Reject an order',
  'No matching payment has arrived, or the withdrawal cannot be paid out. The order fails.',
);
export const MEMBER_REPORT = action(
  'Report an abnormal payment of a withdrawal',
  'Wrong details, a refused transfer, or unsure whether it was sent: operations decide. Also for a withdrawal handed on to another member that was paid already.',
);
export const MEMBER_RELEASE = action(
  'Give a deposit up',
  'Before its customer has confirmed it. The order is cancelled.',
);

// ---- Events

export const MEMBER_EVENTS = route('Events', 'Follow one’s own orders', {
  description:
    'Server-sent events `assigned`, `customer-confirmed`, `withdrawn` and `completed`, each with `{"orderId": "…"}`. They say when to look again; what was missed while not connected shows in the lists. Ends with the session. A member has 8 at once: one more ends the oldest with the event `replaced`.',
  response: {
    200: {
      description: 'The stream.',
      content: { 'text/event-stream': { schema: { type: 'string' } } },
    },
    401: REFUSALS[401],
    403: REFUSALS[403],
  },
});
