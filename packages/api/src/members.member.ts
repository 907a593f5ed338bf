import Type from 'typebox';
import { one } from './contract/decider.ts';
import type { Shown } from './contract/endpoint.ts';
import { member, OWN } from './contract/member.ts';
import {
  ACTIVE,
  dataOf,
  enumOf,
  listOf,
  money,
  namedObject,
  orNull,
  PAGE_QUERY,
  strictObject,
  time,
} from './contract/schemas.ts';
import {
  accountFields,
  NEW_ACCOUNT,
  ORDER_CURRENCIES,
  OWN_ACCOUNT_CHANGE,
} from './members.accounts.ts';

/** A member, their presence and their accounts. */

const me = member('Me');
const accounts = member('Accounts');

export type OwnAccount = Shown<typeof AccountView>;
const AccountView = namedObject('Account', accountFields);

/** Why a member gets no orders, or fewer than they could. */
export const NO_ORDERS_CODES = [
  'suspended',
  'offline',
  'no-approved-account',
  'all-accounts-paused',
  'account-paused',
  'orders-paused',
  'capacity-full',
  'no-float',
  'daily-limit',
] as const;
export type NoOrdersReason = Shown<typeof NoOrdersReason>;
const NoOrdersReason = namedObject('NoOrdersReason', {
  code: enumOf(NO_ORDERS_CODES),
  stops: enumOf(
    ['everything', 'deposits', 'account'],
    'What does not come: any order, deposits, or orders to one account.',
  ),
  accountId: orNull(Type.String({ description: 'The account that is stopped.' })),
  message: Type.String({ description: 'What it is and what helps, for the member.' }),
});

const NAMES = {
  methods: Type.Record(Type.String(), Type.String()),
  providers: Type.Record(Type.String(), Type.String()),
};
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
  shareBasisPoints: orNull(
    Type.Integer({
      description:
        'What the member earns of what they confirm, in hundredths of a percent; null: it is not shown.',
    }),
  ),
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
  orderCurrencies: ORDER_CURRENCIES,
  noOrdersBecause: Type.Array(NoOrdersReason, {
    description: 'Empty: orders come as merchants create them.',
  }),
  displayNames: Type.Object(
    {
      ...NAMES,
      currencies: Type.Record(Type.String(), Type.Partial(Type.Object(NAMES)), {
        description: 'Of orders in that currency, before those for all.',
      }),
    },
    {
      description:
        'What people call methods (by walletType) and providers; what is absent has its own name.',
    },
  ),
});
export const MEMBER_READ_ME = me.endpoint('GET /me', {
  summary: 'Status, float, accounts and capacity',
  answer: dataOf(MemberView, 'The member as they stand now.'),
});
export const MEMBER_SET_PRESENCE = me.endpoint('POST /presence', {
  summary: 'Come online or go offline',
  decides: OWN,
  audit: [],
  description:
    'Offline members get no new orders; those in hand stay. Presence does not lapse by itself.',
  body: strictObject({ online: Type.Boolean() }),
  answer: dataOf(MemberView, 'The member as they stand now.'),
});

export const MEMBER_ADD_ACCOUNT = accounts.write('POST /accounts', {
  summary: 'Add an account of one’s own',
  decides: one('An operator approves it before it gets orders.'),
  audit: ['account.create'],
  body: NEW_ACCOUNT,
  answer: dataOf(AccountView, 'The account; it takes orders once an operator has approved it.'),
  refusals: ['already-exists', 'too-many'],
});
export const MEMBER_CHANGE_ACCOUNT = accounts.write('PATCH /accounts/:accountId', {
  summary: 'Change an account of one’s own',
  decides: OWN,
  audit: ['account.update'],
  body: OWN_ACCOUNT_CHANGE,
  answer: dataOf(AccountView, 'The account.'),
});
export const MEMBER_PAUSE_ACCOUNT = accounts.write('POST /accounts/:accountId/pause', {
  summary: 'Take no new orders on an account for now, or take them again',
  decides: OWN,
  audit: [],
  description: 'Orders in hand stay.',
  body: strictObject({ paused: Type.Boolean() }),
  answer: dataOf(AccountView, 'The account.'),
});
export const MEMBER_STOP_ACCOUNT = accounts.write('POST /accounts/:accountId/stop', {
  summary: 'Stop using an account',
  decides: OWN,
  audit: ['member.update'],
  description:
    'As if an operator had suspended it: no new orders come, and deposits that are not paid leave it. Orders that are paid stay. Only an operator opens it again.',
  answer: dataOf(AccountView, 'The account, suspended.'),
});
export const MEMBER_LIST_ACCOUNTS = accounts.endpoint('GET /accounts', {
  summary: 'List one’s own accounts',
  querystring: PAGE_QUERY,
  answer: listOf(AccountView, 'Accounts, the oldest first.'),
});
