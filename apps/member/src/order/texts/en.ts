/** Reporting a withdrawal, in English; the shape of every other language. */
export const en = {
  title: 'What is wrong?',
  lead: 'Operations take the order over. Do not pay it any more.',
  leadPaid: 'Say that you have paid. Operations look at it.',
  reasons: {
    details: 'The customer’s details are wrong',
    refused: 'The wallet refused the transfer',
    down: 'The provider is down',
    unsure: 'Not sure whether it was sent',
    paid: 'I have paid it already',
  },
  button: 'Tell operations',
  cannot: 'I cannot pay this',
  cannotTitle: 'You cannot pay this?',
  cannotLead: (amount: string) =>
    `The withdrawal of ${amount} fails, and the customer gets no money. If it was or may have been sent, report it instead.`,
  cannotSure: 'Yes, nothing was sent',
};
export type ReportTexts = typeof en;
