export const texts = {
  merchant: 'Merchant',
  retry: 'Retry now',
} as const;
