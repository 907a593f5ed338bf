import type { CandidateView, LateClaimView } from '@munshi/api';

type Claimed = Pick<LateClaimView, 'transactionDigits' | 'payerAccount'>;

/** Every word of the screen of late claims. */
export const texts = {
  title: 'Late claims',
  statuses: { open: 'Open', closed: 'Closed' },
  list: { open: 'Open late claims', closed: 'Closed late claims' },
  noneOpen: 'No late claim is open',
  noneOpenHint: 'Customers who say that they paid an expired order leave one on the payment page.',
  noneClosed: 'No late claim has been closed yet.',
  choose: 'Choose a claim, or press Enter on one.',
  gone: 'This claim is no longer in the list.',
  back: 'Back to the list',
  next: 'Next claim',
  previous: 'Previous claim',
  /** What the customer says to have paid: digits, or the account that a QR method was given. */
  payment: ({ transactionDigits, payerAccount }: Claimed) =>
    transactionDigits === null ? `Paid from ${payerAccount}` : `Digits ${transactionDigits}`,
  digitsWithin: (digits: string) => `digits ${digits}`,
  takenByYou: 'You are working on it',
  takenBy: (who: string | null) => `${who ?? 'An operator'} is working on it`,
  nobody: 'Nobody is working on it yet',
  closedByYou: 'Closed by you',
  closedBy: (who: string | null) => `Closed by ${who ?? 'an operator'}`,
  ago: 'claimed',
  facts: {
    claim: 'The claim',
    found: 'What was found',
    candidates: 'Where the money may be',
  },
  order: 'Order',
  customerDigits: 'Digits',
  digitsOf: 'the digits',
  payer: 'Paid from',
  amount: 'Amount',
  /** Of an order with more decimals than can be sent. */
  sent: 'Customer sends',
  method: 'Method',
  member: 'Ask about the money',
  noMember: 'nobody held it',
  merchant: 'Merchant',
  claimed: 'Claimed',
  expired: 'Link ends',
  take: 'Look into it',
  takeOver: 'Take it over',
  taken: 'You are working on it now. The customer can no longer change it.',
  close: 'Close…',
  closeTitle: 'Close the claim',
  closeHint:
    'The order does not change. If the money came, confirm the order first. Neither the customer nor the merchant is told.',
  closeNote: 'What was found',
  closed: 'The claim is closed.',
  closeTemplates: [
    'The payment was found and the order confirmed.',
    'No such payment in the member’s statement.',
    'The payment belongs to another order.',
    'The customer paid twice; it was returned to them.',
  ],
  noCandidates:
    'No other order has these digits or this payer, or this amount on the account, around that time.',
  because: {
    digits: 'same digits',
    payer: 'same payer',
    amount: 'same amount',
    reference: 'same reference',
    'member-reference': 'member noted these digits',
    account: 'same account',
  } satisfies Record<CandidateView['because'][number], string>,
  keys: { take: 'Look into the claim that is open' },
} as const;
