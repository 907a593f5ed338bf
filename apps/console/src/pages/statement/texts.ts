export const texts = {
  title: (month: string) => `Statement of ${month}`,
  print: 'Print',
  csv: 'Save the movements of this month as a CSV file',
  none: 'No statement of this month',
  noneHint: 'The merchant’s statements begin with its first month.',
  theirs: 'All of its statements',
  all: (name: string) => `All statements of ${name}`,
} as const;
