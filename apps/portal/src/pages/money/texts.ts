export const texts = {
  title: 'Money',
  balance: 'Balance',
} as const;
