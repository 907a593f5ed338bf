import { QR_PAYLOAD_BYTES_MAX } from '@munshi/core';
import Type, { type Static } from 'typebox';
import {
  ACTIVE,
  answers,
  dataOf,
  id,
  listOf,
  METHODS,
  money,
  optional,
  orNull,
  orWaiting,
  PAGE,
  PASSWORD,
  params,
  route,
  strict,
  text,
  time,
  USERNAME,
  writeRoute,
} from './schemas.ts';

/** Members and their accounts. */

const ACCOUNT_STATUS = Type.Enum(['pending', 'approved', 'suspended'], { type: 'string' });
const AccountView = Type.Object({
  accountId: id('The account.'),
  memberId: id('The member.'),
  walletType: METHODS,
  accountNumber: Type.String(),
  accountTitle: Type.String(),
  qrPayload: orNull(Type.String()),
  status: ACCOUNT_STATUS,
  minimumPerOrder: orNull(money()),
  maximumPerOrder: orNull(money()),
  maximumPerDay: orNull(money()),
  usedToday: money('Taken on during this day, UTC.'),
});
const MemberView = Type.Object({
  memberId: id('The member.'),
  name: Type.String(),
  username: Type.String(),
  status: ACTIVE,
  online: Type.Boolean(),
  maxOpenOrders: Type.Integer(),
  openOrders: Type.Integer(),
  floatBalance: money(),
  floatHeld: money('What open deposits hold.'),
  floatOverdrawn: Type.Boolean(),
  lastAssignedAt: orNull(time),
  createdAt: time,
  accounts: Type.Array(AccountView),
});
const MAX_OPEN_ORDERS = Type.Integer({
  minimum: 0,
  maximum: 100_000,
  description: 'Orders in hand at once; 10 by default.',
});

export type CreateMember = Static<typeof CREATE_MEMBER.body>;
export const CREATE_MEMBER = writeRoute('Members', 'Add a member', {
  body: Type.Object(
    {
      name: text(200),
      username: USERNAME,
      password: PASSWORD,
      maxOpenOrders: optional(MAX_OPEN_ORDERS),
    },
    strict,
  ),
  response: answers('The member.', dataOf(MemberView), 400, 409),
});
export type ChangeMember = Static<typeof CHANGE_MEMBER.body>;
export const CHANGE_MEMBER = writeRoute('Members', 'Change a member', {
  description:
    'Suspending takes the member’s unpaid deposits from them at once. A new password ends their sign-ins.',
  params: params('memberId'),
  body: Type.Object(
    {
      name: optional(text(200)),
      username: optional(USERNAME),
      password: optional(PASSWORD),
      maxOpenOrders: optional(MAX_OPEN_ORDERS),
      status: optional(ACTIVE),
    },
    { ...strict, minProperties: 1 },
  ),
  response: answers('The member.', orWaiting(MemberView), 400, 404, 409),
});
export const READ_MEMBER = route('Members', 'Read a member', {
  params: params('memberId'),
  response: answers('The member.', dataOf(MemberView), 404),
});
export type ListMembers = Static<typeof LIST_MEMBERS.querystring>;
export const LIST_MEMBERS = route('Members', 'List members', {
  querystring: Type.Object(
    {
      search: optional(
        Type.String({ maxLength: 200, description: 'Part of the name or username.' }),
      ),
      status: optional(ACTIVE),
      online: optional(Type.Boolean()),
      accountStatus: optional(ACCOUNT_STATUS),
      ...PAGE,
    },
    strict,
  ),
  response: answers('Members, the newest first.', listOf(MemberView), 400),
});
export type AddAccount = Static<typeof ADD_ACCOUNT.body>;
export const ADD_ACCOUNT = writeRoute('Members', 'Add an account to a member', {
  params: params('memberId'),
  body: Type.Object(
    {
      walletType: METHODS,
      accountNumber: text(50),
      accountTitle: text(200),
      qrPayload: optional(
        orNull(
          text(
            QR_PAYLOAD_BYTES_MAX,
            `What the QR code holds: at most ${QR_PAYLOAD_BYTES_MAX} bytes of UTF-8.`,
          ),
        ),
      ),
      minimumPerOrder: optional(orNull(money('In wallet currency.'))),
      maximumPerOrder: optional(orNull(money('In wallet currency.'))),
      maximumPerDay: optional(orNull(money('In wallet currency, by UTC days.'))),
    },
    strict,
  ),
  response: answers('The account, pending until it is approved.', dataOf(AccountView), 400, 404),
});
export const APPROVE_ACCOUNT = writeRoute('Members', 'Approve an account', {
  params: params('accountId'),
  response: answers('The account takes orders.', dataOf(AccountView), 404),
});
export const SUSPEND_ACCOUNT = writeRoute('Members', 'Suspend an account', {
  description: 'Unpaid deposits to it leave it at once.',
  params: params('accountId'),
  response: answers('The account takes no more orders.', dataOf(AccountView), 404),
});
