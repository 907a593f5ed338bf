import { MARK_KINDS, MEMBER_ACTIONS, NOTICE_EVENTS } from '@munshi/core';
import Type from 'typebox';
import { one } from './decider.ts';
import type { Shown } from './endpoint.ts';
import { COMMON, endpoint, OWN, write } from './member/face.ts';
import { MEMBER_PERIOD } from './member/history.ts';
import { ACCOUNT_CHANGE, accountFields, NEW_ACCOUNT } from './member-accounts.ts';
import { BY_PASSWORD, ownSignIn } from './own-sign-in.ts';
import {
  ACTIVE,
  CURRENCY,
  dataOf,
  inWords,
  lines,
  listOf,
  METHODS,
  money,
  namedObject,
  ORDER_TYPE,
  optional,
  orNull,
  PAGE,
  PAGE_QUERY,
  REASON_CODE,
  STAGE,
  STATUS,
  strict,
  text,
  time,
  timeOf,
} from './schemas.ts';

/** The wire contract of the member face, `/api/member`. */

// ---- Session

export const {
  signIn: MEMBER_SIGN_IN,
  whoAmI: MEMBER_WHO_AM_I,
  signOut: MEMBER_SIGN_OUT,
  changePassword: MEMBER_CHANGE_PASSWORD,
  listSessions: MEMBER_LIST_SESSIONS,
  endSession: MEMBER_END_SESSION,
  endOtherSessions: MEMBER_END_OTHER_SESSIONS,
  readRecovery: MEMBER_READ_RECOVERY,
  recover: MEMBER_RECOVER,
} = ownSignIn('member', COMMON, {
  needs: 'member',
  credentials: BY_PASSWORD,
  fields: {
    member: namedObject('MemberName', {
      memberId: Type.String(),
      username: Type.String(),
      name: Type.String(),
    }),
  },
  shows: 'The member, and the anti-forgery token.',
  signedInFor: 'Signed in, for 30 days from the last use.',
  ends: 'all sessions of the member',
  recovery: {
    read: 'Whose recovery link it is',
    use: 'Choose a new password by a recovery link',
    also: ' While a second operator is required, the member goes offline and their approved accounts wait for approval again.',
  },
  signOut: {
    description: 'Presence stays as it is: orders keep coming until the member goes offline.',
  },
  audit: { signIn: [], password: 'member.password', recover: ['member.recover', 'member.update'] },
});

// ---- Me

export type OwnAccount = Shown<typeof AccountView>;
const AccountView = namedObject('Account', accountFields);

/** Why a member gets no orders, or fewer than they could. */
export const NO_ORDERS_CODES = [
  'suspended',
  'offline',
  'no-approved-account',
  'all-accounts-paused',
  'account-paused',
  'capacity-full',
  'no-float',
  'daily-limit',
] as const;
export type NoOrdersReason = Shown<typeof NoOrdersReason>;
const NoOrdersReason = namedObject('NoOrdersReason', {
  code: Type.Enum([...NO_ORDERS_CODES], { type: 'string' }),
  stops: Type.Enum(['everything', 'deposits', 'account'], {
    type: 'string',
    description: 'What does not come: any order, deposits, or orders to one account.',
  }),
  accountId: orNull(Type.String({ description: 'The account that is stopped.' })),
  message: Type.String({ description: 'What it is and what helps, for the member.' }),
});

export type OwnMember = Shown<typeof MemberView>;
const MemberView = namedObject('Member', {
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
  takenOffline: orNull(
    Type.Object(
      { at: time, missed: Type.Integer() },
      {
        description:
          'So many missed alerts in a row took the member offline; null once they came back.',
      },
    ),
  ),
  accounts: Type.Array(AccountView),
  noOrdersBecause: Type.Array(NoOrdersReason, {
    description: 'Empty: orders come as merchants create them.',
  }),
  displayNames: Type.Object(
    {
      methods: Type.Record(Type.String(), Type.String()),
      providers: Type.Record(Type.String(), Type.String()),
    },
    {
      description:
        'What people call methods (by walletType) and providers; what is absent has its own name.',
    },
  ),
});
export const MEMBER_READ_ME = endpoint('GET /me', 'Me', 'Status, float, accounts and capacity', {
  answer: dataOf(MemberView, 'The member as they stand now.'),
});
export const MEMBER_SET_PRESENCE = endpoint('POST /presence', 'Me', 'Come online or go offline', {
  decides: OWN,
  audit: [],
  description:
    'Offline members get no new orders; those in hand stay. Presence does not lapse by itself.',
  body: Type.Object({ online: Type.Boolean() }, strict),
  answer: dataOf(MemberView, 'The member as they stand now.'),
});

// ---- Accounts

export const MEMBER_ADD_ACCOUNT = write(
  'POST /accounts',
  'Accounts',
  'Add an account of one’s own',
  {
    decides: one('An operator approves it before it gets orders.'),
    audit: ['account.create'],
    body: NEW_ACCOUNT,
    answer: dataOf(AccountView, 'The account; it takes orders once an operator has approved it.'),
    refusals: ['already-exists', 'too-many'],
  },
);
export const MEMBER_CHANGE_ACCOUNT = write(
  'PATCH /accounts/:accountId',
  'Accounts',
  'Change an account of one’s own',
  {
    decides: OWN,
    audit: ['account.update'],
    body: ACCOUNT_CHANGE,
    answer: dataOf(AccountView, 'The account.'),
  },
);
export const MEMBER_PAUSE_ACCOUNT = write(
  'POST /accounts/:accountId/pause',
  'Accounts',
  'Take no new orders on an account for now, or take them again',
  {
    decides: OWN,
    audit: [],
    description: 'Orders in hand stay.',
    body: Type.Object({ paused: Type.Boolean() }, strict),
    answer: dataOf(AccountView, 'The account.'),
  },
);
export const MEMBER_STOP_ACCOUNT = write(
  'POST /accounts/:accountId/stop',
  'Accounts',
  'Stop using an account',
  {
    decides: OWN,
    audit: ['member.update'],
    description:
      'As if an operator had suspended it: no new orders come, and deposits that are not paid leave it. Orders that are paid stay. Only an operator opens it again.',
    answer: dataOf(AccountView, 'The account, suspended.'),
  },
);
export const MEMBER_LIST_ACCOUNTS = endpoint(
  'GET /accounts',
  'Accounts',
  'List one’s own accounts',
  { querystring: PAGE_QUERY, answer: listOf(AccountView, 'Accounts, the oldest first.') },
);

// ---- Orders

export type MemberOrderView = Shown<typeof MemberOrderView>;
const MemberOrderView = namedObject('Order', {
  orderId: Type.String(),
  orderReference: Type.String(),
  orderType: ORDER_TYPE,
  walletType: METHODS,
  amount: money('To receive or to send, in the order’s currency.'),
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
      elsewhere: Type.Boolean({ description: 'Also claimed for an order of somebody else.' }),
    },
    {
      description:
        'Deposits of the last 24 hours that may have been paid with the same payment. None any more once the member has decided.',
    },
  ),
  told: Type.Array(
    Type.Object({
      kind: Type.Enum([...MARK_KINDS], { type: 'string' }),
      amount: orNull(money('Of `otherAmount`: what arrived.')),
      note: Type.String(),
      at: time,
    }),
    {
      description:
        'What the member has told operators of a deposit, the first first. Nothing any more once it was decided.',
    },
  ),
  sendingSince: orNull(timeOf('A withdrawal in hand: since when the member is sending it.')),
  seenAt: orNull(timeOf('An order in hand: when the member first saw its alert.')),
  allowedActions: Type.Array(Type.Enum([...MEMBER_ACTIONS], { type: 'string' }), {
    description: 'What the member may do with it now.',
  }),
});
export const MEMBER_LIST_ORDERS = endpoint('GET /orders', 'Orders', 'List one’s own orders', {
  description:
    'Open orders are those in hand, the oldest first. Closed ones, the newest first, are those that ended and those handed on to another member; `from`, `to`, `accountId` and `search` choose among these.',
  querystring: Type.Object(
    {
      state: optional(
        Type.Enum(['open', 'closed'], { type: 'string', description: 'open by default.' }),
      ),
      ...MEMBER_PERIOD,
      accountId: optional(Type.String({ format: 'uuid', description: 'One of one’s own.' })),
      search: optional(
        Type.String({
          maxLength: 100,
          description:
            'An amount, the digits that a customer entered, a reference (whole or its last six characters), a transaction ID or an account number.',
        }),
      ),
      ...PAGE,
    },
    strict,
  ),
  answer: listOf(MemberOrderView, 'Orders.'),
  refusals: ['too-slow'],
});
export const MEMBER_READ_ORDER = endpoint(
  'GET /orders/:orderId',
  'Orders',
  'Read one of one’s own orders',
  { answer: dataOf(MemberOrderView, 'The order.') },
);
const IN_HAND = one('Whoever holds the order says so, and answers for it with their float.');
export const MEMBER_CONFIRM_ORDER = write(
  'POST /orders/:orderId/confirm',
  'Orders',
  'Confirm a deposit’s receipt or a withdrawal’s payout',
  {
    decides: IN_HAND,
    audit: [],
    description:
      'Confirming again answers the same order. A received amount that differs from the order’s changes nothing (422).',
    body: Type.Object(
      {
        receivedAmount: optional(orNull(money('What arrived, in the order’s currency.'))),
        transactionReference: optional(
          orNull(text(100, 'Of the payment that was received or sent.')),
        ),
      },
      strict,
    ),
    answer: dataOf(MemberOrderView, 'The completed order.'),
    refusals: ['wrong-state', 'unprocessable'],
  },
);

const reason = lines(1000, 'Why. The merchant is told it when the order fails.');
const REASONED = {
  body: namedObject('MemberReason', { reason }, strict),
  answer: dataOf(MemberOrderView, 'The order as it is now.'),
};
export const MEMBER_REJECT_ORDER = write(
  'POST /orders/:orderId/reject',
  'Orders',
  'Reject an order',
  {
    decides: IN_HAND,
    audit: [],
    description:
      'No matching payment has arrived, or the withdrawal cannot be paid out. The order fails.',
    ...REASONED,
    body: Type.Object({ reason, reasonCode: optional(orNull(REASON_CODE)) }, strict),
    refusals: ['wrong-state'],
  },
);
export const MEMBER_REPORT_ORDER = write(
  'POST /orders/:orderId/report',
  'Orders',
  'Report an abnormal payment of a withdrawal',
  {
    decides: IN_HAND,
    audit: [],
    description:
      'Wrong details, a refused transfer, or unsure whether it was sent: operations decide. Also for a withdrawal handed on to another member that was paid already.',
    ...REASONED,
    refusals: ['wrong-state', 'too-many'],
  },
);
export const MEMBER_RELEASE_ORDER = write(
  'POST /orders/:orderId/release',
  'Orders',
  'Give a deposit up',
  {
    decides: IN_HAND,
    audit: [],
    description: 'Before its customer has confirmed it. The order is cancelled.',
    ...REASONED,
    refusals: ['wrong-state'],
  },
);

export const MEMBER_NOTE_OTHER_AMOUNT = write(
  'POST /orders/:orderId/note',
  'Orders',
  'Tell operators that another amount arrived',
  {
    decides: IN_HAND,
    audit: [],
    description: 'The deposit stays as it is, and comes first in the operators’ queue.',
    body: Type.Object(
      {
        receivedAmount: money('What arrived, in the order’s currency.'),
        note: optional(orNull(lines(1000))),
      },
      strict,
    ),
    answer: dataOf(MemberOrderView, 'The order, as it was.'),
    refusals: ['wrong-state', 'too-many', 'unprocessable'],
  },
);
export const MEMBER_NOTE_MONEY_SEEN = write(
  'POST /orders/:orderId/money-seen',
  'Orders',
  'Note that the money is there before the customer has confirmed',
  {
    decides: IN_HAND,
    audit: [],
    description:
      'The deposit stays as it is. If it ends without payment all the same, operators look into it.',
    body: Type.Object({ note: optional(orNull(lines(1000))) }, strict),
    answer: dataOf(MemberOrderView, 'The order, as it was.'),
    refusals: ['wrong-state', 'too-many'],
  },
);
export const MEMBER_START_SENDING = write(
  'POST /orders/:orderId/sending',
  'Orders',
  'Say that one is paying a withdrawal now',
  {
    decides: IN_HAND,
    audit: [],
    description:
      'Its deadline moves by the operator’s grace, once. Operators see it. Saying it again changes nothing.',
    answer: dataOf(MemberOrderView, 'The order, with the deadline that it has now.'),
    refusals: ['wrong-state'],
  },
);
export const MEMBER_MARK_SEEN = write(
  'POST /orders/:orderId/seen',
  'Orders',
  'Say that one has seen the alert of an order',
  {
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
  },
);

// ---- Events

export const MEMBER_FOLLOW_EVENTS = endpoint('GET /events', 'Events', 'Follow one’s own orders', {
  description: `Server-sent events ${inWords(NOTICE_EVENTS)}, each with \`{"orderId": "…"}\`. They say when to look again; what was missed while not connected shows in the lists. Ends with the session. A member has 8 at once: one more ends the oldest with the event \`replaced\`.`,
  answer: Type.String({ description: 'The stream.', contentMediaType: 'text/event-stream' }),
});
