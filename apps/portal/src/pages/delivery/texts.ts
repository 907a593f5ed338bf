export const texts = {
  why: 'Why it has not arrived',
  whys: {
    noAnswer: 'Nothing answered at this address.',
    answered: (status: number) => `Your receiver answered ${status}; only 2xx counts as received.`,
  },
  retries: 'It is retried automatically, ten attempts in all, with growing pauses.',
  abandoned: 'Ten attempts have failed, so it is not retried automatically.',
} as const;
