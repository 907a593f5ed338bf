import { CLOSING_ACTIONS, CLOSING_STATUSES } from '@munshi/core';
import Type from 'typebox';
import { one } from './contract/decider.ts';
import type { Shown } from './contract/endpoint.ts';
import {
  allowedActions,
  csvFile,
  dataOf,
  id,
  lines,
  listOf,
  money,
  namedEnum,
  namedObject,
  operator,
  optional,
  orNull,
  PAGE_QUERY,
  strictObject,
  time,
  timeOf,
} from './contract/operator.ts';

/** Days and shifts that are closed: the figures of a stretch of the ledger, counted and signed. */

const { endpoint, write } = operator('Closings');

const WALLET_SUMS = {
  opening: money('Of the wallet.'),
  deposits: money('Before fees.'),
  withdrawals: money('Before fees; below zero.'),
  fees: money('What was kept.'),
  adjustments: money('Credits less debits.'),
  frozen: money('Freezes less unfreezes: what left for the frozen balance.'),
  closing: money('opening + deposits + withdrawals − fees + adjustments − frozen.'),
  frozenClosing: money('The frozen balance at the end.'),
};
const FLOAT_SUMS = {
  opening: money('Of the float.'),
  deposits: money('What deposits took of the float; below zero.'),
  withdrawals: money('What payouts gave.'),
  adjustments: money('What operators gave less what they took.'),
  closing: money('The float that is expected at the end.'),
};
const COUNTED = 'What was counted';

const Sums = namedObject('ClosingSums', {
  merchants: Type.Object({ count: Type.Integer(), ...WALLET_SUMS }),
  members: Type.Object({
    count: Type.Integer(),
    ...FLOAT_SUMS,
    uncounted: Type.Integer({ description: 'Members whose float nobody has counted yet.' }),
    counted: money('Of the floats that were counted.'),
    difference: money('Counted less expected, of those floats.'),
  }),
});

const TIME_ZONE = Type.String({ description: 'In which days end: that of the wallets.' });
const RECORD = {
  closingId: id('The closing.'),
  from: time,
  to: timeOf('Its end, which is not part of it.'),
  timeZone: TIME_ZONE,
  status: namedEnum('ClosingStatus', CLOSING_STATUSES),
  countedBy: Type.String({ description: 'The operator who counts.' }),
  countedByName: Type.String(),
  begunAt: time,
  countedAt: orNull(timeOf('Of the last count; null: none was typed in.')),
  decidedBy: orNull(Type.String({ description: 'The operator who signed or discarded it.' })),
  decidedByName: orNull(Type.String()),
  decidedAt: orNull(time),
  note: orNull(Type.String({ description: 'Of the operator who signed or discarded it.' })),
};
const ClosingRecord = namedObject('ClosingRecord', RECORD);

export type ListedClosingView = Shown<typeof ListedClosingView>;
const ListedClosingView = namedObject('ListedClosing', {
  ...RECORD,
  signed: orNull(
    Type.Object(
      {
        wallets: money('In merchants’ wallets at the end.'),
        fees: money('Kept.'),
        floats: money('Expected on members’ floats at the end.'),
        difference: money('Counted less expected.'),
      },
      { description: 'The sums of a signed one.' },
    ),
  ),
});

export type ClosingView = Shown<typeof ClosingView>;
const ClosingView = namedObject('Closing', {
  ...RECORD,
  sums: Sums,
  allowedActions: allowedActions(CLOSING_ACTIONS, 'ClosingAction'),
});

export const LIST_CLOSINGS = endpoint('GET /closings', {
  summary: 'List closed days',
  needs: 'read',
  querystring: PAGE_QUERY,
  answer: listOf(ListedClosingView, 'The newest first, discarded ones too.'),
});

export type NextClosingView = Shown<typeof NextClosingView>;
const NextClosingView = namedObject('NextClosing', {
  from: timeOf(
    'Where the last signed closing ends; before the first, where the day of `to` begins.',
  ),
  to: time,
  timeZone: TIME_ZONE,
  dayEnds: Type.Array(time, {
    description: 'Ends of days that can be closed, in the time zone of the wallets, latest first.',
  }),
  sums: Sums,
});
const END = optional(
  Type.String({
    maxLength: 40,
    description: 'Where it ends, ISO 8601: the end of a day or any time since; now if left out.',
  }),
);
export const PREVIEW_CLOSING = endpoint('GET /closings/next', {
  summary: 'What a closing would have now',
  needs: 'read',
  querystring: strictObject({ to: END }),
  answer: dataOf(NextClosingView, 'The period that is not closed, and its figures until now.'),
  refusals: ['too-slow'],
});
export const READ_CLOSING = endpoint('GET /closings/:closingId', {
  summary: 'Read a closing',
  needs: 'read',
  answer: dataOf(ClosingView, 'The closing with its sums.'),
  refusals: ['too-slow'],
});

export type ClosingMerchantView = Shown<typeof ClosingMerchantView>;
const ClosingMerchantView = namedObject('ClosingMerchant', {
  merchantId: Type.String(),
  merchantName: Type.String({ description: 'As it was when the closing was signed.' }),
  ...WALLET_SUMS,
});
export const LIST_CLOSING_MERCHANTS = endpoint('GET /closings/:closingId/merchants', {
  summary: 'List the merchants of a closing',
  needs: 'read',
  querystring: PAGE_QUERY,
  answer: listOf(ClosingMerchantView, 'By name: all that had money or whose wallet was moved.'),
  refusals: ['too-slow'],
});

export type ClosingMemberView = Shown<typeof ClosingMemberView>;
const ClosingMemberView = namedObject('ClosingMember', {
  memberId: Type.String(),
  memberName: Type.String({ description: 'As it was when the closing was signed.' }),
  ...FLOAT_SUMS,
  counted: orNull(
    money(`${COUNTED}; null without \`note\`: nothing yet, with it: it could not be.`),
  ),
  difference: orNull(money('Counted less expected.')),
  note: orNull(Type.String()),
});
export const LIST_CLOSING_MEMBERS = endpoint('GET /closings/:closingId/members', {
  summary: 'List the members of a closing',
  needs: 'read',
  querystring: PAGE_QUERY,
  answer: listOf(ClosingMemberView, 'By name: all who had a float or whose float was moved.'),
  refusals: ['too-slow'],
});
export const EXPORT_CLOSING = endpoint('GET /closings/:closingId/closing.csv', {
  summary: 'A closing as a CSV file',
  needs: 'read',
  querystring: strictObject({}),
  answer: csvFile('Its merchants, then its members; fees and what was frozen are below zero.'),
  refusals: ['too-slow'],
});

const RECORDS = one('It records figures, and moves no money.');
export const BEGIN_CLOSING = write('POST /closings', {
  summary: 'Begin to close a day or shift',
  needs: 'decide',
  decides: RECORDS,
  audit: ['closing.begin'],
  description:
    'Says where the period ends. It begins where the last signed one ended. From then on nothing is posted into it, so that its figures stay as they are. One closing is open at a time.',
  body: strictObject({ to: END }),
  answer: dataOf(ClosingRecord, 'The closing; the asker counts it.'),
  refusals: ['wrong-state'],
});
export const COUNT_CLOSING = write('POST /closings/:closingId/counts', {
  summary: 'Type in the counted float of a member',
  needs: 'decide',
  decides: RECORDS,
  audit: ['closing.count'],
  description:
    'By the operator who began the closing, as often as needed until it is signed. A difference needs a note.',
  body: strictObject({
    memberId: id('The member.'),
    counted: orNull(money(`${COUNTED}; null: it could not be, \`note\` says why.`)),
    note: optional(orNull(lines(1000, 'Why it differs.'))),
  }),
  answer: dataOf(ClosingMemberView, 'The member’s row.'),
  refusals: ['wrong-state', 'second-operator'],
});
export const SIGN_CLOSING = write('POST /closings/:closingId/sign', {
  summary: 'Sign a closing',
  needs: 'write',
  decides: one('It is the second signature: the counter is refused.'),
  audit: ['closing.sign'],
  description:
    'By another operator than the one who counted, let in by another approver. Every member needs a count. It never changes again: later corrections belong to the day on which they are made.',
  body: strictObject({
    countedAt: orNull(timeOf('As it was read: 409 where somebody has counted again since.')),
    note: optional(lines(1000, 'For the closing.')),
  }),
  answer: dataOf(ClosingRecord, 'The signed closing.'),
  refusals: ['wrong-state', 'second-operator'],
});
export const DISCARD_CLOSING = write('POST /closings/:closingId/discard', {
  summary: 'Discard a closing that is not signed',
  needs: 'decide',
  decides: RECORDS,
  audit: ['closing.discard'],
  description: 'Its period can be closed again.',
  body: strictObject({ note: lines(1000, 'Why.') }),
  answer: dataOf(ClosingRecord, 'The discarded closing.'),
  refusals: ['wrong-state'],
});
