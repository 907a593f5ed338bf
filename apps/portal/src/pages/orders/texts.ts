import { orderTexts } from '@munshi/web-ui';

/** The words of the list that are the portal's own, beside those of every list of orders. */
export const texts = {
  ...orderTexts,
  searchHint: 'Your reference, ours, a customer reference, or an amount',
  none: 'There are no orders yet. Your first signed request creates one.',
  toDevelopers: 'See how to send one',
  heads: { ...orderTexts.heads, merchantRef: 'Your reference' },
} as const;
