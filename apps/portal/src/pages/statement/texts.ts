export const texts = {
  title: (month: string) => `Statement of ${month}`,
  month: 'Month',
  none: 'No statement of this month',
  noneHint:
    'A statement begins with your first month and goes to the present one. Choose another month above.',
  print: 'Print',
  csv: 'Save the movements of this month as a CSV file',
  all: 'All statements',
} as const;
