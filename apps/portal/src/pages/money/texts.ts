export const texts = {
  title: 'Money',
  tabs: { movements: 'Movements', statements: 'Statements' },
  balance: 'Balance',
  at: 'As it was at',
  atHint: (timeZone: string) => `Date and time in ${timeZone}. Leave it empty for now.`,
} as const;
