/** The words about how receivers do. */
export const texts = {
  receiver: 'Receiver',
  health: 'Health',
  healthy: 'Healthy',
  lastFailed: 'Last attempt failed',
  failing: 'Failing',
  failingSince: 'Failing since',
  succeeded: 'Succeeded, 24 h',
  rate: (percent: number, attempts: number) => `${percent} % of ${attempts.toLocaleString('en')}`,
  nothingSent: 'Nothing sent',
  median: 'Median',
  p95: 'p95',
  milliseconds: (ms: number) => `${ms.toLocaleString('en')}\u00a0ms`,
  waiting: 'Waiting',
  given: 'Given up',
  lastError: 'Last error',
  none: 'Nothing has been sent yet. Merchants are told when an order ends.',
} as const;
