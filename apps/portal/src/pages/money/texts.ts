export const texts = {
  title: 'Money',
  tabs: { movements: 'Movements', statements: 'Statements' },
  balance: 'Balance',
  at: 'As it was at',
  atHint: (timeZone: string) => `Date and time of ${timeZone}. Empty: now.`,
} as const;
