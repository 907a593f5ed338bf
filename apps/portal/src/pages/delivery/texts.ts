export const texts = {
  title: 'Delivery',
  facts: 'About it',
  order: 'Order',
  url: 'Address',
  id: 'Delivery id',
  made: 'Made',
  next: 'Next attempt',
  why: 'Why it has not arrived',
  whys: {
    noAnswer: 'Nothing answered at this address.',
    answered: (status: number) => `Your receiver answered ${status}; only 2xx counts as received.`,
  },
  retries: 'It is sent again by itself, ten times in all, with growing pauses.',
  abandoned: 'Ten attempts have failed, and it is not sent again by itself.',
  resend: 'Resend…',
  resendTitle: 'Send the outcome again',
  resendLead:
    'A new delivery of the present outcome, with a new id and time. Deliveries that are still retried are superseded.',
  resendDeed: 'Resend the outcome',
} as const;
