import type { AlertMessageView } from '@munshi/api';

/** The words of the alerts that there were. */
export const texts = {
  noMail: 'No mail is sent from here yet. Ask your operator.',
  latest: 'Alerts so far',
  older: 'Show older ones',
  test: 'Send a test',
  testHint: 'To the saved URL and addresses.',
  none: 'Nothing has happened yet that you want to be told of.',
  kinds: {
    test: 'A test',
    webhookFailing: (host: string) => `Webhooks to ${host} failed`,
    lowBalance: (available: string, limit: string) =>
      `Only ${available} was available, less than your limit of ${limit}`,
    manyFailures: (failed: number, ended: number) =>
      `${failed.toLocaleString('en')} of ${ended.toLocaleString('en')} orders of an hour failed`,
    manyRefusals: (refused: number) =>
      `${refused.toLocaleString('en')} requests were refused within an hour`,
  },
  lasts: 'Goes on',
  over: 'Over',
  began: 'Began',
  ended: 'over',
  sent: 'Sent',
  nobody: 'Nobody was told: there was no URL and no address.',
  toUrl: 'Alert URL',
  /** After whom it was told. */
  states: { begun: 'when it began', over: 'when it was over' },
  statuses: {
    waiting: 'Waiting',
    failing: 'Retrying',
    sent: 'Sent',
    failed: 'Not sent',
    superseded: 'Superseded',
  } satisfies Record<AlertMessageView['status'], string>,
} as const;
