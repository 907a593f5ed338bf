export const texts = {
  title: 'Money',
  tabs: { movements: 'Movements', statements: 'Statements' },
  balance: 'Balance',
  at: 'As it was at',
  atHint: 'Your local time. Empty: now.',
} as const;
