import type { CandidateView, LateClaimView } from '@munshi/api';

type Claimed = Pick<LateClaimView, 'transactionDigits' | 'payerAccount'>;

/** What the customer says to have paid: digits, or the account that a QR method was given. */
export const payment = ({ transactionDigits, payerAccount }: Claimed) =>
  transactionDigits === null ? `Paid from ${payerAccount}` : `Digits ${transactionDigits}`;

export const BECAUSE = {
  digits: 'same digits',
  payer: 'same payer',
  amount: 'same amount',
  reference: 'same reference',
  'member-reference': 'member noted these digits',
  account: 'same account',
} satisfies Record<CandidateView['because'][number], string>;
