import Type from 'typebox';
import {
  CURRENCY,
  enumOf,
  id,
  METHODS,
  money,
  namedObject,
  ORDER_TYPE,
  orNull,
  STAGE,
  STATUS,
  time,
} from './contract/operator.ts';

/** Why an order is like another one. */
export const LIKENESSES = ['digits', 'payer', 'amount', 'reference', 'member-reference'] as const;
export type Likeness = (typeof LIKENESSES)[number];
export const CANDIDATE_REASONS = [...LIKENESSES, 'account'] as const;
export type CandidateReason = (typeof CANDIDATE_REASONS)[number];

const fields = {
  orderId: id('The order.'),
  orderReference: Type.String(),
  orderType: ORDER_TYPE,
  walletType: METHODS,
  currency: CURRENCY,
  amount: money(),
  status: STATUS,
  stage: STAGE,
  merchantName: Type.String(),
  memberName: orNull(Type.String()),
  transactionDigits: orNull(Type.String()),
  memberTransactionReference: orNull(Type.String()),
  sentAt: orNull(time),
  createdAt: time,
};

/** An order that is like another one. */
export const SimilarOrder = namedObject('SimilarOrder', {
  ...fields,
  likenesses: Type.Array(enumOf(LIKENESSES), {
    description:
      'member-reference: a member has noted the same transaction, or this one’s member within 24 hours one that ends with the customer’s digits. digits, payer: the same on the same account or for the same amount, within 24 hours. amount: the same on the same account, within 2 hours. reference: the merchant’s.',
  }),
});

/** An order that may have got the payment of a late claim. */
export const Candidate = namedObject('PaymentCandidate', {
  ...fields,
  because: Type.Array(enumOf(CANDIDATE_REASONS), {
    description:
      'member-reference: the member noted a transaction that ends with these digits. digits: the customer gave these. payer: the same payer. amount: the same on the same account. reference: the merchant’s is the same. account: the same receiving account.',
  }),
});
