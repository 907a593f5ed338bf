import { orderTexts } from '@munshi/web-ui';

/** The words of the list that are operators' own, beside those of every list of orders. */
export const texts = {
  ...orderTexts,
  searchHint: 'Reference, account, transaction, digits, 2500 or 2500 10:40',
  none: 'There is no order yet. Merchants make them; the sandbox does too.',
  fields: {
    ...orderTexts.fields,
    merchantId: 'Merchant',
    memberId: 'Member',
    due: 'Due',
    hasLateClaim: 'Late claim',
    hasFailingWebhook: 'Failing webhook',
  },
  due: { '0': 'Overdue', '5': 'Within 5 min', '15': 'Within 15 min', '60': 'Within 1 hour' },
  yesNo: { true: 'Yes', false: 'No' },
  heads: {
    ...orderTexts.heads,
    merchant: 'Merchant',
    member: 'Member',
    due: 'Due',
    merchantRef: 'Merchant’s reference',
  },
} as const;
