import type { AlertMessageView } from '@munshi/api';

/** The words of the alerts that there were. */
export const texts = {
  noMail: 'No mail is sent from here yet. Ask your operator.',
  latest: 'Alerts so far',
  older: 'Show older ones',
  test: 'Send a test',
  testHint: 'To the saved addresses.',
  none: 'No alerts yet.',
  aTest: 'A test',
  lasts: 'Goes on',
  over: 'Over',
  began: 'Began',
  ended: 'over',
  sent: 'Sent',
  nobody: 'Sent to nobody: there was no address.',
  toUrl: 'Alert URL',
  /** After the receiver. */
  states: { begun: 'when it began', over: 'when it was over' },
  statuses: {
    waiting: 'Waiting',
    failing: 'Retrying',
    sent: 'Sent',
    failed: 'Not sent',
    superseded: 'Superseded',
  } satisfies Record<AlertMessageView['status'], string>,
} as const;
