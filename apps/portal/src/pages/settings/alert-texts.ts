import type { AlertMessageView } from '@munshi/api';

/** Every word about alerts. */
export const texts = {
  lead: 'You are told once when something begins, and once when it is over.',
  when: 'What you are told',
  lowBalance: 'The balance is low',
  lowBalanceLimit: 'Alert below (PKR available)',
  lowBalanceWrong: 'An amount above 0, with at most 4 decimal places.',
  failingWebhooks: 'Webhooks fail',
  failingWebhooksHint: 'Three attempts in a row at one of your receivers.',
  refusedRequests: 'Many requests are refused',
  refusedRequestsLimit: 'Alert from (refused within an hour)',
  refusedRequestsWrong: 'A whole number above 0.',
  failedOrders: 'Many orders fail',
  failedOrdersHint: 'Half of ten orders of an hour or more, and twice yesterday’s share.',
  where: 'Where you are told',
  alertUrl: 'Alert URL',
  alertUrlHint: 'Signed like your webhooks; of orders nothing is sent there. Empty: none.',
  alertEmails: 'E-mail addresses',
  alertEmailsHint: 'One on each line, five at most. A mail goes to each.',
  noMail: 'No mail is sent from here yet. Ask your operator.',
  latest: 'The last alerts',
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
