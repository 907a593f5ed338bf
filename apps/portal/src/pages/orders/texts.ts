import { orderTexts } from '@munshi/web-ui';

/** The words of the list that are the portal's own, beside those of every list of orders. */
export const texts = {
  ...orderTexts,
  search: 'Find any order',
  searchHint: 'Your reference, ours, a customer reference, or an amount',
  none: 'There is no order yet. The first one comes with your first signed request.',
  toDevelopers: 'See how to send one',
  heads: {
    reference: 'Reference',
    merchantRef: 'Your reference',
    customer: 'Customer reference',
    amount: 'Amount',
    fee: 'Fee',
    status: 'Status',
    type: 'Type',
    method: 'Method',
    created: 'Created',
    completed: 'Completed',
    failed: 'Failed',
    reason: 'Reason',
  },
} as const;
