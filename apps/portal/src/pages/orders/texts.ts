import { orderTexts } from '@munshi/web-ui';

/** The words of the list that are the portal's own, beside those of every list of orders. */
export const texts = {
  ...orderTexts,
  search: 'Find any order',
  searchHint: 'Your reference, ours, a customer reference, or an amount',
  none: 'There is no order yet. The first one comes with your first signed request.',
  toDevelopers: 'See how to send one',
  heads: { ...orderTexts.heads, merchantRef: 'Your reference' },
} as const;
