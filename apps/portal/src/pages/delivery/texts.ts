export const texts = {
  why: 'Why it has not arrived',
  whys: {
    noAnswer: 'Nothing answered at this address.',
    answered: (status: number) => `Your receiver answered ${status}; only 2xx counts as received.`,
  },
  retries: 'It is sent again by itself, ten times in all, with growing pauses.',
  abandoned: 'Ten attempts have failed, and it is not sent again by itself.',
} as const;
