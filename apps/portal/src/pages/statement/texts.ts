export const texts = {
  title: (month: string) => `Statement ${month}`,
  print: 'Print',
  csv: 'Save the movements of this month as a CSV file',
  all: 'All statements',
} as const;
