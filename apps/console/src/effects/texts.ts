import type { EffectWarning } from '@munshi/api';

/** Every word of what a write would do. */
export const texts = {
  becomes: 'The order becomes',
  becomesThis: 'becomes',
  andMore: (count: number) => `and ${count} more`,
  failureReason: 'The merchant is told',
  balances: 'Balances, PKR',
  available: (merchant: string) => `${merchant}, available`,
  reserved: (merchant: string) => `${merchant}, reserved`,
  frozen: (merchant: string) => `${merchant}, frozen`,
  float: (member: string) => `${member}, float`,
  held: (member: string) => `${member}, held by open deposits`,
  inHand: (member: string) => `${member}, orders in hand`,
  noMoney: 'No money moves.',
  ledger: 'Ledger, PKR',
  accounts: {
    wallet: 'Merchant wallet',
    frozen: 'Merchant frozen',
    memberFloat: 'Member float',
    fees: 'Fees',
    adjustments: 'Adjustments',
  },
  webhook: 'Webhook',
  webhookTo: (event: string) => `${event} to`,
  webhookBody: 'Body as it will be sent',
  twoPeople:
    'Another operator has to agree. Nothing changes until they do; the request ends after 24 hours.',
  warnings: {
    'second-operator': 'Two people are needed for this.',
    'balance-below-zero': 'The merchant’s available balance goes below zero.',
    'float-below-held': 'The member’s float goes below what open deposits hold.',
    'reference-taken': 'A newer order has this order’s reference:',
    'digits-elsewhere': 'Another order has the same digits or payer:',
    'nobody-said-paid': 'Neither the customer nor the member has said that money moved.',
    'member-may-have-paid':
      'A member began to send this payout, or reported it: make sure that nothing was sent.',
    'no-member': 'Nobody held this order: the adjustments account stands in for a member.',
    'no-webhook': 'The order has no callback URL, so no webhook is sent.',
  } satisfies Record<EffectWarning, string>,
} as const;
