import { LATE_CLAIM_STATUSES } from '@munshi/core';
import Type from 'typebox';
import { one } from './contract/decider.ts';
import type { Shown } from './contract/endpoint.ts';
import {
  allowedActions,
  CURRENCY,
  dataOf,
  id,
  lines,
  listOf,
  METHODS,
  money,
  namedEnum,
  namedObject,
  operator,
  optional,
  orNull,
  PAGE,
  STATUS,
  strictObject,
  time,
} from './contract/operator.ts';
import { Candidate } from './orders.similar.ts';

/** Claims of customers that they have paid for a deposit that has ended without their money. */

const { endpoint, write } = operator('Late claims');

const CLAIM_STATUS = namedEnum('LateClaimStatus', LATE_CLAIM_STATUSES);
export type LateClaimView = Shown<typeof LateClaimView>;
export const LateClaimView = namedObject('LateClaim', {
  claimId: id('The claim.'),
  merchantId: id('The merchant.'),
  orderId: id('The order that the customer says they paid.'),
  transactionDigits: orNull(
    Type.String({
      description:
        '4 to 20 digits of the transaction ID, the last ones or all, as the customer left them; null where they gave the account that they pay from instead.',
    }),
  ),
  payerAccount: orNull(
    Type.String({
      description:
        'The end of the account that the customer pays from; null for methods that ask for digits.',
    }),
  ),
  status: CLAIM_STATUS,
  claimedAt: time,
  takenAt: orNull(time),
  takenBy: orNull(Type.String({ description: 'The operator who looks into it.' })),
  takenByName: orNull(Type.String({ description: 'As it is now.' })),
  closedAt: orNull(time),
  closedBy: orNull(Type.String()),
  closedByName: orNull(Type.String()),
  note: orNull(Type.String({ description: 'What was found.' })),
  allowedActions: allowedActions(['take', 'take-over', 'close'], 'LateClaimAction'),
});
const ListedClaim = namedObject('ListedLateClaim', {
  ...LateClaimView.properties,
  order: Type.Object({
    orderReference: Type.String(),
    merchantOrderRef: orNull(Type.String()),
    customerReference: orNull(Type.String()),
    walletType: METHODS,
    currency: CURRENCY,
    amount: money(),
    status: STATUS,
    memberId: orNull(
      Type.String({
        description: 'Who holds the order, or held it last: whom to ask for the money.',
      }),
    ),
    createdAt: time,
    expiresAt: time,
    merchantName: Type.String(),
    memberName: orNull(Type.String()),
  }),
});
export const LIST_LATE_CLAIMS = endpoint('GET /late-claims', {
  summary: 'List late claims',
  needs: 'read',
  description:
    'Customers whose deposit failed or expired say that they did pay. A claim changes no order and no money.',
  querystring: strictObject({
    status: optional(CLAIM_STATUS),
    merchantId: optional(id('The merchant.')),
    ...PAGE,
  }),
  answer: listOf(
    ListedClaim,
    'When open claims are asked for: the oldest first, without those of orders about which a request of the asking operator waits for a second operator. Otherwise the newest first.',
  ),
});
export type CandidateView = Shown<typeof Candidate>;
export const LIST_CANDIDATES = endpoint('GET /late-claims/:claimId/candidates', {
  summary: 'Find the payment of a late claim',
  needs: 'read',
  description:
    'Orders with its digits or its payer, or with its amount on the same account, created or paid from 2 hours before the order to a day after the claim.',
  answer: dataOf(Type.Array(Candidate), 'At most 50, those that match in most ways first.'),
});
export const TAKE_LATE_CLAIM = write('POST /late-claims/:claimId/take', {
  summary: 'Take a late claim up',
  needs: 'decide',
  decides: one('It says who works on the claim, and decides nothing.'),
  audit: ['late-claim.take'],
  description:
    'Says who looks into it. Until it is closed the customer cannot correct it. Another operator takes it over by naming who has it. A preview answers the claim as it would be.',
  preview: true,
  body: strictObject(
    {
      from: optional(
        Type.String({
          maxLength: 100,
          description:
            '`takenBy` of the claim, to take it over from them; 409 where another operator has it by now. Without it the claim is only taken where nobody has it.',
        }),
      ),
    },
    { title: 'TakingOfLateClaim' },
  ),
  answer: dataOf(LateClaimView, 'The claim.'),
  refusals: ['wrong-state'],
});
export const CLOSE_LATE_CLAIM = write('POST /late-claims/:claimId/close', {
  summary: 'Close a late claim',
  needs: 'decide',
  decides: one('It moves no money: the order is decided by itself.'),
  audit: ['late-claim.close'],
  description:
    'With what was found. Where the money came, confirm the order first. A preview answers the claim as it would be.',
  preview: true,
  body: strictObject({
    note: lines(
      1000,
      'What was found, for the claim and the audit log. The customer and the merchant are not notified.',
    ),
  }),
  answer: dataOf(LateClaimView, 'The closed claim.'),
  refusals: ['wrong-state'],
});
