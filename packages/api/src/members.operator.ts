import {
  approvalNeedsTwo,
  MEMBER_ACCOUNT_ACTIONS,
  MEMBER_ADMIN_ACTIONS,
  memberNeedsTwo,
  QR_WARNINGS,
  widensLimits,
} from '@munshi/core';
import Type from 'typebox';
import { byChange, one, TAKES_AWAY, TWO } from './contract/decider.ts';
import type { BodyOf, Shown } from './contract/endpoint.ts';
import {
  ACTIVE,
  allowedActions,
  changeOf,
  dataOf,
  enumOf,
  id,
  listOf,
  money,
  namedObject,
  operator,
  optional,
  orNull,
  orWaiting,
  PAGE,
  PASSWORD,
  PERSON_NAME,
  RecoveryLinkView,
  searched,
  strictObject,
  time,
  timeOf,
  USERNAME,
} from './contract/operator.ts';
import { ACCOUNT_CHANGE, ACCOUNT_STATUS, accountFields, NEW_ACCOUNT } from './members.accounts.ts';
import { MemberOfLate } from './members.record.ts';
import { PHONE } from './people.ts';

/** Members and their accounts. */

const { endpoint, write } = operator('Members');

export type MemberAccountView = Shown<typeof MemberAccountView>;
const MemberAccountView = namedObject('MemberAccount', {
  ...accountFields,
  memberId: id('The member.'),
  createdBy: orNull(
    Type.String({ description: 'The operatorId of who added it; null: its member.' }),
  ),
  qrContent: orNull(
    Type.Object(
      {
        form: enumOf(['EMVCo', 'UPI', 'other']),
        name: orNull(Type.String({ description: 'Whom it names.' })),
        numbers: Type.Array(Type.String(), { description: 'Accounts and ids in it.' }),
        amount: orNull(Type.String({ description: 'What it asks for by itself.' })),
      },
      { description: 'What the QR code holds, as far as it can be read.' },
    ),
  ),
  qrWarnings: Type.Array(enumOf(QR_WARNINGS), {
    description: 'What of the QR code does not fit the number and title.',
  }),
  allowedActions: allowedActions(MEMBER_ACCOUNT_ACTIONS),
});
export type MemberView = Shown<typeof MemberView>;
const MemberView = namedObject('Member', {
  memberId: id('The member.'),
  name: Type.String(),
  username: Type.String(),
  phone: orNull(Type.String({ description: 'By which operators reach them.' })),
  status: ACTIVE,
  online: Type.Boolean(),
  maxOpenOrders: Type.Integer({ description: '0: new orders are paused.' }),
  capacityBefore: orNull(
    Type.Integer({ description: 'What `maxOpenOrders` was before it last became 0.' }),
  ),
  openOrders: Type.Integer(),
  floatBalance: money(),
  floatHeld: money('What open deposits hold.'),
  floatOverdrawn: Type.Boolean(),
  lastAssignedAt: orNull(time),
  createdAt: time,
  accounts: Type.Array(MemberAccountView),
  credentialByYou: Type.Boolean({
    description:
      'Who asks last gave them a password or link: another operator approves what is about them.',
  }),
  allowedActions: allowedActions(MEMBER_ADMIN_ACTIONS, 'MemberAction'),
});

/** The most that a member's `maxOpenOrders` may be. */
export const CAPACITY_MAX = 100_000;
const MAX_OPEN_ORDERS = Type.Integer({
  minimum: 0,
  maximum: CAPACITY_MAX,
  description: 'Orders in hand at once; 10 by default. 0 pauses new orders.',
});

const MEMBER_PHONE = orNull(
  Type.String({
    ...PHONE,
    description: 'By which operators reach them.',
    examples: ['+92 300 1234567'],
  }),
);

export type CreateMember = BodyOf<typeof CREATE_MEMBER>;
export type ListedMember = Shown<typeof ListedMember>;
const ListedMember = namedObject('ListedMember', {
  ...MemberView.properties,
  record: MemberOfLate,
  completedLastDay: Type.Integer({ description: 'Of the last 200, those of the last 24 hours.' }),
  lastAlertSeenAt: orNull(timeOf('Null: none of their last 200 alerts.')),
  alertsMissed: Type.Integer({ description: 'Missed since that one, of the last 200.' }),
});
export const CREATE_MEMBER = write('POST /members', {
  summary: 'Add a member',
  needs: 'write',
  decides: one('A member gets no order before an account of theirs is approved.'),
  audit: ['member.create'],
  body: strictObject({
    name: PERSON_NAME,
    username: USERNAME,
    password: PASSWORD,
    phone: optional(MEMBER_PHONE),
    maxOpenOrders: optional(MAX_OPEN_ORDERS),
  }),
  answer: dataOf(MemberView, 'The member.'),
  refusals: ['already-exists'],
});
export type ChangeMember = BodyOf<typeof CHANGE_MEMBER>;
export const CHANGE_MEMBER = write('PATCH /members/:memberId', {
  summary: 'Change a member',
  needs: 'write',
  decides: byChange('A new password, or an active status again.', memberNeedsTwo),
  audit: ['approval.request', 'member.identity', 'member.update'],
  description:
    'Suspending takes the member’s unpaid deposits from them at once. A new password ends their sign-ins.',
  body: changeOf({
    name: PERSON_NAME,
    username: USERNAME,
    phone: MEMBER_PHONE,
    password: PASSWORD,
    maxOpenOrders: MAX_OPEN_ORDERS,
    status: ACTIVE,
  }),
  answer: orWaiting(MemberView, 'The member.'),
  refusals: ['wrong-state', 'already-exists'],
});
export const MAKE_MEMBER_RECOVERY = write('POST /members/:memberId/recovery-link', {
  summary: 'Make a recovery link',
  needs: 'write',
  decides: TWO,
  audit: ['member-recovery.request', 'member.recovery-link'],
  description:
    'For a member who has forgotten their password. Their sign-ins end now; the link before is void. While a second operator is required, another one approves it.',
  answer: orWaiting(RecoveryLinkView, 'The link, shown this once: good once, for 24 hours.'),
  refusals: ['wrong-state'],
});
export const READ_MEMBER = endpoint('GET /members/:memberId', {
  summary: 'Read a member',
  needs: 'read',
  answer: dataOf(MemberView, 'The member.'),
});
export const LIST_MEMBERS = endpoint('GET /members', {
  summary: 'List members',
  needs: 'read',
  querystring: strictObject({
    search: optional(
      searched(
        'In any case: part of the name, of the username, or of who an account belongs to; a telephone or account number, however it is grouped, or its last four digits.',
      ),
    ),
    status: optional(ACTIVE),
    online: optional(Type.Boolean()),
    accountStatus: optional(ACCOUNT_STATUS),
    ...PAGE,
  }),
  answer: listOf(ListedMember, 'Members, the newest first.'),
});

export const ADD_ACCOUNT = write('POST /members/:memberId/accounts', {
  summary: 'Add an account to a member',
  needs: 'write',
  decides: one('It gets no order before it is approved.'),
  audit: ['account.create'],
  body: NEW_ACCOUNT,
  answer: dataOf(MemberAccountView, 'The account, pending until it is approved.'),
  refusals: ['already-exists'],
});
export const CHANGE_ACCOUNT = write('PATCH /member-accounts/:accountId', {
  summary: 'Change an account',
  needs: 'write',
  decides: byChange('Limits or currencies that let it take more.', widensLimits),
  audit: ['account-change.request', 'account.update'],
  description:
    'Its number, title and QR code stay: another number is another account. Limits hold for orders from now on; null: none. The day’s cannot be below what was taken on today (`unprocessable`). While a second operator is required, another one approves what lets it take more; narrower limits hold at once.',
  body: ACCOUNT_CHANGE,
  answer: orWaiting(MemberAccountView, 'The account.'),
  refusals: ['unprocessable', 'wrong-state'],
});
export const APPROVE_ACCOUNT = write('POST /member-accounts/:accountId/approve', {
  summary: 'Approve an account',
  needs: 'write',
  decides: byChange(
    'Unless the asker is an approver who has neither added it nor given its member a password or link. Active again always.',
    approvalNeedsTwo,
  ),
  audit: ['approval.request', 'member.update'],
  answer: orWaiting(MemberAccountView, 'The account takes orders.'),
  refusals: ['second-operator', 'wrong-state'],
});
export const SUSPEND_ACCOUNT = write('POST /member-accounts/:accountId/suspend', {
  summary: 'Suspend an account',
  needs: 'write',
  decides: TAKES_AWAY,
  audit: ['member.update'],
  description: 'Unpaid deposits to it leave it at once.',
  answer: dataOf(MemberAccountView, 'The account takes no more orders.'),
});
