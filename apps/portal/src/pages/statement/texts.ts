export const texts = {
  month: 'Month',
  all: 'All statements',
} as const;
